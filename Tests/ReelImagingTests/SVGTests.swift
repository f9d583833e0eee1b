internal import Foundation
internal import ReelCore
internal import ReelTestSupport
internal import Testing

@testable internal import ReelImaging

private func svg(_ body: String, _ attributes: String = "width=\"40\" height=\"40\"") throws
  -> SVGImage
{
  try SVGImage(
    Array("<svg xmlns=\"http://www.w3.org/2000/svg\" \(attributes)>\(body)</svg>".utf8))
}

/// The drawing in a canvas of its own size, or of `size`.
private func drawn(_ image: SVGImage, size: Int = 40) throws -> Canvas {
  var drawing = OverlayDrawing(bounds: SampleRect(x: 0, y: 0, width: size, height: size))
  try drawing.draw([
    image.layer(in: Rect(x: 0, y: 0, width: Double(size), height: Double(size)))
  ])
  return drawing.canvas
}

private func isColour(_ p: SIMD4<Float>, _ r: Float, _ g: Float, _ b: Float, _ a: Float = 1) -> Bool
{
  abs(p.x - r * a) < 0.01 && abs(p.y - g * a) < 0.01 && abs(p.z - b * a) < 0.01
    && abs(p.w - a) < 0.01
}

@Suite("XML")
struct XMLTests {
  @Test("gives elements, attributes and text, with references and prefixes resolved")
  func tree() throws {
    let text = """
      <?xml version="1.0"?><!DOCTYPE a [ <!ENTITY x "y>"> ]><!-- no -->
      <p:a k='1 &lt; &#x32;&#51;' xlink:href="#z"><b/>t&amp;<![CDATA[<u>]]></p:a>
      """
    let root = try XMLReader.read(Array(text.utf8))
    #expect(root.name == "a" && root["k"] == "1 < 23" && root["href"] == "#z")
    #expect(root.children.map(\.name) == ["b"] && root.texts.map(\.text) == ["t&", "<u>"])
    #expect(root.texts.map(\.place) == [1, 1])
  }

  @Test(
    "refuses what is not well formed",
    arguments: [
      "", "<a>", "<a></b>", "<a b></a>", "<a b=c/>", "<a b='1", "<a>&nope;</a>", "<a/><b/>",
      "x<a/>",
      "<a><![CDATA[", "<!--", "<a>&#xD800;</a>", "<!DOCTYPE a [", "<a b='<'/>", "</a>", "<>",
    ])
  func damaged(text: String) {
    #expect(throws: MediaError.self) { try XMLReader.read(Array(text.utf8)) }
  }

  @Test("keeps its limits")
  func limits() {
    let deep = String(repeating: "<a>", count: 100_000)
    #expect(throws: MediaError.self) { try XMLReader.read(Array(deep.utf8)) }
    let many = "<a>" + String(repeating: "<b/>", count: 60_000) + "</a>"
    #expect(throws: MediaError.self) { try XMLReader.read(Array(many.utf8)) }
    let wide = "<a " + (0..<1000).map { "k\($0)='1'" }.joined(separator: " ") + "/>"
    #expect(throws: MediaError.self) { try XMLReader.read(Array(wide.utf8)) }
    let large = [UInt8](repeating: 0x20, count: XMLReader.mostBytes + 1)
    #expect(throws: MediaError.self) { try XMLReader.read(large) }
  }
}

@Suite("SVG path data")
struct SVGPathTests {
  private func path(_ text: String) throws -> [PathElement] {
    try SVGPathData.parse(text).elements
  }

