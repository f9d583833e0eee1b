// Style sheets of WebVTT files: what CSS says of ::cue. WebVTT §8.2.

internal import ReelCore

/// Rules of a file, in order.
struct StyleSheet: Sendable {
  private var rules: [StyleRule] = []
  /// LIMIT: a sheet of more rules is made to take time.
  private static let mostRules = 1_000
  private static let mostBytes = 256 << 10
  /// LIMIT: what all parts of all cues may cost, in comparisons of a part with a part of a selector: an hour
  /// of captions with a hundred rules is a tenth of it.
  private var stepsLeft = 20_000_000

  /// Reads a sheet; what is not understood is passed over.
  mutating func add(_ bytes: [UInt8]) {
    guard bytes.count <= Self.mostBytes else { return }
    let text = Self.withoutComments(bytes)
    var index = 0
    while index < text.count {
      if let end = Self.statementEnd(text, from: index) {
        index = end
        continue
      }
      guard let open = text[index...].firstIndex(of: 0x7B) else { return }
      let prelude = text[index..<open].trimmedText
      guard let close = Self.blockEnd(text, from: open) else { return }
      index = close + 1
      // @rules, such as @media and @font-face, say nothing here.
      if prelude.hasPrefix("@") { continue }
      let style = CSSDeclarations(text[open + 1..<close]).style
      for selector in Self.commaList(prelude) {
        guard rules.count < Self.mostRules else { return }
        if let selector = CueSelector(selector) {
          rules.append(StyleRule(selector: selector, style: style, order: rules.count))
        }
      }
    }
  }

  /// Behind an @rule without a block, such as @import; nil when there is none at `start`.
  /// CSS Syntax Level 3 §5.4.2.
  private static func statementEnd(_ text: [UInt8], from start: Int) -> Int? {
    var i = start
    while i < text.count, text[i] <= 0x20 { i += 1 }
    guard i < text.count, text[i] == 0x40 else { return nil }
    // What closes the string or the parenthesis that a semicolon may stand in.
    var closing: UInt8?
    while i < text.count {
      let byte = text[i]
      if byte == 0x5C {
        i += 1
      } else if let own = closing {
        if byte == own { closing = nil }
      } else if byte == 0x22 || byte == 0x27 {
        closing = byte
      } else if byte == 0x28 {
        closing = 0x29
      } else if byte == 0x3B {
        return i + 1
      } else if byte == 0x7B {
        return nil
      }
      i += 1
    }
    return text.count
  }

  private static func withoutComments(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var i = 0
    while i < bytes.count {
      if bytes[i] == 0x2F, i + 1 < bytes.count, bytes[i + 1] == 0x2A {
        i += 2
        while i + 1 < bytes.count, !(bytes[i] == 0x2A && bytes[i + 1] == 0x2F) { i += 1 }
        i += 2
        result.append(0x20)
      } else {
        result.append(bytes[i] == 0x0A || bytes[i] == 0x09 ? 0x20 : bytes[i])
        i += 1
      }
    }
    return result
  }

  private static func blockEnd(_ text: [UInt8], from open: Int) -> Int? {
    var depth = 0
    for i in open..<text.count {
      if text[i] == 0x7B { depth += 1 }
      if text[i] == 0x7D {
        depth -= 1
        if depth == 0 { return i }
      }
    }
    return nil
  }

  /// The parts between commas outside of parentheses.
  static func commaList(_ text: String) -> [String] {
    var parts: [String] = []
    var current = ""
    var depth = 0
    for character in text {
      if character == "(" || character == "[" { depth += 1 }
      if character == ")" || character == "]" { depth -= 1 }
      if character == "," && depth == 0 {
        parts.append(current)
        current = ""
      } else {
        current.append(character)
      }
    }
    parts.append(current)
    return parts.map { CSSDeclarations.trim($0) }.filter { !$0.isEmpty }
  }

  // MARK: Use

