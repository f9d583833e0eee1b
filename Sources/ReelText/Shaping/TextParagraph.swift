// A paragraph: its runs, their glyphs, its lines.

public import ReelCore

/// One paragraph of text, without line ends inside.
///
/// Runs of one look, direction, script and font are shaped one by one; lines are found by their lengths
/// and shaped again each, since letters at their ends may look different there.
public struct TextParagraph {
  private let scalars: [Unicode.Scalar]
  private let codes: [UInt32]
  private let spans: [TextSpan]
  private let bidi: BidiParagraph
  private let items: [TextItem]
  private let isVertical: Bool
  /// Length along the line of what begins at each scalar.
  private let advances: [Int]
  private let breaks: [LineBreakAction]
  /// The scalar begins a user-perceived character.
  private let isClusterStart: [Bool]

  /// LIMIT: a cue has at most 64 KiB; no paragraph that is read has more scalars.
  static let mostScalars = 1 << 16

  /// - Throws: `notFound` when a font that is needed is not there.
  public init(
    _ spans: [TextSpan], direction: TextDirection = .automatic, isVertical: Bool = false,
    book: FontBook
  ) throws(MediaError) {
    self.spans = spans
    self.isVertical = isVertical
    var scalars: [Unicode.Scalar] = []
    var owners: [Int] = []
    for (number, span) in spans.enumerated() {
      for scalar in span.text.unicodeScalars where scalars.count < Self.mostScalars {
        scalars.append(scalar)
        owners.append(number)
      }
    }
    self.scalars = scalars
    codes = scalars.map(\.value)
    bidi = BidiParagraph(scalars, direction: direction)
    breaks = LineBreaks.actions(scalars)
    let starts = Self.clusterStarts(scalars)
    isClusterStart = starts
    var itemiser = Itemiser(
      scalars: scalars, owners: owners, spans: spans, levels: bidi.levels, starts: starts,
      isVertical: isVertical)
    items = try itemiser.items(book)
    var advances = [Int](repeating: 0, count: scalars.count)
    for item in items {
      let glyphs = item.shape(codes, item.range)
      for glyph in glyphs where advances.indices.contains(glyph.cluster) {
        advances[glyph.cluster] += item.scaled(item.along(glyph.advance))
      }
    }
    self.advances = advances
  }

  private static func clusterStarts(_ scalars: [Unicode.Scalar]) -> [Bool] {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    var starts = [Bool](repeating: false, count: scalars.count)
    var at = 0
    for character in String(view) {
      if at < starts.count { starts[at] = true }
      at += character.unicodeScalars.count
    }
    return starts
  }

  public var isRightToLeft: Bool { bidi.baseLevel == 1 }

  // MARK: Lines

  /// The lines of the paragraph at most `width` long (1/64 pixel), as ranges of scalars without the
  /// blanks at their ends.
  ///
  /// - Parameter isBalanced: no more lines than needed, and those as equally long as can be.
  public func lineRanges(width: Int, isBalanced: Bool) -> [Range<Int>] {
    let widest = max(width, 64)
    let greedy = fit(widest)
    guard isBalanced, greedy.count > 1, greedy.count < 64 else { return greedy }
    // The least width that needs no more lines.
    var (low, high) = (64, widest)
    while low < high {
      let middle = (low + high) / 2
      if fit(middle).count <= greedy.count { high = middle } else { low = middle + 1 }
    }
    // A narrow width may cut words where the wide one did not.
    let balanced = fit(high)
    return cutsWords(balanced) && !cutsWords(greedy) ? greedy : balanced
  }

  private func cutsWords(_ lines: [Range<Int>]) -> Bool {
    lines.dropLast().contains { line in
      line.upperBound < scalars.count && !isBlank(line.upperBound)
        && breaks[line.upperBound - 1] == .none
    }
  }

  private func isBlank(_ i: Int) -> Bool { scalars[i] == " " || scalars[i] == "\t" }

