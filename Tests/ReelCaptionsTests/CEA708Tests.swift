internal import ReelCore
internal import ReelTestSupport
internal import Testing

@testable internal import ReelCaptions

@Suite("CEA-708")
struct CEA708Tests {
  /// A packet of blocks as pairs.
  private static func pairs(
    _ blocks: [(service: Int, data: [UInt8])], sequence: UInt8 = 0
  ) -> [ChannelPair] {
    var bytes: [UInt8] = [0]
    for block in blocks {
      if block.service < 7 {
        bytes.append(UInt8(block.service << 5 | block.data.count))
      } else {
        bytes += [UInt8(7 << 5 | block.data.count), UInt8(block.service)]
      }
      bytes += block.data
    }
    // Null blocks fill it up to whole pairs.
    bytes.append(0)
    if bytes.count % 2 == 1 { bytes.append(0) }
    bytes[0] = sequence << 6 | UInt8(bytes.count / 2 & 63)
    return stride(from: 0, to: bytes.count, by: 2).map {
      ChannelPair(isStart: $0 == 0, first: bytes[$0], second: bytes[$0 + 1])
    }
  }

  /// A definition of a window: 42 columns at the left, its top at `y` of 75.
  private static func define(
    _ number: UInt8, rows: UInt8 = 2, columns: UInt8 = 32, isVisible: Bool = true, y: UInt8 = 60,
    x: UInt8 = 0, anchor: UInt8 = 0, style: UInt8 = 0, pen: UInt8 = 0, priority: UInt8 = 0,
    isRelative: Bool = false
  ) -> [UInt8] {
    [
      0x98 + number, (isVisible ? 0x20 : 0) | priority, (isRelative ? 0x80 : 0) | y, x,
      anchor << 4 | rows - 1, columns - 1, style << 3 | pen,
    ]
  }

  /// Runs codes at their times, in seconds, and gives what is seen.
  private static func cues(
    _ codes: [(time: Int64, data: [UInt8])], isWide: Bool = true, end: Int64 = 100
  ) throws -> [Cue] {
    var decoder = CEA708Decoder(service: 1, isWide: isWide)
    var sequence: UInt8 = 0
    for (time, data) in codes {
      // In blocks of at most 31 bytes, each in a packet of its own.
      for start in stride(from: 0, to: max(data.count, 1), by: 31) {
        let part = Array(data.dropFirst(start).prefix(31))
        try decoder.decode(
          pairs([(1, part)], sequence: sequence), at: MediaTime(value: time, timescale: 1))
        sequence = (sequence + 1) & 3
      }
    }
    return try decoder.finish(at: MediaTime(value: end, timescale: 1))
  }

  private static func spans(_ cues: [Cue]) -> [String] {
    cues.map { "\($0.start.seconds)-\($0.end.seconds) \($0.plainText)" }
  }

  @Test("windows that are shown at once, and hidden")
  func popOn() throws {
    let cues = try Self.cues([
      (1, Self.define(0, isVisible: false) + Array("Hello".utf8) + [0x0D] + Array("world".utf8)),
      (2, [0x89, 1]), (5, [0x8A, 1]), (6, [0x8B, 1]), (7, [0x8C, 1]),
    ])
    #expect(
      Self.spans(cues) == ["2.0-5.0 Hello", "2.0-5.0 world", "6.0-7.0 Hello", "6.0-7.0 world"])
    let (first, second) = (try #require(cues[0].box), try #require(cues[1].box))
    #expect(abs(first.y - (0.1 + 0.8 * 60 / 75)) < 1e-9 && abs(first.x - 0.1) < 1e-9)
    #expect(abs(second.y - first.y - 0.8 / 15) < 1e-9 && first.background == .black)
    #expect(abs(first.width - 32 * 0.8 / 42) < 1e-9 && first.horizontal == .start)
  }

