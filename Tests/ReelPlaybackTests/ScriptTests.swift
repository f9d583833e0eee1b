import ReelCore
import ReelTestSupport
import Testing

@testable import ReelPlayback

@Suite struct ScriptTests {
  private func command(_ line: String) throws -> PlayerCommand? {
    try Script(parsing: "1 " + line).entries.first?.command
  }

  private static let textLines: [(String, PlayerCommand)] = [
    ("idle", .idle), ("play", .play), ("pause", .pause), ("seek 3.0", .seek(to: 3, play: true)),
    ("seek 3.0 play", .seek(to: 3, play: true)),
    ("seek 1001/30000 pause", .seek(to: t("1001/30000"), play: false)),
    ("seek 1:02 play=false", .seek(to: 62, play: false)), ("seek -1", .seek(to: -1, play: true)),
    ("seek 1.5e1", .seek(to: 15, play: true)), ("seek -25E-2", .seek(to: t("-0.25"), play: true)),
    ("begin", .begin), ("end", .end), ("mute", .mute), ("unmute", .unmute),
    ("volume 0.5", .volume(0.5)), ("speed 1.75", .playbackSpeed(1.75)),
    ("playbackSpeed 0", .playbackSpeed(0)), ("rate -2", .rate(-2)), ("loop", .loop(passes: nil)),
    ("loop 3", .loop(passes: 3)), ("loopDelay 0.5", .loopDelay(t("0.5"))), ("unloop", .unloop),
    ("subtitles en-US", .subtitles("en-US")), ("subtitles off", .subtitles(nil)),
    ("audioTrack de", .audioTrack(languageCode: "de")), ("brightness -0.25", .brightness(-0.25)),
    ("contrast 2", .contrast(2)), ("removeAllFilters", .removeAllFilters),
    ("filter CISepiaTone", .filter(FilterDescription("CISepiaTone"), clear: false)),
    ("addVector box rect=1,2,3,4 fill=white", .addVector(box, clear: false)),
    ("addVector box rect=1,2,3,4 fill=white clear", .addVector(box, clear: true)),
    ("removeAllVectors", .removeAllVectors), ("startPiP", .startPiP), ("stopPiP", .stopPiP),
    ("gravity resizeAspectFill", .gravity(.resizeAspectFill)), ("next", .next),
  ]

  private static let box = VectorLayer(
    id: "box",
    shapes: [
      ShapeDescription(
        path: ShapeDescription.rectangle(Rect(x: 1, y: 2, width: 3, height: 4)), fill: .white)
    ])

  @Test("every command of the contract has a text form", arguments: textLines)
  func textForms(line: String, expected: PlayerCommand) throws {
    #expect(try command(line) == expected)
    #expect(try command(line + "   # a comment") == expected)
  }

