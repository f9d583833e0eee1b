// A paragraph cut into what can be shaped at once.

internal import ReelCore

/// A stretch of one look, direction, script and font.
struct TextItem {
  var range: Range<Int>
  let span: Int
  let attributes: TextAttributes
  let level: UInt8
  let script: UInt32
  let face: FontFace
  /// The font that decides the height of the line.
  let metrics: FontFace
  /// In vertical text: its letters lie on their side.
  let isSideways: Bool
  let isUpright: Bool

  var direction: ShapingDirection {
    isUpright ? .topToBottom : level & 1 == 1 ? .rightToLeft : .leftToRight
  }

  func shape(_ text: [UInt32], _ range: Range<Int>) -> [FontGlyph] {
    face.shape(
      text, range, direction: direction, script: script, language: attributes.language)
  }

  /// Font units to 1/64 pixel, to the nearest, halves up.
  func scaled(_ units: Int) -> Int { scaled(units, of: face) }

  /// The same for units of another font.
  func scaled(_ units: Int, of face: FontFace) -> Int {
    // Units are below 2³¹ and sizes below 2¹⁸.
    let doubled = 2 * units * attributes.size + face.unitsPerEm
    let divisor = 2 * face.unitsPerEm
    return doubled >= 0 ? doubled / divisor : -((-doubled + divisor - 1) / divisor)
  }

  /// An advance along the line.
  func along(_ advance: SIMD2<Int>) -> Int { isUpright ? -advance.y : advance.x }
}

/// Cuts a paragraph into items.
struct Itemiser {
  let scalars: [Unicode.Scalar]
  let owners: [Int]
  let spans: [TextSpan]
  let levels: [UInt8]
  let starts: [Bool]
  let isVertical: Bool

  private static let orientations = RunTable(LineTables.orientations)

  mutating func items(_ book: FontBook) throws(MediaError) -> [TextItem] {
    let scripts = resolvedScripts()
    var items: [TextItem] = []
    var start = 0
    while start < scalars.count {
      var end = start + 1
      while end < scalars.count, !starts[end] { end += 1 }
      let item = try item(start..<end, scripts[start], after: items.last, book)
      if let last = items.last, Self.joins(last, item) {
        items[items.count - 1].range = last.range.lowerBound..<end
      } else {
        items.append(item)
      }
      start = end
    }
    return items
  }

  private func item(
    _ range: Range<Int>, _ script: UInt32, after last: TextItem?, _ book: FontBook
  ) throws(MediaError) -> TextItem {
    let span = owners[range.lowerBound]
    let attributes = spans[span].attributes
    let characters = scalars[range]
    let metrics = try book.primary(attributes.family, isBold: attributes.isBold)
    var kept: FontFace?
    // What any script uses, such as a blank, stays in the font before it.
    if let last, last.span == span,
      ScriptProperty.of(scalars[range.lowerBound]) == ScriptProperty.common,
      last.script == script, characters.allSatisfy({ last.face.covers($0) })
    {
      kept = last.face
    }
    var face = kept ?? metrics
    if kept == nil {
      face = try book.face(
        for: characters, script: script, family: attributes.family, isBold: attributes.isBold)
    }
    let isUpright = isVertical && Self.isUpright(scalars[range.lowerBound])
    return TextItem(
      range: range, span: span, attributes: attributes, level: levels[range.lowerBound],
      script: script, face: face, metrics: metrics, isSideways: isVertical && !isUpright,
      isUpright: isUpright)
  }

  private static func joins(_ a: TextItem, _ b: TextItem) -> Bool {
    a.span == b.span && a.level == b.level && a.script == b.script && a.face === b.face
      && a.isUpright == b.isUpright
  }

  /// Vertical_Orientation U or Tu. UAX #50.
  private static func isUpright(_ scalar: Unicode.Scalar) -> Bool {
    let value = orientations[scalar.value]
    return value == 1 || value == 3
  }

  /// Scripts with those of common and inherited characters taken from what stands before them, or
  /// behind them at the start. UAX #24 §5.
  private func resolvedScripts() -> [UInt32] {
    var scripts = scalars.map { ScriptProperty.of($0) }
    func isReal(_ script: UInt32) -> Bool {
      script != ScriptProperty.common && script != ScriptProperty.inherited
    }
    var current = scripts.first(where: isReal) ?? ScriptProperty.common
    for i in scripts.indices {
      if isReal(scripts[i]) { current = scripts[i] } else { scripts[i] = current }
    }
    return scripts
  }
}