  private func fit(_ width: Int) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = 0
    while start < scalars.count {
      let end = lineEnd(from: start, width)
      var last = end
      while last > start, isBlank(last - 1) { last -= 1 }
      lines.append(start..<last)
      start = end
      if start < scalars.count { while start < scalars.count, isBlank(start) { start += 1 } }
    }
    return lines
  }

  /// Where the line that begins at `start` ends, blanks included; at least one character behind it.
  private func lineEnd(from start: Int, _ width: Int) -> Int {
    var length = 0
    var allowed: Int?
    var cluster = start
    for i in start..<scalars.count {
      if isClusterStart[i] { cluster = i }
      length += advances[i]
      // Blanks at the end of a line hang over.
      if length > width, !isBlank(i) {
        if let allowed { return allowed }
        if cluster > start { return cluster }
        // Not even one character fits: it stands alone.
        var end = i + 1
        while end < scalars.count, !isClusterStart[end] { end += 1 }
        return end
      }
      if breaks[i] == .mandatory { return i + 1 }
      if breaks[i] == .allowed { allowed = i + 1 }
    }
    return scalars.count
  }

  /// Length of a range, as far as whole-paragraph shaping tells.
  public func length(_ range: Range<Int>) -> Int { advances[range].reduce(0, +) }

  public var scalarCount: Int { scalars.count }

  /// The glyphs of a line.
  public func line(_ range: Range<Int>) -> TextLine {
    let parts = items.compactMap { item -> TextItem? in
      let own = item.range.clamped(to: range)
      guard !own.isEmpty else { return nil }
      var part = item
      part.range = own
      return part
    }
    // Levels of a line may differ at its end: each part has that of its first scalar.
    let lineLevels = bidi.lineLevels(range)
    let order = BidiParagraph.visualOrder(
      parts.map { lineLevels[$0.range.lowerBound - range.lowerBound] })
    var line = TextLine(
      runs: [], length: 0, ascent: 0, descent: 0, isRightToLeft: isRightToLeft)
    let context = Array(codes[range])
    for number in order {
      let part = parts[number]
      let local =
        part.range.lowerBound - range.lowerBound..<part.range.upperBound - range.lowerBound
      line.append(part, part.shape(context, local), isVertical: isVertical)
    }
    if parts.isEmpty, let first = items.first { line.measure(first, isVertical: isVertical) }
    return line
  }
}

extension TextLine {
  fileprivate mutating func measure(_ item: TextItem, isVertical: Bool) {
    let size = item.attributes.size
    if isVertical {
      ascent = max(ascent, size * 6 / 10)
      descent = max(descent, size * 6 / 10)
    } else {
      // The font of the letters and the first of the family both make the line as high as they need.
      for face in [item.metrics, item.face] {
        ascent = max(ascent, item.scaled(face.ascent, of: face))
        descent = max(descent, item.scaled(face.descent, of: face))
      }
    }
  }

  fileprivate mutating func append(_ item: TextItem, _ glyphs: [FontGlyph], isVertical: Bool) {
    measure(item, isVertical: isVertical)
    var run = TextLineRun(span: item.span, start: length, end: length, glyphs: [])
    var pen = 0
    // Rotated letters stand with the middle of their height on the line's.
    let middle = (item.face.ascent - item.face.descent) / 2
    for glyph in glyphs {
      let (x, y): (Int, Int)
      if !isVertical {
        (x, y) = (pen + glyph.offset.x, -glyph.offset.y)
      } else if item.isSideways {
        (x, y) = (glyph.offset.y - middle, pen + glyph.offset.x)
      } else {
        (x, y) = (glyph.offset.x, pen - glyph.offset.y)
      }
      let (px, py) = (item.scaled(x), item.scaled(y))
      run.glyphs.append(
        PlacedGlyph(
          face: item.face.number, glyph: glyph.glyph, size: item.attributes.size,
          isSlanted: item.attributes.isItalic, isSideways: item.isSideways,
          x: isVertical ? px : length + px, y: isVertical ? length + py : py))
      pen += item.along(glyph.advance)
    }
    length += item.scaled(pen)
    run.end = length
    runs.append(run)
  }
}
