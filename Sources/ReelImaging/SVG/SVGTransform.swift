// Transform lists and the viewBox. SVG 1.1 §7.6 and §7.8.

internal import ReelCore

enum SVGTransform {
  /// LIMIT: transforms in a list.
  private static let most = 64

  /// The map of a `transform` attribute; nil when it cannot be read.
  static func parse(_ text: String) -> Transform2D? {
    var scanner = SVGScanner(text)
    var result = Transform2D.identity
    var count = 0
    scanner.skipSeparators()
    while !scanner.isAtEnd {
      let name = scanner.word()
      scanner.skipBlanks()
      guard scanner.take() == UInt8(ascii: "("), count < most else { return nil }
      var numbers: [Double] = []
      scanner.skipBlanks()
      while let number = scanner.number(), numbers.count < 6 {
        numbers.append(number)
        scanner.skipSeparators()
      }
      guard scanner.take() == UInt8(ascii: ")"), let one = transform(name, numbers) else {
        return nil
      }
      // The last one in the list comes first.
      result = one.concatenating(result)
      scanner.skipSeparators()
      count += 1
    }
    let parts = [result.a, result.b, result.c, result.d, result.tx, result.ty]
    return parts.allSatisfy { $0.isFinite && $0.magnitude < 1e12 } ? result : nil
  }

  private static func transform(_ name: String, _ n: [Double]) -> Transform2D? {
    func radians(_ degrees: Double) -> Double {
      degrees.remainder(dividingBy: 360) / 180 * ExactMath.pi
    }
    switch (name, n.count) {
    case ("matrix", 6):
      return Transform2D(a: n[0], b: n[1], c: n[2], d: n[3], tx: n[4], ty: n[5])
    case ("translate", 1): return .translation(x: n[0], y: 0)
    case ("translate", 2): return .translation(x: n[0], y: n[1])
    case ("scale", 1): return .scale(x: n[0], y: n[0])
    case ("scale", 2): return .scale(x: n[0], y: n[1])
    case ("rotate", 1), ("rotate", 3):
      let (sine, cosine) = ExactMath.sineAndCosine(radians(n[0]))
      let turn = Transform2D(a: cosine, b: sine, c: -sine, d: cosine, tx: 0, ty: 0)
      guard n.count == 3 else { return turn }
      return Transform2D.translation(x: -n[1], y: -n[2]).concatenating(turn)
        .concatenating(.translation(x: n[1], y: n[2]))
    case ("skewX", 1), ("skewY", 1):
      let (sine, cosine) = ExactMath.sineAndCosine(radians(n[0]))
      guard cosine.magnitude > 1e-9 else { return nil }
      let tangent = sine / cosine
      return Transform2D(
        a: 1, b: name == "skewY" ? tangent : 0, c: name == "skewX" ? tangent : 0, d: 1, tx: 0,
        ty: 0)
    default: return nil
    }
  }
}

/// A `viewBox` in a viewport.
struct SVGViewBox: Sendable {
  let box: Rect
  /// Where the box lies in a viewport of another shape: 0, ½ or 1 of what is left.
  private var alignX = 0.5, alignY = 0.5
  private var isStretched = false
  private var isSliced = false

  /// - Parameter aspect: `preserveAspectRatio`; nil or unknown words: in the middle, all of it.
  init(_ box: Rect, aspect: String?) {
    self.box = box
    for word in (aspect ?? "").split(separator: " ") {
      switch word {
      case "none": isStretched = true
      case "slice": isSliced = true
      default:
        guard word.count == 8 else { continue }
        alignX = word.hasPrefix("xMin") ? 0 : word.hasPrefix("xMax") ? 1 : 0.5
        alignY = word.hasSuffix("YMin") ? 0 : word.hasSuffix("YMax") ? 1 : 0.5
      }
    }
  }

  /// From the box's units to those of the viewport.
  func transform(into port: Rect) -> Transform2D {
    guard box.size.width > 0, box.size.height > 0 else { return .identity }
    var x = port.size.width / box.size.width
    var y = port.size.height / box.size.height
    if !isStretched {
      x = isSliced ? max(x, y) : min(x, y)
      y = x
    }
    let restX = port.size.width - box.size.width * x
    let restY = port.size.height - box.size.height * y
    return Transform2D(
      a: x, b: 0, c: 0, d: y, tx: port.origin.x + restX * alignX - box.origin.x * x,
      ty: port.origin.y + restY * alignY - box.origin.y * y)
  }
}
