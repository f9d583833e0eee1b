internal import ReelCaptions
internal import ReelCore
internal import ReelImaging
internal import ReelTestSupport
internal import ReelText
internal import Testing

@testable internal import ReelSubtitles

/// Bands of a picture one after the other, from the last to the first.
private struct BackwardExecutor: BandExecutor {
  let width: Int
  func run(_ count: Int, _ body: @Sendable (Int) -> Void) {
    for band in (0..<count).reversed() { body(band) }
  }
}

@Suite(
  "Pictures with captions",
  .enabled(if: Captions.fontsAreInstalled, "the font packages are missing"))
struct CaptionPictureTests {
  /// A picture of one grey with captions, as a hash of its planes.
  private static func hash(
    _ track: CaptionTrack, at time: Double, _ style: CaptionStyle, width: Int = 640,
    height: Int = 360, executor: any BandExecutor = SerialExecutor()
  ) throws -> UInt64 {
    let planes = FramePlanes<UInt8>(width: width, height: height, chromaFormat: .yuv420)
    for index in 0..<3 {
      planes.withPlane(index) { plane in
        for y in 0..<plane.height {
          plane.fill(at: y * plane.stride, count: plane.width, with: index == 0 ? 110 : 128)
        }
      }
    }
    let frame = VideoFrame(
      storage: .depth8(planes), lumaBitDepth: 8, chromaBitDepth: 8,
      crop: SampleRect(x: 0, y: 0, width: width, height: height))
    var composition = Composition()
    composition.captions = try Captions.masks(
      track, at: time, width: width, height: height, style: style
    ).map { .mask($0) }
    let result = try Compositor(executor: executor).compose(frame, composition)
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    guard case .depth8(let own) = result.storage else { return 0 }
    for index in 0..<3 {
      own.withPlane(index) { plane in
        for y in 0..<plane.height {
          for x in 0..<plane.width {
            hash = (hash ^ UInt64(plane[y * plane.stride + x])) &* 0x100_0000_01b3
          }
        }
      }
    }
    return hash
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let vtt: String
    var edge: CaptionStyle.Edge?
    let expected: UInt64
    var testDescription: String { name }
  }

  /// The pictures were looked at. Arabic and Hindi are shaped by HarfBuzz 6.0; a later one that shapes
  /// them otherwise would be told here.
  static let cases: [Case] = [
    Case(
      name: "latin", vtt: "00:00.000 --> 00:10.000\nHello, <b>bold</b> <i>world</i> <u>fi</u>\n",
      expected: 0x24ec_a725_0d30_3691),
    Case(
      name: "arabic",
      vtt: "00:00.000 --> 00:10.000\n\u{645}\u{631}\u{62D}\u{628}\u{627} (abc) 123\n",
      expected: 0x1524_2097_5fad_fec3),
    Case(
      name: "hindi",
      vtt: "00:00.000 --> 00:10.000\n\u{939}\u{93F}\u{928}\u{94D}\u{926}\u{940} "
        + "\u{915}\u{94D}\u{937}\u{924}\u{94D}\u{930}\u{93F}\u{92F}\n",
      expected: 0x8551_67b5_a290_12b3),
    Case(
      name: "missing", vtt: "00:00.000 --> 00:10.000\n\u{65E5}\u{672C} boxes\n",
      expected: 0x2267_f231_36c9_dd11),
    Case(
      name: "vertical", vtt: "00:00.000 --> 00:10.000 vertical:rl line:0\nVertical\ntext\n",
      expected: 0xdc59_38c6_f2c6_415c),
    Case(
      name: "ruby", vtt: "00:00.000 --> 00:10.000\n<ruby>base<rt>over</rt></ruby> text\n",
      expected: 0x321b_3b88_d38c_6188),
    Case(
      name: "outline", vtt: "00:00.000 --> 00:10.000\nOutline gjpqy\n", edge: .outline,
      expected: 0xe8bd_7f19_5cf4_48e7),
    Case(
      name: "shadow", vtt: "00:00.000 --> 00:10.000\nShadow gjpqy\n", edge: .dropShadow,
      expected: 0xfd00_00e7_1289_0963),
    Case(
      name: "raised", vtt: "00:00.000 --> 00:10.000\nRaised\n", edge: .raised,
      expected: 0x368a_f32a_6ffe_67ad),
    Case(
      name: "depressed", vtt: "00:00.000 --> 00:10.000\nDepressed\n", edge: .depressed,
      expected: 0xd46d_ea26_3f7a_5bbc),
  ]

  @Test("have the samples they always had, however the bands are run", arguments: cases)
  func golden(c: Case) throws {
    var style = CaptionStyle()
    if let edge = c.edge {
      style.edge = edge
      style.background = .clear
    }
    let track = try Captions.track(c.vtt)
    let hash = try Self.hash(track, at: 1, style)
    #expect(hash == c.expected, "\(c.name): 0x\(String(hash, radix: 16))")
    for width in [2, 3] {
      let other = try Self.hash(track, at: 1, style, executor: BackwardExecutor(width: width))
      #expect(other == hash)
    }
  }

