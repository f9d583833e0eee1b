internal import ReelCore
internal import ReelTestSupport
internal import Testing

@testable internal import ReelCaptions

@Suite("CEA-608")
struct CEA608Tests {
  /// A byte with odd parity.
  private func odd(_ byte: UInt8) -> UInt8 { byte.nonzeroBitCount & 1 == 1 ? byte : byte | 0x80 }
  private func pair(_ a: UInt8, _ b: UInt8, field: Int = 1) -> CaptionPair {
    CaptionPair(field: field, first: odd(a), second: odd(b))
  }
  private func text(_ string: String) -> [CaptionPair] {
    var bytes = Array(string.utf8)
    if bytes.count % 2 == 1 { bytes.append(0) }
    return stride(from: 0, to: bytes.count, by: 2).map { pair(bytes[$0], bytes[$0 + 1]) }
  }
  /// Control codes are sent twice.
  private func twice(_ a: UInt8, _ b: UInt8) -> [CaptionPair] { [pair(a, b), pair(a, b)] }
  private func rowLine(_ row: Int) -> CueSettings.Line {
    let top: Double = 10 + Double(row) * 80 / 15
    return .percentage(top)
  }
  private func at(_ n: Int64) -> MediaTime { MediaTime(value: n, timescale: 1) }

  @Test("pop-on captions appear and vanish at once")
  func popOn() throws {
    var decoder = CEA608Decoder(channel: .cc1)
    try decoder.decode(twice(0x14, 0x20) + twice(0x14, 0x2E), at: at(0))
    try decoder.decode(twice(0x14, 0x50) + twice(0x17, 0x22) + text("Hello"), at: at(1))
    try decoder.decode(twice(0x14, 0x70) + text("World"), at: at(1))
    try decoder.decode(twice(0x14, 0x2F), at: at(2))
    try decoder.decode(twice(0x14, 0x2C), at: at(5))
    let cues = try decoder.finish(at: at(9))
    #expect(cues.map(\.plainText) == ["Hello", "World"])
    #expect(cues.allSatisfy { $0.start == at(2) && $0.end == at(5) })
    // Row 14, column 2 (indent 0 + two tabs); row 15, column 0.
    #expect(cues[0].settings.line == rowLine(13))
    #expect(cues[0].settings.position == 15)
    #expect(cues[1].settings.line == rowLine(14))
  }

