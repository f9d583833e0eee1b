// How much of each pixel something covers, kept to be drawn again.

public import ReelCore

/// Coverage of the pixels of a rectangle. Equal by content; comparing and hashing it costs no walk over
/// the pixels where it is the same object.
public final class CoverageMask: Sendable, Hashable {
  public let width, height: Int
  /// 0…255 a pixel, row by row.
  package let coverage: [UInt8]
  private let checksum: UInt64

  /// - Parameter coverage: `width` · `height` values; what is missing counts as 0.
  package init(width: Int, height: Int, coverage: [UInt8]) {
    self.width = max(width, 0)
    self.height = max(height, 0)
    let count = self.width * self.height
    self.coverage =
      coverage.count == count
      ? coverage
      : Array(coverage.prefix(count)) + [UInt8](repeating: 0, count: max(count - coverage.count, 0))
    // FNV-1a with 64 bits.
    checksum = self.coverage.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// All of a rectangle.
  package static func solid(width: Int, height: Int) -> CoverageMask {
    let (w, h) = (max(width, 0), max(height, 0))
    return CoverageMask(width: w, height: h, coverage: [UInt8](repeating: 255, count: w * h))
  }

  public static func == (a: CoverageMask, b: CoverageMask) -> Bool {
    a === b
      || (a.checksum == b.checksum && a.width == b.width && a.height == b.height
        && a.coverage == b.coverage)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(checksum)
    hasher.combine(width)
  }
}

/// A mask in a colour at a place of the output.
public struct MaskLayer: Sendable, Hashable {
  public var mask: CoverageMask
  /// Pixels from the left and the top; may lie outside of the output.
  public var x, y: Int
  public var color: RGBAColor
  public init(_ mask: CoverageMask, x: Int, y: Int, color: RGBAColor) {
    (self.mask, self.x, self.y, self.color) = (mask, x, y, color)
  }
}

extension CoverageMask {
  /// The mask of a path and where its top left pixel lies; nil when it covers nothing.
  ///
  /// - Parameters:
  ///   - transform: from the path's units to pixels.
  ///   - lineWidth: the line along the path in pixels instead of its inside; nil for the inside.
  /// - Throws: `.usage` for numbers that are not finite, `.limitExceeded` for paths and masks that are
  ///   too large.
  package static func drawing(
    _ elements: [PathElement], transform: Transform2D, lineWidth: Double? = nil
  ) throws(MediaError) -> (mask: CoverageMask, x: Int, y: Int)? {
    let moved = elements.map { $0.moved(by: transform) }
    var flat = try FlatPath(moved, tolerance: tolerance)
    if let lineWidth {
      flat = try flat.stroked(
        StrokeStyle(
          width: lineWidth, cap: .round, join: .round, miterLimit: 2, tolerance: tolerance))
    }
    let reach = Self.mostSide
    let area = flat.pixelBounds(
      in: SampleRect(x: -reach, y: -reach, width: 2 * reach, height: 2 * reach))
    guard area.width > 0, area.height > 0 else { return nil }
    // LIMIT: a letter as large as the largest picture.
    guard area.width * area.height <= mostPixels else {
      throw MediaError(
        .limitExceeded, .pathSize, detail: "a mask of \(area.width) × \(area.height)")
    }
    let mask = Canvas.mask(flat, .nonZero, bounds: area)
    return (
      CoverageMask(width: area.width, height: area.height, coverage: mask), area.x, area.y
    )
  }

  private static let tolerance = 0.03
  private static let mostSide = 16_384
  private static let mostPixels = 8192 * 4352
}

extension PathElement {
  fileprivate func moved(by t: Transform2D) -> PathElement {
    switch self {
    case .move(let end): .move(t.apply(to: end))
    case .line(let end): .line(t.apply(to: end))
    case .quadCurve(let control, let end):
      .quadCurve(control: t.apply(to: control), end: t.apply(to: end))
    case .cubicCurve(let first, let second, let end):
      .cubicCurve(
        control1: t.apply(to: first), control2: t.apply(to: second), end: t.apply(to: end))
    case .close: .close
    }
  }
}
