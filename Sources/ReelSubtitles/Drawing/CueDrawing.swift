// A placed cue as layers.

internal import ReelCore
internal import ReelImaging
internal import ReelText

/// Draws placed cues: what is behind the text, then edges, then letters and the lines under them.
struct CueDrawing {
  let width, height: Int
  let cache: GlyphCache
  private(set) var layers: [OverlayLayer] = []

  init(width: Int, height: Int, cache: GlyphCache) {
    (self.width, self.height, self.cache) = (width, height, cache)
  }

  /// What is drawn with one colour after what is drawn before it.
  private struct Stroke {
    var builder = MaskBuilder()
    let color: RGBAColor
  }

  mutating func fill(_ rect: SampleRect, _ color: RGBAColor) {
    let seen = rect.intersection(SampleRect(x: 0, y: 0, width: width, height: height))
    guard seen.width > 0, seen.height > 0, color.alpha > 0 else { return }
    layers.append(
      .mask(
        MaskLayer(
          .solid(width: seen.width, height: seen.height), x: seen.x, y: seen.y, color: color)))
  }

  mutating func draw(_ cue: PlacedCue) throws(MediaError) {
    let clip =
      cue.clip?.intersection(SampleRect(x: 0, y: 0, width: width, height: height))
      ?? SampleRect(x: 0, y: 0, width: width, height: height)
    if let fill = cue.fill { self.fill(fill.rect, fill.color) }
    for (rect, color) in backgrounds(cue) { fill(rect.intersection(clip), color) }
    var shadows: [Stroke] = []
    var letters: [Stroke] = []
    for line in cue.block.lines {
      let (x, y) = origin(cue, line)
      for (run, style) in zip(line.line.runs, line.styles) {
        try add(run.glyphs, x, y, style, cue.isVertical, &shadows, &letters)
        addLines(run, x, y, style, cue.isVertical, &letters)
      }
      for ruby in line.rubies {
        let (rx, ry) = rubyOrigin(cue, line, ruby.start, ruby.baseline)
        for run in ruby.line.runs {
          try add(run.glyphs, rx, ry, ruby.style, cue.isVertical, &shadows, &letters)
        }
      }
    }
    for stroke in shadows + letters {
      if let layer = stroke.builder.layer(color: stroke.color, in: clip) {
        layers.append(.mask(layer))
      }
    }
  }

  // MARK: Places

  /// Where a line's glyphs count from, in 1/64 pixel.
  private func origin(_ cue: PlacedCue, _ line: BlockLine) -> (Int, Int) {
    let rect = cue.rect(line)
    if !cue.isVertical { return (rect.x * 64 + line.start, (rect.y + line.baseline) * 64) }
    // Small text stands to the right of the line.
    let ruby = line.height - ((line.line.ascent + 63) >> 6) - ((line.line.descent + 63) >> 6)
    return ((rect.x * 64) + (line.height - ruby) * 32, rect.y * 64 + line.start)
  }

  private func rubyOrigin(
    _ cue: PlacedCue, _ line: BlockLine, _ start: Int, _ baseline: Int
  ) -> (Int, Int) {
    let rect = cue.rect(line)
    if !cue.isVertical { return (rect.x * 64 + start, (rect.y + baseline) * 64) }
    return ((rect.x + rect.width - baseline) * 64, rect.y * 64 + start)
  }

  // MARK: Backgrounds

  /// Boxes behind the text of a cue, neighbours of one colour in a line as one.
  private func backgrounds(_ cue: PlacedCue) -> [(SampleRect, RGBAColor)] {
    var boxes: [(SampleRect, RGBAColor)] = []
    for line in cue.block.lines {
      var last: (from: Int, to: Int, color: RGBAColor)?
      func flush() {
        guard let box = last else { return }
        boxes.append((backgroundRect(cue, line, box.from, box.to), box.color))
      }
      for (run, style) in zip(line.line.runs, line.styles) {
        guard let color = style.background, run.end > run.start else {
          flush()
          last = nil
          continue
        }
        if let box = last, box.color == color, box.to == run.start {
          last = (box.from, run.end, color)
        } else {
          flush()
          last = (run.start, run.end, color)
        }
      }
      flush()
    }
    return boxes
  }

