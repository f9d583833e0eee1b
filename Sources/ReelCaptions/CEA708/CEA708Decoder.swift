// Captions of digital television. CEA-708-E.

public import ReelCore

/// Decodes one caption service: pairs of the caption channel in the order they are shown, cues out.
///
/// Windows with their text, colours, fonts and places; a cue is what a row of a window shows between two
/// changes of it. Effects, borders, flashing and text from the top down are not drawn.
public struct CEA708Decoder: Sendable {
  /// 1 is the main one; 2 … 63 are others, such as further languages.
  public let service: Int
  /// Cues whose ends are known, in the order of those.
  public private(set) var cues: [Cue] = []

  private let isWide: Bool
  private var packet = ChannelPacket()
  private var windows = [CEA708Window?](repeating: nil, count: 8)
  private var current: Int?
  /// Codes that wait: for their last bytes, or for the end of a delay.
  private var input: [UInt8] = []
  private var delayEnd: MediaTime?
  /// What each row of each window shows, and since when.
  private var shown: [[Shown?]] = [[Shown?]](repeating: [], count: 8)

  private struct Shown: Sendable {
    var row: CEA708Window.ShownRow
    var since: MediaTime
  }

  /// LIMIT: bytes that may wait for the end of a delay; more of them end it. CEA-708-E §9.2.
  private static let mostWaiting = 128

  /// - Parameter isWide: the pictures are wide, nearer to 16:9 than to 4:3, which columns depend on.
  public init(service: Int, isWide: Bool = true) {
    (self.service, self.isWide) = (service, isWide)
  }

  /// Takes the pairs that came with the picture at `time`.
  ///
  /// - Throws: `.limitExceeded` for more cues than a track may have.
  public mutating func decode(_ pairs: [ChannelPair], at time: MediaTime) throws(MediaError) {
    if let end = delayEnd, end <= time {
      delayEnd = nil
      run(at: end)
      try compare(at: end)
    }
    var isNew = false
    for pair in pairs {
      for block in packet.take(pair) where block.service == service {
        // Of what was begun in a packet before a lost one, the end is lost.
        if packet.hasGap && delayEnd == nil { input = [] }
        take(block.data, at: time)
        isNew = true
      }
    }
    if isNew { try compare(at: time) }
  }

  /// All cues, when nothing more comes; what is still shown ends at `time`.
  ///
  /// - Throws: as ``decode(_:at:)``.
  public mutating func finish(at time: MediaTime) throws(MediaError) -> [Cue] {
    windows = windows.map { _ in nil }
    try compare(at: time)
    return cues
  }

  // MARK: Cues

  private mutating func compare(at time: MediaTime) throws(MediaError) {
    // Those of high priority are drawn last.
    let order = windows.indices.sorted {
      (-(windows[$0]?.priority ?? 7), $0) < (-(windows[$1]?.priority ?? 7), $1)
    }
    for number in order {
      let rows = windows[number]?.shown(isWide: isWide) ?? []
      for row in 0..<max(rows.count, shown[number].count) {
        let new = row < rows.count ? rows[row] : nil
        let old = row < shown[number].count ? shown[number][row] : nil
        guard new != old?.row else { continue }
        if let old { try close(old, at: time) }
        while shown[number].count <= row { shown[number].append(nil) }
        shown[number][row] = new.map { Shown(row: $0, since: time) }
      }
    }
  }

  private mutating func close(_ old: Shown, at time: MediaTime) throws(MediaError) {
    guard old.since < time else { return }
    // LIMIT: as files of captions.
    guard cues.count < CaptionTrack.mostCues else {
      throw MediaError(.limitExceeded, .captionCount, detail: "in service \(service)")
    }
    cues.append(old.row.cue(from: old.since, to: time))
  }

  // MARK: Codes

  private mutating func take(_ bytes: [UInt8], at time: MediaTime) {
    input += bytes
    // The end of a delay is looked for in what waits.
    if delayEnd != nil, input.count > Self.mostWaiting || bytes.contains(where: Self.endsDelay) {
      delayEnd = nil
    }
    if delayEnd == nil { run(at: time) }
  }

  /// DLC and RST.
  private static func endsDelay(_ byte: UInt8) -> Bool { byte == 0x8E || byte == 0x8F }