  private static let jsonMembers: [(String, PlayerCommand)] = [
    (#""command":"idle""#, .idle), (#""command":"play""#, .play), (#""command":"pause""#, .pause),
    (#""command":"begin""#, .begin), (#""command":"end""#, .end), (#""command":"mute""#, .mute),
    (#""command":"unmute""#, .unmute), (#""command":"unloop""#, .unloop),
    (#""command":"next""#, .next), (#""command":"removeAllFilters""#, .removeAllFilters),
    (#""command":"removeAllVectors""#, .removeAllVectors), (#""command":"startPiP""#, .startPiP),
    (#""command":"stopPiP""#, .stopPiP),
    (#""command":"seek","to":3.0,"play":false"#, .seek(to: 3, play: false)),
    (#""command":"seek","to":"1001/30000""#, .seek(to: t("1001/30000"), play: true)),
    (#""command":"seek","to":2.5e-05"#, .seek(to: t("0.000025"), play: true)),
    (#""command":"seek","to":1E+2,"play":true"#, .seek(to: 100, play: true)),
    (#""command":"volume","value":0.5"#, .volume(0.5)),
    (#""command":"volume","value":5e-1"#, .volume(0.5)),
    (#""command":"speed","value":2"#, .playbackSpeed(2)),
    (#""command":"playbackSpeed","value":1.75"#, .playbackSpeed(1.75)),
    (#""command":"rate","value":-1"#, .rate(-1)),
    (#""command":"loop""#, .loop(passes: nil)),
    (#""command":"loop","passes":null"#, .loop(passes: nil)),
    (#""command":"loop","passes":2"#, .loop(passes: 2)),
    (#""command":"loopDelay","value":0.5"#, .loopDelay(t("0.5"))),
    (#""command":"subtitles","language":"en""#, .subtitles("en")),
    (#""command":"subtitles","language":"off""#, .subtitles("off")),
    (#""command":"subtitles","language":null"#, .subtitles(nil)),
    (#""command":"audioTrack","languageCode":"de""#, .audioTrack(languageCode: "de")),
    (#""command":"brightness","value":-0.25"#, .brightness(-0.25)),
    (#""command":"contrast","value":2"#, .contrast(2)),
    (
      #""command":"filter","name":"CIGaussianBlur","parameters":{"inputRadius":4},"clear":true"#,
      .filter(FilterDescription("CIGaussianBlur", ["inputRadius": 4]), clear: true)
    ),
    (
      #""command":"addVector","id":"box","rect":[1,2,3,4],"fill":"white","clear":true"#,
      .addVector(box, clear: true)
    ),
    (#""command":"gravity","value":"resize""#, .gravity(.resize)),
  ]

  @Test("every command of the contract has a JSON form", arguments: jsonMembers)
  func jsonForms(members: String, expected: PlayerCommand) throws {
    for time in ["1.5", "15e-1", "1.5E0", "\"3/2\"", "\"0:01.5\""] {
      let script = try Script(parsing: "{\"time\": \(time), \(members)}")
      #expect(script.entries == [ScriptEntry(time: t("1.5"), command: expected, line: 1)])
    }
  }

  @Test("both lists above hold every command there is", arguments: ScriptLine.commandNames)
  func formsAreComplete(name: String) {
    #expect(Self.textLines.contains { $0.0.split(separator: " ").first.map(String.init) == name })
    #expect(Self.jsonMembers.contains { $0.0.hasPrefix("\"command\":\"\(name)\"") })
  }

  @Test(
    "what is misspelt is told with what it may have been meant to be",
    arguments: [
      ("1 plya", "did you mean \"play\"?"), ("1 Play", "did you mean \"play\"?"),
      ("1 seeek 3", "did you mean \"seek\"?"), ("1 unlop", "did you mean \"unloop\"?"),
      (#"{"time":1,"command":"playbackspeed","value":1}"#, "did you mean \"playbackSpeed\"?"),
      ("1 gravity resizeaspectfil", "did you mean \"resizeAspectFill\"?"),
      ("1 gravity contain", "known: resizeAspect, resizeAspectFill, resize"),
      ("1 addVector x rect=0,0,1,1 fil=red", "did you mean \"fill\"?"),
      ("1 seek 3 plai=true", "did you mean \"play\"?"),
      ("1 fly", "known: idle, play, pause, begin, end, "),
    ])
  func hints(line: String, advice: String) {
    do {
      _ = try Script(parsing: line)
      Issue.record("\(line) was taken")
    } catch {
      #expect(error.advice.hasPrefix(advice), "\(error)")
      #expect(error.description.contains(advice))
    }
  }

  @Test("a byte order mark at the start is no part of the script")
  func byteOrderMark() throws {
    #expect(try Script(parsing: "\u{FEFF}0 play\n1 pause").entries.map(\.line) == [1, 2])
    #expect(try Script(parsing: "\u{FEFF}# a comment\n").entries.isEmpty)
    #expect(throws: MediaError.self) { try Script(parsing: "0 play\n\u{FEFF}1 pause") }
  }

  @Test("filters take numbers, vectors, colours, texts and data")
  func filterValues() throws {
    let line =
      #"filter CITest a=4 b=[1,2.5,-3] c=#ff0000 d=rgba(0,0.5,1,0.25) e="two words" f=0x00ff10 g=word"#
    #expect(
      try command(line)
        == .filter(
          FilterDescription(
            "CITest",
            [
              FilterParameter("a", .number(4)), FilterParameter("b", .vector([1, 2.5, -3])),
              FilterParameter("c", .color(RGBAColor(red: 1, green: 0, blue: 0))),
              FilterParameter("d", .color(RGBAColor(red: 0, green: 0.5, blue: 1, alpha: 0.25))),
              FilterParameter("e", .string("two words")),
              FilterParameter("f", .data([0, 255, 16])),
              FilterParameter("g", .string("word")),
            ]), clear: false))
    #expect(
      try command("filter CISepiaTone clear")
        == .filter(FilterDescription("CISepiaTone"), clear: true))
  }

  @Test("a filter's description can be read back")
  func filterDescription() throws {
    let filter = FilterDescription(
      "CITest",
      [
        FilterParameter("a", .number(0.1)), FilterParameter("b", .vector([1, 2])),
        FilterParameter("c", .color(RGBAColor(red: 0.1, green: 0.2, blue: 0.3, alpha: 0.4))),
        FilterParameter("d", .data([1, 254])), FilterParameter("e", .string("x y")),
      ])
    #expect(try command("filter " + filter.description) == .filter(filter, clear: false))
  }

  @Test("overlays have shapes and all their properties")
  func overlays() throws {
    let line =
      #"addVector logo path="M 0 0 L 10,0 h5 V10 q1 1 2 2 C 0 0 1 1 2 2 l1 1z" fill=#00ff0080 stroke=white width=2 cap=round join=bevel miterLimit=4 dash=4,2 phase=1 opacity=0.5 transform=1,0,0,1,5,6 rule=evenOdd units=fraction clear"#
    guard case .addVector(let layer, clear: true) = try command(line),
      let shape = layer.shapes.first
    else {
      Issue.record("no overlay")
      return
    }
    #expect(layer.id == "logo" && layer.shapes.count == 1)
    #expect(
      shape.path == [
        .move(Point(x: 0, y: 0)), .line(Point(x: 10, y: 0)), .line(Point(x: 15, y: 0)),
        .line(Point(x: 15, y: 10)),
        .quadCurve(control: Point(x: 16, y: 11), end: Point(x: 17, y: 12)),
        .cubicCurve(
          control1: Point(x: 0, y: 0), control2: Point(x: 1, y: 1), end: Point(x: 2, y: 2)),
        .line(Point(x: 3, y: 3)), .close,
      ])
    #expect(shape.fill == RGBAColor(red: 0, green: 1, blue: 0, alpha: 128.0 / 255))
    #expect(shape.stroke == .white && shape.lineWidth == 2 && shape.lineCap == .round)
    #expect(shape.lineJoin == .bevel && shape.miterLimit == 4 && shape.dashPattern == [4, 2])
    #expect(shape.dashPhase == 1 && shape.opacity == 0.5 && shape.fillRule == .evenOdd)
    #expect(shape.transform == .translation(x: 5, y: 6) && shape.units == .fractionOfBounds)
    let plain = try command("addVector box rect=1,2,3,4 fill=red")
    guard case .addVector(let box, clear: false) = plain else { return }
    #expect(
      box.shapes.first?.path == ShapeDescription.rectangle(Rect(x: 1, y: 2, width: 3, height: 4)))
    let json = try Script(
      parsing: #"{"time":0,"command":"addVector","id":"box","rect":[1,2,3,4],"fill":"red"}"#)
    #expect(json.entries.first?.command == plain)
  }

  @Test("commands of one time stay in their order, others are sorted")
  func order() throws {
    let script = try Script(
      parsing: """
        # a scenario
        2   pause

        0   play
        2   seek 1
        \t1.5 mute
        """)
    #expect(script.entries.map(\.command) == [.play, .mute, .pause, .seek(to: 1, play: true)])
    #expect(script.entries.map(\.line) == [4, 6, 2, 5])
    #expect(try Script(parsing: "").entries.isEmpty)
    #expect(try Script(parsing: "0 play\r\n1 pause\r\n").entries.count == 2)
  }

  @Test(
    "what is no command is an error with its line",
    arguments: [
      "1", "1 fly", "x play", "-1 play", "1 play now", "1 seek", "1 seek x", "1 seek 1 maybe",
      "1 volume", "1 volume loud", "1 volume nan", "1 volume inf", "1 loop 0", "1 loop -2",
      "1 loop x",
      "1 loopDelay -1", "1 gravity up", "1 filter", "1 filter A b", "1 filter A b=#12",
      "1 filter A b=0x1",
      "1 filter A b=\"open", "1 filter A b=[1,2", "1 filter A b=[1,x]", "1 filter A b=rgba(1,2)",
      "1 addVector", "1 addVector x", "1 addVector x rect=1,2", "1 addVector x rect=a,b,c,d",
      "1 addVector x path=L1", "1 addVector x path=\"M 1\"", "1 addVector x path=\"M 1 1 X\"",
      "1 addVector x rect=0,0,1,1 width=-1", "1 addVector x rect=0,0,1,1 cap=flat",
      "1 addVector x rect=0,0,1,1 units=em", "1 addVector x rect=0,0,1,1 transform=1,2",
      "1 addVector x rect=0,0,1,1 fill=mauve", "1 addVector x rect=0,0,1,1 dash=-1", "1 mute=1",
      "=1 play", "1e play", "1e99 play", "1:2e1 play", "1/3e1 play", "1 seek 1e40", "1 seek 1e-40",
      "{", "{}", "[1]", #"{"time":1}"#, #"{"time":-1,"command":"play"}"#, #"{"command":"play"}"#,
      #"{"time":1,"command":"play","now":true}"#, #"{"time":1,"command":"seek","to":[1,"x"]}"#,
      #"{"time":1,"command":"seek","to":{"a":1}}"#, #"{"time":1,"command":"play"} x"#,
      #"{"time":01,"command":"play"}"#, #"{"time":1,"command":"pl"#,
      "{\"time\":1,\"command\":\"seek\",\"to\":" + String(repeating: "[", count: 100),
    ])
  func errors(line: String) {
    do {
      _ = try Script(parsing: "0 play\n# comment\n" + line)
      Issue.record("\(line) was taken")
    } catch {
      #expect(error.place == .line(3), "\(error)")
      #expect(error.family == .damaged && !error.description.isEmpty)
    }
  }

  @Test("random bytes never trap the parser, and what it takes it takes again")
  func randomTexts() {
    let seed: UInt64 = 0x5C21
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "0", "1.5", "play", "seek", "filter", "CIBlur", "a=1", "[1,2]", "\"q\"", "{", "}",
      "\"time\":1", ",",
      "\"command\":\"play\"", "#", "addVector", "x", "rect=0,0,1,1", "path=\"M0 0", "L 1 1\"", "\\",
      "\u{0}",
      "é", "loop", "-", "/", ":", "=", "clear", " ", "\n", "\t", "1e5", "nan",
    ]
    var taken = 0
    for _ in 0..<20_000 {
      let text = (0..<random.int(in: 1...8)).map { _ in
        pieces[random.int(in: 0...pieces.count - 1)] + (random.one(in: 2) ? " " : "")
      }.joined()
      if let script = try? Script(parsing: text) {
        taken += 1
        #expect((try? Script(parsing: text)) == script, "seed \(seed): \(text)")
      }
    }
    #expect(taken > 500)
  }
}

@Suite struct JSONTests {
  @Test("texts are read with their escapes, numbers as they are written")
  func values() throws {
    #expect(
      try JSONValue(parsing: " [1, -2.50e+3, true, null, \"a\\n\\u00e9\\ud83d\\ude00\\\"\"] ")
        == .array([.number("1"), .number("-2.50e+3"), .bool(true), .null, .string("a\né😀\"")]))
    #expect(
      try JSONValue(parsing: "{\"a\":{},\"a\":[]}")
        == .object([.init(name: "a", value: .object([])), .init(name: "a", value: .array([]))]))
    #expect(try JSONValue(parsing: "\"\\ud83d\"") == .string("\u{FFFD}"))
  }

  @Test(
    "what is no JSON is refused",
    arguments: [
      "", "tru", "01", "1.", ".5", "-", "1e", "\"a", "\"\\x\"", "\"\\u12\"", "[1,]", "{\"a\"}",
      "{a:1}",
      "[1 2]", "1 2", "\"\u{1}\"", "nul", "+1", "\"\\u+123\"",
    ])
  func faults(text: String) {
    #expect(throws: MediaError.self) { try JSONValue(parsing: text) }
  }

  @Test("objects are written with escapes and exact times")
  func writing() {
    var object = JSONObject()
    object.set("text", "a\"b\\\n\u{1}é")
    object.set("time", t("1001/30000"))
    object.set("half", t("0.5"))
    object.set("nan", Double.nan)
    object.set("float", Float(0.3))
    #expect(
      object.line
        == #"{"text":"a\"b\\\n\u0001é","time":0.033366667,"timeExact":"1001/30000","half":0.5,"nan":null,"float":0.3}"#
    )
  }

  @Test("a log line has instant, item, pass, item time and event")
  func logLine() {
    var bench = Bench(VideoSettings(name: "a", loop: true, events: []))
    bench.advance(to: 10)
    let log = bench.takeLog()
    #expect(
      log.last?.json
        == #"{"host":10,"item":1,"pass":1,"itemTime":0,"event":"loopCountChanged","loopCount":1}"#)
    for entry in log { #expect(throws: Never.self) { try JSONValue(parsing: entry.json) } }
  }
}