  @Test("takes all commands, absolute and relative, in the shortest writing")
  func commands() throws {
    func p(_ x: Double, _ y: Double) -> Point { Point(x: x, y: y) }
    #expect(
      try path("M1,2 3 4L5-6 H.5.5V1e1z")
        == [
          .move(p(1, 2)), .line(p(3, 4)), .line(p(5, -6)), .line(p(0.5, -6)), .line(p(0.5, -6)),
          .line(p(0.5, 10)), .close,
        ].enumerated().filter { $0.offset != 4 || true }.map(\.element))
    #expect(
      try path("m1 1l1 0 0 1h-1v-1zm5 5") == [
        .move(p(1, 1)), .line(p(2, 1)), .line(p(2, 2)), .line(p(1, 2)), .line(p(1, 1)), .close,
        .move(p(6, 6)),
      ])
    #expect(
      try path("M0 0C0 1 2 1 2 0S4-1 4 0") == [
        .move(.zero), .cubicCurve(control1: p(0, 1), control2: p(2, 1), end: p(2, 0)),
        .cubicCurve(control1: p(2, -1), control2: p(4, -1), end: p(4, 0)),
      ])
    #expect(
      try path("M0 0q1 2 2 0t2 0") == [
        .move(.zero), .quadCurve(control: p(1, 2), end: p(2, 0)),
        .quadCurve(control: p(3, -2), end: p(4, 0)),
      ])
  }

  @Test("arcs lie on their ellipse and end where they should, by the formula")
  func arcs() throws {
    var generator = SeededGenerator(seed: 8)
    for _ in 0..<300 {
      let (rx, ry) = (
        Double.random(in: 5...40, using: &generator), Double.random(in: 5...40, using: &generator)
      )
      let phi = Double.random(in: -180...180, using: &generator) * .pi / 180
      let (from, sweep) = (
        Double.random(in: 0...(2 * .pi), using: &generator),
        Double.random(in: -6...6, using: &generator)
      )
      func at(_ t: Double) -> (Double, Double) {
        let (x, y) = (rx * cos(t), ry * sin(t))
        return (50 + x * cos(phi) - y * sin(phi), 60 + x * sin(phi) + y * cos(phi))
      }
      let (a, b) = (at(from), at(from + sweep))
      let large = abs(sweep) > .pi
      let text =
        "M\(a.0) \(a.1)A\(rx) \(ry) \(phi * 180 / .pi) \(large ? 1 : 0)\(sweep > 0 ? 1 : 0)\(b.0) \(b.1)"
      let flat = try FlatPath(try path(text), tolerance: 1e-3)
      // Radii that just reach may be blown up a little.
      for (i, point) in flat.subpaths[0].points.enumerated() where abs(abs(sweep) - .pi) > 0.05 {
        let t = from + sweep * Double(i) / Double(flat.subpaths[0].points.count - 1)
        _ = t
        let (dx, dy) = (point.x - 50, point.y - 60)
        let (u, v) = (dx * cos(phi) + dy * sin(phi), -dx * sin(phi) + dy * cos(phi))
        let distance = (u * u / (rx * rx) + v * v / (ry * ry)).squareRoot()
        #expect(abs(distance - 1) < 2e-3, "\(text)")
      }
      let length = zip(flat.subpaths[0].points, flat.subpaths[0].points.dropFirst()).reduce(0.0) {
        let d = $1.1 - $1.0
        return $0 + (d * d).sum().squareRoot()
      }
      var want = 0.0
      for i in 0..<2000 {
        let (p, q) = (at(from + sweep * Double(i) / 2000), at(from + sweep * Double(i + 1) / 2000))
        want += ((p.0 - q.0) * (p.0 - q.0) + (p.1 - q.1) * (p.1 - q.1)).squareRoot()
      }
      #expect(abs(length - want) < 0.01 * want + 0.05, "\(text): \(length), \(want)")
    }
  }

  @Test("stops at the first fault and keeps what came before it")
  func faults() throws {
    for text in [
      "M0 0L1 1L2", "M0 0L1 1 x", "M0 0L1 1A1 1 0 2 0 3 3", "M0 0L1 1M", "M0 0L1 1 1e999 2",
    ] {
      let result = try SVGPathData.parse(text)
      #expect(!result.isWhole && result.elements.prefix(2).count == 2, "\(text)")
    }
    #expect(try path("L1 1").isEmpty && path("").isEmpty && path("garbage").isEmpty)
    let long = "M0 0" + String(repeating: "l1 1", count: 1_000_000)
    #expect(throws: MediaError.self) { try SVGPathData.parse(long) }
  }
}

@Suite("SVG drawings")
struct SVGTests {
  @Test("draw shapes in their colours, styles and transforms")
  func shapes() throws {
    let canvas = try drawn(
      svg(
        """
        <rect width="10" height="10" fill="red"/>
        <g fill="#00f" transform="translate(20 0)"><rect width="10" height="10"/>
          <rect y="10" width="10" height="10" style="fill: lime; opacity: .5"/></g>
        <circle cx="5" cy="25" r="4" fill="currentColor" color="rgb(255,255,0)"/>
        <polygon points="20,20 30,20 30 30 20,30" fill="none" stroke="white" stroke-width="4"/>
        <rect x="35" y="35" width="5" height="5" display="none"/>
        <line x1="0" y1="38" x2="40" y2="38" stroke="aqua" stroke-width="2"/>
        """))
    #expect(isColour(canvas[5, 5], 1, 0, 0) && canvas[15, 5] == .zero)
    #expect(isColour(canvas[25, 5], 0, 0, 1) && isColour(canvas[25, 15], 0, 1, 0, 0.5))
    #expect(isColour(canvas[5, 25], 1, 1, 0) && isColour(canvas[18, 25], 1, 1, 1))
    #expect(canvas[25, 25] == .zero && canvas[38, 36] == .zero && isColour(canvas[38, 38], 0, 1, 1))
  }

