internal import Foundation
internal import ReelCore
internal import ReelTestSupport
internal import Testing

@testable internal import ReelCaptions

private func milliseconds(_ time: MediaTime) -> Int { Int((time.seconds * 1000).rounded()) }
private func lines(_ cues: [Cue]) -> [String] {
  cues.map { "\(milliseconds($0.start))-\(milliseconds($0.end)) \(words($0.content))" }
}
private func srt(_ text: String) throws -> [String] {
  lines(try SubRipFile.cues(parsing: Array(text.utf8)))
}

@Suite("SubRip")
struct SubRipTests {
  @Test("cues, numbers, and texts of several lines")
  func plain() throws {
    #expect(
      try srt("1\n00:00:01,000 --> 00:00:02,500\na\nb\n\n2\n01:00:00.000-->01:00:01.000\nc")
        == ["1000-2500 a\nb", "3600000-3601000 c"])
    #expect(try srt("\n\n0:01 --> 0:02\nx\n0:03 --> 0:04\ny\n") == ["1000-2000 x", "3000-4000 y"])
    #expect(
      try srt("1\n00:00:01,000 --> 00:00:02,000\n\n2\n00:00:03,000 --> 00:00:04,000\ny")
        == ["3000-4000 y"])
  }

  @Test("marks of files in the wild")
  func marks() throws {
    let cues = try SubRipFile.cues(
      parsing: Array(
        """
        1
        00:00:01,000 --> 00:00:02,000 X1:100 X2:200
        {\\an8}<font color="#ff8000" size=18><b>bold</b> &amp; <I>it</font></i> {u}u{/u} 1 < 2 {x} <br>

        """.utf8))
    let cue = try #require(cues.first)
    #expect(cue.plainText == "bold & it u 1 < 2 {x} ")
    #expect(cue.settings.line == .number(0))
    guard case .element(let font)? = cue.content.first else {
      Issue.record("no font")
      return
    }
    #expect(font.style.color == RGBAColor(css: "#ff8000"))
    #expect(font.style.fontSize == .ofHeight(18.0 / 288))
    #expect(words(font.children) == "b(bold) & i(it)")
  }

  @Test("what is no SubRip file is told so")
  func other() {
    #expect(throws: MediaError.self) { _ = try SubRipFile.cues(parsing: Array("hello\n".utf8)) }
    #expect(throws: Never.self) { _ = try SubRipFile.cues(parsing: []) }
  }

  @Test("Windows-1252 is taken where bytes are no UTF-8")
  func windows1252() throws {
    let bytes = Array("1\n00:00:01,000 --> 00:00:02,000\n".utf8) + [0x93, 0xE9, 0x80]
    #expect(try SubRipFile.cues(parsing: bytes).map(\.plainText) == ["\u{201C}é€"])
  }

  static let vectors = Places.sharedVectors?.appendingPathComponent(
    "captions/androidx+media/subrip")
  private static let first = "0-1234 This is the first subtitle."
  private static let second =
    "2345-3456 This is the second subtitle.\nSecond subtitle with second line."
  private static let third = "7204567-7208901 This is the third subtitle."
  static let expected: [(String, [String])] = [
    ("empty", []),
    // Its writers drop fractions of fewer than three digits, but many files have them (as those of
    // asticode/go-astisub do); only more than three digits are no time here.
    (
      "typical_bad_timestamps",
      [first, "7204567-7208900 This should be discarded (too few decimal places)."]
    ),
    ("typical_extra_blank_line", [first, second, third]),
    ("typical_missing_sequence", [first, second, third]),
    ("typical_missing_timecode", [first, third]),
    (
      "typical_no_hours_and_millis",
      [
        first, "2000-3000 This is the second subtitle.\nSecond subtitle with second line.", third,
      ]
    ),
    ("typical_unexpected_end", [first, second]), ("typical_utf16be", [first, second, third]),
    ("typical_with_byte_order_mark", [first, second, third]),
  ]

  @Test(
    "vectors agree",
    .enabled(if: vectors != nil, "the vectors do not lie beside the checkout"), arguments: expected)
  func agrees(name: String, expected: [String]) throws {
    let file = try #require(Self.vectors).appendingPathComponent(name)
    #expect(lines(try SubRipFile.cues(parsing: [UInt8](Data(contentsOf: file)))) == expected)
  }

  @Test(
    "codes of SubStation Alpha vanish, and the first place counts",
    .enabled(if: vectors != nil, "the vectors do not lie beside the checkout"))
  func tags() throws {
    let file = try #require(Self.vectors).appendingPathComponent("typical_with_tags")
    let cues = try SubRipFile.cues(parsing: [UInt8](Data(contentsOf: file)))
    #expect(cues[0].plainText == "This is  the first subtitle.")
    #expect(cues[0].settings.textAlignment == .left)
    #expect(
      cues[3].plainText
        == "This { \\an2} is not a valid tag due to the space after the opening bracket.")
    #expect(cues[9].settings.line == .percentage(50))
  }

  @Test(
    "every caption file beside the checkout reads without a trap",
    .enabled(if: vectors != nil, "the vectors do not lie beside the checkout"))
  func allFiles() throws {
    let folder = try #require(Places.sharedVectors).appendingPathComponent("captions")
    let files = try #require(
      FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    var count = 0
    for case let file as URL in files {
      guard let data = try? Data(contentsOf: file) else { continue }
      let bytes = [UInt8](data)
      _ = try? WebVTTFile(parsing: bytes)
      let cues = try? SubRipFile.cues(parsing: bytes)
      if file.pathExtension == "srt" {
        #expect(cues?.isEmpty == false, "\(file.lastPathComponent)")
      }
      count += 1
    }
    #expect(count > 100)
  }
}

