// From elements to layers. SVG 1.1 §5 (structure), §9 (shapes), §14.3 (clip paths).

internal import ReelCore

/// Walks over a document and makes layers of it, in the document's units.
struct SVGBuilder {
  /// LIMIT: shapes that are drawn, copies by `use` among them: a few lines can ask for billions.
  private static let mostShapes = 20_000
  /// LIMIT: elements that are walked over, copies among them.
  private static let mostSteps = 200_000
  /// LIMIT: elements of the paths of all shapes and clips, copies among them: few shapes may have many.
  private static let mostPathElements = 1_000_000
  /// LIMIT: bytes of attributes that are read as paths, again for each copy inside of what is used.
  private static let mostPathBytes = 64 << 20
  /// LIMIT: letters of all texts, copies among them.
  private static let mostLetters = 50_000
  /// LIMIT: `use` inside of what is used, and groups.
  private static let mostDepth = 24

  private let port: Size
  /// nil: text is not drawn.
  private let outliner: (any TextOutliner)?
  private var letterCount = 0
  private var gradients = SVGGradients()
  private var named: [String: XMLElement] = [:]
  private var shapeCount = 0
  private var stepCount = 0
  private var pathElementCount = 0
  private var pathByteCount = 0
  /// Outlines that were read, by the ids of what `use` and `clip-path` name.
  private var paths: [String: [PathElement]?] = [:]
  private var clips: [String: [PathElement]] = [:]
  private(set) var layers: [OverlayLayer] = []
  private(set) var unsupported: Set<String> = []

  init(_ root: XMLElement, port: Size, outliner: (any TextOutliner)?) {
    self.port = port
    self.outliner = outliner
    collect(root)
  }

  private mutating func collect(_ element: XMLElement) {
    if let id = element["id"], named[id] == nil { named[id] = element }
    gradients.add(element)
    for child in element.children { collect(child) }
  }

  mutating func draw(_ root: XMLElement) throws(MediaError) {
    let style = SVGStyle().inherited(by: root, whole: diagonal)
    layers = try children(root, style, depth: 0)
    if style.opacity < 1 { layers = [.group(layers, opacity: style.opacity, clip: nil)] }
  }

  /// What percentages of lengths without a direction are of. §7.10.
  private var diagonal: Double {
    ((port.width * port.width + port.height * port.height) / 2).squareRoot()
  }

  private mutating func children(
    _ element: XMLElement, _ style: SVGStyle, depth: Int
  ) throws(MediaError) -> [OverlayLayer] {
    var result: [OverlayLayer] = []
    for child in element.children { result += try self.layers(child, style, depth: depth) }
    return result
  }

  /// Counts the elements of a path that becomes part of a layer.
  private mutating func count(_ path: [PathElement]) throws(MediaError) {
    pathElementCount += path.count
    guard pathElementCount <= Self.mostPathElements else {
      throw MediaError(
        .limitExceeded, .svgSize,
        detail: "more than \(Self.mostPathElements) elements of paths, copies included")
    }
  }

  /// The outline of an element; nil when it is no shape. `id`: the name under which it is kept.
  private mutating func path(
    _ element: XMLElement, id: String? = nil
  ) throws(MediaError) -> [PathElement]? {
    if let id, let known = paths[id] { return known }
    pathByteCount += (element["d"] ?? element["points"] ?? "").utf8.count
    guard pathByteCount <= Self.mostPathBytes else {
      throw MediaError(
        .limitExceeded, .svgSize,
        detail: "more than \(Self.mostPathBytes) bytes of paths, copies included")
    }
    let path = try SVGShapes.path(element, port: port)
    if let id { paths[id] = .some(path) }
    return path
  }