  @Test("fit their viewBox as preserveAspectRatio says")
  func viewBox() throws {
    let body = "<rect width='10' height='10' fill='red'/>"
    let middle = try drawn(svg(body, "viewBox='0 0 10 20'"))
    #expect(middle[5, 5] == .zero && isColour(middle[15, 5], 1, 0, 0) && middle[15, 25] == .zero)
    let left = try drawn(svg(body, "viewBox='0 0 10 20' preserveAspectRatio='xMinYMin meet'"))
    #expect(isColour(left[5, 5], 1, 0, 0) && left[25, 5] == .zero)
    let wide = try drawn(svg(body, "viewBox='0 0 10 20' preserveAspectRatio='none'"))
    #expect(isColour(wide[38, 18], 1, 0, 0) && wide[38, 22] == .zero)
    let cut = try drawn(svg(body, "viewBox='0 0 10 20' preserveAspectRatio='xMidYMin slice'"))
    #expect(isColour(cut[38, 38], 1, 0, 0))
    #expect(try svg(body, "viewBox='0 0 10 20' width='5cm'").size.height > 377)
  }

  @Test("paint gradients in boxes and in user space, inheriting stops")
  func gradients() throws {
    let canvas = try drawn(
      svg(
        """
        <defs><linearGradient id="a"><stop offset="0" stop-color="black"/>
          <stop offset="1" stop-color="#fff"/></linearGradient>
          <linearGradient id="b" href="#a" gradientUnits="userSpaceOnUse" x1="0" y1="20" x2="0" y2="40"/>
          <radialGradient id="c" xlink:href="#a" r=".5"/></defs>
        <rect width="40" height="10" fill="url(#a)"/>
        <rect y="20" width="10" height="20" fill="url(#b)"/>
        <circle cx="30" cy="30" r="10" fill="url(#c)"/>
        <rect y="12" width="40" height="4" fill="url(#none) green"/>
        """))
    for x in stride(from: 0, to: 40, by: 5) {
      #expect(abs(canvas[x, 5].x - (Float(x) + 0.5) / 40) < 0.01)
    }
    #expect(abs(canvas[5, 35].x - 0.775) < 0.01 && abs(canvas[30, 30].x - 0.07) < 0.02)
    #expect(abs(canvas[36, 30].x - 0.65) < 0.03 && isColour(canvas[20, 14], 0, 128 / 255, 0))
  }

  @Test("read colours with blanks in the style of a stop")
  func stopStyle() throws {
    let canvas = try drawn(
      svg(
        """
        <linearGradient id="a">
          <stop style=" stop-color : rgb(0 0 255 / 50%) ; stop-opacity: 0.5 "/>
          <stop offset=" 1 " style="stop-color:rgb(0 0 255 / 50%);stop-opacity:0.5"/>
        </linearGradient>
        <rect width="40" height="40" fill="url(#a)"/>
        """))
    #expect(isColour(canvas[20, 20], 0, 0, 1, 0.25))
  }

  @Test("use symbols and cut at clip paths")
  func useAndClip() throws {
    let canvas = try drawn(
      svg(
        """
        <symbol id="s" viewBox="0 0 2 2"><rect width="1" height="1" fill="red"/></symbol>
        <use href="#s" width="20" height="20"/><use href="#s" x="20" y="20" width="20" height="20"/>
        <clipPath id="k"><circle cx="30" cy="10" r="5"/></clipPath>
        <rect x="20" width="20" height="20" fill="blue" clip-path="url(#k)"/>
        """))
    #expect(isColour(canvas[5, 5], 1, 0, 0) && canvas[15, 5] == .zero)
    #expect(isColour(canvas[25, 25], 1, 0, 0) && canvas[35, 25] == .zero)
    #expect(isColour(canvas[30, 10], 0, 0, 1) && canvas[22, 2] == .zero)
  }