  /// Gives the parts of a cue what the rules say of them.
  ///
  /// - Throws: `.limitExceeded` when the cues of a sheet have cost too much by now.
  mutating func apply(to cue: inout Cue) throws(MediaError) {
    guard !rules.isEmpty else { return }
    let context = CueContext(id: cue.id)
    cue.pastStyle = style(tense: .past)
    cue.futureStyle = style(tense: .future)
    let root = try style(for: nil, path: [], context)
    var path: [CueElement] = []
    cue.content = try styled(cue.content, &path, context)
    if root != TextStyle() {
      var whole = CueElement(.span, children: cue.content)
      whole.style = root
      cue.content = [.element(whole)]
    }
  }

  /// What `::cue(:past)` or `::cue(:future)` says; nil when no rule speaks of it.
  private func style(tense: CueSelector.Tense) -> TextStyle? {
    let own = rules.filter { $0.selector.isOnly(tense) }
    return own.isEmpty ? nil : own.reduce(TextStyle()) { $0.overlaid(with: $1.style) }
  }

  private mutating func styled(
    _ nodes: [CueNode], _ path: inout [CueElement], _ context: CueContext
  ) throws(MediaError) -> [CueNode] {
    var result: [CueNode] = []
    for node in nodes {
      guard case .element(var element) = node else {
        result.append(node)
        continue
      }
      let own = try style(for: element, path: path, context)
      element.style = element.style.overlaid(with: own)
      let children = element.children
      element.children = []
      path.append(element)
      element.children = try styled(children, &path, context)
      path.removeLast()
      result.append(.element(element))
    }
    return result
  }

  /// The rules that match, those of greater specificity over the others, later ones over earlier.
  private mutating func style(
    for element: CueElement?, path: [CueElement], _ context: CueContext
  ) throws(MediaError) -> TextStyle {
    var matching: [StyleRule] = []
    for rule in rules {
      if rule.selector.matches(element, path, context, &stepsLeft) { matching.append(rule) }
      guard stepsLeft >= 0 else { throw MediaError(.limitExceeded, .captionStyles) }
    }
    return
      matching
      .sorted { ($0.selector.specificity, $0.order) < ($1.selector.specificity, $1.order) }
      .reduce(TextStyle()) { $0.overlaid(with: $1.style) }
  }
}

private struct StyleRule: Sendable {
  let selector: CueSelector
  let style: TextStyle
  let order: Int
}

/// What of a cue a selector may ask for.
struct CueContext {
  let id: String
}

/// `::cue` or `::cue(compound compound …)`.
struct CueSelector: Sendable {
  private struct Compound: Sendable {
    var kind: CueElement.Kind?
    var classes: [String] = []
    var voice: String?
    var language: String?
    var cueID: String?
    var tense: Tense?
    var specificity = 0
  }

  /// Text before or behind the time inside of a cue that was passed last.
  enum Tense: Sendable { case past, future }

  /// Empty: the cue itself.
  private var compounds: [Compound] = []
  let specificity: Int

  /// nil for selectors of something else or of what no cue has.
  init?(_ text: String) {
    guard let start = text.range(ofAscii: "::cue") else { return nil }
    let rest = text[start.upperBound...]
    guard !rest.isEmpty else {
      specificity = 0
      return
    }
    guard rest.first == "(", rest.last == ")" else { return nil }
    var sum = 0
    for word in rest.dropFirst().dropLast().split(separator: " ") {
      // Child combinators are taken as descendants.
      if word == ">" { continue }
      guard let compound = Self.compound(word) else { return nil }
      sum += compound.specificity
      compounds.append(compound)
    }
    guard !compounds.isEmpty, compounds.count <= 16 else { return nil }
    specificity = sum
  }

