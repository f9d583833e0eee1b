// Line 21 captions. 47 CFR §15.119, CEA-608-E.

public import ReelCore

/// Which captions of a line 21.
public enum CEA608Channel: Int, Sendable, Hashable, CaseIterable {
  case cc1 = 1
  case cc2, cc3, cc4

  /// Of the picture: 1 or 2.
  public var field: Int { self == .cc1 || self == .cc2 ? 1 : 2 }
  /// Bit 3 of control codes.
  var isSecond: Bool { self == .cc2 || self == .cc4 }
}

/// Decodes one channel: byte pairs in the order they are shown, cues out.
///
/// Pop-on, roll-up and paint-on captions. A cue is what a row of the screen shows between two changes of
/// that row, so that rows stand where they were put. Text mode and XDS are passed over.
public struct CEA608Decoder: Sendable {
  private enum Mode: Sendable, Hashable {
    case popOn
    case paintOn
    case rollUp(rows: Int)
    /// Nothing chosen yet: bytes go nowhere.
    case none
  }

  public let channel: CEA608Channel
  /// Cues whose ends are known, in the order of those.
  public private(set) var cues: [Cue] = []

  /// How captions are written; text mode does not change it.
  private var mode = Mode.none
  /// What comes belongs to text mode, and captions go on behind it where they were.
  private var isText = false
  private var shown = CEA608Screen()
  private var hidden = CEA608Screen()
  private var pen = CEA608Pen()
  private var row = 14
  private var column = 0
  /// The control code before, which is sent twice and counts once.
  private var lastControl: (UInt8, UInt8)?
  /// The last control code was for this channel.
  private var isAddressed = false
  /// Since when each row is as it is; nil before the first change.
  private var since = [MediaTime?](repeating: nil, count: CEA608Screen.rowCount)

  public init(channel: CEA608Channel) { self.channel = channel }

  /// Takes the pairs that came with the picture at `time`; pairs of the other field are passed over.
  ///
  /// - Throws: `.limitExceeded` for more cues than a track may have.
  public mutating func decode(_ pairs: [CaptionPair], at time: MediaTime) throws(MediaError) {
    let before = shown
    for pair in pairs where pair.field == channel.field { take(pair) }
    guard shown != before else { return }
    for row in 0..<CEA608Screen.rowCount where shown.cells(ofRow: row) != before.cells(ofRow: row) {
      try close(row, of: before, at: time)
      since[row] = time
    }
  }

  /// All cues, when nothing more comes; what is still shown ends at `time`.
  ///
  /// - Throws: as ``decode(_:at:)``.
  public mutating func finish(at time: MediaTime) throws(MediaError) -> [Cue] {
    for row in 0..<CEA608Screen.rowCount {
      try close(row, of: shown, at: time)
      since[row] = nil
    }
    return cues
  }

  private mutating func close(
    _ row: Int, of screen: CEA608Screen, at time: MediaTime
  ) throws(MediaError) {
    guard let start = since[row], start < time,
      let cue = screen.cue(ofRow: row, from: start, to: time)
    else { return }
    // LIMIT: as files of captions.
    guard cues.count < CaptionTrack.mostCues else {
      throw MediaError(.limitExceeded, .captionCount, detail: "in line 21")
    }
    cues.append(cue)
  }

  private mutating func take(_ pair: CaptionPair) {
    let (first, second) = (Self.plain(pair.first), Self.plain(pair.second))
    guard let first, let second else {
      lastControl = nil
      takeDamaged(first, second)
      return
    }
    if first == 0 && second == 0 { return }
    if (0x10...0x1F).contains(first) {
      if let last = lastControl, last == (first, second) {
        lastControl = nil
        return
      }
      lastControl = (first, second)
      isAddressed = (first & 0x08 != 0) == channel.isSecond
      if isAddressed { control(first & 0x77, second) }
      return
    }
    lastControl = nil
    // XDS: 0x01 … 0x0F begins a packet, which lasts until a control code.
    if first < 0x10 && first > 0 {
      isAddressed = false
      return
    }
    put(first, second)
  }

  /// The seven bits of a byte of odd parity; nil for a damaged one.
  private static func plain(_ byte: UInt8) -> UInt8? {
    byte.nonzeroBitCount & 1 == 1 ? byte & 0x7F : nil
  }

  /// The solid block stands where a character is damaged; a control code with damage is lost, and comes again.
  private mutating func takeDamaged(_ first: UInt8?, _ second: UInt8?) {
    if let first, first > 0, first < 0x20 { return }
    put(first ?? CEA608Characters.solidBlock, second ?? CEA608Characters.solidBlock)
  }

  private mutating func put(_ first: UInt8, _ second: UInt8) {
    guard isAddressed else { return }
    for code in [first, second] where code >= 0x20 { put(CEA608Characters.basic(code)) }
  }