@Suite("Timed text")
struct TimedTextTests {
  static let vectors = Places.sharedVectors?.appendingPathComponent("captions/androidx+media/tx3g")
  static func file(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: try #require(vectors).appendingPathComponent(name)))
  }

  private static func sample(_ bytes: [UInt8], _ entry: TimedTextEntry = TimedTextEntry()) throws
    -> Cue?
  {
    try TimedTextSample.cue(
      parsing: bytes, entry: entry, start: .zero, end: MediaTime(value: 1, timescale: 1),
      width: 320, height: 240)
  }

  @Test(
    "samples of files agree",
    .enabled(if: vectors != nil, "the vectors do not lie beside the checkout"))
  func samples() throws {
    #expect(try Self.sample(Self.file("no_subtitle")) == nil)
    #expect(try Self.sample(Self.file("sample_just_text"))?.plainText == "CC Test")
    #expect(try Self.sample(Self.file("sample_utf16_be_no_styl"))?.plainText == "\u{4F60}\u{597D}")
    #expect(try Self.sample(Self.file("sample_utf16_le_no_styl"))?.plainText == "\u{4F60}\u{597D}")
    let styled = try #require(try Self.sample(Self.file("sample_with_styl_all_defaults")))
    #expect(styled.plainText == "CC Test")
    let several = try #require(try Self.sample(Self.file("sample_with_multiple_styl")))
    #expect(pieces(several) == ["Line ", "2\n", "Line ", "3"])
    #expect(try Self.sample(Self.file("sample_with_styl_start_too_large")) != nil)
    #expect(try Self.sample(Self.file("sample_with_other_extension"))?.plainText == "CC Test")
  }

  @Test(
    "entries of files agree",
    .enabled(if: vectors != nil, "the vectors do not lie beside the checkout"))
  func entries() throws {
    let entry = try TimedTextEntry(parsing: Self.file("initialization"))
    #expect(entry.style.isBold == true && entry.style.isItalic == true)
    #expect(entry.style.isUnderlined == true)
    _ = try TimedTextEntry(parsing: Self.file("initialization_all_defaults"))
  }

  @Test("pieces have the look of their record, boxes their place")
  func styles() throws {
    var bytes: [UInt8] = [0, 5] + Array("añb🙂c".utf8.prefix(0))
    let text = Array("héllo".utf8)
    bytes = [0, UInt8(text.count)] + text
    // styl: two records, red bold 0…2, blue underlined 3…5.
    bytes += [0, 0, 0, 34] + Array("styl".utf8) + [0, 2]
    bytes += [0, 0, 0, 2, 0, 1, 1, 24, 255, 0, 0, 255]
    bytes += [0, 3, 0, 9, 0, 1, 4, 12, 0, 0, 255, 255]
    bytes += [0, 0, 0, 16] + Array("tbox".utf8) + [0, 24, 0, 32, 0, 72, 0, 96]
    let cue = try #require(try Self.sample(bytes))
    let parts = cue.content.compactMap { node -> CueElement? in
      if case .element(let e) = node { e } else { nil }
    }
    #expect(parts.map { words($0.children) } == ["hé", "l", "lo"])
    #expect(parts[0].style.isBold == true && parts[0].style.color == RGBAColor(css: "red"))
    #expect(parts[0].style.fontSize == .ofHeight(0.1))
    #expect(parts[2].style.isUnderlined == true)
    #expect(cue.box?.x == 0.1 && cue.box?.y == 0.1 && cue.box?.width == 0.2)
  }

  private func pieces(_ cue: Cue) -> [String] {
    cue.content.map { node in
      if case .element(let element) = node { words(element.children) } else { "" }
    }
  }

  /// A sample of `text` with bold records over `ranges`; `sizes` tells them apart.
  private func sample(_ text: String, _ records: [(start: Int, end: Int, size: Int)]) -> [UInt8] {
    func big(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }
    var bytes = big(text.utf8.count, 2) + Array(text.utf8)
    bytes += big(10 + 12 * records.count, 4) + Array("styl".utf8) + big(records.count, 2)
    for record in records {
      bytes += big(record.start, 2) + big(record.end, 2) + [0, 1, 1, UInt8(record.size)]
      bytes += [255, 0, 0, 255]
    }
    return bytes
  }

