// The text of a cue as a tree.

public import ReelCore

/// A part of a cue's text.
public indirect enum CueNode: Sendable, Hashable {
  case text(String)
  /// What follows lies in the future until this time.
  case timestamp(MediaTime)
  case element(CueElement)

  /// The text without marks.
  public var plainText: String {
    switch self {
    case .text(let text): text
    case .timestamp: ""
    case .element(let element): element.children.map(\.plainText).joined()
    }
  }
}

/// A marked part of a cue's text. WebVTT §6.4.
public struct CueElement: Sendable, Hashable {
  public enum Kind: String, Sendable, Hashable {
    case `class` = "c"
    case italic = "i"
    case bold = "b"
    case underline = "u"
    case ruby
    case rubyText = "rt"
    case voice = "v"
    case language = "lang"
    /// Marked by a style alone, as other formats have it.
    case span
  }

  public var kind: Kind
  public var classes: [String] = []
  /// Speaker of a voice, tag of a language.
  public var annotation = ""
  /// How the part looks, of what its kind, classes and style sheets say.
  public var style = TextStyle()
  public var children: [CueNode]

  public init(_ kind: Kind, children: [CueNode] = []) {
    self.kind = kind
    self.children = children
  }
}

/// How text looks; nil where the text around it says so.
public struct TextStyle: Sendable, Hashable {
  public enum FontSize: Sendable, Hashable {
    /// Times the size of the text around.
    case relative(Double)
    /// Times the height of the picture.
    case ofHeight(Double)
    /// Pixels of the picture.
    case pixels(Double)
  }
  public enum FontFamily: Sendable, Hashable { case sansSerif, serif, monospace }
  /// What is drawn around letters.
  public enum Edge: Sendable, Hashable {
    case none
    case outline(RGBAColor)
    /// To the lower right.
    case dropShadow(RGBAColor)
  }

  public var color: RGBAColor?
  /// Behind the text.
  public var background: RGBAColor?
  public var opacity: Double?
  public var isBold: Bool?
  public var isItalic: Bool?
  public var isUnderlined: Bool?
  public var isStruckThrough: Bool?
  public var fontFamily: FontFamily?
  public var fontSize: FontSize?
  public var edge: Edge?
  public var isHidden: Bool?

  public init() {}

  /// This style with what `inner` says put over it. Relative sizes multiply.
  public func overlaid(with inner: TextStyle) -> TextStyle {
    var style = self
    style.color = inner.color ?? color
    style.background = inner.background ?? background
    style.opacity = inner.opacity ?? opacity
    style.isBold = inner.isBold ?? isBold
    style.isItalic = inner.isItalic ?? isItalic
    style.isUnderlined = inner.isUnderlined ?? isUnderlined
    style.isStruckThrough = inner.isStruckThrough ?? isStruckThrough
    style.fontFamily = inner.fontFamily ?? fontFamily
    style.edge = inner.edge ?? edge
    style.isHidden = inner.isHidden ?? isHidden
    switch (fontSize, inner.fontSize) {
    case (_, nil): break
    case (.relative(let outer)?, .relative(let factor)?): style.fontSize = .relative(outer * factor)
    case (.ofHeight(let height)?, .relative(let factor)?):
      style.fontSize = .ofHeight(height * factor)
    case (.pixels(let pixels)?, .relative(let factor)?): style.fontSize = .pixels(pixels * factor)
    case (_, let size?): style.fontSize = size
    }
    return style
  }
}