  @Test("carriage returns roll rows up; clearing and deletion end them")
  func rollUp() throws {
    let cues = try Self.cues([
      (1, Self.define(3, style: 5) + Array("one".utf8)), (2, [0x0D] + Array("two".utf8)),
      (3, [0x0D] + Array("three".utf8)), (4, [0x88, 8]), (5, [0x0C] + Array("x".utf8)),
      (6, [0x8F]), (7, Array("nothing".utf8)),
    ])
    #expect(
      Self.spans(cues) == [
        "1.0-3.0 one", "2.0-3.0 two", "3.0-4.0 two", "3.0-4.0 three", "5.0-6.0 x",
      ])
    #expect(cues.allSatisfy { $0.box?.background == nil })
  }

  @Test(
    "any of nine points of a window lies at its anchor, in units or per cents", arguments: 0...8)
  func anchors(anchor: Int) throws {
    for isRelative in [false, true] {
      let place: (x: UInt8, y: UInt8) = isRelative ? (50, 40) : (105, 30)
      let cue = try #require(
        try Self.cues([
          (
            1,
            Self.define(
              0, rows: 2, columns: 21, y: place.y, x: place.x, anchor: UInt8(anchor),
              isRelative: isRelative) + Array("a".utf8)
          )
        ]).first)
      let box = try #require(cue.box)
      let (width, height) = (0.4, 2 * 0.8 / 15)
      #expect(abs(box.x - (0.5 - width * Double(anchor % 3) / 2)) < 1e-9)
      #expect(abs(box.y - (0.42 - height * Double(anchor / 3) / 2)) < 1e-9)
      #expect(abs(box.width - width) < 1e-9)
    }
  }

  @Test("narrow pictures have 32 columns and 160 units")
  func narrow() throws {
    let cue = try #require(
      try Self.cues([(1, Self.define(0, columns: 16, x: 80) + Array("a".utf8))], isWide: false)
        .first)
    #expect(abs((cue.box?.x ?? 0) - 0.5) < 1e-9 && abs((cue.box?.width ?? 0) - 0.4) < 1e-9)
  }

  @Test("pens have colours, fonts, sizes and edges; windows have a fill and a side")
  func looks() throws {
    let cues = try Self.cues([
      (
        1,
        Self.define(0, rows: 1, pen: 6) + Array("a".utf8)
          // Large, italic, underlined, proportional with serifs, shadow to the right.
          + [0x90, 0x02, 0xC0 | 5 << 3 | 2]
          // Red on translucent green, blue edges.
          + [0x91, 0x30, 0x80 | 0x0C, 0x03] + Array("b".utf8)
          // White fill, to the right.
          + [0x97, 0x3F, 0, 1, 0]
      )
    ])
    #expect(cues.count == 1)
    let styles = cues[0].content.compactMap { node -> TextStyle? in
      if case .element(let element) = node { element.style } else { nil }
    }
    #expect(styles.count == 2 && cues[0].plainText == "ab")
    #expect(styles[0].background?.alpha == 0 && styles[0].fontFamily == .monospace)
    #expect(styles[0].edge == .outline(.black) && styles[0].color == .white)
    #expect(styles[1].color == RGBAColor(red: 1, green: 0, blue: 0))
    #expect(styles[1].background == RGBAColor(red: 0, green: 1, blue: 0, alpha: 0.5))
    #expect(styles[1].edge == .dropShadow(RGBAColor(red: 0, green: 0, blue: 1)))
    #expect(styles[1].isItalic == true && styles[1].isUnderlined == true)
    #expect(styles[1].fontFamily == .serif)
    guard case .ofHeight(let large)? = styles[1].fontSize,
      case .ofHeight(let standard)? = styles[0].fontSize
    else {
      Issue.record("no sizes")
      return
    }
    #expect(abs(large / standard - 1.2) < 1e-9)
    #expect(cues[0].box?.background == .white && cues[0].box?.horizontal == .end)
  }

  @Test("rows of a filled window are seen without text, and places of the pen keep blanks")
  func blanks() throws {
    let cues = try Self.cues([
      (1, Self.define(0, rows: 3) + [0x92, 1, 4] + Array("x".utf8) + [0x92, 2, 0])
    ])
    #expect(cues.map(\.plainText) == [" ", "    x", " "])
    let clear = try Self.cues([(1, Self.define(0, rows: 3, style: 2) + [0x92, 1, 4, 0x78])])
    #expect(clear.map(\.plainText) == ["    x"])
  }

  @Test("characters of all sets; what is not known has an underline or is passed over")
  func characters() throws {
    var codes = Self.define(0, rows: 1, columns: 42)
    codes += [0x41, 0x7F, 0xE9, 0xA9, 0x10, 0x25, 0x10, 0x39, 0x10, 0x76, 0x10, 0xA0, 0x10, 0x40]
    // Codes of later editions with what belongs to them.
    codes += [0x10, 0x03, 0x10, 0x09, 0x41, 0x10, 0x11, 0x41, 0x41, 0x10, 0x1F, 0x41, 0x41, 0x41]
    codes += [0x10, 0x81, 0x41, 0x41, 0x41, 0x41, 0x10, 0x89, 0x41, 0x41, 0x41, 0x41, 0x41]
    codes += [0x10, 0x95, 0x02, 0x41, 0x41, 0x12, 0x41, 0x18, 0x41, 0x41, 0x03, 0x00]
    codes += Array("xy".utf8) + [0x08, 0x7A]
    let cues = try Self.cues([(1, codes)])
    #expect(cues.last?.plainText == "A♪é©…™⅛㏄_xz")
  }

  @Test("words go to the next row where the window wraps; else the last column is written over")
  func wrapping() throws {
    let text = Array("aaa bbb ccc".utf8)
    let wrapped = try Self.cues([(1, Self.define(0, rows: 3, columns: 6, style: 5) + text)])
    #expect(wrapped.map(\.plainText) == ["aaa ", "bbb ", "ccc"])
    let cut = try Self.cues([(1, Self.define(0, rows: 3, columns: 6, style: 2) + text)])
    #expect(cut.map(\.plainText) == ["aaa bc"])
    let long = try Self.cues([
      (1, Self.define(0, rows: 2, columns: 4, style: 5) + Array("abcdefgh".utf8))
    ])
    #expect(long.map(\.plainText) == ["abcd", "efgh"])
  }

  @Test("a delay holds back what comes behind it, until it is over, cancelled or too much waits")
  func delays() throws {
    let start = Self.define(0, rows: 1, style: 2)
    let text = Array("a".utf8)
    let over = try Self.cues([(1, start + [0x8D, 25] + text), (2, [0x00]), (9, [0x00])])
    #expect(Self.spans(over) == ["3.5-100.0 a"])
    let cancelled = try Self.cues([(1, start + [0x8D, 250] + text), (2, [0x8E])])
    #expect(Self.spans(cancelled) == ["2.0-100.0 a"])
    let much = try Self.cues([
      (1, start + [0x8D, 250] + text), (3, [UInt8](repeating: 0, count: 128)),
    ])
    #expect(Self.spans(much) == ["3.0-100.0 a"])
  }

  @Test("each service has its own blocks, those beyond six too")
  func services() throws {
    let define = Self.define(0, rows: 1, style: 2)
    for service in [1, 2, 6, 7, 8, 63] {
      var decoder = CEA708Decoder(service: service)
      let blocks = [1, 2, 6, 7, 8, 63].map { (service: $0, data: define + Array("\($0)".utf8)) }
      try decoder.decode(Self.pairs(Array(blocks.prefix(3))), at: .zero)
      try decoder.decode(Self.pairs(Array(blocks.suffix(3)), sequence: 1), at: .zero)
      #expect(
        try decoder.finish(at: MediaTime(value: 1, timescale: 1)).map(\.plainText)
          == ["\(service)"])
    }
  }

  @Test("a packet that is lost takes the end of what was begun before it along")
  func gaps() throws {
    var decoder = CEA708Decoder(service: 1)
    let define = Self.define(0, rows: 1, style: 2)
    try decoder.decode(Self.pairs([(1, define + [0x91, 0x3F])]), at: .zero)
    // The rest of the colours was in packet 1.
    try decoder.decode(Self.pairs([(1, Array("abc".utf8))], sequence: 2), at: .zero)
    // A start within a packet drops what was there of it.
    let broken = Self.pairs([(1, Array("xyz".utf8))], sequence: 3)
    try decoder.decode(Array(broken.prefix(1)), at: .zero)
    try decoder.decode(Self.pairs([(1, Array("d".utf8))], sequence: 3), at: .zero)
    #expect(try decoder.finish(at: MediaTime(value: 1, timescale: 1)).map(\.plainText) == ["abcd"])
  }

  @Test("user data has pairs of both kinds of captions")
  func userData() {
    let data: [UInt8] =
      [0xB5, 0, 0x31, 0x47, 0x41, 0x39, 0x34, 3, 0x45, 0xFF] + [0xFC, 1, 2] + [0xFF, 3, 4]
      + [0xFE, 5, 6] + [0xFA, 7, 8] + [0xFD, 9, 10] + [0xFF]
    #expect(
      ChannelPair.pairs(inUserData: data) == [
        ChannelPair(isStart: true, first: 3, second: 4),
        ChannelPair(isStart: false, first: 5, second: 6),
      ])
    #expect(
      CaptionPair.pairs(inUserData: data) == [
        CaptionPair(field: 1, first: 1, second: 2), CaptionPair(field: 2, first: 9, second: 10),
      ])
  }

  @Test("any codes decode without a trap, and cues lie within the picture")
  func noise() throws {
    var generator = SeededGenerator(seed: 708)
    for round in 0..<20 {
      var decoder = CEA708Decoder(service: 1, isWide: round % 2 == 0)
      for time in 0..<1_000 {
        var data: [UInt8] = []
        for _ in 0..<generator.int(in: 0...6) {
          // Commands more often than text, or nothing is ever shown.
          data.append(UInt8(generator.int(in: generator.one(in: 2) ? 0x80...0x9F : 0...255)))
          for _ in 0..<generator.int(in: 0...4) { data.append(UInt8(generator.int(in: 0...255))) }
        }
        let pairs = Self.pairs([(1, Array(data.prefix(31)))], sequence: UInt8(time & 3))
        try decoder.decode(pairs, at: MediaTime(value: Int64(time), timescale: 10))
      }
      let cues = try decoder.finish(at: MediaTime(value: 1_000, timescale: 10))
      #expect(cues.count > 10)
      for cue in cues {
        let box = try #require(cue.box)
        #expect(box.x >= 0 && box.y >= 0 && box.width > 0 && box.x + box.width <= 1 + 1e-9)
        #expect(box.y + box.height <= 1 + 1e-9 && cue.start < cue.end)
      }
    }
  }
}
