// Text with its looks.

/// What decides the glyphs of text and their sizes.
public struct TextAttributes: Sendable, Hashable {
  public var family: FontFamily = .sansSerif
  public var isBold = false
  /// Slanted; the fonts have no italics of their own.
  public var isItalic = false
  /// Height of the em in 1/64 pixel, 64 … 64 · 4,096.
  public var size: Int
  /// BCP 47 tag; empty for none.
  public var language = ""

  public init(size: Int) { self.size = min(max(size, 64), Self.largestSize) }
  static let largestSize = 64 * 4_096
}

/// A stretch of text with one look.
public struct TextSpan: Sendable, Hashable {
  public var text: String
  public var attributes: TextAttributes
  public init(_ text: String, _ attributes: TextAttributes) {
    (self.text, self.attributes) = (text, attributes)
  }
}

/// A glyph at a place, relative to the origin of its line.
public struct PlacedGlyph: Sendable, Hashable {
  let face: Int
  let glyph: UInt32
  /// Height of the em in 1/64 pixel.
  let size: Int
  let isSlanted, isSideways: Bool
  /// 1/64 pixel, y down.
  var x, y: Int
}

/// A stretch of a line that comes from one span.
public struct TextLineRun: Sendable, Hashable {
  /// Index of the span.
  public let span: Int
  /// Along the line, in 1/64 pixel from its start.
  public var start, end: Int
  public var glyphs: [PlacedGlyph]
}

/// A line of text. Lengths are in 1/64 pixel. Horizontal lines have their origin at the left end of the
/// baseline; vertical ones at the top end of their middle.
public struct TextLine: Sendable, Hashable {
  /// From left to right, or from the top down.
  public var runs: [TextLineRun]
  public var length: Int
  /// Above and below the baseline; for vertical lines to the right and the left of the middle.
  public var ascent, descent: Int
  /// The paragraph runs from right to left.
  public var isRightToLeft: Bool
}
