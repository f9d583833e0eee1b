// Path data. SVG 1.1 §8.3.

internal import ReelCore

/// Reads the `d` of a path: all commands, absolute and relative.
struct SVGPathData {
  private var scanner: SVGScanner
  private var elements: [PathElement] = []
  private var current = Point.zero
  private var start = Point.zero
  /// The last control point, where the last command has one that `S` or `T` goes on from.
  private var cubicControl, quadControl: Point?

  /// The elements up to the first error, as SVG draws them, and whether there was one.
  ///
  /// - Throws: `.limitExceeded` for more elements than a path may have.
  static func parse(
    _ text: String
  ) throws(MediaError) -> (elements: [PathElement], isWhole: Bool) {
    var data = SVGPathData(scanner: SVGScanner(text))
    let isWhole = try data.run()
    return (data.elements, isWhole)
  }

  private init(scanner: SVGScanner) { self.scanner = scanner }

  private mutating func run() throws(MediaError) -> Bool {
    scanner.skipBlanks()
    var isFirst = true
    while !scanner.isAtEnd {
      guard let letter = scanner.take() else { return true }
      let isRelative = letter >= UInt8(ascii: "a")
      let command = Character(Unicode.Scalar(letter & ~0x20))
      guard "MLHVCSQTAZ".contains(command), !isFirst || command == "M" else { return false }
      isFirst = false
      scanner.skipBlanks()
      if command == "Z" {
        elements.append(.close)
        current = start
        (cubicControl, quadControl) = (nil, nil)
        continue
      }
      var verb = command
      repeat {
        guard step(verb, isRelative) else { return false }
        // Further pairs of a move are lines.
        if verb == "M" { verb = "L" }
        guard elements.count <= FlatPath.mostElements else {
          throw MediaError(.limitExceeded, .pathSize, detail: "\(elements.count) elements")
        }
        scanner.skipSeparators()
      } while scanner.next.map(Self.beginsNumber) ?? false
    }
    return true
  }

  private static func beginsNumber(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
      || byte == UInt8(ascii: ".")
  }

  private mutating func number() -> Double? {
    scanner.skipSeparators()
    return scanner.number()
  }

  private mutating func point(_ isRelative: Bool) -> Point? {
    guard let x = number(), let y = number() else { return nil }
    return isRelative ? Point(x: current.x + x, y: current.y + y) : Point(x: x, y: y)
  }

  /// One set of a command's arguments; false when they are not there.
  private mutating func step(_ command: Character, _ isRelative: Bool) -> Bool {
    switch command {
    case "M":
      guard let end = point(isRelative) else { return false }
      start = end
      move(to: end, .move(end))
    case "L":
      guard let end = point(isRelative) else { return false }
      move(to: end, .line(end))
    case "H":
      guard let x = number() else { return false }
      let end = Point(x: isRelative ? current.x + x : x, y: current.y)
      move(to: end, .line(end))
    case "V":
      guard let y = number() else { return false }
      let end = Point(x: current.x, y: isRelative ? current.y + y : y)
      move(to: end, .line(end))
    case "C", "S": return cubic(command, isRelative)
    case "Q", "T": return quadratic(command, isRelative)
    default: return arc(isRelative)
    }
    return true
  }

  private mutating func move(to end: Point, _ element: PathElement) {
    elements.append(element)
    current = end
    (cubicControl, quadControl) = (nil, nil)
  }

  private func mirrored(_ control: Point?) -> Point {
    guard let control else { return current }
    return Point(x: 2 * current.x - control.x, y: 2 * current.y - control.y)
  }

  private mutating func cubic(_ command: Character, _ isRelative: Bool) -> Bool {
    var first = mirrored(cubicControl)
    if command == "C" {
      guard let own = point(isRelative) else { return false }
      first = own
    }
    guard let second = point(isRelative), let end = point(isRelative) else { return false }
    move(to: end, .cubicCurve(control1: first, control2: second, end: end))
    cubicControl = second
    return true
  }

