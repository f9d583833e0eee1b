// From a cue's settings to its place. WebVTT §7.2 and §7.4.

internal import ReelCaptions
internal import ReelCore
internal import ReelText

/// Lays out cues in pictures of one size.
struct CueLayout {
  let width, height: Int
  let user: CaptionStyle
  let book: FontBook

  private var area: SampleRect { SampleRect(x: 0, y: 0, width: width, height: height) }

  private static func percent(_ value: Double) -> Double {
    value.isFinite ? min(max(value, 0), 100) : 0
  }

  private func resolver(_ background: RGBAColor?) -> StyleResolver {
    StyleResolver(user: user, height: height, background: background)
  }

  /// The cue at its place; nil when it has nothing to see or finds no place.
  ///
  /// - Parameter obstacles: lines of cues that were placed before.
  func place(
    _ cue: Cue, at time: MediaTime, avoiding obstacles: [SampleRect]
  ) throws(MediaError) -> PlacedCue? {
    if let box = cue.box { return try placeInBox(cue, box, at: time) }
    let text = CueText(cue, at: time, resolver(CaptionStyle.defaultBackground))
    guard !text.spans.isEmpty else { return nil }
    if let region = cue.region { return try placeInRegion(cue, region, text) }
    let settings = cue.settings
    let direction: PlacedCue.WritingDirection =
      switch settings.writingDirection {
      case .horizontal: .horizontal
      case .verticalGrowingLeft: .growingLeft
      case .verticalGrowingRight: .growingRight
      }
    let span = Self.inline(settings, isRightToLeft: Self.isRightToLeft(text))
    let full = direction == .horizontal ? width : height
    let length = max(Int((Double(full) * span.size / 100).rounded(.down)), 1)
    let start = Int((Double(full) * span.start / 100).rounded(.down))
    let block = try TextBlock(
      text, width: length * 64, alignment: Self.alignment(settings.textAlignment),
      isVertical: direction != .horizontal, book: book)
    guard !block.lines.isEmpty else { return nil }
    var placed = PlacedCue(block: block, x: 0, y: 0, length: length, direction: direction)
    if direction == .horizontal { placed.x = start } else { placed.y = start }
    if settings.snapsToLines {
      return snapped(placed, settings, obstacles)
    }
    return atPercentage(placed, settings, obstacles)
  }

  private static func alignment(_ alignment: CueSettings.TextAlignment) -> LineAlignment {
    switch alignment {
    case .start: .start
    case .center: .center
    case .end: .end
    case .left: .left
    case .right: .right
    }
  }

  private static func isRightToLeft(_ text: CueText) -> Bool {
    let scalars = text.spans.lazy.flatMap { $0.text.unicodeScalars }.prefix(2_000)
    return BidiParagraph(Array(scalars)).baseLevel == 1
  }

  /// Start and size of the box along the lines, in per cent. WebVTT §7.2, steps 3 … 8.
  static func inline(
    _ settings: CueSettings, isRightToLeft: Bool
  ) -> (start: Double, size: Double) {
    let position: Double
    switch (settings.position, settings.textAlignment) {
    case (let own?, _): position = percent(own)
    case (nil, .left): position = 0
    case (nil, .right): position = 100
    default: position = 50
    }
    var alignment = settings.positionAlignment
    if alignment == .automatic {
      switch settings.textAlignment {
      case .left: alignment = .lineLeft
      case .right: alignment = .lineRight
      case .start: alignment = isRightToLeft ? .lineRight : .lineLeft
      case .end: alignment = isRightToLeft ? .lineLeft : .lineRight
      case .center: alignment = .center
      }
    }
    let most: Double =
      switch alignment {
      case .lineLeft: 100 - position
      case .lineRight: position
      default: 2 * min(position, 100 - position)
      }
    let size = min(percent(settings.size), most)
    switch alignment {
    case .lineLeft: return (position, size)
    case .lineRight: return (position - size, size)
    default: return (position - size / 2, size)
    }
  }