  private mutating func control(_ first: UInt8, _ second: UInt8) {
    // In text mode all but the codes that choose a mode or erase captions are for the text.
    if case (0x14...0x15, 0x20...0x2F) = (first, second) { return miscellaneous(second) }
    guard !isText else { return }
    switch (first, second) {
    case (0x10...0x17, 0x40...0x7F): addressRow(first, second)
    case (0x11, 0x20...0x2F): midRow(second)
    case (0x11, 0x30...0x3F): put(CEA608Characters.special[Int(second - 0x30)])
    case (0x12, 0x20...0x3F): replace(CEA608Characters.extendedFirst[Int(second - 0x20)])
    case (0x13, 0x20...0x3F): replace(CEA608Characters.extendedSecond[Int(second - 0x20)])
    case (0x17, 0x21...0x23): column = min(column + Int(second - 0x20), 31)
    case (0x10, 0x20...0x2F):
      pen.background = second >> 1 & 7
      overwriteLast(keepsPen: true)
    case (0x17, 0x2D): pen.background = 8
    case (0x17, 0x2E), (0x17, 0x2F):
      pen.colour = 7
      pen.isUnderlined = second & 1 != 0
    default: break
    }
  }

  // MARK: Codes

  /// Preamble address codes. 47 CFR §15.119(d).
  private mutating func addressRow(_ first: UInt8, _ second: UInt8) {
    let rows: [[Int]] = [
      [11, 11], [1, 2], [3, 4], [12, 13], [14, 15], [5, 6], [7, 8], [9, 10],
    ]
    let wanted = rows[Int(first & 7)][second & 0x20 == 0 ? 0 : 1] - 1
    if case .rollUp(let count) = mode {
      // The window moves with its base row.
      if wanted != row { shown.move(base: row, to: max(wanted, count - 1), count: count) }
      row = max(wanted, count - 1)
    } else {
      row = wanted
    }
    pen = CEA608Pen()
    pen.isUnderlined = second & 1 != 0
    let attribute = second >> 1 & 0x0F
    column = 0
    switch attribute {
    case 0...6: pen.colour = attribute
    case 7: pen.isItalic = true
    default: column = Int(attribute - 8) * 4
    }
  }

  private mutating func midRow(_ second: UInt8) {
    let attribute = second >> 1 & 7
    pen.isUnderlined = second & 1 != 0
    if attribute == 7 {
      pen.isItalic = true
    } else {
      pen.colour = attribute
      pen.isItalic = false
    }
    put(" ")
  }

  private mutating func miscellaneous(_ second: UInt8) {
    switch second {
    case 0x20: choose(.popOn)
    case 0x25, 0x26, 0x27: startRollUp(rows: Int(second) - 0x23)
    case 0x29: choose(.paintOn)
    case 0x2A, 0x2B: isText = true
    case 0x2C: shown.clear()
    case 0x2E: hidden.clear()
    case 0x2F:
      choose(.popOn)
      swap(&shown, &hidden)
    case 0x21 where !isText: if column > 0 { column -= 1; withScreen { $0[$1, $2] = nil } }
    case 0x24 where !isText:
      withScreen { screen, row, column in screen.clearRow(row, from: column) }
    case 0x2D where !isText: carriageReturn()
    default: break
    }
  }

  private mutating func choose(_ mode: Mode) {
    self.mode = mode
    isText = false
  }

  /// Roll-up erases captions of another kind; its own go on, text mode between them or not.
  /// 47 CFR §15.119(f)(1).
  private mutating func startRollUp(rows: Int) {
    let before = mode
    choose(.rollUp(rows: rows))
    if case .rollUp = before { return }
    shown.clear()
    hidden.clear()
    row = 14
    column = 0
  }

  private mutating func carriageReturn() {
    guard case .rollUp(let rows) = mode else { return }
    shown.rollUp(base: row, count: rows)
    column = 0
    pen = CEA608Pen()
  }

  // MARK: Characters

  private mutating func put(_ character: Character) {
    guard mode != .none, !isText else { return }
    let cell = CEA608Screen.Cell(character: character, pen: pen)
    withScreen { $0[$1, $2] = cell }
    // The last column is written over again and again.
    column = min(column + 1, 31)
  }

  /// Extended characters take the place of the one before, which is a stand-in for simple decoders.
  private mutating func replace(_ character: Character) {
    if column > 0 { column -= 1 }
    put(character)
  }

  /// Background codes stand in the place of a space before them.
  private mutating func overwriteLast(keepsPen: Bool) {
    if column > 0 { column -= 1 }
    put(" ")
  }

  private mutating func withScreen(_ body: (inout CEA608Screen, Int, Int) -> Void) {
    switch mode {
    case .popOn: body(&hidden, row, column)
    case .paintOn, .rollUp: body(&shown, row, column)
    case .none: break
    }
  }
}
