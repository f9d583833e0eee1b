// Choosing tracks by language.

public import ReelAssets
internal import ReelCore
public import ReelPlayback

/// What a selection group holds, as AVMediaCharacteristic.
public enum MediaCharacteristic: Sendable, Hashable, CaseIterable {
  /// Audio tracks.
  case audible
  /// Subtitle tracks.
  case legible
}

/// Tracks of one kind that stand for each other, such as the languages of the sound.
public struct MediaSelectionGroup: Sendable, Hashable {
  /// Sound or subtitles.
  public let characteristic: MediaCharacteristic
  /// In the order of the tracks.
  public let options: [MediaOption]

  /// Options in a language (BCP 47): `en` matches `en-US` and `eng`.
  public func options(for language: String) -> [MediaOption] {
    options.filter { LanguageTag.matches(language, $0.language) }
  }

  /// The first option in the first of the languages that has one; nil when none has.
  public func option(forPreferredLanguages languages: [String]) -> MediaOption? {
    for language in languages {
      if let option = options(for: language).first { return option }
    }
    return nil
  }
}

extension Asset {
  /// The audio or subtitle tracks that can be chosen, encrypted ones left out.
  public func mediaSelectionGroup(for characteristic: MediaCharacteristic) -> MediaSelectionGroup {
    let kind: MediaKind = characteristic == .audible ? .audio : .subtitle
    return MediaSelectionGroup(
      characteristic: characteristic,
      options: tracks.filter { $0.kind == kind && !$0.isProtected }.map {
        MediaOption(trackID: $0.id, language: $0.language)
      })
  }
}