  private static func compound(_ text: Substring) -> Compound? {
    var result = Compound()
    var rest = text
    let name = rest.prefix { $0.isLetter || $0 == "*" }
    rest = rest.dropFirst(name.count)
    if !name.isEmpty && name != "*" {
      guard let kind = CueElement.Kind(rawValue: String(name)), kind != .span else { return nil }
      result.kind = kind
      result.specificity += 1
    }
    while let first = rest.first {
      switch first {
      case ".", "#":
        let word = rest.dropFirst().prefix { !".#[:".contains($0) }
        guard !word.isEmpty else { return nil }
        // CSS escapes of single characters: \31 23 and \: are rare; only the latter is taken.
        let plain = String(word.filter { $0 != "\\" })
        if first == "." { result.classes.append(plain) } else { result.cueID = plain }
        result.specificity += first == "." ? 100 : 10_000
        rest = rest.dropFirst(1 + word.count)
      case "[":
        guard let end = rest.firstIndex(of: "]") else { return nil }
        let inside = rest[rest.index(after: rest.startIndex)..<end]
        let parts = inside.split(separator: "=", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        let value = String(parts[1].filter { $0 != "\"" && $0 != "'" })
        switch parts[0] {
        case "voice": result.voice = value
        case "lang": result.language = value
        default: return nil
        }
        result.specificity += 100
        rest = rest[rest.index(after: end)...]
      case ":":
        if let tense = [(":past", Tense.past), (":future", Tense.future)].first(where: {
          rest.hasPrefix($0.0)
        }) {
          result.tense = tense.1
          result.specificity += 100
          rest = rest.dropFirst(tense.0.count)
          continue
        }
        guard rest.hasPrefix(":lang("), let end = rest.firstIndex(of: ")") else { return nil }
        result.language = String(rest.dropFirst(6).prefix { $0 != ")" }.filter { $0 != "\"" })
        result.specificity += 100
        rest = rest[rest.index(after: end)...]
      default: return nil
      }
    }
    return result
  }

  /// The selector asks for all text of a tense and nothing else.
  func isOnly(_ tense: Tense) -> Bool {
    guard let only = compounds.first, compounds.count == 1 else { return false }
    return only.tense == tense && only.kind == nil && only.classes.isEmpty && only.voice == nil
      && only.language == nil && only.cueID == nil
  }

  /// `element`: nil for the cue itself; `path`: the elements around it, the outermost first; `steps` goes
  /// down by the comparisons that were made.
  func matches(
    _ element: CueElement?, _ path: [CueElement], _ context: CueContext, _ steps: inout Int
  ) -> Bool {
    steps -= 1
    guard let last = compounds.last else { return element == nil }
    guard let element else {
      return compounds.count == 1 && last.cueID == context.id && last.kind == nil
        && last.classes.isEmpty && last.voice == nil && last.language == nil && last.tense == nil
    }
    guard Self.matches(last, element, path[...], &steps) else { return false }
    var need = compounds.dropLast()
    var depth = path.count
    while depth > 0, let wanted = need.last {
      depth -= 1
      if Self.matches(wanted, path[depth], path[..<depth], &steps) { need.removeLast() }
    }
    // The cue itself may stand for the outermost.
    if need.count == 1, let wanted = need.last, wanted.cueID == context.id, wanted.kind == nil {
      return true
    }
    return need.isEmpty
  }

  private static func matches(
    _ compound: Compound, _ element: CueElement, _ path: ArraySlice<CueElement>,
    _ steps: inout Int
  ) -> Bool {
    steps -= 1
    // A tense changes with time: only selectors of it alone are taken.
    if compound.cueID != nil || compound.tense != nil { return false }
    if let kind = compound.kind, element.kind != kind { return false }
    if let voice = compound.voice, element.kind != .voice || element.annotation != voice {
      return false
    }
    if let language = compound.language {
      steps -= path.count
      let nearest = element.kind == .language ? element : path.last { $0.kind == .language }
      let own = nearest?.annotation ?? ""
      guard own == language || own.hasPrefix(language + "-") else { return false }
    }
    for name in compound.classes {
      steps -= element.classes.count
      guard steps >= 0, element.classes.contains(name) else { return false }
    }
    return true
  }
}

extension String {
  /// Where `needle` stands.
  fileprivate func range(ofAscii needle: String) -> Range<String.Index>? {
    var index = startIndex
    while index < endIndex {
      if self[index...].hasPrefix(needle) {
        return index..<self.index(index, offsetBy: needle.count)
      }
      index = self.index(after: index)
    }
    return nil
  }
}

extension ArraySlice<UInt8> {
  fileprivate var trimmedText: String { trimmed.text }
}