  /// Whole pixels; an eighth of a line's height is added at both ends, so that letters do not touch them.
  private func backgroundRect(
    _ cue: PlacedCue, _ line: BlockLine, _ from: Int, _ to: Int
  ) -> SampleRect {
    let rect = cue.rect(line)
    let margin = line.height / 8
    let first = ((line.start + from) >> 6) - (from == 0 ? margin : 0)
    let last = ((line.start + to + 63) >> 6) + (to == line.line.length ? margin : 0)
    return cue.isVertical
      ? SampleRect(x: rect.x, y: rect.y + first, width: rect.width, height: last - first)
      : SampleRect(x: rect.x + first, y: rect.y, width: last - first, height: rect.height)
  }

  // MARK: Letters

  private static func add(
    to strokes: inout [Stroke], _ color: RGBAColor,
    _ body: (inout MaskBuilder) throws(MediaError) -> Void
  ) throws(MediaError) {
    if let index = strokes.firstIndex(where: { $0.color == color }) {
      try body(&strokes[index].builder)
    } else {
      var stroke = Stroke(color: color)
      try body(&stroke.builder)
      strokes.append(stroke)
    }
  }

  private func add(
    _ glyphs: [PlacedGlyph], _ x: Int, _ y: Int, _ style: ResolvedStyle, _ isVertical: Bool,
    _ shadows: inout [Stroke], _ letters: inout [Stroke]
  ) throws(MediaError) {
    // A 24th of the em, one pixel at least.
    let unit = max(style.attributes.size / 24, 64)
    func copy(_ dx: Int, _ dy: Int, _ color: RGBAColor, lineWidth: Int = 0) throws(MediaError) {
      try Self.add(to: &shadows, color) { (builder) throws(MediaError) in
        try builder.add(
          glyphs, x: x + dx, y: y + dy, lineWidth: lineWidth, isVertical: isVertical, cache: cache)
      }
    }
    let light = RGBAColor(red: 1, green: 1, blue: 1, alpha: style.edgeColor.alpha)
    switch style.edge {
    case .none: break
    case .outline: try copy(0, 0, style.edgeColor, lineWidth: 2 * unit)
    case .dropShadow: try copy(unit * 3 / 2, unit * 3 / 2, style.edgeColor)
    case .raised:
      try copy(-unit / 2, -unit / 2, light)
      try copy(unit, unit, style.edgeColor)
    case .depressed:
      try copy(unit / 2, unit / 2, light)
      try copy(-unit, -unit, style.edgeColor)
    }
    try Self.add(to: &letters, style.color) { (builder) throws(MediaError) in
      try builder.add(glyphs, x: x, y: y, isVertical: isVertical, cache: cache)
    }
  }

  /// Lines under and through letters, an 18th of the em thick.
  private func addLines(
    _ run: TextLineRun, _ x: Int, _ y: Int, _ style: ResolvedStyle, _ isVertical: Bool,
    _ letters: inout [Stroke]
  ) {
    guard style.isUnderlined || style.isStruckThrough, run.end > run.start else { return }
    let size = style.attributes.size
    let thickness = max((size / 18 + 32) >> 6, 1)
    var offsets: [Int] = []
    if style.isUnderlined { offsets.append(isVertical ? -size / 2 : size / 10) }
    if style.isStruckThrough { offsets.append(isVertical ? 0 : -size * 3 / 10) }
    for offset in offsets {
      let (from, to) = (run.start, run.end)
      let rect =
        isVertical
        ? SampleRect(
          x: (x + offset) >> 6, y: (y + from) >> 6, width: thickness,
          height: ((y + to) >> 6) - ((y + from) >> 6))
        : SampleRect(
          x: (x + from) >> 6, y: (y + offset) >> 6, width: ((x + to) >> 6) - ((x + from) >> 6),
          height: thickness)
      try? Self.add(to: &letters, style.color) { $0.add(rect) }
    }
  }
}
