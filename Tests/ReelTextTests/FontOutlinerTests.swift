internal import ReelCore
internal import ReelImaging
internal import ReelTestSupport
internal import Testing

@testable internal import ReelText

@Suite("Outlines of text", .enabled(if: TestFonts.isInstalled, "the font packages are missing"))
struct FontOutlinerTests {
  private static func line(
    _ spans: [OutlineSpan], isRightToLeft: Bool = false
  ) throws -> (parts: [TextOutline], length: Double) {
    try FontOutliner(try TestFonts.book()).outlines(spans, isRightToLeft: isRightToLeft)
  }

  /// Left, top, right and bottom of the ends of a path.
  private static func bounds(_ path: [PathElement]) -> (Double, Double, Double, Double) {
    var (left, top) = (Double.infinity, Double.infinity)
    var (right, bottom) = (-left, -top)
    for element in path {
      switch element {
      case .move(let p), .line(let p), .quadCurve(_, let p), .cubicCurve(_, _, let p):
        (left, top) = (min(left, p.x), min(top, p.y))
        (right, bottom) = (max(right, p.x), max(bottom, p.y))
      case .close: break
      }
    }
    return (left, top, right, bottom)
  }

  @Test("are as long as the same text of captions is", arguments: [1e-3, 0.5, 16, 1_000, 1e5])
  func lengths(size: Double) throws {
    let text = "AVATAR office To 1234"
    let book = try TestFonts.book()
    let paragraph = try TestFonts.paragraph(text, size: 1_024, book: book)
    let length = Double(paragraph.line(0..<paragraph.scalarCount).length) / 64 / 1_024
    let outline = try Self.line([OutlineSpan(text, size: size)])
    #expect(abs(outline.length / size - length) < 1e-9)
    let (left, top, right, bottom) = Self.bounds(outline.parts[0].path)
    // Letters fill their line but for the space at its sides.
    #expect(left >= 0 && left < 0.1 * size && right <= outline.length)
    #expect(right > outline.length - 0.1 * size)
    #expect(top < -0.7 * size && top > -0.8 * size && abs(bottom) < 0.02 * size)
  }

  @Test("keep the sizes of their spans against each other, and stand side by side")
  func spans() throws {
    var bold = OutlineSpan("x", size: 5)
    bold.isBold = true
    let mixed = try Self.line([OutlineSpan("x", size: 10), bold, OutlineSpan("x", size: 20)])
    #expect(mixed.parts.map(\.span) == [0, 1, 2])
    for (part, next) in zip(mixed.parts, mixed.parts.dropFirst()) {
      #expect(part.end == next.start)
    }
    let lengths = mixed.parts.map { $0.end - $0.start }
    #expect(abs(lengths[2] / lengths[0] - 2) < 1e-3 && lengths[1] > lengths[0] / 2)
    #expect(mixed.parts.last?.end == mixed.length)
    var italic = OutlineSpan("l", size: 10)
    let upright = Self.bounds(try Self.line([italic]).parts[0].path)
    italic.isItalic = true
    let slanted = Self.bounds(try Self.line([italic]).parts[0].path)
    #expect(slanted.2 > upright.2 + 1 && abs(slanted.0 - upright.0) < 1e-9)
  }

  @Test("run from right to left where their letters or their line do")
  func directions() throws {
    let hebrew = "\u{5D0}\u{5D1}"
    let spans = [OutlineSpan(hebrew, size: 10), OutlineSpan("ab", size: 10)]
    #expect(try Self.line(spans).parts.map(\.span) == [0, 1])
    #expect(try Self.line(spans, isRightToLeft: true).parts.map(\.span) == [1, 0])
    // Joined letters are narrower than the same ones apart.
    let joined = try Self.line([OutlineSpan("\u{628}\u{628}\u{628}", size: 10)]).length
    let alone = try Self.line([OutlineSpan("\u{628}", size: 10)]).length
    #expect(joined < 2.5 * alone)
  }

  @Test("heights of fonts go with the size")
  func metrics() throws {
    let outliner = FontOutliner(try TestFonts.book())
    for family in [OutlineSpan.Family.sansSerif, .serif, .monospace] {
      var span = OutlineSpan("a", size: 100)
      span.family = family
      let own = try outliner.metrics(of: span)
      #expect((90...100).contains(own.ascent) && (20...30).contains(own.descent))
      #expect((50...57).contains(own.xHeight))
      span.size = 1
      #expect(abs(try outliner.metrics(of: span).ascent - own.ascent / 100) < 1e-12)
    }
  }