  /// The layers of an element, in the units of the one around it. `id`: by which `use` names it.
  private mutating func layers(
    _ element: XMLElement, _ parent: SVGStyle, depth: Int, id: String? = nil
  ) throws(MediaError) -> [OverlayLayer] {
    stepCount += 1
    guard stepCount <= Self.mostSteps, depth <= Self.mostDepth else {
      throw MediaError(
        .limitExceeded, .svgSize, detail: "\(stepCount) elements, \(depth) deep, copies included")
    }
    let style = parent.inherited(by: element, whole: diagonal)
    guard style.isDisplayed else { return [] }
    var inner: [OverlayLayer]
    switch element.name {
    case "g", "a", "switch": inner = try children(element, style, depth: depth + 1)
    case "svg":
      unsupported.insert("svg inside of svg (its viewport)")
      inner = try children(element, style, depth: depth + 1)
    case "use": inner = try use(element, style, depth: depth)
    case "text" where outliner != nil: inner = try text(element, style)
    case "defs", "symbol", "clipPath", "linearGradient", "radialGradient", "title", "desc",
      "metadata":
      return []
    default:
      guard let path = try path(element, id: id) else {
        unsupported.insert(String(element.name.prefix(40)))
        return []
      }
      inner = try shape(path, style)
    }
    for name in style.unsupported { unsupported.insert(name) }
    let transform = element["transform"].map(SVGTransform.parse) ?? .identity
    // An element with a transform that cannot be read is in error and not drawn. §7.6.
    guard let transform else { return [] }
    let clip = try clip(style)
    if style.opacity < 1 || clip != nil {
      inner = [.group(inner, opacity: style.opacity, clip: clip)]
    }
    return transform == .identity ? inner : inner.map { $0.transformed(transform) }
  }

  private mutating func use(
    _ element: XMLElement, _ style: SVGStyle, depth: Int
  ) throws(MediaError) -> [OverlayLayer] {
    guard let link = element["href"], link.hasPrefix("#") else { return [] }
    let id = String(link.dropFirst())
    guard let target = named[id] else { return [] }
    var inner: [OverlayLayer]
    if target.name == "symbol" {
      let own = style.inherited(by: target, whole: diagonal)
      inner = try children(target, own, depth: depth + 1)
      if target["viewBox"] != nil { inner = try placed(inner, element, target) }
    } else {
      inner = try layers(target, style, depth: depth + 1, id: id)
    }
    let x = element["x"].flatMap { SVGLength.parse($0, of: port.width) } ?? 0
    let y = element["y"].flatMap { SVGLength.parse($0, of: port.height) } ?? 0
    guard x != 0 || y != 0 else { return inner }
    return inner.map { $0.transformed(.translation(x: x, y: y)) }
  }

