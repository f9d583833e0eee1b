// Drawings in SVG. Scalable Vector Graphics (SVG) 1.1 (Second Edition), a subset.

public import ReelCore

/// A drawing of an SVG document: paths, basic shapes, groups, `use`, clip paths of shapes, gradients, text.
///
/// Images, text on paths, filters, masks, patterns, markers, style sheets and animations are not drawn;
/// ``unsupported`` lists those that a document has. Documents are read with limits on their bytes,
/// elements and depth.
public struct SVGImage: Sendable {
  /// Width and height in pixels: those of the document, else of its `viewBox`, else 300 × 150.
  public let size: Size
  /// Elements and properties of the document that are not drawn, each once, sorted.
  public let unsupported: [String]
  private let layers: [OverlayLayer]
  private let viewBox: SVGViewBox

  /// - Parameter outliner: where letters come from; nil: text is not drawn.
  /// - Throws: `.damaged` with the offset where the document cannot be read, `.limitExceeded` beyond the
  ///   limits, `.unsupported` when it is no SVG document, and what the outliner throws.
  public init(
    _ document: [UInt8], outliner: (any TextOutliner)? = nil
  ) throws(MediaError) {
    let root = try XMLReader.read(document)
    guard root.name == "svg" else {
      throw MediaError(.unsupported, .svgRoot, detail: "<\(root.name.prefix(40))>")
    }
    let numbers = root["viewBox"].flatMap { SVGLength.numbers($0, most: 4) } ?? []
    var box: Rect?
    if numbers.count == 4, numbers[2] > 0, numbers[3] > 0 {
      box = Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
    let whole = box?.size ?? Size(width: 300, height: 150)
    func length(_ name: String, _ whole: Double) -> Double? {
      root[name].flatMap { SVGLength.parse($0, of: whole) }.flatMap { $0 > 0 ? $0 : nil }
    }
    let (width, height) = (length("width", whole.width), length("height", whole.height))
    switch (width, height) {
    case (let width?, let height?): size = Size(width: width, height: height)
    case (let width?, nil):
      size = Size(width: width, height: width * whole.height / whole.width)
    case (nil, let height?):
      size = Size(width: height * whole.width / whole.height, height: height)
    default: size = whole
    }
    guard size.width.isFinite, size.height.isFinite, size.width < 1e9, size.height < 1e9 else {
      throw MediaError(.limitExceeded, .svgSize, detail: "\(size.width) × \(size.height)")
    }
    let viewport = box ?? Rect(origin: .zero, size: size)
    viewBox = SVGViewBox(viewport, aspect: root["preserveAspectRatio"])
    var builder = SVGBuilder(root, port: viewport.size, outliner: outliner)
    try builder.draw(root)
    layers = builder.layers
    unsupported = builder.unsupported.sorted()
  }

  /// The elements of path data, as `d` of a path has them.
  ///
  /// - Throws: `.damaged` where the data cannot be read to its end, `.limitExceeded` for too many elements.
  public static func path(data: String) throws(MediaError) -> [PathElement] {
    let (elements, isWhole) = try SVGPathData.parse(data)
    guard isWhole else {
      throw MediaError(
        .damaged, .svgPath, detail: "\"\(data.prefix(60))\" behind \(elements.count) elements")
    }
    return elements
  }

  /// The drawing in a rectangle of the output, cut at its sides.
  public func layer(in frame: Rect, opacity: Double = 1) -> OverlayLayer {
    let map = viewBox.transform(into: frame)
    return .group(
      layers.map { $0.transformed(map) }, opacity: opacity, clip: ShapeDescription.rectangle(frame))
  }
}

extension OverlayLayer {
  /// The layer moved by a map of the output. Drawings have no images and masks: those only move their corner.
  func transformed(_ map: Transform2D) -> OverlayLayer {
    switch self {
    case .shape(var shape):
      shape.transform = shape.transform.concatenating(map)
      return .shape(shape)
    case .path(var path):
      path.transform = path.transform.concatenating(map)
      return .path(path)
    case .image(var image):
      let origin = map.apply(to: image.frame.origin)
      image.frame = Rect(
        x: origin.x, y: origin.y, width: image.frame.size.width * map.a,
        height: image.frame.size.height * map.d)
      return .image(image)
    case .mask(var mask):
      let corner = map.apply(to: Point(x: Double(mask.x), y: Double(mask.y)))
      // LIMIT: what lies farther away is not seen.
      let limit = FlatPath.farthest
      guard corner.x.magnitude <= limit, corner.y.magnitude <= limit else {
        return .group([], opacity: 1, clip: nil)
      }
      (mask.x, mask.y) = (Int(corner.x), Int(corner.y))
      return .mask(mask)
    case .group(let layers, let opacity, let clip):
      return .group(
        layers.map { $0.transformed(map) }, opacity: opacity,
        clip: clip.map { ShapeDescription.transformed($0, by: map) })
    }
  }
}
