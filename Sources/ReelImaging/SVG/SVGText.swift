// The letters of a text element and where they stand. SVG 1.1 §10.4, §10.5.

internal import ReelCore

/// A `text` element, flat: its letters with their looks and the places that they are given.
struct SVGText {
  struct Letter {
    let character: Character
    /// Index of its style.
    let style: Int
    var x, y: Double?
    var dx = 0.0
    var dy = 0.0
    /// A place of its own begins another piece of text, which `text-anchor` counts for.
    var hasPlace: Bool { x != nil || y != nil }
  }

  private(set) var letters: [Letter] = []
  private(set) var styles: [SVGStyle] = []
  /// What is in it and not drawn.
  private(set) var unsupported: Set<String> = []
  private let port: Size
  /// A blank would follow one or begin the text.
  private var skipsBlanks = true

  /// LIMIT: letters of an element; a picture has no place for more.
  static let mostLetters = 20_000

  init(_ element: XMLElement, _ style: SVGStyle, port: Size) throws(MediaError) {
    self.port = port
    try add(element, style, depth: 0)
    if let last = letters.last, last.character == " ", !styles[last.style].text.keepsBlanks {
      letters.removeLast()
    }
  }

  /// What percentages of lengths without a direction are of. §7.10.
  private var diagonal: Double {
    ((port.width * port.width + port.height * port.height) / 2).squareRoot()
  }

  private mutating func add(
    _ element: XMLElement, _ style: SVGStyle, depth: Int
  ) throws(MediaError) {
    guard style.isDisplayed else { return }
    styles.append(style)
    let number = styles.count - 1
    let start = letters.count
    for name in style.unsupported { unsupported.insert(name) }
    for name in ["rotate", "textLength", "writing-mode"] where element[name] != nil {
      unsupported.insert("\(name) of text")
    }
    var pieces = element.texts[...]
    for (place, child) in element.children.enumerated() {
      while let piece = pieces.first, piece.place <= place {
        try add(piece.text, number)
        pieces.removeFirst()
      }
      try addChild(child, style, depth: depth)
    }
    for piece in pieces { try add(piece.text, number) }
    place(element, style.text, start)
  }

  private mutating func addChild(
    _ child: XMLElement, _ style: SVGStyle, depth: Int
  ) throws(MediaError) {
    switch child.name {
    case "tspan", "a":
      let own = style.inherited(by: child, whole: diagonal)
      if own.opacity < 1 || own.clipPath != nil {
        unsupported.insert("opacity or clip-path of a part of text")
      }
      try add(child, own, depth: depth + 1)
    case "title", "desc", "metadata": break
    default: unsupported.insert("\(child.name.prefix(40)) in text")
    }
  }

  /// Line ends and tabs are blanks; several are one, and none begins the text, unless they are kept.
  private mutating func add(_ text: String, _ style: Int) throws(MediaError) {
    let keepsBlanks = styles[style].text.keepsBlanks
    for character in text {
      let isBlank = character == " " || character == "\t" || character.isNewline
      if isBlank && !keepsBlanks {
        if skipsBlanks { continue }
        skipsBlanks = true
      } else {
        skipsBlanks = false
      }
      guard letters.count < Self.mostLetters else {
        throw MediaError(
          .limitExceeded, .svgSize, detail: "a text of more than \(Self.mostLetters) letters")
      }
      letters.append(Letter(character: isBlank ? " " : character, style: style))
    }
  }

  /// Gives the letters from `start` on what the lists of an element say; elements inside of it said it before.
  private mutating func place(_ element: XMLElement, _ style: SVGTextStyle, _ start: Int) {
    func list(_ name: String, _ whole: Double) -> [Double] {
      let words = (element[name] ?? "").split { $0 == "," || $0.isWhitespace }
      var lengths: [Double] = []
      for word in words.prefix(letters.count - start) {
        let value = word.hasSuffix("%") ? SVGLength.parse(String(word), of: whole) : nil
        guard let length = value ?? style.length(String(word), em: style.size) else { break }
        lengths.append(length)
      }
      return lengths
    }
    for (i, x) in list("x", port.width).enumerated() where letters[start + i].x == nil {
      letters[start + i].x = x
    }
    for (i, y) in list("y", port.height).enumerated() where letters[start + i].y == nil {
      letters[start + i].y = y
    }
    for (i, dx) in list("dx", port.width).enumerated() where letters[start + i].dx == 0 {
      letters[start + i].dx = dx
    }
    for (i, dy) in list("dy", port.height).enumerated() where letters[start + i].dy == 0 {
      letters[start + i].dy = dy
    }
  }
}
