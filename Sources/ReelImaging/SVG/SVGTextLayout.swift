// From letters to outlines at their places. SVG 1.1 §10.5, §10.9.

internal import ReelCore

/// Lays out a text element.
struct SVGTextLayout {
  /// An outline with the style that it is drawn with.
  struct Piece {
    let style: Int
    let path: [PathElement]
  }

  private let text: SVGText
  private let outliner: any TextOutliner
  private(set) var pieces: [Piece] = []
  /// What could not be done.
  private(set) var unsupported: Set<String> = []
  /// Where the next letter stands.
  private var pen = Point(x: 0, y: 0)

  init(_ text: SVGText, _ outliner: any TextOutliner) throws(MediaError) {
    self.text = text
    self.outliner = outliner
    var start = 0
    while start < text.letters.count {
      let next = text.letters[(start + 1)...].firstIndex(where: \.hasPlace) ?? text.letters.count
      try chunk(start..<next)
      start = next
    }
  }

  private func style(_ letter: Int) -> SVGTextStyle { text.styles[text.letters[letter].style].text }

  /// Outlines of letters side by side: all of them with what comes before the next shift.
  private struct Stretch {
    let letters: Range<Int>
    /// Before its first letter.
    let dx, dy: Double
    var parts: [TextOutline] = []
    var length = 0.0
  }

  /// Letters up to the next that has a place of its own; `text-anchor` moves all of them.
  private mutating func chunk(_ range: Range<Int>) throws(MediaError) {
    let first = text.letters[range.lowerBound]
    pen = Point(x: first.x ?? pen.x, y: first.y ?? pen.y)
    let own = style(range.lowerBound)
    let hasLeftward = range.contains { text.letters[$0].character.runsLeft }
    var stretches: [Stretch] = []
    var total = 0.0
    for stretch in cut(range, isSpaced: !hasLeftward) {
      var stretch = stretch
      (stretch.parts, stretch.length) = try outliner.outlines(
        spans(stretch.letters), isRightToLeft: own.isRightToLeft)
      total += stretch.length + stretch.dx
      stretches.append(stretch)
    }
    // Stretches of letters that run to the left follow each other to the left.
    let runsLeft = own.isRightToLeft && hasLeftward
    let part: Double =
      switch own.anchor {
      case .start: own.isRightToLeft ? 1 : 0
      case .middle: 0.5
      case .end: own.isRightToLeft ? 0 : 1
      }
    let left = pen.x - total * part
    var x = runsLeft ? left + total : left
    for stretch in stretches {
      pen.y += stretch.dy
      if runsLeft {
        x -= stretch.dx + stretch.length
        try draw(stretch, Point(x: x, y: pen.y))
      } else {
        x += stretch.dx
        try draw(stretch, Point(x: x, y: pen.y))
        x += stretch.length
      }
    }
    pen.x = x
  }

  /// Cuts letters where one is shifted against the one before.
  ///
  /// - Parameter isSpaced: letters may stand apart; those that run to the left would lose their order.
  private mutating func cut(_ range: Range<Int>, isSpaced: Bool) -> [Stretch] {
    var stretches: [Stretch] = []
    var start = range.lowerBound
    var (dx, dy) = (text.letters[start].dx, text.letters[start].dy)
    for i in range.dropFirst() {
      let isBlank = text.letters[i - 1].character == " "
      var space = style(i - 1).spacing(behindBlank: isBlank)
      if space != 0 && !isSpaced {
        unsupported.insert("spacing of text from right to left")
        space = 0
      }
      let own = (dx: text.letters[i].dx + space, dy: text.letters[i].dy)
      if own != (0, 0) {
        stretches.append(Stretch(letters: start..<i, dx: dx, dy: dy))
        (start, dx, dy) = (i, own.dx, own.dy)
      }
    }
    stretches.append(Stretch(letters: start..<range.upperBound, dx: dx, dy: dy))
    return stretches
  }

  /// Letters of one style are a span.
  private func spans(_ range: Range<Int>) -> [OutlineSpan] {
    styleRanges(range).map { own in
      style(own.lowerBound).span(String(text.letters[own].map(\.character)))
    }
  }

  private func styleRanges(_ range: Range<Int>) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    for i in range {
      if let last = ranges.last, text.letters[last.lowerBound].style == text.letters[i].style {
        ranges[ranges.count - 1] = last.lowerBound..<i + 1
      } else {
        ranges.append(i..<i + 1)
      }
    }
    return ranges
  }

  private mutating func draw(_ stretch: Stretch, _ place: Point) throws(MediaError) {
    let ranges = styleRanges(stretch.letters)
    for part in stretch.parts where ranges.indices.contains(part.span) {
      let letter = ranges[part.span].lowerBound
      let own = style(letter)
      let metrics = try outliner.metrics(of: own.span(String(text.letters[letter].character)))
      let down: Double =
        switch own.baseline {
        case .alphabetic: 0
        case .middle: metrics.xHeight / 2
        case .central: (metrics.ascent - metrics.descent) / 2
        // Where the letters of scripts that hang from it begin.
        case .hanging: metrics.ascent * 0.8
        case .top: metrics.ascent
        case .bottom: -metrics.descent
        }
      let origin = Point(x: place.x, y: place.y + down - own.shift)
      var path = ShapeDescription.transformed(
        part.path, by: .translation(x: origin.x, y: origin.y))
      path += lines(own, part, origin, metrics)
      if !path.isEmpty { pieces.append(Piece(style: text.letters[letter].style, path: path)) }
    }
  }

  /// Lines under, over and through letters, an 18th of the em thick.
  private func lines(
    _ style: SVGTextStyle, _ part: TextOutline, _ origin: Point, _ metrics: OutlineMetrics
  ) -> [PathElement] {
    var tops: [Double] = []
    let thickness = style.size / 18
    if style.isUnderlined { tops.append(style.size / 10) }
    if style.isOverlined { tops.append(-metrics.ascent) }
    if style.isStruckThrough { tops.append(-metrics.xHeight / 2 - thickness / 2) }
    return tops.flatMap { top in
      ShapeDescription.rectangle(
        Rect(
          x: origin.x + part.start, y: origin.y + top, width: part.end - part.start,
          height: thickness))
    }
  }
}

extension Character {
  /// Of the blocks whose letters run from right to left. Unicode Standard Annex #9, table 4 and
  /// DerivedBidiClass.
  fileprivate var runsLeft: Bool {
    switch unicodeScalars.first?.value ?? 0 {
    case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x1_0800...0x1_0FFF,
      0x1_E800...0x1_EFFF:
      true
    default: false
    }
  }
}
