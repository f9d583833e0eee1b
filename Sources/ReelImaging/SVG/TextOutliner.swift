// Where the letters of drawings come from: fonts lie above this layer.

public import ReelCore

/// Text with one look, as a drawing asks for it.
public struct OutlineSpan: Sendable, Hashable {
  public enum Family: Sendable, Hashable { case sansSerif, serif, monospace }
  public var text: String
  public var family: Family = .sansSerif
  public var isBold = false
  public var isItalic = false
  /// Height of the em in the drawing's units, > 0.
  public var size: Double
  /// BCP 47 tag; empty for none.
  public var language = ""
  public init(_ text: String, size: Double) { (self.text, self.size) = (text, size) }
}

/// A stretch of a line as an outline.
public struct TextOutline: Sendable, Hashable {
  /// Index of the span that it comes from.
  public var span: Int
  /// In the drawing's units, y down, from the left end of the line's baseline on.
  public var path: [PathElement]
  /// Where it begins and ends along the line.
  public var start, end: Double
  public init(span: Int, path: [PathElement], start: Double, end: Double) {
    (self.span, self.path, self.start, self.end) = (span, path, start, end)
  }
}

/// Heights of a font above and below its baseline, in the drawing's units, all ≥ 0.
public struct OutlineMetrics: Sendable, Hashable {
  public var ascent, descent, xHeight: Double
  public init(ascent: Double, descent: Double, xHeight: Double) {
    (self.ascent, self.descent, self.xHeight) = (ascent, descent, xHeight)
  }
}

/// Turns text into outlines. Owned by one thread at a time.
public protocol TextOutliner: AnyObject {
  /// The outlines of spans that stand side by side, from left to right.
  ///
  /// - Parameter isRightToLeft: direction of the line, which decides where its parts of other directions go.
  /// - Throws: `notFound` when a font that is needed is not there, `limitExceeded` for text that is too long.
  func outlines(
    _ spans: [OutlineSpan], isRightToLeft: Bool
  ) throws(MediaError) -> (parts: [TextOutline], length: Double)

  /// The heights of the font that a span begins with.
  ///
  /// - Throws: as ``outlines(_:isRightToLeft:)``.
  func metrics(of span: OutlineSpan) throws(MediaError) -> OutlineMetrics
}
