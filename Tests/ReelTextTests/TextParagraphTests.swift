internal import ReelCore
internal import Testing

@testable internal import ReelText

/// What shapes text in the tests; nil where the font packages are not installed.
enum TestFonts {
  static var isInstalled: Bool { (try? book().primary(.sansSerif, isBold: false)) != nil }
  static func book() throws -> FontBook { try FontBook() }
  static func paragraph(
    _ text: String, size: Int = 32, isVertical: Bool = false, book: FontBook
  ) throws -> TextParagraph {
    try TextParagraph(
      [TextSpan(text, TextAttributes(size: size * 64))], isVertical: isVertical, book: book)
  }
}

@Suite("Bidirectional text")
struct BidiParagraphTests {
  private static func levels(_ text: String, _ direction: TextDirection = .automatic) -> [UInt8] {
    BidiParagraph(Array(text.unicodeScalars), direction: direction).levels
  }

  @Test("the first strong letter decides the direction of a paragraph; isolates do not count")
  func base() {
    #expect(BidiParagraph(Array("abc".unicodeScalars)).baseLevel == 0)
    #expect(BidiParagraph(Array("12 \u{5D0}bc".unicodeScalars)).baseLevel == 1)
    #expect(BidiParagraph(Array("\u{2067}\u{5D0}\u{2069} a".unicodeScalars)).baseLevel == 0)
    #expect(BidiParagraph([]).baseLevel == 0)
  }

  @Test("numbers run to the right inside of text that runs to the left")
  func numbers() {
    #expect(Self.levels("\u{5D0} 12") == [1, 1, 2, 2])
    #expect(Self.levels("\u{627} 1,2") == [1, 1, 2, 2, 2])
  }

  @Test("brackets take the direction of what they hold or stand in")
  func brackets() {
    #expect(Self.levels("\u{5D0} (a) \u{5D1}") == [1, 1, 1, 2, 1, 1, 1])
    #expect(Self.levels("a (\u{5D0}) b") == [0, 0, 0, 1, 0, 0, 0])
  }

  @Test("embeddings deeper than 125 levels change nothing more", arguments: [130, 5_000, 60_000])
  func depth(count: Int) {
    let text = String(repeating: "\u{202B}\u{2067}", count: count) + "a"
    let levels = Self.levels(text)
    #expect((levels.max() ?? 0) <= 126)
  }

  @Test("visual order reverses each stretch of higher levels")
  func order() {
    #expect(BidiParagraph.visualOrder([0, 1, 1, 2, 2, 1, 0]) == [0, 5, 3, 4, 2, 1, 6])
    #expect(BidiParagraph.visualOrder([]) == [])
  }
}

