// Filters that a program brings along.

public import ReelCore

/// A row of a picture as a custom filter sees it: R′G′B′ of its pixels, nominally 0…1.
public struct FilterRow {
  /// Number of the row in the picture, from the top.
  public let y: Int
  /// Components of the pixels from left to right; all three have the same count.
  public var red, green, blue: [Float]
}

/// A filter with its own name that a ``FilterDescription`` can ask for.
///
/// What it does must depend on nothing but its input and what ``cacheKey`` names: pictures with equal
/// keys are made once.
public struct CustomFilter: Sendable {
  enum Body: Sendable {
    case rows(@Sendable (inout FilterRow) -> Void)
    case frame(@Sendable (VideoFrame) throws(MediaError) -> VideoFrame)
  }

  public let name: String
  /// Stands for everything that the filter's work depends on besides its input.
  public let cacheKey: String
  let body: Body

  /// A filter on rows of pixels, called for each row once, on any thread and in any order.
  public init(
    name: String, cacheKey: String, rows: @escaping @Sendable (inout FilterRow) -> Void
  ) {
    self.name = name
    self.cacheKey = cacheKey
    body = .rows(rows)
  }

  /// A filter on whole frames, which must come back in their size, format and depth.
  public init(
    name: String, cacheKey: String,
    frame: @escaping @Sendable (VideoFrame) throws(MediaError) -> VideoFrame
  ) {
    self.name = name
    self.cacheKey = cacheKey
    body = .frame(frame)
  }
}

/// A custom filter on rows as a step of a pass.
struct CustomRowFilter: Sendable {
  let body: @Sendable (inout FilterRow) -> Void

  func run(_ rows: inout RGBRows, y: Int) {
    var row = FilterRow(y: y, red: rows.r, green: rows.g, blue: rows.b)
    body(&row)
    // A closure that changed the counts would break the pass: what is missing stays as it was.
    guard row.red.count == rows.count, row.green.count == rows.count, row.blue.count == rows.count
    else { return }
    (rows.r, rows.g, rows.b) = (row.red, row.green, row.blue)
  }
}
