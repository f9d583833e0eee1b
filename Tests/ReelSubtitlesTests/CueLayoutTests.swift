internal import ReelCaptions
internal import ReelCore
internal import ReelImaging
internal import ReelText
internal import Testing

@testable internal import ReelSubtitles

/// What the tests of captions need.
enum Captions {
  static let fontsAreInstalled: Bool = {
    guard let book = try? FontBook() else { return false }
    return (try? TextParagraph([TextSpan("a\u{915}", TextAttributes(size: 640))], book: book))
      != nil
  }()

  static func track(_ vtt: String) throws -> CaptionTrack {
    CaptionTrack(try WebVTTFile(parsing: Array(("WEBVTT\n\n" + vtt).utf8)).cues)
  }

  static func seconds(_ value: Double) -> MediaTime {
    MediaTime(value: Int64(value * 1_000), timescale: 1_000)
  }

  /// The masks of a track at a time.
  static func masks(
    _ track: CaptionTrack, at time: Double, width: Int = 640, height: Int = 360,
    style: CaptionStyle = CaptionStyle(), painter: CaptionPainter? = nil
  ) throws -> [MaskLayer] {
    let painter = try painter ?? CaptionPainter(book: FontBook(), style: style)
    guard let moment = CaptionPainter.moment(of: track, at: seconds(time)) else { return [] }
    let layers = try painter.layers(moment, of: track, trackID: 0, width: width, height: height)
    return layers.compactMap { layer in
      guard case .mask(let mask) = layer else { return nil }
      return mask
    }
  }

  /// Boxes behind text: all masks that are rectangles of the default background.
  static func boxes(_ masks: [MaskLayer]) -> [SampleRect] {
    masks.filter { $0.color.alpha == 0.8 }.map {
      SampleRect(x: $0.x, y: $0.y, width: $0.mask.width, height: $0.mask.height)
    }
  }
}

@Suite(
  "Layout of cues", .enabled(if: Captions.fontsAreInstalled, "the font packages are missing"))
