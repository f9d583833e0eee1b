// A window that captions are written into. CEA-708-E §8.4.

internal import ReelCore

struct CEA708Window: Sendable, Hashable {
  struct Cell: Sendable, Hashable {
    var character: Character
    var pen: CEA708Pen
  }

  /// A row of it as it is seen.
  struct ShownRow: Sendable, Hashable {
    var cells: [Cell?]
    var box: CueBox
  }

  enum Justification: UInt8, Sendable { case left, right, center, full }

  var isVisible = false
  /// 0 is the highest.
  private(set) var priority = 7
  private(set) var rowCount = 1
  private(set) var columnCount = 1
  private var isRelative = false
  private var anchorX = 0, anchorY = 0
  /// Which of nine points of the window lies there, row by row.
  private var anchor = 0
  private(set) var justification = Justification.left
  private var wrapsWords = false
  private var fill = RGBAColor.black
  var pen = CEA708Pen()
  private(set) var row = 0
  private(set) var column = 0
  private var rows: [[Cell?]] = []

  // MARK: Definition

  /// DF0 … DF7. A window that was there before keeps its text, cut to its new size.
  mutating func define(_ p: ArraySlice<UInt8>, isNew: Bool) {
    let p = Array(p)
    guard p.count == 6 else { return }
    isVisible = p[0] & 0x20 != 0
    priority = Int(p[0] & 7)
    isRelative = p[1] & 0x80 != 0
    (anchorY, anchorX) = (Int(p[1] & 0x7F), Int(p[2]))
    anchor = min(Int(p[3] >> 4), 8)
    rowCount = min(Int(p[3] & 15) + 1, 15)
    columnCount = min(Int(p[4] & 63) + 1, 42)
    let (windowStyle, penStyle) = (Int(p[5] >> 3 & 7), Int(p[5] & 7))
    if isNew || windowStyle > 0 { setStyle(max(windowStyle, 1)) }
    if isNew || penStyle > 0 { pen = CEA708Pen(style: max(penStyle, 1)) }
    rows = (0..<rowCount).map { number in
      let old = rows.indices.contains(number) ? rows[number] : []
      return (0..<columnCount).map { old.indices.contains($0) ? old[$0] : nil }
    }
    (row, column) = isNew ? (0, 0) : (min(row, rowCount - 1), min(column, columnCount - 1))
  }

  /// The predefined windows 1…7. CEA-708-E table 26.
  private mutating func setStyle(_ style: Int) {
    justification = style == 3 || style == 6 ? .center : .left
    wrapsWords = style >= 4 && style <= 6
    fill = style == 2 || style == 5 ? .clear : .black
  }

  /// SWA.
  mutating func setAttributes(_ p: ArraySlice<UInt8>) {
    let p = Array(p)
    guard p.count == 4 else { return }
    fill = CEA708Pen.color(p[0])
    wrapsWords = p[2] & 0x40 != 0
    justification = Justification(rawValue: p[2] & 3) ?? .left
  }

  // MARK: Writing

  mutating func movePen(row: Int, column: Int) {
    (self.row, self.column) = (min(row, rowCount - 1), min(column, columnCount - 1))
  }

  mutating func put(_ character: Character) {
    guard rows.indices.contains(row) else { return }
    if column >= columnCount {
      // Without wrapping, the last column is written over.
      if wrapsWords { wrap(before: character) } else { column = columnCount - 1 }
    }
    rows[row][column] = Cell(character: character, pen: pen)
    column += 1
  }

  /// Goes to the next row, with the word that the row ends in the middle of.
  private mutating func wrap(before character: Character) {
    let line = rows[row]
    let blank = line.lastIndex { $0 == nil || $0?.character == " " }
    var word: [Cell?] = []
    if character != " ", let blank, blank + 1 < columnCount {
      word = Array(line[(blank + 1)...])
      for i in blank + 1..<columnCount { rows[row][i] = nil }
    }
    carriageReturn()
    for (i, cell) in word.enumerated() { rows[row][i] = cell }
    column = word.count
  }

