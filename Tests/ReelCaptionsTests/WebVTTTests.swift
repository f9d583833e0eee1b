internal import ReelCore
internal import ReelTestSupport
internal import Testing

@testable internal import ReelCaptions

/// A cue's tree in words: `b.x(text)`.
func words(_ nodes: [CueNode]) -> String {
  nodes.map { node in
    switch node {
    case .text(let text): text
    case .timestamp(let time): "<\(Int((time.seconds * 1000).rounded()))>"
    case .element(let e):
      ([e.kind.rawValue] + e.classes).joined(separator: ".")
        + (e.annotation.isEmpty ? "" : "[\(e.annotation)]") + "(\(words(e.children)))"
    }
  }.joined()
}

func parse(_ text: String) throws -> WebVTTFile {
  try WebVTTFile(parsing: Array(text.utf8))
}

@Suite("WebVTT")
struct WebVTTTests {
  @Test(
    "cue texts become trees",
    arguments: [
      ("plain", "plain"), ("<b>a</b>c", "b(a)c"), ("<i.x.y>a<u>b", "i.x.y(au(b))"),
      ("<v Fred Smith>hi", "v[Fred Smith](hi)"),
      ("<v.loud  Fred\n Smith >x</v>y", "v.loud[Fred Smith](x)y"),
      ("<ruby>a<rt>b</ruby>c", "ruby(art(b))c"), ("<rt>a</rt>", "a"), ("a</b>c", "ac"),
      ("<b>a</i>c</b>d", "b(ac)d"), ("<x>a</x>", "a"), ("a < b", "a "), ("<00:01.500>x", "<1500>x"),
      ("<00:99.000>x", "x"), ("<lang en-GB>x", "lang[en-GB](x)"),
      ("&lt;b&gt; &amp; &nbsp;", "<b> & \u{A0}"),
      ("&bogus; &#65;&#x42; &#0;", "&bogus; AB &#0;"), ("a&", "a&"),
      ("<c.yellow.bg_blue>x", "c.yellow.bg_blue(x)"),
      ("<", ""), ("<b", "b()"), ("</", ""), ("<b.>x", "b(x)"),
    ])
  func trees(text: String, expected: String) throws {
    let file = try parse("WEBVTT\n\n00:00.000 --> 00:01.000\n\(text)\n")
    #expect(words(file.cues[0].content) == expected)
  }

  @Test("styles of sheets reach the parts they name, stronger selectors over weaker")
  func styles() throws {
    let file = try parse(
      """
      WEBVTT

      STYLE
      @charset "UTF-8"; @import url("a;{b.css") print;
      /* comment { */
      ::cue { color: white; background-color: rgba(0,0,0,50%) }
      ::cue(b) { color: peachpuff; }
      ::cue(.loud) { font-size: 150%; color: #f00 !important }
      ::cue(v[voice="Esme"]), ::cue(#first i) { color: cyan; font-style: normal }
      @media print { ::cue { color: red } }
      @namespace svg url(http://a.example/;b);
      ::cue(b.loud) { text-decoration: underline; opacity: .5 }
      .page { color: green }

      STYLE
      ::cue(:lang(de)) { font-family: Courier, monospace }

      first
      00:00.000 --> 00:01.000
      <b>a</b><b.loud>b</b><v Esme>c</v><i>d</i><lang de-AT>e</lang>

      """)
    guard case .element(let root)? = file.cues[0].content.first else {
      Issue.record("no root")
      return
    }
    #expect(root.style.color == .white && root.style.background?.alpha == 0.5)
    let parts = root.children.compactMap { node -> CueElement? in
      if case .element(let e) = node { e } else { nil }
    }
    #expect(parts[0].style.color == RGBAColor(css: "peachpuff"))
    #expect(parts[1].style.color == RGBAColor(css: "red") && parts[1].style.isUnderlined == true)
    #expect(parts[1].style.fontSize == .relative(1.5) && parts[1].style.opacity == 0.5)
    #expect(parts[2].style.color == RGBAColor(css: "cyan"))
    #expect(parts[3].style.color == RGBAColor(css: "cyan") && parts[3].style.isItalic == false)
    #expect(parts[4].style.fontFamily == .monospace)
  }