  /// Runs what waits, up to a delay or to a code that is not whole.
  private mutating func run(at time: MediaTime) {
    var at = 0
    while at < input.count, delayEnd == nil, let length = Self.length(input[at...]) {
      execute(input[at..<at + length], at: time)
      at += length
    }
    input.removeFirst(min(at, input.count))
  }

  /// Bytes of the code that some bytes begin with; nil when it is not whole. CEA-708-E §7.1.
  private static func length(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let first = bytes.first else { return nil }
    var length = 1
    switch first {
    case 0x10: return extendedLength(bytes.dropFirst()).map { $0 + 1 }
    case 0x11...0x17: length = 2
    case 0x18...0x1F: length = 3
    case 0x88...0x8D: length = 2
    case 0x90, 0x92: length = 3
    case 0x91: length = 4
    case 0x97: length = 5
    case 0x98...0x9F: length = 7
    default: break
    }
    return bytes.count >= length ? length : nil
  }

  /// The same behind EXT1: codes of later editions, which are passed over.
  private static func extendedLength(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let first = bytes.first else { return nil }
    var length = 1
    switch first {
    case 0x08...0x0F: length = 2
    case 0x10...0x17: length = 3
    case 0x18...0x1F: length = 4
    case 0x80...0x87: length = 5
    case 0x88...0x8F: length = 6
    case 0x90...0x9F:
      guard let header = bytes.dropFirst().first else { return nil }
      length = 2 + Int(header & 0x1F)
    default: break
    }
    return bytes.count >= length ? length : nil
  }

  private mutating func execute(_ code: ArraySlice<UInt8>, at time: MediaTime) {
    guard let first = code.first else { return }
    let rest = code.dropFirst()
    switch first {
    case 0x10:
      if let second = rest.first, (0x20...0x7F).contains(second) || second >= 0xA0 {
        withWindow { $0.put(CEA708Characters.extended(second)) }
      }
    case 0x08: withWindow { $0.backspace() }
    case 0x0C: withWindow { $0.clear() }
    case 0x0D: withWindow { $0.carriageReturn() }
    case 0x0E: withWindow { $0.clearRow() }
    case 0x80...0x9F: command(first, rest, at: time)
    default:
      if let character = CEA708Characters.basic(first) { withWindow { $0.put(character) } }
    }
  }

  private mutating func command(_ first: UInt8, _ rest: ArraySlice<UInt8>, at time: MediaTime) {
    let p = Array(rest)
    switch (first, p.count) {
    case (0x80...0x87, _): if windows[Int(first & 7)] != nil { current = Int(first & 7) }
    case (0x88, 1): forWindows(p[0]) { $0?.clear() }
    case (0x89, 1): forWindows(p[0]) { $0?.isVisible = true }
    case (0x8A, 1): forWindows(p[0]) { $0?.isVisible = false }
    case (0x8B, 1): forWindows(p[0]) { $0?.isVisible.toggle() }
    case (0x8C, 1):
      forWindows(p[0]) { $0 = nil }
      if let number = current, windows[number] == nil { current = nil }
    case (0x8D, 1): delay(tenths: p[0], from: time)
    case (0x8F, _):
      windows = windows.map { _ in nil }
      current = nil
    case (0x90, 2): withWindow { $0.pen.setAttributes(p[0], p[1]) }
    case (0x91, 3): withWindow { $0.pen.setColors(p[0], p[1], p[2]) }
    case (0x92, 2): withWindow { $0.movePen(row: Int(p[0] & 15), column: Int(p[1] & 63)) }
    case (0x97, 4): withWindow { $0.setAttributes(rest) }
    case (0x98...0x9F, 6):
      let number = Int(first & 7)
      var window = windows[number] ?? CEA708Window()
      window.define(rest, isNew: windows[number] == nil)
      windows[number] = window
      current = number
    default: break
    }
  }

  private mutating func delay(tenths: UInt8, from time: MediaTime) {
    guard let start = Rational(time) else { return }
    delayEnd = MediaTime(start + Rational(Int64(tenths), 10))
  }

  private mutating func withWindow(_ body: (inout CEA708Window) -> Void) {
    guard let number = current, var window = windows[number] else { return }
    // Not copied while it is written into.
    windows[number] = nil
    body(&window)
    windows[number] = window
  }

  private mutating func forWindows(_ map: UInt8, _ body: (inout CEA708Window?) -> Void) {
    for number in 0..<8 where map >> UInt8(number) & 1 == 1 { body(&windows[number]) }
  }
}