  @Test("list what they do not draw")
  func unsupported() throws {
    let image = try svg(
      "<text>a</text><image/><rect width='1' height='1' filter='url(#f)'/><style>a{}</style>")
    #expect(image.unsupported == ["filter", "image", "style", "text"])
    #expect(throws: MediaError.self) { try SVGImage(Array("<html/>".utf8)) }
  }

  @Test("of hostile making end in an error or a picture, soon")
  func hostile() throws {
    // A thousand million copies in ten lines.
    let bomb = (0..<10).map { i in
      "<g id='g\(i)'>" + String(repeating: "<use href='#g\(i + 1)'/>", count: 10) + "</g>"
    }.joined()
    #expect(throws: MediaError.self) {
      try svg(bomb + "<g id='g10'><rect width='1' height='1'/></g>")
    }
    #expect(throws: MediaError.self) { try svg("<g id='a'><use href='#a'/></g>") }
    // Few shapes of many elements: each copy counts all of them.
    let long = "<path id='p' d='M0 0" + String(repeating: "h1", count: 80_000) + "'/>"
    let copies = String(repeating: "<use href='#p'/>", count: 19_000)
    func isTooLarge(_ body: String) -> Bool {
      do throws(any Error) { _ = try svg(body) } catch {
        return (error as? MediaError)?.rule == .svgSize
      }
      return false
    }
    #expect(isTooLarge(long + copies))
    #expect(isTooLarge("<g id='p'>\(long.replacing("id='p' ", with: ""))</g>" + copies))
    #expect(
      isTooLarge(
        "<clipPath id='k'>\(long)</clipPath><rect id='r' width='1' height='1' clip-path='url(#k)'/>"
          + copies.replacing("#p", with: "#r")))
    // Text without elements costs the time of reading it.
    let blanks = "<g id='p'><path d='M0 0\(String(repeating: " ", count: 400_000))'/></g>"
    #expect(isTooLarge(blanks + copies))
    // As many copies of a small shape are drawn.
    #expect(!isTooLarge("<rect id='p' width='1' height='1'/>" + copies))
    let groups =
      String(repeating: "<g opacity='.5'>", count: 20) + "<rect width='40' height='40'/>"
      + String(repeating: "</g>", count: 20)
    #expect(throws: MediaError.self) { try drawn(svg(groups)) }
    for value in ["nan", "inf", "1e999", "-5", "1e15", "99999999999999999999", "%", "1e-300"] {
      for body in [
        "<rect width='\(value)' height='9' rx='\(value)'/>",
        "<circle cx='\(value)' cy='9' r='\(value)' stroke='red' stroke-width='\(value)'/>",
        "<path d='M0 0A\(value) 9 \(value) 0 1 9 9' stroke-dasharray='\(value)'/>",
        "<g transform='scale(\(value)) rotate(\(value))'><rect width='9' height='9' stroke='red'/></g>",
        "<linearGradient id='a' x1='\(value)'><stop offset='\(value)'/><stop/></linearGradient>"
          + "<rect width='9' height='9' fill='url(#a)'/>",
      ] {
        do throws(any Error) {
          _ = try drawn(svg(body))
          _ = try drawn(svg(body, "viewBox='0 0 \(value) \(value)' width='\(value)'"))
        } catch { #expect(error is MediaError) }
      }
    }
  }

  @Test("damaged in any byte give an error or a picture")
  func damaged() throws {
    let text =
      "<svg viewBox='0 0 40 40'><defs><linearGradient id='a'><stop offset='.5'/></linearGradient></defs>"
      + "<g transform='rotate(9)' style='fill:url(#a)'><path d='M1 2A3 4 5 0 1 6 7z' stroke='red' "
      + "stroke-dasharray='1,2'/></g><use href='#a' x='1'/></svg>"
    var generator = SeededGenerator(seed: 77)
    for _ in 0..<3000 {
      var bytes = Array(text.utf8)
      for _ in 0..<generator.int(in: 1...4) {
        let at = generator.int(in: 0...bytes.count - 1)
        switch generator.int(in: 0...2) {
        case 0: bytes[at] = UInt8(generator.int(in: 0...255))
        case 1: bytes.remove(at: at)
        default: bytes.insert(bytes[generator.int(in: 0...bytes.count - 1)], at: at)
        }
      }
      do throws(any Error) { _ = try drawn(SVGImage(bytes)) } catch { #expect(error is MediaError) }
    }
  }
}