  @Test("regions are found by name, whichever comes last")
  func regions() throws {
    let file = try parse(
      """
      WEBVTT

      REGION
      id:bill
      width:40%
      lines:5 regionanchor:100%,100%
      viewportanchor:90%,90%
      scroll:up

      00:00.000 --> 00:01.000 region:bill align:right
      x

      """)
    let region = try #require(file.cues[0].region)
    #expect(region.width == 40 && region.lines == 5 && region.anchorX == 100)
    #expect(region.viewportAnchorY == 90 && region.scrollsUp)
    #expect(file.cues[0].settings.textAlignment == .right)
  }

  @Test("the timestamp map of HLS segments is read")
  func timestampMap() throws {
    let file = try parse("WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:01.500,MPEGTS:900000\n\n")
    #expect(file.timestampMap?.local == MediaTime(value: 1500, timescale: 1000))
    #expect(file.timestampMap?.transport == 900_000)
  }

  @Test("what is no WebVTT file is told so")
  func signature() {
    for text in ["", "WEBVT", "WEBVTTX", "\n\nWEBVTT", "{}", "webvtt"] {
      #expect(throws: MediaError.self) { _ = try parse(text) }
    }
    for text in ["WEBVTT", "WEBVTT\n", "\u{FEFF}WEBVTT", "WEBVTT title", "WEBVTT\ttitle\r\n"] {
      #expect(throws: Never.self) { _ = try parse(text) }
    }
  }

  @Test("line ends of all kinds, NUL and broken UTF-8 are taken")
  func encodings() throws {
    let bytes = Array("WEBVTT\r\r\n00:00.000 --> 00:01.000\ra\0b".utf8) + [0xFF, 0xC3, 0x0D, 0x0A]
    let file = try WebVTTFile(parsing: bytes)
    #expect(file.cues.map(\.plainText) == ["a\u{FFFD}b\u{FFFD}\u{FFFD}"])
  }

  /// Time that is far more than a parse of these files takes, and far less than one that is quadratic.
  private func soon(_ what: String, _ body: () throws -> Void) throws {
    let clock = ContinuousClock()
    let begin = clock.now
    try body()
    #expect(clock.now - begin < .seconds(20), "\(what)")
  }

  @Test("as many regions as a file can hold are found by name at once")
  func manyRegions() throws {
    let regions = (0..<200_000).map { "REGION\nid:\($0)\nwidth:\($0 % 100)%\n\n" }.joined()
    let cues = (0..<100_000).map { "00:00.000 --> 00:01.000 region:\($0)\nx\n\n" }.joined()
    try soon("regions") {
      let file = try parse("WEBVTT\n\n" + regions + "REGION\nid:7\nwidth:50%\n\n" + cues)
      #expect(file.cues[99_999].region?.width == 99 && file.cues[7].region?.width == 50)
    }
  }

