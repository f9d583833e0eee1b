// How a viewer wants captions to look.

public import ReelCore
public import ReelText

/// What the viewer says of captions; what is nil is left to the captions, and else to the defaults of
/// WebVTT: white sans serif letters on black of 80 %, a twentieth of the height large.
public struct CaptionStyle: Sendable, Hashable {
  /// What is drawn around letters. 47 CFR §79.103(c)(6).
  public enum Edge: String, Sendable, Hashable, CaseIterable {
    case none, outline
    /// A copy to the lower right.
    case dropShadow
    /// Light from the upper left falls on letters that stand out …
    case raised
    /// … or lie deeper.
    case depressed
  }

  /// Times the size, ¼ … 4; a value outside counts as the nearest.
  public var scale = 1.0
  public var color: RGBAColor?
  /// Behind the text.
  public var background: RGBAColor?
  public var edge: Edge?
  public var edgeColor: RGBAColor = .black
  public var family: FontFamily?
  /// What is set here goes over what captions say of themselves, not under it.
  public var overridesCaptions = false
  public init() {}

  static let defaultBackground = RGBAColor(red: 0, green: 0, blue: 0, alpha: 0.8)

  var usedScale: Double { scale.isFinite ? min(max(scale, 0.25), 4) : 1 }
}
