internal import ReelCore
internal import ReelTestSupport
internal import Testing

@testable internal import ReelImaging

/// Letters that are boxes, half an em wide and half an em high; those of bold text are an em wide.
private final class BoxOutliner: TextOutliner {
  private(set) var lines: [(texts: [String], isRightToLeft: Bool)] = []

  func outlines(
    _ spans: [OutlineSpan], isRightToLeft: Bool
  ) throws(MediaError) -> (parts: [TextOutline], length: Double) {
    lines.append((spans.map(\.text), isRightToLeft))
    var x = 0.0
    var parts: [TextOutline] = []
    for (number, span) in spans.enumerated() {
      let start = x
      var path: [PathElement] = []
      for character in span.text {
        let width = span.size * (span.isBold ? 1 : 0.5)
        if character != " " {
          path += ShapeDescription.rectangle(
            Rect(x: x, y: -span.size / 2, width: width, height: span.size / 2))
        }
        x += width
      }
      parts.append(TextOutline(span: number, path: path, start: start, end: x))
    }
    return (parts, x)
  }

  func metrics(of span: OutlineSpan) -> OutlineMetrics {
    OutlineMetrics(ascent: span.size, descent: span.size / 4, xHeight: span.size / 2)
  }
}

@Suite("SVG text")
struct SVGTextTests {
  /// The shapes of a document's body.
  private static func shapes(_ body: String) throws -> [ShapeDescription] {
    func flat(_ layers: [OverlayLayer]) -> [ShapeDescription] {
      layers.flatMap { layer -> [ShapeDescription] in
        switch layer {
        case .shape(let shape): [shape]
        case .group(let inner, _, _): flat(inner)
        default: []
        }
      }
    }
    return flat([try image(body).layer(in: Rect(x: 0, y: 0, width: 200, height: 100))])
  }

  private static func image(
    _ body: String, _ outliner: (any TextOutliner)? = BoxOutliner()
  ) throws -> SVGImage {
    try SVGImage(
      Array("<svg width='200' height='100' font-size='10'>\(body)</svg>".utf8), outliner: outliner)
  }

  /// Left, top, width and height of each shape.
  private static func boxes(_ body: String) throws -> [[Double]] {
    try shapes(body).map { shape in
      let box = ShapeDescription.bounds(
        of: ShapeDescription.transformed(shape.path, by: shape.transform))
      return [box.origin.x, box.origin.y, box.size.width, box.size.height].map {
        ($0 * 1e6).rounded() / 1e6
      }
    }
  }

