// Marks inside SubRip texts.

internal import ReelCore

enum SubRipText {
  /// Where `{\anN}` puts a text: N as on a numeric keypad.
  struct Placement {
    let key: Int
    static let bottom = Placement(key: 2)

    var settings: CueSettings {
      var settings = CueSettings()
      switch key {
      case 7, 8, 9: settings.line = .number(0)
      case 4, 5, 6:
        settings.line = .percentage(50)
        settings.lineAlignment = .center
      default: break
      }
      switch key % 3 {
      case 1: settings.textAlignment = .left
      case 0: settings.textAlignment = .right
      default: break
      }
      return settings
    }
  }

  /// The text with `<b>`, `<i>`, `<u>`, `<s>` and `<font color= size= face=>`; other tags and `{\…}` are
  /// taken out, `{b}`, `{i}`, `{u}`, `{s}` are as in angle brackets.
  static func parse(_ bytes: [UInt8]) -> (content: [CueNode], placement: Placement?) {
    var reader = SubRipTextReader(bytes)
    return reader.parse()
  }
}

private struct SubRipTextReader {
  private let bytes: [UInt8]
  private var index = 0
  private var open: [(name: String, element: CueElement)] = [("", CueElement(.span))]
  private var text: [UInt8] = []
  private var placement: SubRipText.Placement?

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func parse() -> (content: [CueNode], placement: SubRipText.Placement?) {
    while index < bytes.count {
      switch bytes[index] {
      case 0x3C: if !tag(close: 0x3E) { takeByte() }
      case 0x7B: if !brace() { takeByte() }
      case 0x26: text += CharacterReference.read(bytes, &index)
      default: takeByte()
      }
    }
    flush()
    while open.count > 1 { pop() }
    return (open[0].element.children, placement)
  }

  private mutating func takeByte() {
    text.append(bytes[index])
    index += 1
  }

  private mutating func flush() {
    guard !text.isEmpty else { return }
    open[open.count - 1].element.children.append(.text(String(decoding: text, as: UTF8.self)))
    text = []
  }

  private mutating func pop() {
    flush()
    guard open.count > 1 else { return }
    let last = open.removeLast().element
    open[open.count - 1].element.children.append(.element(last))
  }

  /// A tag; false when what follows is no tag but a character.
  private mutating func tag(close: UInt8) -> Bool {
    // LIMIT: tags are short; a lone `<` is not looked after to the end of the text each time.
    guard let end = bytes[index...].prefix(512).firstIndex(of: close) else { return false }
    let content = bytes[(index + 1)..<end]
    let isEnd = content.first == 0x2F
    let body = (isEnd ? content.dropFirst() : content).text
    let name = String(body.prefix { $0.isLetter }).lowercased()
    guard ["b", "i", "u", "s", "font", "strong", "em"].contains(name) else {
      // Unknown tags vanish when they look like tags.
      guard let first = body.first, first.isLetter || isEnd else { return false }
      index = end + 1
      return true
    }
    flush()
    index = end + 1
    if isEnd { closeTag(name) } else { openTag(name, body) }
    return true
  }

  private mutating func openTag(_ name: String, _ body: String) {
    guard open.count <= WebVTTCueText.mostNesting else { return }
    var element = CueElement(.span)
    switch name {
    case "b", "strong":
      element.kind = .bold
      element.style.isBold = true
    case "i", "em":
      element.kind = .italic
      element.style.isItalic = true
    case "u":
      element.kind = .underline
      element.style.isUnderlined = true
    case "s": element.style.isStruckThrough = true
    default: element.style = Self.fontStyle(body)
    }
    open.append((name, element))
  }

  /// Closes the innermost tag of this name and what was left open inside of it.
  private mutating func closeTag(_ name: String) {
    guard open.dropFirst().contains(where: { $0.name == name }) else { return }
    while open.count > 1 {
      let innermost = open[open.count - 1].name
      pop()
      if innermost == name { return }
    }
  }

  private static func fontStyle(_ body: String) -> TextStyle {
    var style = TextStyle()
    for (name, value) in attributes(body) {
      switch name {
      case "color":
        let lower = value.lowercased()
        // Files have hexadecimal digits without the mark, too.
        style.color = RGBAColor(css: lower) ?? RGBAColor(css: "#" + lower)
      case "face":
        style.fontFamily = CSSDeclarations(ArraySlice("font-family:\(value)".utf8)).style.fontFamily
      case "size":
        // Points of a picture of 288 lines, which players of such files scale by.
        if let points = Double(value), points > 0, points <= 1000 {
          style.fontSize = .ofHeight(points / 288)
        }
      default: break
      }
    }
    return style
  }

  /// `name="value" name=value …`.
  private static func attributes(_ body: String) -> [(String, String)] {
    var result: [(String, String)] = []
    var rest = Substring(body).drop { $0.isLetter }
    while let equals = rest.firstIndex(of: "="), result.count < 8 {
      let name = rest[..<equals].filter { !$0.isWhitespace }.lowercased()
      var value = rest[rest.index(after: equals)...].drop { $0 == " " }
      if let quote = value.first, quote == "\"" || quote == "'" {
        value = value.dropFirst()
        let inside = value.prefix { $0 != quote }
        result.append((name, String(inside)))
        rest = value.dropFirst(inside.count + 1)
      } else {
        let word = value.prefix { !$0.isWhitespace }
        result.append((name, String(word)))
        rest = value.dropFirst(word.count)
      }
    }
    return result
  }

  /// `{\an8}` and other codes of SubStation Alpha, or `{b}`; false for a brace of the text.
  private mutating func brace() -> Bool {
    guard let end = bytes[index...].prefix(512).firstIndex(of: 0x7D), index + 1 < end else {
      return false
    }
    let content = bytes[(index + 1)..<end]
    if content.first == 0x5C {
      if content.dropFirst().starts(with: Array("an".utf8)), content.count == 4,
        let digit = content.last, (0x31...0x39).contains(digit), placement == nil
      {
        placement = SubRipText.Placement(key: Int(digit - 0x30))
      }
      index = end + 1
      return true
    }
    let name = (content.first == 0x2F ? content.dropFirst() : content).text.lowercased()
    guard ["b", "i", "u", "s"].contains(name) else { return false }
    return tag(close: 0x7D)
  }
}
