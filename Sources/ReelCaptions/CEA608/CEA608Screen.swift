// The 15 rows of 32 columns that captions are written into.

internal import ReelCore

/// How a character looks. 47 CFR §15.119(h).
struct CEA608Pen: Sendable, Hashable {
  /// White, green, blue, cyan, red, yellow, magenta; 7 is black.
  var colour: UInt8 = 0
  var isItalic = false
  var isUnderlined = false
  /// As `colour`, and 8 for none.
  var background: UInt8 = 7

  private static let colours: [RGBAColor] = [
    .white, RGBAColor(red: 0, green: 1, blue: 0), RGBAColor(red: 0, green: 0, blue: 1),
    RGBAColor(red: 0, green: 1, blue: 1), RGBAColor(red: 1, green: 0, blue: 0),
    RGBAColor(red: 1, green: 1, blue: 0), RGBAColor(red: 1, green: 0, blue: 1), .black, .clear,
  ]

  var style: TextStyle {
    var style = TextStyle()
    style.color = Self.colours[Int(min(colour, 7))]
    style.background = Self.colours[Int(min(background, 8))]
    if isItalic { style.isItalic = true }
    if isUnderlined { style.isUnderlined = true }
    style.fontFamily = .monospace
    // Fifteen rows in the 80 % of the height that are safe for titles.
    style.fontSize = .ofHeight(0.8 / 15 / 1.2)
    return style
  }
}

/// What a caption memory holds.
struct CEA608Screen: Sendable, Hashable {
  static let rowCount = 15
  static let columnCount = 32

  struct Cell: Sendable, Hashable {
    var character: Character
    var pen: CEA608Pen
  }

  /// nil where nothing was written.
  private var cells = [Cell?](repeating: nil, count: rowCount * columnCount)

  var isEmpty: Bool { cells.allSatisfy { $0 == nil } }

  subscript(row: Int, column: Int) -> Cell? {
    get { cells[row * Self.columnCount + column] }
    set { cells[row * Self.columnCount + column] = newValue }
  }

  mutating func clear() { self = CEA608Screen() }

  mutating func clearRow(_ row: Int, from column: Int = 0) {
    for column in column..<Self.columnCount { self[row, column] = nil }
  }

  /// Moves the `count` rows that end at `base` up by one; the last is empty then.
  mutating func rollUp(base: Int, count: Int) {
    let top = max(base - count + 1, 0)
    for row in 0..<Self.rowCount where row < top || row > base { clearRow(row) }
    for row in top..<max(base, top) {
      for column in 0..<Self.columnCount { self[row, column] = self[row + 1, column] }
    }
    clearRow(base)
  }

  /// Moves the rows that end at `base` so that they end at `newBase`.
  mutating func move(base: Int, to newBase: Int, count: Int) {
    var moved = CEA608Screen()
    for i in 0..<count where base - i >= 0 && newBase - i >= 0 {
      for column in 0..<Self.columnCount {
        moved[newBase - i, column] = self[base - i, column]
      }
    }
    self = moved
  }

  /// The cells of a row.
  func cells(ofRow row: Int) -> ArraySlice<Cell?> {
    cells[row * Self.columnCount..<(row + 1) * Self.columnCount]
  }

  /// The cue of a row; nil when there is nothing to see in it.
  func cue(ofRow row: Int, from start: MediaTime, to end: MediaTime) -> Cue? {
    let used = (0..<Self.columnCount).filter { self[row, $0] != nil }
    guard let first = used.first, let last = used.last else { return nil }
    var cue = Cue(start: start, end: end, content: content(row, first...last))
    guard cue.plainText.contains(where: { $0 != " " && $0 != "\u{A0}" }) else { return nil }
    cue.source = cue.plainText
    cue.keepsBlanks = true
    let left = 10 + Double(first) * 80 / 32
    cue.settings.line = .percentage(10 + Double(row) * 80 / 15)
    cue.settings.position = left
    cue.settings.positionAlignment = .lineLeft
    cue.settings.size = 100 - left
    cue.settings.textAlignment = .left
    return cue
  }

  /// The cells of a row as pieces of one look each. Gaps are spaces without a background.
  private func content(_ row: Int, _ columns: ClosedRange<Int>) -> [CueNode] {
    var nodes: [CueNode] = []
    var text = ""
    var pen: CEA608Pen?
    func flush() {
      guard let pen, !text.isEmpty else { return }
      var element = CueElement(.span, children: [.text(text)])
      element.style = pen.style
      nodes.append(.element(element))
      text = ""
    }
    for column in columns {
      var cell = self[row, column] ?? Cell(character: " ", pen: CEA608Pen(background: 8))
      if cell.character == "\u{A0}" { cell = Cell(character: " ", pen: CEA608Pen(background: 8)) }
      if cell.pen != pen {
        flush()
        pen = cell.pen
      }
      text.append(cell.character)
    }
    flush()
    return nodes
  }
}