  // MARK: Lines

  /// WebVTT §7.4, with lines counted in lines of text.
  private func snapped(
    _ cue: PlacedCue, _ settings: CueSettings, _ obstacles: [SampleRect]
  ) -> PlacedCue? {
    let full = cue.isVertical ? width : height
    guard var step = cue.block.lines.first?.height, step > 0 else { return nil }
    var line = -1
    if case .number(let number) = settings.line {
      line = number.isFinite ? Int(min(max(number.rounded(), -100_000), 100_000)) : -1
    }
    // What begins farther away than the block is high comes in from the side as the nearest of those does.
    let farthest = (full + cue.block.height) / step + 1
    line = min(max(line, -farthest), farthest)
    if cue.direction == .growingLeft { line = -(line + 1) }
    var position = step * line
    if cue.direction == .growingLeft { position += step - cue.block.height }
    if line < 0 {
      position += full
      step = -step
    }
    var placed = cue
    func move(to position: Int) {
      if placed.isVertical { placed.x = position } else { placed.y = position }
    }
    var hasTurned = false
    var current = position
    while true {
      move(to: current)
      let rects = placed.lineRects
      if rects.allSatisfy({ area.contains($0) }),
        !rects.contains(where: { rect in obstacles.contains { $0.overlaps(rect) } })
      {
        return placed
      }
      // Beyond the picture there is nothing more on this side.
      let first = rects[0]
      let edge =
        placed.isVertical ? (first.x, first.x + first.width) : (first.y, first.y + first.height)
      if (step < 0 && edge.0 < 0) || (step > 0 && edge.1 > full) {
        if hasTurned { return overflowing(placed) }
        hasTurned = true
        step = -step
        current = position + step
        continue
      }
      current += step
    }
  }

  /// A cue with more lines than the picture has rows is shown from its start, cut at the picture's end.
  /// The standard shows nothing of it; a viewer would miss a text that is merely too large.
  private func overflowing(_ cue: PlacedCue) -> PlacedCue? {
    let full = cue.isVertical ? width : height
    guard cue.block.height > full else { return nil }
    var placed = cue
    if placed.isVertical {
      placed.x = placed.direction == .growingLeft ? width - placed.block.height : 0
    } else {
      placed.y = 0
    }
    return placed
  }

  // MARK: Percentages

  /// WebVTT §7.4, with a distance from the top or the side.
  private func atPercentage(
    _ cue: PlacedCue, _ settings: CueSettings, _ obstacles: [SampleRect]
  ) -> PlacedCue? {
    let full = cue.isVertical ? width : height
    var value = 100.0
    if case .percentage(let own) = settings.line { value = Self.percent(own) }
    var position = Int((Double(full) * value / 100).rounded(.down))
    switch settings.lineAlignment {
    case .start: break
    case .center: position -= cue.block.height / 2
    case .end: position -= cue.block.height
    }
    var placed = cue
    if placed.isVertical { placed.x = position } else { placed.y = position }
    func isGood(_ rect: SampleRect) -> Bool {
      area.contains(rect) && !obstacles.contains { $0.overlaps(rect) }
    }
    if isGood(placed.bounds) { return placed }
    // The nearest place that is free: against a side of the picture or of another cue.
    let own = placed.bounds
    var xs = [own.x, 0, width - own.width]
    var ys = [own.y, 0, height - own.height]
    for other in obstacles.prefix(64) {
      xs += [other.x - own.width, other.x + other.width]
      ys += [other.y - own.height, other.y + other.height]
    }
    var best: (distance: Int, y: Int, x: Int)?
    for y in Set(ys).sorted() {
      for x in Set(xs).sorted() where isGood(own.moved(x - own.x, y - own.y)) {
        let distance = (x - own.x) * (x - own.x) + (y - own.y) * (y - own.y)
        if best.map({ (distance, y, x) < ($0.distance, $0.y, $0.x) }) ?? true {
          best = (distance, y, x)
        }
      }
    }
    if let best { (placed.x, placed.y) = (best.x, best.y) }
    return placed
  }