  @Test(
    "styles that would take minutes to compare are an error; those of an hour of captions are not")
  func costlyStyles() throws {
    func rule(_ styles: String, _ cue: String, count: Int) throws -> Rule? {
      let cues = String(repeating: "00:00.000 --> 00:01.000\n\(cue)\n\n", count: count)
      var seen: Rule?
      try soon(cue.prefix(40) + " \(count)") {
        do {
          let file = try parse("WEBVTT\n\nSTYLE\n\(styles)\n\n\(cues)")
          #expect(file.cues.count == count)
        } catch let error as MediaError { seen = error.rule }
      }
      return seen
    }
    let many = String(repeating: "::cue(b){color:red}", count: 1_000)
    let tags = String(repeating: "<b>x</b>", count: 5_000)
    #expect(try rule(many, tags, count: 100) == .captionStyles)
    let deep = String(repeating: "b ", count: 15)
    let deepRules = String(repeating: "::cue(\(deep)i){color:red}", count: 1_000)
    let nest = String(repeating: "<b>", count: 31) + String(repeating: "<i>x</i>", count: 5_000)
    #expect(try rule(deepRules, nest, count: 100) == .captionStyles)
    let classes = (0..<5_000).map { ".c\($0)" }.joined()
    let classRules = String(repeating: "::cue(\(classes)){color:red}", count: 8)
    #expect(try rule(classRules, "<c\(classes)>x</c>", count: 100) == .captionStyles)
    let languages = String(repeating: "::cue(:lang(a)){color:red}", count: 1_000)
    let nested = String(repeating: "<b>", count: 31) + String(repeating: "<i>x</i>", count: 5_000)
    #expect(try rule(languages, nested, count: 100) == .captionStyles)
    let usual = (0..<100).map { "::cue(.a\($0)){color:red}" }.joined()
    #expect(try rule(usual, "<c.a7><b>x</b> <i>y</i></c>", count: 3_600) == nil)
  }

  @Test("hostile files end in an error or in cues, in time that grows with their length")
  func hostile() throws {
    let head = "WEBVTT\n\n00:00.000 --> 00:01.000\n"
    // Ten megabytes of nested tags in cues of 60 KB.
    var nested = "WEBVTT\n"
    let tags = String(repeating: "<b>", count: 20_000)
    while nested.utf8.count < 10_000_000 { nested += "\n00:00.000 --> 00:01.000\n\(tags)x\n" }
    try soon("nested tags") {
      let file = try parse(nested)
      #expect(file.cues.count > 100 && file.cues[0].plainText == "x")
    }
    #expect(throws: MediaError.self) {
      _ = try parse(head + String(repeating: "x", count: 10_000_000))
    }
    let many = String(repeating: "00:00.000 --> 00:01.000\nx\n\n", count: 100_001)
    #expect(throws: MediaError.self) { _ = try parse("WEBVTT\n\n" + many) }
    let digits = String(repeating: "9", count: 500_000)
    // What there is of each: cues and their text.
    let files: [(String, [String])] = [
      (head + String(repeating: "&", count: 60_000), [String(repeating: "&", count: 60_000)]),
      (head + String(repeating: "<", count: 60_000), [""]),
      ("WEBVTT\n\nSTYLE\n" + String(repeating: "::cue(b){color:red}\n", count: 20_000), []),
      ("WEBVTT\n\nSTYLE\n" + String(repeating: "{", count: 200_000), []),
      ("WEBVTT\n\n" + String(repeating: "-->", count: 1_000_000), []),
      ("WEBVTT\n\n\(digits):00:00.000 --> 00:01.000 line:\(digits) size:\(digits)%\nx\n", []),
    ]
    for (text, expected) in files {
      try soon(String(text.prefix(60))) {
        let cues = try parse(text).cues
        #expect(cues.map(\.plainText) == expected)
      }
    }
    // Damage everywhere.
    var generator = SeededGenerator(seed: 77)
    let sample = Array(
      """
      WEBVTT
      Region: id=a width=40%

      STYLE
      ::cue(v[voice="E"] .a) { color: rgb(1,2,3); font: bold 12px/1 x }

      REGION
      id:b

      id
      00:01.000 --> 00:02.000 line:10%,end position:20%,line-left region:b vertical:rl
      <v.a E>x &amp; <ruby>y<rt>z</rt></ruby><00:01.500>

      """.utf8)
    for _ in 0..<20_000 {
      var damaged = sample
      for _ in 0..<generator.int(in: 1...4) {
        let at = generator.int(in: 0...damaged.count - 1)
        switch generator.int(in: 0...2) {
        case 0: damaged[at] = UInt8(generator.int(in: 0...255))
        case 1: damaged.remove(at: at)
        default: damaged.insert(contentsOf: sample.prefix(generator.int(in: 0...30)), at: at)
        }
      }
      _ = try? WebVTTFile(parsing: damaged)
    }
  }
}
