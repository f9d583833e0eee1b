// The text of a cue as paragraphs of styled spans.

internal import ReelCaptions
internal import ReelCore

/// A cue's text at an instant, flat.
struct CueText {
  struct Span {
    var text: String
    let style: ResolvedStyle
  }

  /// Small text over the spans of a range. WebVTT §6.4.2.
  struct Ruby {
    let spans: Range<Int>
    let text: String
    let style: ResolvedStyle
  }

  private(set) var spans: [Span] = []
  private(set) var rubies: [Ruby] = []
  private let resolver: StyleResolver
  private let cue: Cue
  private let now: MediaTime
  /// The times inside of the text, and how many of them were met so far.
  private let timestamps: [MediaTime]
  private var timestampsMet = 0
  private var scalarCount = 0

  /// LIMIT: a picture holds a tenth of this; the rest of a longer text is not drawn.
  private static let mostScalars = 16_384
  private static let mostDepth = 64

  init(_ cue: Cue, at now: MediaTime, _ resolver: StyleResolver) {
    self.cue = cue
    self.now = now
    self.resolver = resolver
    timestamps = cue.timestamps
    for node in cue.content { add(node, TextStyle(), "", depth: 0) }
    if !cue.keepsBlanks { collapseBlanks() }
  }

  private mutating func add(
    _ node: CueNode, _ style: TextStyle, _ language: String, depth: Int
  ) {
    switch node {
    case .text(let text): add(text, style, language)
    case .timestamp: timestampsMet += 1
    case .element(let element):
      guard depth < Self.mostDepth else {
        return add(element.children.map(\.plainText).joined(), style, language)
      }
      var inner = style
      switch element.kind {
      case .bold: inner.isBold = true
      case .italic: inner.isItalic = true
      case .underline: inner.isUnderlined = true
      default: break
      }
      inner = inner.overlaid(with: element.style)
      let language = element.kind == .language ? element.annotation : language
      if element.kind == .ruby {
        addRuby(element, inner, language, depth: depth)
      } else {
        for child in element.children { add(child, inner, language, depth: depth + 1) }
      }
    }
  }

  /// Each `rt` belongs to what stands between it and the one before.
  private mutating func addRuby(
    _ element: CueElement, _ style: TextStyle, _ language: String, depth: Int
  ) {
    var start = spans.count
    for child in element.children {
      if case .element(let inner) = child, inner.kind == .rubyText {
        var half = TextStyle()
        half.fontSize = .relative(0.5)
        let small = style.overlaid(with: inner.style).overlaid(with: half)
        let text = inner.children.map(\.plainText).joined().filter { !$0.isNewline }
        if start < spans.count, !text.isEmpty, rubies.count < 256,
          let resolved = resolver.resolve(tensed(small), language: language)
        {
          rubies.append(Ruby(spans: start..<spans.count, text: String(text), style: resolved))
        }
        start = spans.count
      } else {
        add(child, style, language, depth: depth + 1)
      }
    }
  }

  private mutating func add(_ text: String, _ style: TextStyle, _ language: String) {
    guard let resolved = resolver.resolve(tensed(style), language: language) else { return }
    let left = Self.mostScalars - scalarCount
    guard left > 0 else { return }
    var view = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(left) {
      switch scalar {
      case "\r": continue
      case "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}": view.append("\n")
      default: view.append(scalar)
      }
    }
    scalarCount += view.count
    spans.append(Span(text: String(view), style: resolved))
  }

  /// The style with what is said of the past or the future over it. WebVTT §8.2.3.
  private func tensed(_ style: TextStyle) -> TextStyle {
    guard !timestamps.isEmpty else { return style }
    if timestampsMet > 0, timestamps[min(timestampsMet, timestamps.count) - 1] > now {
      return cue.futureStyle.map { style.overlaid(with: $0) } ?? style
    }
    if timestampsMet < timestamps.count, timestamps[timestampsMet] <= now {
      return cue.pastStyle.map { style.overlaid(with: $0) } ?? style
    }
    return style
  }

  /// `white-space: pre-line`: runs of blanks are one, none stand beside line ends.
  private mutating func collapseBlanks() {
    // Blanks at the start of the text and after line ends go.
    var isAfterBlank = true
    for i in spans.indices {
      var view = String.UnicodeScalarView()
      for scalar in spans[i].text.unicodeScalars {
        if scalar == "\n" {
          while view.last == " " { view.removeLast() }
          view.append(scalar)
          isAfterBlank = true
        } else if scalar == " " || scalar == "\t" {
          if !isAfterBlank { view.append(" ") }
          isAfterBlank = true
        } else {
          view.append(scalar)
          isAfterBlank = false
        }
      }
      spans[i].text = String(view)
    }
  }

  /// The spans of each line of the text, with their numbers.
  var paragraphs: [[(number: Int, span: Span)]] {
    var result: [[(number: Int, span: Span)]] = [[]]
    for (number, span) in spans.enumerated() {
      let parts = span.text.split(separator: "\n", omittingEmptySubsequences: false)
      for (i, part) in parts.enumerated() {
        if i > 0 { result.append([]) }
        var piece = span
        piece.text = String(part)
        result[result.count - 1].append((number, piece))
      }
    }
    while let last = result.last, last.allSatisfy({ $0.span.text.isEmpty }), result.count > 1 {
      result.removeLast()
    }
    return result
  }
}
