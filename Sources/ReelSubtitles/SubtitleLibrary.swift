// The subtitles of a render: those that the player's presentation asks for.

internal import ReelAssets
public import ReelCaptions
public import ReelCore
public import ReelImaging
public import ReelPlayback
public import ReelRendering
public import ReelText

/// Finds subtitles of files and tracks, keeps them, and draws them.
///
/// External subtitles are named by a path; two kinds of names mean something inside of the input:
/// `track:N` is track N as `reel probe` counts them, from 0, and `cc1` … `cc4` are the CEA-608 captions
/// that come with the pictures, `service1` … `service63` those of CEA-708. `track:N:cc3` is that channel of a track of CEA-608 captions.
public final class SubtitleLibrary: CaptionSource {
  private struct Key: Hashable {
    var input: ObjectIdentifier?
    var selection: SubtitleSelection
  }
  private var numbers: [Key: Int] = [:]
  private var tracks: [CaptionTrack] = []
  private let painter: CaptionPainter

  public init(book: FontBook, style: CaptionStyle = CaptionStyle()) {
    painter = CaptionPainter(book: book, style: style)
  }

  /// Characters that no font had, in the order they were met.
  public var missing: [Unicode.Scalar] { painter.missing }

  /// Reads the subtitles of a selection, so that what is wrong with them is told before there are pictures.
  ///
  /// - Throws: as ``SubtitleFile/track(named:)`` and ``EmbeddedSubtitles/track(_:index:)``.
  public func load(
    _ selection: SubtitleSelection, from input: RenderInput
  ) throws(MediaError) -> CaptionTrack? {
    guard let number = try number(selection, input) else { return nil }
    return tracks[number]
  }

  private func number(
    _ selection: SubtitleSelection, _ input: RenderInput
  ) throws(MediaError) -> Int? {
    if selection == .off { return nil }
    var key = Key(input: ObjectIdentifier(input), selection: selection)
    if case .external(let name) = selection, Self.inside(name) == nil { key.input = nil }
    if let known = numbers[key] { return known }
    tracks.append(try Self.track(selection, input))
    numbers[key] = tracks.count - 1
    return tracks.count - 1
  }

  private enum Inside {
    case track(Int, CEA608Channel?)
    case channel(CEA608Channel)
    case service(Int)
  }

  private static func inside(_ name: String) -> Inside? {
    let channels: [Substring: CEA608Channel] = [
      "cc1": .cc1, "cc2": .cc2, "cc3": .cc3, "cc4": .cc4,
    ]
    if let channel = channels[name[...]] { return .channel(channel) }
    if name.hasPrefix("service"), let number = Int(name.dropFirst(7)), (1...63).contains(number) {
      return .service(number)
    }
    let parts = name.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), parts[0] == "track", let number = Int(parts[1]) else {
      return nil
    }
    if parts.count == 2 { return .track(number, nil) }
    return channels[parts[2]].map { .track(number, $0) }
  }

  private static func track(
    _ selection: SubtitleSelection, _ input: RenderInput
  ) throws(MediaError) -> CaptionTrack {
    switch selection {
    case .off: return CaptionTrack([])
    case .embedded(let option):
      let index = input.asset.tracks.firstIndex { $0.id == option.trackID && $0.kind == .subtitle }
      return try EmbeddedSubtitles.track(input.asset, index: index ?? -1)
    case .external(let name):
      switch inside(name) {
      case nil: return try SubtitleFile.track(named: name)
      case .track(let index, let channel):
        return try EmbeddedSubtitles.track(input.asset, index: index, channel: channel)
      case .channel(let channel):
        return try PictureCaptions.track(input.asset, channel: channel)
      case .service(let number):
        return try PictureCaptions.track(input.asset, service: number)
      }
    }
  }

  // MARK: CaptionSource

  public func look(
    of shown: Evaluation, from input: RenderInput
  ) throws(MediaError) -> CaptionLook? {
    guard let number = try number(shown.presentation.subtitles, input) else { return nil }
    let moment = CaptionPainter.moment(
      of: tracks[number], at: MediaTime(shown.itemTime), isBefore: shown.side == .before)
    return moment.map { CaptionLook(track: number, cues: $0.cues, passed: $0.passed) }
  }

  public func nextChange(
    of shown: Evaluation, from input: RenderInput
  ) throws(MediaError) -> Rational? {
    guard let number = try number(shown.presentation.subtitles, input) else { return nil }
    let change = tracks[number].change(
      after: MediaTime(shown.itemTime), backwards: shown.rate < 0)
    return change.flatMap { Rational($0) }
  }

  public func layers(
    _ look: CaptionLook, width: Int, height: Int
  ) throws(MediaError) -> [OverlayLayer] {
    guard tracks.indices.contains(look.track) else { return [] }
    return try painter.layers(
      CaptionMoment(cues: look.cues, passed: look.passed), of: tracks[look.track],
      trackID: look.track, width: width, height: height)
  }
}