  /// A symbol's content in the size that `use` gives it.
  private func placed(
    _ inner: [OverlayLayer], _ element: XMLElement, _ symbol: XMLElement
  ) throws(MediaError) -> [OverlayLayer] {
    let numbers = symbol["viewBox"].flatMap { SVGLength.numbers($0, most: 4) } ?? []
    guard numbers.count == 4, numbers[2] > 0, numbers[3] > 0 else { return inner }
    let width = element["width"].flatMap { SVGLength.parse($0, of: port.width) } ?? port.width
    let height = element["height"].flatMap { SVGLength.parse($0, of: port.height) } ?? port.height
    let box = SVGViewBox(
      Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]),
      aspect: symbol["preserveAspectRatio"])
    let frame = Rect(x: 0, y: 0, width: max(width, 0), height: max(height, 0))
    let map = box.transform(into: frame)
    return [
      .group(
        inner.map { $0.transformed(map) }, opacity: 1, clip: ShapeDescription.rectangle(frame))
    ]
  }

  private mutating func text(
    _ element: XMLElement, _ style: SVGStyle
  ) throws(MediaError) -> [OverlayLayer] {
    guard let outliner else { return [] }
    let text = try SVGText(element, style, port: port)
    unsupported.formUnion(text.unsupported)
    letterCount += text.letters.count
    guard letterCount <= Self.mostLetters else {
      throw MediaError(
        .limitExceeded, .svgSize,
        detail: "more than \(Self.mostLetters) letters, copies included")
    }
    let layout = try SVGTextLayout(text, outliner)
    unsupported.formUnion(layout.unsupported)
    let pieces = layout.pieces
    // Gradients are over the whole element.
    let box = ShapeDescription.bounds(of: pieces.flatMap(\.path))
    var layers: [OverlayLayer] = []
    for piece in pieces {
      var own = text.styles[piece.style]
      own.fillRule = .nonZero
      layers += try shape(piece.path, own, box: box)
    }
    return layers
  }

  /// `box`: what gradients are over; nil for the path's own bounds.
  private mutating func shape(
    _ path: [PathElement], _ style: SVGStyle, box: Rect? = nil
  ) throws(MediaError) -> [OverlayLayer] {
    guard style.isVisible, !path.isEmpty else { return [] }
    shapeCount += 1
    guard shapeCount <= Self.mostShapes else {
      throw MediaError(.limitExceeded, .svgSize, detail: "more than \(Self.mostShapes) shapes")
    }
    try count(path)
    var shape = ShapeDescription(path: path)
    shape.fillRule = style.fillRule
    switch paint(style.fill, style, style.fillOpacity, path, box) {
    case .color(let color): shape.fill = color
    case .gradient(let gradient): shape.fillGradient = gradient
    case nil: break
    }
    if style.strokeWidth > 0 {
      switch paint(style.stroke, style, style.strokeOpacity, path, box) {
      case .color(let color): shape.stroke = color
      case .gradient(let gradient): shape.strokeGradient = gradient
      case nil: break
      }
    }
    shape.lineWidth = style.strokeWidth
    shape.lineCap = style.lineCap
    shape.lineJoin = style.lineJoin
    shape.miterLimit = style.miterLimit
    shape.dashPattern = style.dashes
    shape.dashPhase = style.dashOffset
    guard
      shape.fill != nil || shape.fillGradient != nil || shape.stroke != nil
        || shape.strokeGradient != nil
    else { return [] }
    return [.shape(shape)]
  }

  private func paint(
    _ paint: SVGPaint, _ style: SVGStyle, _ opacity: Double, _ path: [PathElement], _ box: Rect?
  ) -> Paint? {
    func faded(_ color: RGBAColor) -> Paint {
      var color = color
      color.alpha *= opacity
      return .color(color)
    }
    switch paint {
    case .none: return nil
    case .color(let color): return faded(color)
    case .currentColor: return faded(style.color)
    case .reference(let id, let fallback):
      let box = box ?? ShapeDescription.bounds(of: path)
      switch gradients.resolve(id, box: box, port: port, opacity: opacity) {
      case .gradient(let gradient): return .gradient(gradient)
      case .color(let color): return .color(color)
      case .nothing: return nil
      case nil: return fallback.map(faded)
      }
    }
  }

  /// The outline that an element is cut to: the shapes of its clip path together.
  private mutating func clip(_ style: SVGStyle) throws(MediaError) -> [PathElement]? {
    guard let id = style.clipPath else { return nil }
    guard let element = named[id], element.name == "clipPath" else { return nil }
    if element["clipPathUnits"] == "objectBoundingBox" || style.clipRule == .evenOdd {
      unsupported.insert("clipPath with clipPathUnits or clip-rule")
    }
    let outline: [PathElement]
    if let known = clips[id] {
      outline = known
    } else {
      outline = try clipOutline(element)
      clips[id] = outline
    }
    try count(outline)
    return outline
  }

  private mutating func clipOutline(_ element: XMLElement) throws(MediaError) -> [PathElement] {
    var outline: [PathElement] = []
    for child in element.children {
      guard let path = try path(child) else {
        unsupported.insert("\(child.name.prefix(40)) in a clipPath")
        continue
      }
      let map = child["transform"].flatMap(SVGTransform.parse) ?? .identity
      outline += ShapeDescription.transformed(path, by: map)
      stepCount += 1
      guard stepCount <= Self.mostSteps, outline.count <= FlatPath.mostElements else {
        throw MediaError(.limitExceeded, .svgSize, detail: "a clip path of \(outline.count)")
      }
    }
    if let map = element["transform"].flatMap(SVGTransform.parse) {
      outline = ShapeDescription.transformed(outline, by: map)
    }
    return outline
  }
}
