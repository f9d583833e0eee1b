// Points, rectangles and transforms of the output.

/// A position in the output: origin at the top left, x to the right, y down.
public struct Point: Sendable, Hashable, Codable {
  /// Output pixels from the left and from the top.
  public var x, y: Double
  /// A position; any numbers.
  public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
  /// The top left corner.
  public static let zero = Point(x: 0, y: 0)
}

/// A width and a height in output pixels.
public struct Size: Sendable, Hashable, Codable {
  /// Output pixels, ≥ 0 in a size that is used.
  public var width, height: Double
  /// A size; any numbers.
  public init(width: Double, height: Double) { (self.width, self.height) = (width, height) }
  /// No size.
  public static let zero = Size(width: 0, height: 0)
}

/// A rectangle in output pixels.
public struct Rect: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The top left corner.
  public var origin: Point
  /// Width and height.
  public var size: Size
  /// A rectangle by its corner and size.
  public init(origin: Point, size: Size) { (self.origin, self.size) = (origin, size) }
  /// A rectangle by four numbers.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.init(origin: Point(x: x, y: y), size: Size(width: width, height: height))
  }
  /// The empty rectangle at the top left.
  public static let zero = Rect(x: 0, y: 0, width: 0, height: 0)
  public var description: String { "(\(origin.x), \(origin.y), \(size.width), \(size.height))" }

  /// All four numbers are finite and the size is not negative.
  public var isFinite: Bool {
    origin.x.isFinite && origin.y.isFinite && size.width.isFinite && size.height.isFinite
      && size.width >= 0 && size.height >= 0
  }
}

/// A map of points: x′ = a·x + c·y + tx, y′ = b·x + d·y + ty.
public struct Transform2D: Sendable, Hashable, Codable {
  /// The terms of the map.
  public var a, b, c, d, tx, ty: Double
  /// A map by its terms.
  public init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
    (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
  }
  /// Leaves every point where it is.
  public static let identity = Transform2D(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)
  /// Moves by pixels.
  public static func translation(x: Double, y: Double) -> Transform2D {
    Transform2D(a: 1, b: 0, c: 0, d: 1, tx: x, ty: y)
  }
  /// Stretches from the origin.
  public static func scale(x: Double, y: Double) -> Transform2D {
    Transform2D(a: x, b: 0, c: 0, d: y, tx: 0, ty: 0)
  }

  /// The map that does this one first and `next` after it.
  public func concatenating(_ next: Transform2D) -> Transform2D {
    Transform2D(
      a: a * next.a + b * next.c, b: a * next.b + b * next.d,
      c: c * next.a + d * next.c, d: c * next.b + d * next.d,
      tx: tx * next.a + ty * next.c + next.tx, ty: tx * next.b + ty * next.d + next.ty)
  }

  /// Where a point is mapped to.
  public func apply(to point: Point) -> Point {
    Point(x: a * point.x + c * point.y + tx, y: b * point.x + d * point.y + ty)
  }
}

/// How the picture fits the output's bounds. The names are those of AVLayerVideoGravity.
public enum Gravity: String, Sendable, Hashable, Codable, CaseIterable {
  /// The whole picture, its shape kept, bars where it does not reach.
  case resizeAspect
  /// No bars, its shape kept, cut where it reaches over.
  case resizeAspectFill
  /// Stretched to the bounds.
  case resize

  /// The gravity itself, so that `Gravity(.resize)` reads as a setting.
  public init(_ gravity: Gravity) { self = gravity }
}

/// A colour in sRGB with straight alpha, each 0…1 (filters may take values outside).
public struct RGBAColor: Sendable, Hashable, Codable {
  /// The components; 0…1 in a colour that is drawn.
  public var red, green, blue, alpha: Double
  /// A colour by its components.
  public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }
  /// Nothing at all.
  public static let clear = RGBAColor(red: 0, green: 0, blue: 0, alpha: 0)
  /// Opaque black.
  public static let black = RGBAColor(red: 0, green: 0, blue: 0)
  /// Opaque white.
  public static let white = RGBAColor(red: 1, green: 1, blue: 1)

  /// `#RGB`, `#RRGGBB`, `#RRGGBBAA`, or one of the names black, white, red, green, blue, yellow, cyan,
  /// magenta, gray, orange, clear; nil for anything else.
  public init?(_ text: String) {
    if let named = Self.names.first(where: { $0.0 == text })?.1 {
      self = named
      return
    }
    guard text.first == "#", text.utf8.count <= 9 else { return nil }
    let digits = text.dropFirst().compactMap(\.hexDigitValue)
    guard digits.count == text.utf8.count - 1 else { return nil }
    let bytes: [Int]
    switch digits.count {
    case 3: bytes = digits.map { $0 * 17 }
    case 6, 8:
      bytes = stride(from: 0, to: digits.count, by: 2).map { digits[$0] * 16 + digits[$0 + 1] }
    default: return nil
    }
    let parts = bytes.map { Double($0) / 255 }
    self.init(
      red: parts[0], green: parts[1], blue: parts[2], alpha: parts.count > 3 ? parts[3] : 1)
  }

  private static let names: [(String, RGBAColor)] = [
    ("black", .black), ("white", .white), ("clear", .clear),
    ("red", RGBAColor(red: 1, green: 0, blue: 0)), ("green", RGBAColor(red: 0, green: 1, blue: 0)),
    ("blue", RGBAColor(red: 0, green: 0, blue: 1)),
    ("yellow", RGBAColor(red: 1, green: 1, blue: 0)),
    ("cyan", RGBAColor(red: 0, green: 1, blue: 1)),
    ("magenta", RGBAColor(red: 1, green: 0, blue: 1)),
    ("gray", RGBAColor(red: 0.5, green: 0.5, blue: 0.5)),
    ("orange", RGBAColor(red: 1, green: 0.5, blue: 0)),
  ]
}
