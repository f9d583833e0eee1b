// The building blocks of settings. Contract §1.

public import ReelCore

/// One setting of a ``VideoSettings`` builder.
public protocol Setting: Sendable {}

/// What is played: an http(s) or file address, or the name of a resource. Required.
public struct SourceName: Setting, Equatable {
  /// What was given.
  public let value: String
  /// The setting with its value.
  public init(_ value: String) { self.value = value }
}

/// The extension used when a resource name has none; `mp4` without this setting.
public struct Ext: Setting, Equatable {
  /// What was given.
  public let value: String
  /// The setting with its value.
  public init(_ value: String) { self.value = value }
}

/// How the picture fits the output's bounds; `.resizeAspect` without this setting.
extension Gravity: Setting {}

/// The item starts again when it ends.
public struct Loop: Setting, Equatable {
  /// The setting.
  public init() {}
}

/// Playback starts silent.
public struct Mute: Setting, Equatable {
  /// The setting.
  public init() {}
}

/// Playback does not start when the item is ready.
public struct NotAutoPlay: Setting, Equatable {
  /// The setting.
  public init() {}
}

/// The current time is published at this interval of item time, and when it jumps or playback starts
/// or stops.
public struct TimePublishing: Setting, Equatable {
  /// Item time between two calls.
  public let interval: MediaTime
  /// An interval above zero; a second when none is given.
  public init(_ interval: MediaTime = MediaTime(value: 600, timescale: 600)) {
    self.interval = interval
  }
}

/// Subtitles from a file or address of their own (WebVTT or SRT); extension `vtt` when it has none.
public struct Subtitles: Setting, Equatable {
  /// What was given.
  public let value: String
  /// The setting with its value.
  public init(_ value: String) { self.value = value }
}

/// The overlay layer is there; without it `addVector` and `removeAllVectors` do nothing.
public struct EnableVector: Setting, Equatable {
  /// The setting.
  public init() {}
}

/// The inset mode is there; without it `startPiP` and `stopPiP` do nothing.
public struct PictureInPicture: Setting, Equatable {
  /// The setting.
  public init() {}
}

/// Events are delivered: those that match a filter, or all when the list is empty or nil.
public struct Events: Setting, Equatable {
  /// Empty: all events.
  public let filters: [PlayerEventFilter]
  /// The setting with its filters.
  public init(_ filters: [PlayerEventFilter]? = nil) { self.filters = filters ?? [] }
}

/// Collects settings; `if`, `switch` and `for` may stand between them.
@resultBuilder
public enum SettingsBuilder {
  /// One setting.
  public static func buildExpression(_ setting: any Setting) -> [any Setting] { [setting] }
  /// Settings from elsewhere.
  public static func buildExpression(_ settings: [any Setting]) -> [any Setting] { settings }
  /// Settings one after the other.
  public static func buildBlock(_ parts: [any Setting]...) -> [any Setting] { parts.flatMap { $0 } }
  /// `if` without `else`.
  public static func buildOptional(_ part: [any Setting]?) -> [any Setting] { part ?? [] }
  /// `if`.
  public static func buildEither(first part: [any Setting]) -> [any Setting] { part }
  /// `else`.
  public static func buildEither(second part: [any Setting]) -> [any Setting] { part }
  /// `for`.
  public static func buildArray(_ parts: [[any Setting]]) -> [any Setting] { parts.flatMap { $0 } }
  /// `if #available`.
  public static func buildLimitedAvailability(_ part: [any Setting]) -> [any Setting] { part }
}
