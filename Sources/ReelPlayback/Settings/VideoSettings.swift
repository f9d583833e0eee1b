// What a player is set up with. Contract §1.

public import ReelCore

/// A player's settings.
///
/// ```swift
/// let settings = VideoSettings {
///   SourceName("swipe")
///   Gravity(.resizeAspectFill)
///   Loop()
///   if isSilent { Mute() }
///   Events([.playing, .paused])
/// }
/// ```
public struct VideoSettings: Sendable, Hashable, Codable {
  /// An http(s) or file address, or the name of a resource.
  public let name: String
  /// Extension of a resource name that has none.
  public let ext: String
  /// External subtitles; empty for none.
  public let subtitles: String
  /// The item starts again when it ends.
  public let loop: Bool
  /// The inset commands have an effect.
  public let pictureInPicture: Bool
  /// Playback starts silent.
  public let mute: Bool
  /// Playback does not start of itself.
  public let notAutoPlay: Bool
  /// Interval at which the time is published; nil: it is not.
  public let timePublishing: MediaTime?
  /// How the picture fits the bounds.
  public let gravity: Gravity
  /// The overlay commands have an effect.
  public let enableVector: Bool
  /// nil: no events at all; empty: all; else those that match one of them.
  public let events: [PlayerEventFilter]?
  /// Each setting was given once. Otherwise the player reports `settingsNotUnique` and does not play.
  public let areUnique: Bool

  /// All settings by name; what is left out is at its default.
  public init(
    name: String, ext: String = "mp4", subtitles: String = "", loop: Bool = false,
    pictureInPicture: Bool = false, mute: Bool = false, notAutoPlay: Bool = false,
    timePublishing: MediaTime? = nil, gravity: Gravity = .resizeAspect, enableVector: Bool = false,
    events: [PlayerEventFilter]? = nil
  ) {
    self.name = name
    self.ext = ext
    self.subtitles = subtitles
    self.loop = loop
    self.pictureInPicture = pictureInPicture
    self.mute = mute
    self.notAutoPlay = notAutoPlay
    self.timePublishing = timePublishing
    self.gravity = gravity
    self.enableVector = enableVector
    self.events = events
    areUnique = true
  }

  /// Settings from building blocks. Of one that was given twice the first holds, and ``areUnique`` is
  /// false.
  public init(@SettingsBuilder builder: () -> [any Setting]) {
    let settings = builder()
    func first<T: Setting>(_: T.Type) -> T? { settings.lazy.compactMap { $0 as? T }.first }
    name = first(SourceName.self)?.value ?? ""
    ext = first(Ext.self)?.value ?? "mp4"
    subtitles = first(Subtitles.self)?.value ?? ""
    loop = first(Loop.self) != nil
    pictureInPicture = first(PictureInPicture.self) != nil
    mute = first(Mute.self) != nil
    notAutoPlay = first(NotAutoPlay.self) != nil
    timePublishing = first(TimePublishing.self)?.interval
    gravity = first(Gravity.self) ?? .resizeAspect
    enableVector = first(EnableVector.self) != nil
    events = first(Events.self)?.filters
    let kinds = settings.map { ObjectIdentifier(type(of: $0)) }
    areUnique = Set(kinds).count == kinds.count
  }

  /// The short form: what is played and how it fits.
  public init(
    fileName: String, ext: String = "mp4", gravity: Gravity = .resizeAspect,
    timePublishing: MediaTime? = nil
  ) {
    self.init(name: fileName, ext: ext, timePublishing: timePublishing, gravity: gravity)
  }

  /// What has to be loaded.
  public var source: SourceReference { SourceReference(name: name, ext: ext) }

  /// Whether an event is delivered under the ``Events`` setting.
  public func delivers(_ event: PlayerEvent) -> Bool {
    guard let events else { return false }
    return events.isEmpty || events.contains { $0.matches(event) }
  }
}

/// A source by name: an address, or a resource to look for.
public struct SourceReference: Sendable, Hashable, Codable, CustomStringConvertible {
  /// An http(s) or file address, or the name of a resource.
  public let name: String
  /// Extension of a resource name that has none.
  public let ext: String

  /// A source by name.
  public init(name: String, ext: String = "mp4") {
    self.name = name
    self.ext = ext
  }

  /// `http://` or `https://` with a host: a name, an address or `localhost`, with or without a port.
  ///
  /// A superset of what the loop players accept, which ask for a dotted host.
  public var isRemote: Bool {
    guard let rest = afterScheme(of: ["http", "https"]) else { return false }
    let host = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    return !host.isEmpty && !host.contains(" ") && host.first != ":"
  }

  /// A `file://` address.
  public var isFileAddress: Bool { afterScheme(of: ["file"]) != nil }

  private func afterScheme(of schemes: [String]) -> Substring? {
    guard let mark = name.firstIndex(of: ":"), schemes.contains(name[..<mark].lowercased()) else {
      return nil
    }
    let rest = name[name.index(after: mark)...]
    return rest.hasPrefix("//") ? rest.dropFirst(2) : nil
  }

  /// The file name to look for in the resource folders: with the extension when the name has none.
  public var resourceName: String {
    let last = name.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    let hasExtension = last.dropFirst().contains(".")
    return hasExtension || ext.isEmpty ? name : "\(name).\(ext)"
  }

  public var description: String { isRemote || isFileAddress ? name : resourceName }
}