  mutating func backspace() {
    guard column > 0, rows.indices.contains(row) else { return }
    column -= 1
    rows[row][column] = nil
  }

  mutating func carriageReturn() {
    column = 0
    row += 1
    guard row >= rowCount else { return }
    row = rowCount - 1
    rows.removeFirst()
    rows.append([Cell?](repeating: nil, count: columnCount))
  }

  mutating func clearRow() {
    guard rows.indices.contains(row) else { return }
    rows[row] = [Cell?](repeating: nil, count: columnCount)
    column = 0
  }

  mutating func clear() {
    rows = rows.map { $0.map { _ in nil } }
    (row, column) = (0, 0)
  }

  // MARK: Showing

  /// The rows as they are seen, from the top; nil for those with nothing to see.
  ///
  /// - Parameter isWide: the picture is 16:9, with 42 columns in the part that is safe for titles; else 32.
  func shown(isWide: Bool) -> [ShownRow?] {
    guard isVisible else { return [] }
    let (columns, unitsX): (Double, Double) = isWide ? (42, 210) : (32, 160)
    // The grid, or per cents, of the 80 % of the picture that are safe for titles.
    let x = 0.1 + 0.8 * min(Double(anchorX) / (isRelative ? 100 : unitsX), 1)
    let y = 0.1 + 0.8 * min(Double(anchorY) / (isRelative ? 100 : 75), 1)
    let width = min(Double(columnCount) * 0.8 / columns, 1)
    let rowHeight = 0.8 / 15
    let left = min(max(x - width * Double(anchor % 3) / 2, 0), 1 - width)
    let top = min(
      max(y - rowHeight * Double(rowCount) * Double(anchor / 3) / 2, 0),
      1 - rowHeight * Double(rowCount))
    return rows.enumerated().map { number, cells in
      guard fill.alpha > 0 || cells.contains(where: { $0 != nil }) else { return nil }
      var box = CueBox(
        x: left, y: top + rowHeight * Double(number), width: width, height: rowHeight)
      box.vertical = .center
      switch justification {
      case .left, .full: box.horizontal = .start
      case .right: box.horizontal = .end
      case .center: box.horizontal = .center
      }
      if fill.alpha > 0 { box.background = fill }
      return ShownRow(cells: cells, box: box)
    }
  }
}

extension CEA708Window.ShownRow {
  /// The row as a cue. Blanks before the first character keep their places where text begins at the left.
  func cue(from start: MediaTime, to end: MediaTime) -> Cue {
    let used = cells.indices.filter { cells[$0] != nil }
    var nodes: [CueNode] = []
    if let first = used.first, let last = used.last {
      nodes = Self.content(cells[(box.horizontal == .start ? 0 : first)...last])
    }
    // What is behind the row is seen without letters too.
    if nodes.isEmpty { nodes = Self.content([nil]) }
    var cue = Cue(start: start, end: end, content: nodes)
    cue.source = cue.plainText
    cue.keepsBlanks = true
    cue.box = box
    return cue
  }

  /// Cells as pieces of one look each. Gaps are spaces without a background.
  private static func content(_ cells: ArraySlice<CEA708Window.Cell?>) -> [CueNode] {
    var nodes: [CueNode] = []
    var text = ""
    var pen: CEA708Pen?
    var gap = CEA708Pen()
    gap.background = .clear
    func flush() {
      guard let pen, !text.isEmpty else { return }
      var element = CueElement(.span, children: [.text(text)])
      element.style = pen.style
      nodes.append(.element(element))
      text = ""
    }
    for cell in cells {
      let own = cell.flatMap { $0.character == "\u{A0}" ? nil : $0 }
      if (own?.pen ?? gap) != pen {
        flush()
        pen = own?.pen ?? gap
      }
      text.append(own?.character ?? " ")
    }
    flush()
    return nodes
  }
}
