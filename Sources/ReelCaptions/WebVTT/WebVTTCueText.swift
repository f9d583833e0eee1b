// The text of a cue and its tags. WebVTT §6.4.

internal import ReelCore

enum WebVTTCueText {
  /// LIMIT: a screen of text is a hundredth of this.
  static let mostBytes = 64 << 10
  /// LIMIT: deeper tags add nothing to see; their text stays with the innermost.
  static let mostNesting = 32

  static func parse(_ bytes: [UInt8]) -> [CueNode] {
    var builder = CueTreeBuilder()
    var tokenizer = CueTokenizer(bytes)
    while let token = tokenizer.next() { builder.take(token) }
    return builder.finish()
  }
}

/// A piece of a cue's text.
private enum CueToken {
  case text(String)
  case start(name: String, classes: [String], annotation: String)
  case end(name: String)
  case timestamp(String)
}

/// Cuts a cue's text into tokens. WebVTT §6.4.1.
private struct CueTokenizer {
  private let bytes: [UInt8]
  private var index = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func next() -> CueToken? {
    guard index < bytes.count else { return nil }
    return bytes[index] == 0x3C ? tag() : text()
  }

  private mutating func text() -> CueToken {
    var result: [UInt8] = []
    while index < bytes.count, bytes[index] != 0x3C {
      if bytes[index] == 0x26 {
        result += CharacterReference.read(bytes, &index)
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return .text(String(decoding: result, as: UTF8.self))
  }

  private mutating func tag() -> CueToken {
    index += 1
    let isEnd = index < bytes.count && bytes[index] == 0x2F
    if isEnd { index += 1 }
    let start = index
    while index < bytes.count, bytes[index] != 0x3E { index += 1 }
    let content = bytes[start..<index]
    if index < bytes.count { index += 1 }
    if isEnd { return .end(name: content.text) }
    if let first = content.first, (0x30...0x39).contains(first) { return .timestamp(content.text) }
    // Name and classes end at a blank; the rest is the annotation.
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0C }
    let head = content.prefix { !isBlank($0) }
    let parts = head.split(separator: 0x2E, omittingEmptySubsequences: false)
    var annotation: [UInt8] = []
    var at = head.endIndex
    while at < content.endIndex {
      if bytes[at] == 0x26 {
        annotation += CharacterReference.read(bytes, &at, end: content.endIndex)
      } else {
        annotation.append(bytes[at])
        at += 1
      }
    }
    let words = annotation.split(whereSeparator: isBlank)
    return .start(
      name: parts.first?.text ?? "", classes: parts.dropFirst().map(\.text).filter { !$0.isEmpty },
      annotation: words.map(\.text).joined(separator: " "))
  }
}

/// Character references that cue texts use. HTML §13.5 has two thousand more; these are what files have.
enum CharacterReference {
  private static let names: [(String, String)] = [
    ("amp", "&"), ("lt", "<"), ("gt", ">"), ("nbsp", "\u{A0}"), ("lrm", "\u{200E}"),
    ("rlm", "\u{200F}"), ("quot", "\""), ("apos", "'"), ("hellip", "\u{2026}"),
    ("ndash", "\u{2013}"), ("mdash", "\u{2014}"), ("lsquo", "\u{2018}"), ("rsquo", "\u{2019}"),
    ("ldquo", "\u{201C}"), ("rdquo", "\u{201D}"), ("laquo", "\u{AB}"), ("raquo", "\u{BB}"),
    ("iexcl", "\u{A1}"), ("iquest", "\u{BF}"), ("copy", "\u{A9}"), ("reg", "\u{AE}"),
    ("trade", "\u{2122}"), ("deg", "\u{B0}"), ("middot", "\u{B7}"), ("bull", "\u{2022}"),
    ("eacute", "\u{E9}"), ("egrave", "\u{E8}"), ("agrave", "\u{E0}"), ("ccedil", "\u{E7}"),
    ("auml", "\u{E4}"), ("ouml", "\u{F6}"), ("uuml", "\u{FC}"), ("szlig", "\u{DF}"),
  ]

