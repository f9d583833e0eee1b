// The lines of a cue, one under the other.

internal import ReelCaptions
internal import ReelCore
internal import ReelText

/// Where lines stand in their block.
enum LineAlignment { case start, center, end, left, right }

/// A line in a block. Horizontal blocks have their origin at the top left. In vertical ones `top` is
/// counted from the side that lines grow from, and `start` from the top.
struct BlockLine {
  let line: TextLine
  /// Styles of the line's runs.
  let styles: [ResolvedStyle]
  /// Along the line from the block's start, in 1/64 pixel.
  var start: Int
  /// Across the lines from the block's first edge, in pixels; and how far to the baseline or the middle.
  let top, height, baseline: Int
  /// Small text over parts of the line: where it starts along it, and its baseline from `top`.
  var rubies: [(line: TextLine, style: ResolvedStyle, start: Int, baseline: Int)] = []
}

/// Text that is laid out.
struct TextBlock {
  private(set) var lines: [BlockLine] = []
  /// Sum of the lines' heights in pixels.
  private(set) var height = 0

  /// LIMIT: more lines than any picture has.
  private static let mostLines = 128

  /// - Parameter width: of the block along the lines, in 1/64 pixel.
  init(
    _ text: CueText, width: Int, alignment: LineAlignment, isVertical: Bool, book: FontBook
  ) throws(MediaError) {
    for paragraph in text.paragraphs {
      guard !paragraph.isEmpty else { continue }
      let spans = paragraph.map { TextSpan($0.span.text, $0.span.style.attributes) }
      let shaped = try TextParagraph(spans, isVertical: isVertical, book: book)
      var ranges = shaped.lineRanges(width: width, isBalanced: true)
      if ranges.isEmpty { ranges = [0..<0] }
      for range in ranges {
        guard lines.count < Self.mostLines else { return }
        try add(shaped.line(range), paragraph, text, width, alignment, isVertical, book)
      }
    }
  }

  private mutating func add(
    _ line: TextLine, _ paragraph: [(number: Int, span: CueText.Span)], _ text: CueText,
    _ width: Int, _ alignment: LineAlignment, _ isVertical: Bool, _ book: FontBook
  ) throws(MediaError) {
    var rubies: [(line: TextLine, style: ResolvedStyle, start: Int)] = []
    for ruby in text.rubies {
      let parts = line.runs.filter { ruby.spans.contains(paragraph[$0.span].number) }
      guard let first = parts.map(\.start).min(), let last = parts.map(\.end).max() else {
        continue
      }
      let small = try TextParagraph(
        [TextSpan(ruby.text, ruby.style.attributes)], isVertical: isVertical, book: book)
      let own = small.line(0..<small.scalarCount)
      rubies.append((own, ruby.style, (first + last - own.length) / 2))
    }
    let over = rubies.map { $0.line.ascent + $0.line.descent }.max() ?? 0
    // Whole pixels, so that the boxes behind lines meet without a gap.
    let rubyHeight = (over + 63) >> 6
    let ascent = (line.ascent + 63) >> 6
    let descent = (line.descent + 63) >> 6
    let free = width - line.length
    let isEnd = line.isRightToLeft && !isVertical
    let start =
      switch alignment {
      case .left: 0
      case .right: free
      case .center: free / 2
      case .start: isEnd ? free : 0
      case .end: isEnd ? 0 : free
      }
    var entry = BlockLine(
      line: line, styles: line.runs.map { paragraph[$0.span].span.style }, start: start,
      top: height, height: rubyHeight + ascent + descent, baseline: rubyHeight + ascent)
    for ruby in rubies {
      entry.rubies.append(
        (
          ruby.line, ruby.style, start + ruby.start,
          isVertical
            ? (ruby.line.ascent + 63) >> 6 : rubyHeight - ((ruby.line.descent + 63) >> 6)
        ))
    }
    lines.append(entry)
    height += entry.height
  }
}