@Suite("Fonts and shaping", .enabled(if: TestFonts.isInstalled, "the font packages are missing"))
struct TextParagraphTests {
  @Test("a missing font package is told by its name and the option")
  func missingPackage() throws {
    let book = try FontBook(folders: ["/nowhere"])
    let error = #expect(throws: MediaError.self) {
      _ = try book.primary(.sansSerif, isBold: false)
    }
    #expect(error?.rule == .fontMissing)
    #expect(error?.description.contains("fonts-dejavu-core") == true)
    #expect(error?.description.contains("--font") == true)
  }

  @Test("a file that is no font is damaged")
  func noFont() {
    let error = #expect(throws: MediaError.self) { _ = try FontBook(files: [#filePath]) }
    #expect(error?.rule == .fontFile)
    #expect(throws: MediaError.self) { _ = try FontBook(files: ["/nowhere/font.ttf"]) }
  }

  @Test("Arabic letters join: they are not the glyphs of single letters")
  func joins() throws {
    let book = try TestFonts.book()
    let word = try TestFonts.paragraph("\u{628}\u{628}\u{628}", book: book)
    let glyphs = word.line(0..<3).runs.flatMap(\.glyphs).map(\.glyph)
    let alone = try TestFonts.paragraph("\u{628}", book: book)
    let single = alone.line(0..<1).runs.flatMap(\.glyphs).map(\.glyph)
    #expect(glyphs.count == 3)
    #expect(Set(glyphs).count == 3)
    #expect(!glyphs.contains(single[0]))
    #expect(word.isRightToLeft)
  }

  @Test("a Devanagari vowel sign moves before its consonant, and consonants conjoin")
  func reorders() throws {
    let book = try TestFonts.book()
    let plain = try TestFonts.paragraph("\u{915}", book: book)
    let withVowel = try TestFonts.paragraph("\u{915}\u{93F}", book: book)
    let consonant = plain.line(0..<1).runs[0].glyphs[0].glyph
    let glyphs = withVowel.line(0..<2).runs[0].glyphs
    #expect(glyphs.count == 2)
    #expect(glyphs[1].glyph == consonant)
    let conjunct = try TestFonts.paragraph("\u{915}\u{94D}\u{937}", book: book)
    #expect(conjunct.line(0..<3).runs[0].glyphs.count == 1)
  }

  @Test("what no font has is drawn as the missing glyph and told")
  func missingGlyph() throws {
    let book = try TestFonts.book()
    let text = try TestFonts.paragraph("a\u{65E5}", book: book)
    #expect(text.line(0..<2).runs.flatMap(\.glyphs).last?.glyph == 0)
    #expect(book.missing == ["\u{65E5}"])
  }

  @Test("lines fit their width, are balanced, and have no blanks at their ends")
  func lines() throws {
    let book = try TestFonts.book()
    let text = "one two three four five six seven eight nine ten eleven twelve"
    let p = try TestFonts.paragraph(text, book: book)
    let whole = p.length(0..<p.scalarCount)
    let width = whole * 45 / 100
    let balanced = p.lineRanges(width: width, isBalanced: true)
    let greedy = p.lineRanges(width: width, isBalanced: false)
    #expect(balanced.count == greedy.count)
    let lengths = balanced.map { p.length($0) }
    #expect(lengths.allSatisfy { $0 <= width })
    #expect((lengths.max() ?? 0) <= (greedy.map { p.length($0) }.max() ?? 0))
    let letters = Array(text.unicodeScalars)
    for line in balanced { #expect(letters[line.upperBound - 1] != " ") }
    #expect(balanced.map(\.count).reduce(0, +) + balanced.count - 1 == letters.count)
  }

  @Test("a word that is longer than its line is cut between characters")
  func longWord() throws {
    let book = try TestFonts.book()
    let p = try TestFonts.paragraph(String(repeating: "w\u{301}", count: 40), book: book)
    let lines = p.lineRanges(width: 64 * 100, isBalanced: true)
    #expect(lines.count > 4)
    #expect(lines.allSatisfy { $0.lowerBound % 2 == 0 && !$0.isEmpty })
    #expect(p.lineRanges(width: 0, isBalanced: true).count == 40)
  }

  @Test("the cache of masks stays within its bound, and gives the same masks")
  func cacheBound() throws {
    let book = try TestFonts.book()
    let small = GlyphCache(book, byteBudget: 20_000)
    let large = GlyphCache(book)
    for size in 10..<60 {
      let line = try TestFonts.paragraph("Sphinx", size: size, book: book).line(0..<6)
      for run in line.runs {
        var (a, b) = (MaskBuilder(), MaskBuilder())
        try a.add(run.glyphs, x: 0, y: 6_400, isVertical: false, cache: small)
        try b.add(run.glyphs, x: 0, y: 6_400, isVertical: false, cache: large)
        #expect(
          a.layer(color: .white, in: SampleRect(x: 0, y: 0, width: 300, height: 200))
            == b.layer(color: .white, in: SampleRect(x: 0, y: 0, width: 300, height: 200)))
      }
      #expect(small.keptBytes < 30_000)
    }
  }

  @Test("vertical lines stand letters of East Asia upright and others on their side")
  func vertical() throws {
    let book = try TestFonts.book()
    let p = try TestFonts.paragraph("A\u{3042}B", isVertical: true, book: book)
    let runs = p.line(0..<3).runs
    #expect(runs.flatMap(\.glyphs).map(\.isSideways) == [true, false, true])
    #expect(runs.map(\.start) == runs.map(\.start).sorted())
  }
}