  // MARK: Regions

  /// Rectangle of a region. WebVTT §7.2: lines of it are 6vh high.
  func rect(_ region: CueRegion) -> SampleRect {
    let w = Double(width) * Self.percent(region.width) / 100
    let lines = Double(min(max(region.lines, 0), 1_000))
    let h = min(lines * 0.06 * Double(height) * user.usedScale, Double(height) * 4)
    let x = Double(width) * Self.percent(region.viewportAnchorX) / 100
    let y = Double(height) * Self.percent(region.viewportAnchorY) / 100
    return SampleRect(
      x: Int((x - w * Self.percent(region.anchorX) / 100).rounded()),
      y: Int((y - h * Self.percent(region.anchorY) / 100).rounded()), width: Int(w.rounded()),
      height: Int(h.rounded()))
  }

  /// A cue of a region at its bottom; those of later cues push it up.
  private func placeInRegion(
    _ cue: Cue, _ region: CueRegion, _ text: CueText
  ) throws(MediaError) -> PlacedCue? {
    let place = rect(region)
    let span = Self.inline(cue.settings, isRightToLeft: Self.isRightToLeft(text))
    let length = max(Int(Double(place.width) * span.size / 100), 1)
    let block = try TextBlock(
      text, width: length * 64, alignment: Self.alignment(cue.settings.textAlignment),
      isVertical: false, book: book)
    guard !block.lines.isEmpty else { return nil }
    var placed = PlacedCue(
      block: block, x: place.x + Int(Double(place.width) * span.start / 100),
      y: place.y + place.height - block.height, length: length, direction: .horizontal)
    placed.clip = place.intersection(area)
    return placed
  }

  // MARK: Boxes

  /// Text in a rectangle of its own. 3GPP TS 26.245 §5.17.
  private func placeInBox(
    _ cue: Cue, _ box: CueBox, at time: MediaTime
  ) throws(MediaError) -> PlacedCue? {
    func part(_ value: Double) -> Double { value.isFinite ? min(max(value, -4), 4) : 0 }
    // A box that is the whole picture tells no place: text keeps away from the picture's edges, and what
    // would be behind the box is behind the text alone.
    let isWhole = box.x == 0 && box.y == 0 && box.width == 1 && box.height == 1
    let inset = isWhole ? 0.05 : 0
    let x = Int((Double(width) * (part(box.x) + inset)).rounded())
    let y = Int((Double(height) * (part(box.y) + inset)).rounded())
    // By their other sides, so that boxes that meet leave no gap.
    let right = Int((Double(width) * (part(box.x) + part(box.width) - inset)).rounded())
    let bottom = Int((Double(height) * (part(box.y) + part(box.height) - inset)).rounded())
    let (w, h) = (max(right - x, 1), max(bottom - y, 1))
    let text = CueText(cue, at: time, resolver(isWhole ? box.background : nil))
    guard !text.spans.isEmpty else { return nil }
    let isVertical = cue.settings.writingDirection != .horizontal
    let alignment: LineAlignment =
      switch isVertical ? box.vertical : box.horizontal {
      case .start: .left
      case .center: .center
      case .end: .right
      }
    let length = isVertical ? h : w
    let block = try TextBlock(
      text, width: length * 64, alignment: alignment, isVertical: isVertical, book: book)
    var placed = PlacedCue(
      block: block, x: x, y: y, length: length,
      direction: isVertical ? .growingLeft : .horizontal)
    let free = (isVertical ? w : h) - block.height
    let across = isVertical ? box.horizontal : box.vertical
    let offset = across == .start ? 0 : across == .center ? free / 2 : free
    if isVertical { placed.x += offset } else { placed.y += offset }
    if let color = box.background, !isWhole {
      placed.fill = (SampleRect(x: x, y: y, width: w, height: h).intersection(area), color)
    }
    return placed
  }
}
