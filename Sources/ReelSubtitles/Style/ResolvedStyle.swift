// How one stretch of a caption looks, all told.

internal import ReelCaptions
internal import ReelCore
internal import ReelText

/// Everything that is needed to draw a stretch of text.
struct ResolvedStyle: Hashable {
  var attributes: TextAttributes
  var color: RGBAColor
  /// nil for none.
  var background: RGBAColor?
  var isUnderlined, isStruckThrough: Bool
  var edge: CaptionStyle.Edge
  var edgeColor: RGBAColor
}

/// Makes resolved styles for pictures of one height.
struct StyleResolver {
  let user: CaptionStyle
  let height: Int
  /// nil: the default behind text, ``CaptionStyle/defaultBackground``.
  let background: RGBAColor?

  /// nil for hidden text.
  func resolve(_ style: TextStyle, language: String) -> ResolvedStyle? {
    if style.isHidden == true { return nil }
    let forced = user.overridesCaptions
    var attributes = TextAttributes(size: size(style.fontSize))
    attributes.family = pick(user.family, style.fontFamily.map(Self.family), .sansSerif, forced)
    attributes.isBold = style.isBold ?? false
    attributes.isItalic = style.isItalic ?? false
    attributes.language = language
    let opacity = style.opacity.map { $0.isFinite ? min(max($0, 0), 1) : 1 } ?? 1
    var color = pick(user.color, style.color, .white, forced)
    color.alpha *= opacity
    var behind = pick(user.background, style.background, background ?? .clear, forced)
    behind.alpha *= opacity
    var (edge, edgeColor) = (user.edge ?? .none, user.edgeColor)
    if !(forced && user.edge != nil) {
      switch style.edge {
      case nil: break
      case .some(.none): edge = .none
      case .outline(let color): (edge, edgeColor) = (.outline, color)
      case .dropShadow(let color): (edge, edgeColor) = (.dropShadow, color)
      }
    }
    edgeColor.alpha *= opacity
    return ResolvedStyle(
      attributes: attributes, color: color, background: behind.alpha > 0 ? behind : nil,
      isUnderlined: style.isUnderlined ?? false, isStruckThrough: style.isStruckThrough ?? false,
      edge: edge, edgeColor: edgeColor)
  }

  private func pick<T>(_ user: T?, _ own: T?, _ fallback: T, _ forced: Bool) -> T {
    (forced ? user ?? own : own ?? user) ?? fallback
  }

  private static func family(_ family: TextStyle.FontFamily) -> FontFamily {
    switch family {
    case .sansSerif: .sansSerif
    case .serif: .serif
    case .monospace: .monospace
    }
  }

  /// Height of the em in 1/64 pixel: 4 pixels at least, half of the picture at most. WebVTT §7.3: 5vh.
  private func size(_ size: TextStyle.FontSize?) -> Int {
    let base = Double(height) * 0.05
    var pixels =
      switch size {
      case nil: base
      case .relative(let factor): base * factor
      case .ofHeight(let part): Double(height) * part
      case .pixels(let pixels): pixels
      }
    pixels *= user.usedScale
    guard pixels.isFinite else { return Int(base * 64) }
    return Int((min(max(pixels, 4), max(Double(height) / 2, 4)) * 64).rounded())
  }
}