struct CueLayoutTests {
  @Test("position, size and alignment give the box along the lines. WebVTT §7.2")
  func inline() {
    func box(_ change: (inout CueSettings) -> Void, rtl: Bool = false) -> [Double] {
      var settings = CueSettings()
      change(&settings)
      let own = CueLayout.inline(settings, isRightToLeft: rtl)
      return [own.start, own.size]
    }
    #expect(box { _ in } == [0, 100])
    #expect(box { $0.textAlignment = .left } == [0, 100])
    #expect(box { $0.textAlignment = .right } == [0, 100])
    #expect(box { $0.textAlignment = .start } == [50, 50])
    #expect(box({ $0.textAlignment = .start }, rtl: true) == [0, 50])
    #expect(box { $0.textAlignment = .end } == [0, 50])
    #expect(box { $0.position = 20 } == [0, 40])
    #expect(
      box {
        $0.position = 80; $0.size = 30
      } == [65, 30])
    #expect(
      box {
        $0.position = 20; $0.positionAlignment = .lineLeft
      } == [20, 80])
    #expect(
      box {
        $0.position = 20; $0.positionAlignment = .lineRight
      } == [0, 20])
    let strange = box {
      $0.position = .nan; $0.size = .infinity
    }
    #expect(strange[0].isFinite && strange[1].isFinite)
  }

  @Test("without a line the last line of text stands at the bottom")
  func bottom() throws {
    let track = try Captions.track("00:00.000 --> 00:10.000\none\ntwo\n")
    let boxes = Captions.boxes(try Captions.masks(track, at: 1))
    #expect(boxes.count == 2)
    #expect(boxes[1].y + boxes[1].height == 360)
    #expect(boxes[0].y + boxes[0].height == boxes[1].y)
  }

  @Test("line 0 is the top, negative lines count from the bottom")
  func lines() throws {
    let height = Captions.boxes(
      try Captions.masks(try Captions.track("00:00.000 --> 00:10.000\na\n"), at: 1))[0].height
    for (line, y) in [(0, 0), (2, 2 * height), (-1, 360 - height), (-3, 360 - 3 * height)] {
      let track = try Captions.track("00:00.000 --> 00:10.000 line:\(line)\na\n")
      #expect(Captions.boxes(try Captions.masks(track, at: 1))[0].y == y)
    }
  }

  @Test(
    "boxes that meet leave no gap between what is behind them", arguments: [90, 97, 360, 1_080])
  func meetingBoxes(height: Int) throws {
    let rows = (0..<15).map { row in
      var cue = Cue(
        start: .zero, end: MediaTime(value: 2, timescale: 1), content: [.text("\(row)")])
      var box = CueBox(x: 0.1, y: 0.1 + Double(row) * 0.8 / 15, width: 0.8, height: 0.8 / 15)
      box.background = .black
      cue.box = box
      return cue
    }
    let fills = try Captions.masks(
      CaptionTrack(rows), at: 1, width: height * 16 / 9, height: height
    )
    .filter { $0.color == .black && $0.mask.width > height }.sorted { $0.y < $1.y }
    #expect(fills.count == 15)
    for (fill, next) in zip(fills, fills.dropFirst()) {
      #expect(fill.y + fill.mask.height == next.y)
    }
  }

  @Test("lines far outside of the picture come in from its side, soon")
  func farLines() throws {
    func boxes(_ line: Int, _ vertical: String = "") throws -> [SampleRect] {
      let track = try Captions.track("00:00.000 --> 00:10.000 line:\(line)\(vertical)\na\nb\n")
      return Captions.boxes(try Captions.masks(track, at: 1))
    }
    for vertical in ["", " vertical:rl", " vertical:lr"] {
      #expect(try boxes(-100_000, vertical) == boxes(-60, vertical))
      #expect(try boxes(100_000, vertical) == boxes(60, vertical))
      #expect(try boxes(100_000, vertical).count == 2)
    }
    // Forty cues that are too tall, from as far away as a line can be.
    let rows = (0..<60).map { "\($0)\n" }.joined()
    for line in [-100_000, 100_000] {
      let cues = (0..<40).map { _ in "00:00.000 --> 00:10.000 line:\(line)\n\(rows)\n" }.joined()
      let track = try Captions.track(cues)
      let clock = ContinuousClock()
      let begin = clock.now
      #expect(try !Captions.masks(track, at: 1).isEmpty)
      #expect(clock.now - begin < .seconds(10))
    }
  }

  @Test("percentages and line alignments place the box across the lines")
  func percentages() throws {
    func y(_ settings: String) throws -> (Int, Int) {
      let track = try Captions.track("00:00.000 --> 00:10.000 \(settings)\na\n")
      let box = Captions.boxes(try Captions.masks(track, at: 1))[0]
      return (box.y, box.height)
    }
    #expect(try y("line:50%").0 == 180)
    let (centre, height) = try y("line:50%,center")
    #expect(centre == 180 - height / 2)
    #expect(try y("line:50%,end").0 == 180 - height)
    // What would reach over the edge is moved to it.
    #expect(try y("line:100%").0 == 360 - height)
  }

  @Test("cues at one time do not overlap, and one stays where it was when the other ends")
  func overlap() throws {
    let track = try Captions.track(
      """
      00:00.000 --> 00:04.000
      first

      00:02.000 --> 00:08.000
      second
      """)
    let alone = Captions.boxes(try Captions.masks(track, at: 1))
    let both = Captions.boxes(try Captions.masks(track, at: 3))
    let after = Captions.boxes(try Captions.masks(track, at: 6))
    #expect(alone.count == 1 && both.count == 2 && after.count == 1)
    #expect(both[0] == alone[0])
    #expect(both[1].y + both[1].height == both[0].y)
    #expect(after[0] == both[1])
  }

  @Test("a cue that finds no free line is not shown; one that is too tall is cut")
  func noPlace() throws {
    let cues = (0..<40).map { "00:00.000 --> 00:10.000\ncue \($0)\n" }.joined(separator: "\n")
    let boxes = Captions.boxes(try Captions.masks(try Captions.track(cues), at: 1))
    #expect(boxes.count == 360 / boxes[0].height)
    #expect(Set(boxes.map(\.y)).count == boxes.count)
    let tall = try Captions.track(
      "00:00.000 --> 00:10.000\n" + (0..<60).map { "\($0)\n" }.joined())
    let cut = Captions.boxes(try Captions.masks(tall, at: 1))
    #expect(cut.first?.y == 0)
    let areCut = cut.allSatisfy { $0.y + $0.height <= 360 }
    #expect(areCut)
  }

  @Test("vertical text grows to the left or to the right")
  func vertical() throws {
    func boxes(_ settings: String) throws -> [SampleRect] {
      let track = try Captions.track("00:00.000 --> 00:10.000 \(settings)\none\ntwo\n")
      return Captions.boxes(try Captions.masks(track, at: 1))
    }
    let left = try boxes("vertical:rl line:0")
    #expect(left[0].x + left[0].width == 640)
    #expect(left[1].x + left[1].width == left[0].x)
    #expect(left[0].height > left[0].width)
    let right = try boxes("vertical:lr line:0")
    #expect(right[0].x == 0)
    #expect(right[1].x == right[0].width)
  }

  @Test("a region holds its cues at its bottom and cuts what is above it")
  func region() throws {
    let region = """
      REGION
      id:r
      width:50%
      lines:2
      regionanchor:0%,0%
      viewportanchor:25%,50%


      """
    let cues = (1...4).map { "00:00.000 --> 00:10.000 region:r align:left\nline \($0)\n" }
    let file = try WebVTTFile(
      parsing: Array(("WEBVTT\n\n" + region + cues.joined(separator: "\n")).utf8))
    let masks = try Captions.masks(CaptionTrack(file.cues), at: 1)
    let bottom = 180 + Int((2 * 0.06 * 360).rounded())
    let areInside = masks.allSatisfy { $0.y >= 180 && $0.y + $0.mask.height <= bottom }
    #expect(areInside)
    let boxes = Captions.boxes(masks)
    #expect(boxes.last.map { $0.y + $0.height } == bottom)
    let areBetween = boxes.allSatisfy { $0.x >= 156 && $0.x + $0.width <= 484 }
    #expect(areBetween)
  }

  @Test("times inside of a cue change it when the file speaks of the past or the future")
  func tenses() throws {
    let text = "00:00.000 --> 00:10.000\none <00:05.000>two\n"
    let plain = try Captions.track(text)
    #expect(CaptionPainter.moment(of: plain, at: .zero)?.passed == [0])
    #expect(
      CaptionPainter.moment(of: plain, at: .zero)
        == CaptionPainter.moment(of: plain, at: Captions.seconds(6)))
    let styled = try Captions.track("STYLE\n::cue(:future) { color: #ff0000 }\n\n" + text)
    let red = RGBAColor(red: 1, green: 0, blue: 0)
    let (before, behind) = (try Captions.masks(styled, at: 1), try Captions.masks(styled, at: 6))
    #expect(before.contains { $0.color == red })
    #expect(!behind.contains { $0.color == red })
    let hidden = try Captions.track("STYLE\n::cue(:future) { visibility: hidden }\n\n" + text)
    let (early, late) = (
      Captions.boxes(try Captions.masks(hidden, at: 1))[0],
      Captions.boxes(try Captions.masks(hidden, at: 6))[0]
    )
    #expect(early.width < late.width)
  }

  @Test("the viewer's style is under that of the captions, or over it")
  func userStyle() throws {
    let track = try Captions.track(
      "STYLE\n::cue(.y) { color: yellow; background: blue }\n\n"
        + "00:00.000 --> 00:10.000\nplain <c.y>styled</c>\n")
    let (yellow, blue) = (
      RGBAColor(red: 1, green: 1, blue: 0), RGBAColor(red: 0, green: 0, blue: 1)
    )
    let green = RGBAColor(red: 0, green: 1, blue: 0)
    var style = CaptionStyle()
    style.color = green
    style.background = .clear
    var colors = try Captions.masks(track, at: 1, style: style).map(\.color)
    #expect(colors == [blue, green, yellow])
    style.overridesCaptions = true
    style.edge = .outline
    style.edgeColor = .black
    colors = try Captions.masks(track, at: 1, style: style).map(\.color)
    #expect(colors == [.black, green])
    style.scale = 2
    let large = try Captions.masks(track, at: 1, style: style)
    style.scale = 1
    let small = try Captions.masks(track, at: 1, style: style)
    #expect(large[1].mask.height > small[1].mask.height * 3 / 2)
  }

  @Test("edges draw what they say", arguments: CaptionStyle.Edge.allCases)
  func edges(edge: CaptionStyle.Edge) throws {
    let track = try Captions.track("00:00.000 --> 00:10.000 line:50%\nEdge\n")
    var style = CaptionStyle()
    style.background = .clear
    style.color = RGBAColor(red: 1, green: 1, blue: 0)
    style.edge = edge
    let masks = try Captions.masks(track, at: 1, style: style)
    let letters = try #require(masks.last)
    switch edge {
    case .none: #expect(masks.count == 1)
    case .outline:
      #expect(masks[0].x < letters.x && masks[0].y < letters.y)
      #expect(masks[0].mask.width > letters.mask.width)
    case .dropShadow: #expect(masks[0].x > letters.x && masks[0].y > letters.y)
    case .raised:
      #expect(masks[0].color == .white && masks[0].y <= letters.y && masks[1].y > letters.y)
    case .depressed: #expect(masks[0].color == .white && masks[1].y < letters.y)
    }
  }

  @Test("small text stands over the text it belongs to")
  func ruby() throws {
    let plain = try Captions.track("00:00.000 --> 00:10.000\nbase\n")
    let track = try Captions.track("00:00.000 --> 00:10.000\n<ruby>base<rt>over</rt></ruby>\n")
    let (without, with) = (try Captions.masks(plain, at: 1), try Captions.masks(track, at: 1))
    #expect(Captions.boxes(with)[0].height > Captions.boxes(without)[0].height)
    #expect(with[1].mask.height > without[1].mask.height)
    #expect(with[1].y + with[1].mask.height == without[1].y + without[1].mask.height)
  }
}