  @Test("records count line ends as they are stored; shown is one kind of them")
  func lineEnds() throws {
    let bytes = sample("ab\r\ncd\re\r\nf", [(4, 6, 10), (7, 8, 12), (9, 11, 14)])
    let cue = try #require(try Self.sample(bytes))
    #expect(cue.plainText == "ab\ncd\ne\nf" && cue.source == cue.plainText)
    // The last record begins inside of a line end, which belongs to the piece of its first half.
    #expect(pieces(cue) == ["ab\n", "cd", "\n", "e", "\n", "f"])
  }

  @Test("the last record over a character tells its look, as by looking at all")
  func manyRecords() throws {
    var generator = SeededGenerator(seed: 245)
    for _ in 0..<200 {
      let count = generator.int(in: 1...40)
      let records = (0..<generator.int(in: 0...50)).map { i in
        (start: generator.int(in: 0...45), end: generator.int(in: 0...45), size: i + 1)
      }
      let text = String((0..<count).map { Character(Unicode.Scalar(UInt8(97 + $0 % 26))) })
      let cue = try #require(try Self.sample(sample(text, records)))
      var looks: [TextStyle.FontSize?] = []
      for case .element(let element) in cue.content {
        for _ in words(element.children) { looks.append(element.style.fontSize) }
      }
      let used = records.prefix(count)
      let expected = (0..<count).map { i in
        used.last { $0.start <= i && i < $0.end }.map {
          TextStyle.FontSize.ofHeight(Double($0.size) / 240)
        }
      }
      #expect(looks == expected && cue.plainText == text)
    }
    // As many records as a sample can have, all over all of it, or each over a character less.
    let long = String(repeating: "x", count: 65_000)
    for step in [0, 1] {
      let records = (0..<65_000).map {
        (start: $0 * step / 2, end: 65_000 - $0 * step / 2, size: 9)
      }
      let clock = ContinuousClock()
      let begin = clock.now
      let cue = try #require(try Self.sample(sample(long, records)))
      #expect(cue.plainText == long && clock.now - begin < .seconds(5))
    }
  }

  @Test("damaged samples give an error or a cue")
  func damage() throws {
    var generator = SeededGenerator(seed: 5)
    let base: [UInt8] =
      [0, 4] + Array("text".utf8) + [0, 0, 0, 22] + Array("styl".utf8) + [0, 1]
      + [0, 0, 0, 2, 0, 1, 1, 24, 255, 0, 0, 255]
    var read = 0
    for _ in 0..<5000 {
      var bytes = base
      for _ in 0..<3 {
        bytes[generator.int(in: 0...bytes.count - 1)] = UInt8(generator.int(in: 0...255))
      }
      bytes.removeLast(generator.int(in: 0...bytes.count))
      if let cue = try? Self.sample(bytes) {
        // A sample says no more than it holds.
        #expect(cue.plainText.utf8.count <= 3 * bytes.count && cue.source == cue.plainText)
        read += 1
      }
      _ = try? TimedTextEntry(parsing: bytes)
      var reader = WebVTTSampleReader(header: bytes)
      _ = try? reader.cues(parsing: bytes, start: .zero, end: .zero)
      #expect(CaptionPair.pairs(inSample: bytes).count <= bytes.count / 2)
      #expect(CaptionPair.pairs(inUserData: bytes).isEmpty)
    }
    #expect((1_000..<4_999).contains(read), "\(read)")
  }
}

@Suite("WebVTT in ISO files")
struct WebVTTSampleTests {
  private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let size = UInt32(content.count + 8)
    return [UInt8(size >> 24), UInt8(size >> 16 & 255), UInt8(size >> 8 & 255), UInt8(size & 255)]
      + Array(type.utf8) + content
  }

  @Test("cue boxes become cues with the header's styles and regions")
  func cues() throws {
    let header = Array("WEBVTT\n\nSTYLE\n::cue(b){color:red}\n\nREGION\nid:r\nwidth:50%".utf8)
    let sample =
      box(
        "vttc",
        box("iden", Array("7".utf8)) + box("sttg", Array("line:10% region:r".utf8))
          + box("payl", Array("<b>x</b>\n\ny -->".utf8)))
      + box("vtte", []) + box("vttc", box("payl", Array("z".utf8)))
    var reader = WebVTTSampleReader(header: header)
    let cues = try reader.cues(
      parsing: sample, start: .zero, end: MediaTime(value: 2, timescale: 1))
    #expect(cues[0].id == "7" && cues[0].settings.line == .percentage(10))
    #expect(cues[0].region?.width == 50)
    guard case .element(let bold)? = cues[0].content.first else {
      Issue.record("no bold")
      return
    }
    #expect(bold.style.color == RGBAColor(css: "red"))
    #expect(throws: MediaError.self) {
      _ = try reader.cues(parsing: [0, 0, 0, 99, 1, 2, 3, 4], start: .zero, end: .zero)
    }
  }
}
