// Who runs the bands of a picture.

/// Runs independent pieces of work, at once or one after the other.
///
/// Imaging itself starts no threads. A picture is cut into bands of rows that do not depend on each
/// other; the layers that may use the system's threads pass an executor in. The result does not depend
/// on how many bands there are or who runs them.
public protocol BandExecutor: Sendable {
  /// How many bands are worth cutting, ≥ 1.
  var width: Int { get }
  /// Calls `body` once with each number in 0 ..< `count` and returns when all calls have returned.
  func run(_ count: Int, _ body: @Sendable (Int) -> Void)
}

/// Runs one band after the other on the caller's thread.
public struct SerialExecutor: BandExecutor {
  public let width: Int
  /// `width` more than 1 cuts bands without running them at once, which tests use.
  public init(width: Int = 1) { self.width = max(width, 1) }
  public func run(_ count: Int, _ body: @Sendable (Int) -> Void) {
    for band in 0..<count { body(band) }
  }
}

extension BandExecutor {
  /// Cuts `rows` rows into bands whose starts are multiples of `alignment` and runs `body` on each.
  func forBands(rows: Int, alignment: Int, _ body: @Sendable (Range<Int>) -> Void) {
    guard rows > 0 else { return }
    let units = (rows + alignment - 1) / alignment
    let bands = max(min(width, units), 1)
    if bands == 1 {
      body(0..<rows)
      return
    }
    run(bands) { band in
      let first = units * band / bands * alignment
      let last = min(units * (band + 1) / bands * alignment, rows)
      if first < last { body(first..<last) }
    }
  }
}