  /// The text of the reference at `index`, which is an ampersand; the ampersand itself where there is no
  /// reference. Moves `index` behind it.
  static func read(_ bytes: [UInt8], _ index: inout Int, end: Int? = nil) -> [UInt8] {
    let limit = min(end ?? bytes.count, index + 12)
    var at = index + 1
    while at < limit, bytes[at] != 0x3B, bytes[at] != 0x26, bytes[at] != 0x3C { at += 1 }
    guard at < limit, bytes[at] == 0x3B,
      let text = value(bytes[index + 1..<at].text)
    else {
      index += 1
      return [0x26]
    }
    index = at + 1
    return Array(text.utf8)
  }

  private static func value(_ name: String) -> String? {
    if let found = names.first(where: { $0.0 == name })?.1 { return found }
    guard name.first == "#" else { return nil }
    let digits = name.dropFirst()
    let isHexadecimal = digits.first == "x" || digits.first == "X"
    let number =
      isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    guard let number, number != 0, let scalar = Unicode.Scalar(number) else { return nil }
    return String(Character(scalar))
  }
}

/// Builds the tree. WebVTT §6.4 ("WebVTT cue text parsing rules").
private struct CueTreeBuilder {
  /// The open elements, the outermost first; the first is the root.
  private var open: [CueElement] = [CueElement(.span)]
  private var languages: [String] = []
  /// Tags that were not opened because they lie too deep.
  private var excess = 0

  mutating func take(_ token: CueToken) {
    switch token {
    case .text(let text): append(.text(text))
    case .timestamp(let text):
      var scanner = WebVTTScanner(ArraySlice(text.utf8))
      if let time = scanner.timestamp(), scanner.isAtEnd {
        append(.timestamp(MediaTime(milliseconds: time)))
      }
    case .start(let name, let classes, let annotation): start(name, classes, annotation)
    case .end(let name): end(name)
    }
  }

  private mutating func append(_ node: CueNode) { open[open.count - 1].children.append(node) }

  private mutating func start(_ name: String, _ classes: [String], _ annotation: String) {
    guard let kind = CueElement.Kind(rawValue: name), kind != .span else { return }
    if kind == .rubyText && open.last?.kind != .ruby { return }
    guard open.count <= WebVTTCueText.mostNesting else {
      excess += 1
      return
    }
    var element = CueElement(kind)
    element.classes = classes
    if kind == .voice || kind == .language { element.annotation = annotation }
    element.style = element.ownStyle
    open.append(element)
  }

  private mutating func end(_ name: String) {
    guard let current = open.last, open.count > 1 else { return }
    if excess > 0 {
      excess -= 1
      return
    }
    if current.kind.rawValue == name {
      close()
    } else if name == "ruby" && current.kind == .rubyText {
      close()
      close()
    }
  }

  private mutating func close() {
    guard open.count > 1 else { return }
    let element = open.removeLast()
    append(.element(element))
  }

  mutating func finish() -> [CueNode] {
    while open.count > 1 { close() }
    return open[0].children
  }
}

extension CueElement {
  /// What the kind and the default classes say. WebVTT §5.
  var ownStyle: TextStyle {
    var style = TextStyle()
    switch kind {
    case .italic: style.isItalic = true
    case .bold: style.isBold = true
    case .underline: style.isUnderlined = true
    default: break
    }
    for name in classes {
      if let color = Self.classColors.first(where: { $0.0 == name })?.1 { style.color = color }
      if name.hasPrefix("bg_"),
        let color = Self.classColors.first(where: { $0.0 == name.dropFirst(3) })?.1
      {
        style.background = color
      }
    }
    return style
  }

  private static let classColors: [(String, RGBAColor)] = [
    ("white", .white), ("lime", RGBAColor(red: 0, green: 1, blue: 0)),
    ("cyan", RGBAColor(red: 0, green: 1, blue: 1)), ("red", RGBAColor(red: 1, green: 0, blue: 0)),
    ("yellow", RGBAColor(red: 1, green: 1, blue: 0)),
    ("magenta", RGBAColor(red: 1, green: 0, blue: 1)),
    ("blue", RGBAColor(red: 0, green: 0, blue: 1)), ("black", .black),
  ]
}
