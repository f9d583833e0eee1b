// Line 21 captions. 47 CFR §15.119, CEA-608-E.

public import ReelCore

/// Which captions of a line 21.
public enum CEA608Channel: Int, Sendable, Hashable, CaseIterable {
  case cc1 = 1
  case cc2, cc3, cc4

  var field: Int { self == .cc1 || self == .cc2 ? 1 : 2 }
  /// Bit 3 of control codes.
  var isSecond: Bool { self == .cc2 || self == .cc4 }
}

/// Decodes one channel: byte pairs in the order they are shown, cues out.
///
/// Pop-on, roll-up and paint-on captions. A cue is what is on the screen between two changes; each row is
/// a cue of its own, so that rows stand where they were put. Text mode and XDS are passed over.
public struct CEA608Decoder: Sendable {
  private enum Mode: Sendable, Hashable {
    case popOn
    case paintOn
    case rollUp(rows: Int)
    /// Text, or nothing chosen yet: bytes go nowhere.
    case none
  }

  public let channel: CEA608Channel
  /// Cues whose ends are known, in order.
  public private(set) var cues: [Cue] = []

  private var mode = Mode.none
  private var shown = CEA608Screen()
  private var hidden = CEA608Screen()
  private var pen = CEA608Pen()
  private var row = 14
  private var column = 0
  /// The control code before, which is sent twice and counts once.
  private var lastControl: (UInt8, UInt8)?
  /// The last control code was for this channel.
  private var isAddressed = false
  private var shownSince: MediaTime?

  public init(channel: CEA608Channel) { self.channel = channel }

  /// Takes the pairs that came with the picture at `time`; pairs of the other field are passed over.
  public mutating func decode(_ pairs: [CaptionPair], at time: MediaTime) {
    let before = shown
    for pair in pairs where pair.field == channel.field { take(pair) }
    guard shown != before else { return }
    close(before, at: time)
    shownSince = time
  }

  /// All cues, when nothing more comes; what is still shown ends at `time`.
  public mutating func finish(at time: MediaTime) -> [Cue] {
    close(shown, at: time)
    shownSince = nil
    return cues
  }

  private mutating func close(_ screen: CEA608Screen, at time: MediaTime) {
    // LIMIT: as files of captions.
    guard let start = shownSince, start < time, cues.count < CaptionTrack.mostCues else { return }
    cues += screen.cues(from: start, to: time)
  }

  private mutating func take(_ pair: CaptionPair) {
    guard pair.first.nonzeroBitCount & 1 == 1, pair.second.nonzeroBitCount & 1 == 1 else {
      // Damaged bytes: a character takes the solid block's place, a control code is lost.
      lastControl = nil
      return
    }
    let (first, second) = (pair.first & 0x7F, pair.second & 0x7F)
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
    guard isAddressed else { return }
    if first >= 0x20 { put(CEA608Characters.basic(first)) }
    if second >= 0x20 { put(CEA608Characters.basic(second)) }
  }

  private mutating func control(_ first: UInt8, _ second: UInt8) {
    switch (first, second) {
    case (0x10...0x17, 0x40...0x7F): addressRow(first, second)
    case (0x11, 0x20...0x2F): midRow(second)
    case (0x11, 0x30...0x3F): put(CEA608Characters.special[Int(second - 0x30)])
    case (0x12, 0x20...0x3F): replace(CEA608Characters.extendedFirst[Int(second - 0x20)])
    case (0x13, 0x20...0x3F): replace(CEA608Characters.extendedSecond[Int(second - 0x20)])
    case (0x14, 0x20...0x2F), (0x15, 0x20...0x2F): miscellaneous(second)
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
    case 0x20: mode = .popOn
    case 0x21: if column > 0 { column -= 1; withScreen { $0[$1, $2] = nil } }
    case 0x24: withScreen { screen, row, column in screen.clearRow(row, from: column) }
    case 0x25, 0x26, 0x27: startRollUp(rows: Int(second) - 0x23)
    case 0x29: mode = .paintOn
    case 0x2A, 0x2B: mode = .none
    case 0x2C: shown.clear()
    case 0x2D: carriageReturn()
    case 0x2E: hidden.clear()
    case 0x2F:
      mode = .popOn
      swap(&shown, &hidden)
    default: break
    }
  }

  private mutating func startRollUp(rows: Int) {
    if case .rollUp = mode {
      mode = .rollUp(rows: rows)
      return
    }
    mode = .rollUp(rows: rows)
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
    guard mode != .none else { return }
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