  @Test(
    "nothing of a caption is outside of the picture, whatever its size",
    arguments: [16, 37, 200, 1080])
  func sizes(height: Int) throws {
    let track = try Captions.track(
      "00:00.000 --> 00:10.000\nA caption that is too long for a small picture by far\n")
    let width = height * 16 / 9
    for mask in try Captions.masks(track, at: 1, width: width, height: height) {
      #expect(mask.x >= 0 && mask.y >= 0)
      #expect(mask.x + mask.mask.width <= width && mask.y + mask.mask.height <= height)
    }
  }

  // MARK: Hostile input

  private static func elapsed(_ body: () throws -> Void) rethrows -> Duration {
    try ContinuousClock().measure(body)
  }

  @Test("10 MB of captions are read and drawn in seconds")
  func large() throws {
    var text = "WEBVTT\n\n"
    var number = 0
    while text.utf8.count < 10_000_000, number < 99_000 {
      text +=
        "00:00.000 --> 99:00:00.000\nthe same <b>time</b> for all of \(number) \(String(repeating: "x", count: 60))\n\n"
      number += 1
    }
    let bytes = Array(text.utf8)
    let time = try Self.elapsed {
      let track = CaptionTrack(try SubtitleFile.cues(parsing: bytes))
      for second in [0.0, 5, 9] { _ = try Captions.masks(track, at: second) }
    }
    #expect(time < .seconds(20), "\(time)")
  }

  @Test("one line of 10 MB, tags without end, a million blanks: an error or a caption, fast")
  func strange() throws {
    let long = String(repeating: "w", count: 10_000_000)
    let tags = String(repeating: "<b><i><c.red>", count: 4_000)
    let open = String(repeating: "<", count: 60_000)
    let marks = "a" + String(repeating: "\u{301}", count: 20_000)
    let turns = String(repeating: "\u{202E}\u{2067}x", count: 6_000)
    for text in [long, tags + "x", open, marks, turns, String(repeating: " \t", count: 30_000)] {
      let time = try Self.elapsed {
        guard let track = try? Captions.track("00:00.000 --> 00:10.000\n\(text)\n") else { return }
        _ = try Captions.masks(track, at: 1)
      }
      #expect(time < .seconds(10), "\(text.prefix(9)): \(time)")
    }
  }

  @Test("numbers that are none, and sizes beyond all measure, are clamped")
  func numbers() throws {
    for value in [Double.nan, .infinity, -.infinity, 1e308, -1e308] {
      var cue = Cue(start: .zero, end: Captions.seconds(10), content: [])
      var element = CueElement(.span, children: [.text("text")])
      element.style.fontSize = .relative(value)
      element.style.opacity = value
      cue.content = [.element(element)]
      cue.settings.line = .number(value)
      cue.settings.position = value
      cue.settings.size = 100
      _ = try Captions.masks(CaptionTrack([cue]), at: 1)
      cue.settings.line = .percentage(value)
      cue.settings.size = value
      _ = try Captions.masks(CaptionTrack([cue]), at: 1)
      cue.box = CueBox(x: value, y: value, width: value, height: value)
      _ = try Captions.masks(CaptionTrack([cue]), at: 1)
      cue.box = nil
      var region = CueRegion()
      (region.width, region.anchorX, region.viewportAnchorY) = (value, value, value)
      region.lines = .max
      cue.region = region
      _ = try Captions.masks(CaptionTrack([cue]), at: 1)
      var style = CaptionStyle()
      style.scale = value
      _ = try Captions.masks(CaptionTrack([cue]), at: 1, style: style)
    }
  }

  @Test("damaged files end in an error or in captions", arguments: 1...40)
  func damaged(seed: Int) throws {
    let whole = Array(
      ("WEBVTT\n\nSTYLE\n::cue(.a) { color: red; font-size: 200% }\n\nREGION\nid:r\nlines:3\n\n"
        + "00:00.000 --> 00:09.000 region:r\n<v X>Hi <c.a>there</c>\n\n"
        + "00:01.000 --> 00:08.000 vertical:rl line:10% position:30% align:end size:40%\n"
        + "<ruby>a<rt>b</rt></ruby> <00:00:03.000>\u{645}\u{631} <i>x</i>\n\n").utf8)
    let painter = try CaptionPainter(book: FontBook())
    for part in 0..<20 {
      let bytes = Damage.apply(to: whole, seed: UInt64(seed * 100 + part))
      guard let cues = try? SubtitleFile.cues(parsing: bytes) else { continue }
      let track = CaptionTrack(cues)
      for time in [0.5, 2, 5] {
        do {
          _ = try Captions.masks(track, at: time, painter: painter)
        } catch let error as MediaError {
          #expect(error.family == .limitExceeded, "seed \(seed): \(error)")
        }
      }
    }
  }
}