  @Test("stands with its baseline at its place, and grows with its size")
  func places() throws {
    #expect(try Self.boxes("<text x='20' y='50'>abc</text>") == [[20, 45, 15, 5]])
    #expect(try Self.boxes("<text x='10%' y='2em'>abc</text>") == [[20, 15, 15, 5]])
    #expect(try Self.boxes("<text font-size='200%' y='50'>ab</text>") == [[0, 40, 20, 10]])
    #expect(
      try Self.boxes("<text style='font:bold 4px/1 serif' y='9'>ab</text>") == [[0, 7, 8, 2]])
    #expect(
      try Self.boxes("<g transform='translate(5 5) scale(2)'><text x='1' y='9'>a</text></g>")
        == [[7, 13, 10, 10]])
    #expect(
      try Self.boxes("<text id='t' y='9'>a</text><use href='#t' x='50'/>")
        == [[0, 4, 5, 5], [50, 4, 5, 5]])
  }

  @Test(
    "begins, ends or has its middle at its place",
    arguments: [("start", 50.0), ("middle", 42.5), ("end", 35)])
  func anchors(anchor: String, left: Double) throws {
    #expect(
      try Self.boxes("<text x='50' y='50' text-anchor='\(anchor)'>abc</text>")
        == [[left, 45, 15, 5]])
    // Text from right to left begins at its right end.
    let mirrored = 85 - left
    #expect(
      try Self.boxes("<text x='50' y='50' direction='rtl' text-anchor='\(anchor)'>abc</text>")
        == [[mirrored, 45, 15, 5]])
    // All up to the next place of its own counts, whatever its looks.
    let parts = try Self.boxes(
      "<text x='50' y='50' text-anchor='\(anchor)'>a<tspan font-weight='700'>b</tspan>"
        + "<tspan x='100' y='60'>c</tspan></text>")
    #expect(
      parts == [
        [left, 45, 5, 5], [left + 5, 45, 10, 5], [100 - (50 - left) / 3, 55, 5, 5],
      ])
  }

  @Test("lists of places and shifts are for letters, those of inner elements first")
  func lists() throws {
    #expect(
      try Self.boxes("<text x='10 40,70' y='50 60'>abcd</text>")
        == [[10, 45, 5, 5], [40, 55, 5, 5], [70, 55, 10, 5]])
    #expect(
      try Self.boxes("<text x='10' y='50' dx='1 2' dy='0 3'>abcd</text>")
        == [[11, 45, 5, 5], [18, 48, 15, 5]])
    #expect(
      try Self.boxes("<text x='10' y='50' dx='1 2 3'>a<tspan dx='9'>b</tspan>c</text>")
        == [[11, 45, 5, 5], [25, 45, 5, 5], [33, 45, 5, 5]])
    // Letters from right to left are shifted to the left, others to the right wherever they stand.
    #expect(
      try Self.boxes("<text x='50' y='50' direction='rtl' dx='0 4'>\u{5D0}\u{5D1}</text>")
        == [[45, 45, 5, 5], [36, 45, 5, 5]])
    #expect(
      try Self.boxes("<text x='50' y='50' direction='rtl' dx='0 4'>ab</text>")
        == [[36, 45, 5, 5], [45, 45, 5, 5]])
    #expect(
      try Self.boxes("<text y='50' letter-spacing='.2em' word-spacing='1'>ab c</text>")
        == [[0, 45, 5, 5], [7, 45, 5, 5], [22, 45, 5, 5]])
  }

  @Test("letters from right to left keep together, whatever the spacing")
  func leftward() throws {
    let outliner = BoxOutliner()
    let image = try Self.image(
      "<text letter-spacing='2'>a \u{5D0}\u{5D1} 12<tspan x='90'>bc</tspan></text>", outliner)
    #expect(outliner.lines.map(\.texts) == [["a \u{5D0}\u{5D1} 12"], ["b"], ["c"]])
    #expect(image.unsupported == ["spacing of text from right to left"])
  }

  @Test("blanks and line ends are one blank each, and none at the ends, unless they are kept")
  func blanks() throws {
    func texts(_ body: String) throws -> [String] {
      let outliner = BoxOutliner()
      _ = try Self.image(body, outliner)
      return outliner.lines.flatMap(\.texts)
    }
    #expect(
      try texts("<text>\n  a\t b \n<tspan> c</tspan>\r\n d \n</text>") == ["a b ", "c", " d"])
    #expect(try texts("<text xml:space='preserve'> a\n b </text>") == [" a  b "])
    #expect(try texts("<text>  </text>").isEmpty)
    #expect(try texts("<text>a<title>no</title><desc>no</desc>b</text>") == ["ab"])
    #expect(try texts("<text>a<tspan display='none'>no</tspan>b</text>") == ["ab"])
    #expect(try texts("<text>&lt;<![CDATA[&]]></text>") == ["<&"])
  }

  @Test(
    "baselines move it by the heights of its font",
    arguments: [
      ("dominant-baseline='middle'", 47.5), ("dominant-baseline='central'", 48.75),
      ("dominant-baseline='hanging'", 53), ("dominant-baseline='text-before-edge'", 55),
      ("dominant-baseline='text-after-edge'", 42.5), ("baseline-shift='super'", 41.666667),
      ("baseline-shift='sub'", 47), ("baseline-shift='3'", 42), ("baseline-shift='10%'", 44),
    ])
  func baselines(attribute: String, top: Double) throws {
    #expect(
      try Self.boxes("<text y='50'><tspan \(attribute)>a</tspan></text>") == [[0, top, 5, 5]])
  }

  @Test("lines are as long as their letters")
  func decorations() throws {
    let thick = 10.0 / 18
    for (name, top) in [
      ("underline", 1.0), ("overline", -10), ("line-through", -2.5 - thick / 2),
    ] {
      let shape = try #require(
        try Self.shapes("<text x='20' y='50' text-decoration='\(name)'> a b </text>").first)
      // Two letters and a line: three rectangles of five elements.
      #expect(shape.path.count == 15)
      let line = ShapeDescription.bounds(of: Array(shape.path.suffix(5)))
      #expect(line.origin.x == 20 && line.size.width == 15)
      #expect(abs(line.origin.y - 50 - top) < 1e-9 && abs(line.size.height - thick) < 1e-9)
    }
  }

  @Test("fills and strokes are those of its parts; gradients are over all of it")
  func paints() throws {
    let shapes = try Self.shapes(
      "<linearGradient id='g'><stop stop-color='red'/><stop offset='1' stop-color='blue'/>"
        + "</linearGradient><text y='50' fill='url(#g)' stroke='lime' stroke-width='2'>ab"
        + "<tspan fill='#fff' stroke='none'>c</tspan>d</text>")
    #expect(shapes.count == 3)
    // From the box of the whole text to the unit square.
    for shape in [shapes[0], shapes[2]] {
      let map = try #require(shape.fillGradient?.transform)
      #expect(map.a == 20 && map.tx == 0 && map.d == 5 && map.ty == 45)
    }
    #expect(shapes[0].stroke == RGBAColor(css: "lime") && shapes[0].lineWidth == 2)
    #expect(shapes[1].fill == .white && shapes[1].stroke == nil)
  }

  @Test("what is not drawn is told; without fonts that is all of it")
  func unsupported() throws {
    #expect(try Self.image("<text>a</text>", nil).unsupported == ["text"])
    let image = try Self.image(
      "<text rotate='9' textLength='3'>a<textPath href='#p'>b</textPath>"
        + "<tspan opacity='.5'>c</tspan></text>")
    #expect(
      image.unsupported == [
        "opacity or clip-path of a part of text", "rotate of text", "textLength of text",
        "textPath in text",
      ])
  }

  @Test("texts without end are an error, and any numbers do no harm")
  func hostile() throws {
    func isTooLarge(_ body: String) -> Bool {
      do throws(any Error) { _ = try Self.image(body) } catch {
        return (error as? MediaError)?.rule == .svgSize
      }
      return false
    }
    let long = String(repeating: "a", count: 19_000)
    #expect(!isTooLarge("<text id='t'>\(long)</text>"))
    #expect(isTooLarge("<text>\(long)\(long)</text>"))
    #expect(
      isTooLarge("<text id='t'>\(long)</text>" + String(repeating: "<use href='#t'/>", count: 3)))
    let numbers = ["NaN", "1e999", "-1e15", "1e15", "0", "-1", "1e-300", "%", "99999999em", ""]
    for number in numbers {
      for name in [
        "x", "y", "dx", "dy", "font-size", "letter-spacing", "word-spacing", "baseline-shift",
        "stroke-width", "font",
      ] {
        let image = try Self.image("<text \(name)='\(number)' fill='red'>ab c</text>")
        var drawing = OverlayDrawing(bounds: SampleRect(x: 0, y: 0, width: 20, height: 20))
        do throws(any Error) {
          try drawing.draw([image.layer(in: Rect(x: 0, y: 0, width: 20, height: 20))])
        } catch { #expect(error is MediaError) }
      }
    }
  }
}