  @Test("nothing, and too much, are told apart")
  func extremes() throws {
    #expect(try Self.line([]).parts.isEmpty)
    #expect(try Self.line([OutlineSpan("", size: 10)]).length == 0)
    #expect(try Self.line([OutlineSpan("a", size: .nan)]).parts.isEmpty)
    let error = #expect(throws: MediaError.self) {
      _ = try Self.line([OutlineSpan(String(repeating: "a", count: 70_000), size: 10)])
    }
    #expect(error?.rule == .textLength)
  }

  private static let document = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 180" font-family="serif">
    <rect width="320" height="180" fill="#203040"/>
    <text x="160" y="50" font-size="36" text-anchor="middle" fill="gold" stroke="black">Reel
    <tspan font-weight="bold" fill="white">Text</tspan></text>
    <text x="300" y="90" font-size="20" text-anchor="end" fill="white"
      font-family="monospace">12:34 <tspan font-style="italic">fi</tspan></text>
    <text x="20" y="120" font-size="24" fill="cyan" text-decoration="underline">\u{645}\u{631}\u{62D}\u{628}\u{627} \u{939}\u{93F}\u{928}\u{94D}\u{926}\u{940}</text>
    <text x="20 60 90" y="160" dy="0 -5 5" font-size="20" fill="lime" letter-spacing="3">ABC spaced</text>
    </svg>
    """

  @Test("a drawing with text has the samples it always had")
  func golden() throws {
    let document = Self.document
    let book = try TestFonts.book()
    let image = try SVGImage(Array(document.utf8), outliner: FontOutliner(book))
    #expect(image.unsupported.isEmpty && book.missing.isEmpty)
    let (width, height) = (320, 180)
    let planes = FramePlanes<UInt8>(width: width, height: height, chromaFormat: .yuv420)
    let frame = VideoFrame(
      storage: .depth8(planes), lumaBitDepth: 8, chromaBitDepth: 8,
      crop: SampleRect(x: 0, y: 0, width: width, height: height))
    var composition = Composition()
    composition.layers = [
      image.layer(in: Rect(x: 0, y: 0, width: Double(width), height: Double(height)))
    ]
    let result = try Compositor().compose(frame, composition)
    guard case .depth8(let own) = result.storage else { return }
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for index in 0..<3 {
      own.withPlane(index) { plane in
        for y in 0..<plane.height {
          for x in 0..<plane.width {
            hash = (hash ^ UInt64(plane[y * plane.stride + x])) &* 0x100_0000_01b3
          }
        }
      }
    }
    #expect(hash == 0x0ae6_77a8_2712_8971, "0x\(String(hash, radix: 16))")
  }

  @Test("damaged drawings end in an error or in a drawing", arguments: 0..<4)
  func damage(seed: UInt64) throws {
    var generator = SeededGenerator(seed: 900 + seed)
    let whole = Array(Self.document.utf8)
    let words = [
      "x='1e9'", "dx='-1e15 2'", "font-size='1e-9'", "font-size='1e5'", "letter-spacing='9em'",
      "<tspan>", "</tspan>", "<tspan y='3'>", "\u{202E}", "\u{200D}", "\u{E0001}", "\u{0301}",
      "&#x10FFFF;",
      "direction='rtl'", "stroke-width='1e6'", "stroke-dasharray='1e-9'", "\u{5D0}", "\u{FDFD}",
    ].map { Array($0.utf8) }
    let outliner = FontOutliner(try TestFonts.book())
    var drawn = 0
    for _ in 0..<250 {
      var bytes = whole
      for _ in 0..<generator.int(in: 1...5) {
        let at = generator.int(in: 0...bytes.count - 1)
        switch generator.int(in: 0...3) {
        case 0: bytes[at] = UInt8(generator.int(in: 0...255))
        case 1: bytes.remove(at: at)
        default:
          bytes.insert(contentsOf: words[generator.int(in: 0...words.count - 1)], at: at)
        }
      }
      guard let image = try? SVGImage(bytes, outliner: outliner) else { continue }
      let planes = FramePlanes<UInt8>(width: 48, height: 27, chromaFormat: .yuv420)
      var composition = Composition()
      composition.layers = [image.layer(in: Rect(x: -3, y: 2, width: 48, height: 27))]
      let frame = VideoFrame(
        storage: .depth8(planes), lumaBitDepth: 8, chromaBitDepth: 8,
        crop: SampleRect(x: 0, y: 0, width: 48, height: 27))
      if (try? Compositor().compose(frame, composition)) != nil { drawn += 1 }
    }
    #expect((20..<250).contains(drawn), "\(drawn)")
  }
}