  @Test("roll-up captions push rows up and keep as many as they should")
  func rollUp() throws {
    var decoder = CEA608Decoder(channel: .cc1)
    try decoder.decode(
      twice(0x14, 0x25) + twice(0x14, 0x2D) + twice(0x14, 0x70) + text("one"), at: at(1))
    try decoder.decode(twice(0x14, 0x2D) + text("two"), at: at(2))
    try decoder.decode(twice(0x14, 0x2D) + text("three"), at: at(3))
    let cues = try decoder.finish(at: at(4))
    // A row that moves up stands in another place from then on; each place is a cue, and no other is.
    #expect(
      cues.map { Shown($0) } == [
        Shown("one", rowLine(14), 1, 2), Shown("one", rowLine(13), 2, 3),
        Shown("two", rowLine(14), 2, 3), Shown("two", rowLine(13), 3, 4),
        Shown("three", rowLine(14), 3, 4),
      ])
  }

  /// What a cue shows, where and when.
  private struct Shown: Equatable {
    var text: String
    var line: CueSettings.Line
    var start, end: MediaTime

    init(_ text: String, _ line: CueSettings.Line, _ start: Int64, _ end: Int64) {
      (self.text, self.line) = (text, line)
      self.start = MediaTime(value: start, timescale: 1)
      self.end = MediaTime(value: end, timescale: 1)
    }

    init(_ cue: Cue) {
      (text, line) = (cue.plainText, cue.settings.line)
      (start, end) = (cue.start, cue.end)
    }
  }

  @Test("a row that does not change is one cue, whatever is written below it")
  func unchangedRows() throws {
    var decoder = CEA608Decoder(channel: .cc1)
    try decoder.decode(twice(0x14, 0x27) + twice(0x14, 0x70) + text("up"), at: at(0))
    try decoder.decode(twice(0x14, 0x2D), at: at(1))
    for (n, letters) in ["ab", "cd", "ef"].enumerated() {
      try decoder.decode(text(letters), at: at(Int64(n) + 2))
    }
    let cues = try decoder.finish(at: at(9))
    #expect(
      cues.map { Shown($0) } == [
        Shown("up", rowLine(14), 0, 1), Shown("ab", rowLine(14), 2, 3),
        Shown("abcd", rowLine(14), 3, 4), Shown("up", rowLine(13), 1, 9),
        Shown("abcdef", rowLine(14), 4, 9),
      ])
  }

  @Test("roll-up captions go on behind text mode; other kinds are erased")
  func textMode() throws {
    for code: UInt8 in [0x2A, 0x2B] {
      var decoder = CEA608Decoder(channel: .cc1)
      try decoder.decode(twice(0x14, 0x26) + twice(0x14, 0x70) + text("on"), at: at(0))
      try decoder.decode(
        twice(0x14, code) + twice(0x14, 0x40) + text("TEXT") + twice(0x14, 0x2D), at: at(1))
      try decoder.decode(twice(0x14, 0x26) + text("ly"), at: at(2))
      #expect(
        try decoder.finish(at: at(3)).map { Shown($0) } == [
          Shown("on", rowLine(14), 0, 2), Shown("only", rowLine(14), 2, 3),
        ])
    }
    var decoder = CEA608Decoder(channel: .cc1)
    try decoder.decode(twice(0x14, 0x29) + twice(0x14, 0x70) + text("ab"), at: at(0))
    try decoder.decode(twice(0x14, 0x2A) + text("TEXT"), at: at(1))
    try decoder.decode(twice(0x14, 0x26) + text("cd"), at: at(2))
    #expect(
      try decoder.finish(at: at(3)).map { Shown($0) } == [
        Shown("ab", rowLine(14), 0, 2), Shown("cd", rowLine(14), 2, 3),
      ])
  }

  @Test("more cues than a track may have are an error, not a shorter track")
  func count() throws {
    var decoder = CEA608Decoder(channel: .cc1)
    try decoder.decode(twice(0x14, 0x29) + twice(0x14, 0x70), at: at(0))
    // Each is a letter in the place of the one before.
    let letters = ["a", "b"].map { twice(0x14, 0x21) + [pair($0.utf8.first ?? 0, 0)] }
    var seen: MediaError?
    do throws(MediaError) {
      for n in 0...CaptionTrack.mostCues + 1 {
        try decoder.decode(letters[n % 2], at: at(Int64(n)))
      }
    } catch { seen = error }
    #expect(decoder.cues.count == CaptionTrack.mostCues)
    #expect(seen?.rule == .captionCount)
  }

  @Test("paint-on captions grow on the screen; mid-row codes colour them")
  func paintOn() throws {
    var decoder = CEA608Decoder(channel: .cc1)
    try decoder.decode(twice(0x14, 0x29) + twice(0x11, 0x40) + text("ab"), at: at(1))
    try decoder.decode(twice(0x11, 0x28) + text("cd"), at: at(2))
    let cues = try decoder.finish(at: at(3))
    #expect(cues.map(\.plainText) == ["ab", "ab cd"])
    guard case .element(let red)? = cues[1].content.last else {
      Issue.record("no colour")
      return
    }
    #expect(red.style.color == RGBAColor(css: "red"))
  }

  @Test("a solid block stands for a damaged character; a damaged control code does nothing")
  func damage() throws {
    func damaged(_ a: UInt8, _ b: UInt8, first: Bool, second: Bool) -> CaptionPair {
      let good = pair(a, b)
      return CaptionPair(
        field: 1, first: good.first ^ (first ? 0x80 : 0), second: good.second ^ (second ? 0x80 : 0))
    }
    var decoder = CEA608Decoder(channel: .cc1)
    // Nothing is addressed yet.
    try decoder.decode([damaged(0x61, 0x62, first: true, second: true)], at: at(0))
    try decoder.decode(twice(0x14, 0x29) + twice(0x11, 0x40), at: at(0))
    try decoder.decode(
      [
        damaged(0x61, 0x62, first: true, second: false),
        damaged(0x63, 0x64, first: false, second: true),
        damaged(0x65, 0x66, first: true, second: true),
        // Erases what is shown; then only its repetition does.
        damaged(0x14, 0x2C, first: false, second: true),
      ], at: at(1))
    try decoder.decode(
      [damaged(0x14, 0x2C, first: false, second: true), pair(0x14, 0x2C)], at: at(2))
    let cues = try decoder.finish(at: at(3))
    #expect(cues.map { Shown($0) } == [Shown("█bc███", rowLine(0), 1, 2)])
  }

  @Test("special and extended characters, backspace, other channels and damaged bytes")
  func characters() throws {
    var decoder = CEA608Decoder(channel: .cc1)
    try decoder.decode(twice(0x14, 0x29) + twice(0x11, 0x40), at: at(0))
    try decoder.decode(
      twice(0x11, 0x37) + text("*u") + twice(0x12, 0x25) + text("xy") + twice(0x14, 0x21), at: at(1)
    )
    // Channel 2 is not ours, and neither is field 2.
    try decoder.decode(twice(0x1C, 0x29) + text("no") + [pair(0x61, 0x62, field: 2)], at: at(1))
    try decoder.decode(
      twice(0x14, 0x29) + [CaptionPair(field: 1, first: 0x61, second: 0x61)], at: at(1))
    let cues = try decoder.finish(at: at(2))
    // 0x61 has three bits set, which is odd parity: both characters count.
    #expect(cues.map(\.plainText) == ["♪áüxaa"])
  }

  @Test("user data holds pairs behind its header")
  func userData() {
    let payload: [UInt8] =
      [0xB5, 0x00, 0x31] + Array("GA94".utf8)
      + [0x03, 0x43, 0xFF, 0xFC, 0x94, 0x20, 0xFD, 0x80, 0x80, 0xF8, 1, 2, 0xFF]
    let pairs = CaptionPair.pairs(inUserData: payload)
    #expect(pairs.count == 2 && pairs[0].field == 1 && pairs[0].first == 0x94)
    #expect(pairs[1].field == 2)
    #expect(CaptionPair.pairs(inUserData: Array(payload.prefix(12))).isEmpty)
  }

  @Test("any bytes decode without a trap")
  func noise() throws {
    var generator = SeededGenerator(seed: 608)
    for channel in CEA608Channel.allCases {
      var decoder = CEA608Decoder(channel: channel)
      for n in 0..<20_000 {
        let pairs = (0..<3).map { _ in
          pair(
            UInt8(generator.int(in: generator.one(in: 2) ? 0x10...0x1F : 0...127)),
            UInt8(generator.int(in: 0...127)), field: generator.int(in: 1...2))
        }
        try decoder.decode(pairs, at: at(Int64(n)))
      }
      let cues = try decoder.finish(at: at(20_000))
      #expect(cues.count > 100)
      for cue in cues {
        #expect(cue.start < cue.end && cue.plainText.count <= CEA608Screen.columnCount)
        #expect((0..<100).contains(cue.settings.position ?? -1))
      }
    }
  }
}

@Suite("Caption tracks")
struct CaptionTrackTests {
  @Test("cues are found at any time, overlapping ones too, as by looking at all")
  func lookUp() {
    var generator = SeededGenerator(seed: 42)
    let cues = (0..<300).map { i -> Cue in
      let start = Int64(generator.int(in: 0...1000))
      var cue = Cue(
        start: MediaTime(value: start, timescale: 10),
        end: MediaTime(value: start + Int64(generator.int(in: 0...80)), timescale: 10), content: [])
      cue.id = "\(i)"
      return cue
    }
    let track = CaptionTrack(cues)
    for tick in 0..<1100 {
      let time = MediaTime(value: Int64(tick), timescale: 10)
      let found = track.cues(at: time)
      let all = track.cues.filter { $0.start <= time && time < $0.end }
      #expect(found == all)
      let next = track.change(after: time)
      let expected = cues.flatMap { [$0.start, $0.end] }.filter { $0 > time }.min()
      #expect(next == expected)
    }
  }
}
