// Lines of text as outlines, for drawings.

public import ReelCore
public import ReelImaging

/// Outlines of the fonts of a book.
public final class FontOutliner: TextOutliner {
  private let book: FontBook
  private var metrics: [FamilyKey: FontMetrics] = [:]

  private struct FamilyKey: Hashable {
    var family: FontFamily
    var isBold: Bool
  }
  /// Parts of the em.
  private struct FontMetrics { var ascent, descent, xHeight: Double }

  /// Lines are set with the largest em this large, in pixels, so that the places of letters are exact to a
  /// 65,536th of it, whatever the units of a drawing are.
  private static let largestEm = 1_024.0

  public init(_ book: FontBook) { self.book = book }

  public func outlines(
    _ spans: [OutlineSpan], isRightToLeft: Bool
  ) throws(MediaError) -> (parts: [TextOutline], length: Double) {
    let largest = spans.map(\.size).max() ?? 0
    guard largest > 0, largest.isFinite else { return ([], 0) }
    let unit = largest / Self.largestEm / 64
    let texts = spans.map { span in
      var attributes = TextAttributes(size: Int((span.size / unit).rounded()))
      attributes.family = Self.family(span.family)
      (attributes.isBold, attributes.isItalic) = (span.isBold, span.isItalic)
      attributes.language = span.language
      return TextSpan(span.text, attributes)
    }
    let count = texts.reduce(0) { $0 + $1.text.unicodeScalars.count }
    guard count <= TextParagraph.mostScalars else {
      throw MediaError(.limitExceeded, .textLength, detail: "\(count) characters in a line")
    }
    let paragraph = try TextParagraph(
      texts, direction: isRightToLeft ? .rightToLeft : .leftToRight, book: book)
    let line = paragraph.line(0..<paragraph.scalarCount)
    let parts = line.runs.map { run in
      TextOutline(
        span: run.span, path: run.glyphs.flatMap { outline($0, unit) },
        start: Double(run.start) * unit, end: Double(run.end) * unit)
    }
    return (parts, Double(line.length) * unit)
  }

  /// `unit`: a 64th of a pixel in units of the drawing.
  private func outline(_ glyph: PlacedGlyph, _ unit: Double) -> [PathElement] {
    guard let face = book.face(number: glyph.face) else { return [] }
    let map = face.transform(
      em: Double(glyph.size) * unit, isSlanted: glyph.isSlanted, isSideways: glyph.isSideways,
      to: Point(x: Double(glyph.x) * unit, y: Double(glyph.y) * unit))
    return face.outline(glyph.glyph).map { $0.transformed(by: map) }
  }

  public func metrics(of span: OutlineSpan) throws(MediaError) -> OutlineMetrics {
    let key = FamilyKey(family: Self.family(span.family), isBold: span.isBold)
    let own: FontMetrics
    if let known = metrics[key] {
      own = known
    } else {
      own = try Self.measure(book.primary(key.family, isBold: key.isBold))
      metrics[key] = own
    }
    return OutlineMetrics(
      ascent: own.ascent * span.size, descent: own.descent * span.size,
      xHeight: own.xHeight * span.size)
  }

  private static func measure(_ face: FontFace) -> FontMetrics {
    let em = Double(face.unitsPerEm)
    // The height of an x, where the font has one.
    let letter = face.glyph(of: "x").map { face.outline($0) } ?? []
    let top = letter.compactMap(\.end?.y).max() ?? em / 2
    return FontMetrics(
      ascent: Double(face.ascent) / em, descent: Double(face.descent) / em,
      xHeight: min(max(top / em, 0), 1))
  }

  private static func family(_ family: OutlineSpan.Family) -> FontFamily {
    switch family {
    case .sansSerif: .sansSerif
    case .serif: .serif
    case .monospace: .monospace
    }
  }
}

extension PathElement {
  /// Where it ends; nil for what closes a path.
  fileprivate var end: Point? {
    switch self {
    case .move(let end), .line(let end), .quadCurve(_, let end), .cubicCurve(_, _, let end): end
    case .close: nil
    }
  }

  fileprivate func transformed(by map: Transform2D) -> PathElement {
    switch self {
    case .move(let end): .move(map.apply(to: end))
    case .line(let end): .line(map.apply(to: end))
    case .quadCurve(let control, let end):
      .quadCurve(control: map.apply(to: control), end: map.apply(to: end))
    case .cubicCurve(let first, let second, let end):
      .cubicCurve(
        control1: map.apply(to: first), control2: map.apply(to: second), end: map.apply(to: end))
    case .close: .close
    }
  }
}