  private mutating func quadratic(_ command: Character, _ isRelative: Bool) -> Bool {
    var control = mirrored(quadControl)
    if command == "Q" {
      guard let own = point(isRelative) else { return false }
      control = own
    }
    guard let end = point(isRelative) else { return false }
    move(to: end, .quadCurve(control: control, end: end))
    quadControl = control
    return true
  }

  private mutating func arc(_ isRelative: Bool) -> Bool {
    guard let rx = number(), let ry = number(), let degrees = number() else { return false }
    scanner.skipSeparators()
    guard let isLarge = scanner.flag() else { return false }
    scanner.skipSeparators()
    guard let isPositive = scanner.flag(), let end = point(isRelative) else { return false }
    let arc = SVGArc(
      from: current, to: end, rx: rx.magnitude, ry: ry.magnitude, degrees: degrees,
      isLarge: isLarge, isPositive: isPositive)
    elements += arc.elements
    current = end
    (cubicControl, quadControl) = (nil, nil)
    return true
  }
}

/// An elliptical arc as cubic curves of at most a quarter turn. SVG 1.1 §F.6.
struct SVGArc {
  private(set) var elements: [PathElement] = []

  init(
    from start: Point, to end: Point, rx: Double, ry: Double, degrees: Double, isLarge: Bool,
    isPositive: Bool
  ) {
    guard start != end else { return }
    guard rx > 0, ry > 0 else {
      elements = [.line(end)]
      return
    }
    let (sine, cosine) = ExactMath.sineAndCosine(
      degrees.remainder(dividingBy: 360) / 180 * ExactMath.pi)
    // §F.6.5: half of the way between the ends, in the axes of the ellipse.
    let (dx, dy) = ((start.x - end.x) / 2, (start.y - end.y) / 2)
    let (x1, y1) = (cosine * dx + sine * dy, -sine * dx + cosine * dy)
    // §F.6.6: radii that are too small grow until the ellipse reaches.
    let reach = x1 * x1 / (rx * rx) + y1 * y1 / (ry * ry)
    let grow = reach > 1 ? reach.squareRoot() : 1
    let (a, b) = (rx * grow, ry * grow)
    let rest = max(1 / max(reach / (grow * grow), 1e-300) - 1, 0)
    let root = (isLarge == isPositive ? -1 : 1) * rest.squareRoot()
    let (cx, cy) = (root * a * y1 / b, -root * b * x1 / a)
    let centre = Point(
      x: cosine * cx - sine * cy + (start.x + end.x) / 2,
      y: sine * cx + cosine * cy + (start.y + end.y) / 2)
    let first = ExactMath.angle(y: (y1 - cy) / b, x: (x1 - cx) / a)
    var sweep = ExactMath.angle(y: (-y1 - cy) / b, x: (-x1 - cx) / a) - first
    if isPositive && sweep < 0 { sweep += 2 * ExactMath.pi }
    if !isPositive && sweep > 0 { sweep -= 2 * ExactMath.pi }
    guard sweep.isFinite, centre.x.isFinite, centre.y.isFinite else {
      elements = [.line(end)]
      return
    }
    let count = max(Int((sweep.magnitude / (ExactMath.pi / 2) - 1e-9).rounded(.up)), 1)
    let step = sweep / Double(count)
    let (halfSine, halfCosine) = ExactMath.sineAndCosine(step / 4)
    // 4/3 · tan(step ÷ 4).
    let k = 4.0 / 3 * halfSine / halfCosine
    func place(_ angle: Double, _ along: Double) -> Point {
      let (s, c) = ExactMath.sineAndCosine(angle)
      let (x, y) = (a * (c - along * s), b * (s + along * c))
      return Point(x: centre.x + cosine * x - sine * y, y: centre.y + sine * x + cosine * y)
    }
    for i in 0..<count {
      let (from, to) = (first + Double(i) * step, first + Double(i + 1) * step)
      elements.append(
        .cubicCurve(
          control1: place(from, k), control2: place(to, -k),
          end: i == count - 1 ? end : place(to, 0)
        ))
    }
  }
}
