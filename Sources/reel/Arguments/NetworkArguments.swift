// The options that say over which network a presentation is played.

import ReelCore
import ReelIO
import ReelKit

/// `--network` and what limits the choice of variants.
struct NetworkArguments {
  /// A file, `KBPS[,LATENCY[,LOSS]]`, or `measured`.
  let network: String?
  let caps: AdaptiveCaps
  let controller: AdaptiveController
  /// A recording of live lists.
  private let recording: String?
  private let duration: Rational?

  static let options = [
    Option("--network", value: "TRACE"), Option("--max-bandwidth", value: "BITS"),
    Option("--max-height", value: "N"), Option("--buffer", value: "SECONDS"),
    Option("--recording", value: "FILE"),
  ]

  static let help = """
      --network TRACE   a file with a line for each change of the network: seconds, kbit/s, latency in
                        ms, loss in percent (the last two may be left out); KBPS[,LATENCY[,LOSS]] for
                        a network that does not change; or measured: as fast as the first segments come
      --max-bandwidth BITS, --max-height N
                        leave out variants beyond these
      --buffer SECONDS  media to load ahead (default 30)
      --recording FILE  live lists as they were at times: lines of seconds, address, file. They are
                        followed in virtual time instead of being asked for
    """

  init(_ arguments: Arguments) throws(CommandFailure) {
    network = arguments.value("--network")
    var (caps, controller) = (AdaptiveCaps(), AdaptiveController())
    let most = 1...1_000_000_000
    caps.maximumBandwidth = try arguments.count("--max-bandwidth", in: most).map(Int64.init)
    if let height = try arguments.count("--max-height", in: most) {
      caps.maximumResolution = Resolution(width: .max, height: height)
    }
    if let seconds = try arguments.count("--buffer", in: most) {
      controller.maximumBuffer = Int64(seconds) * 1_000_000
    }
    (self.caps, self.controller) = (caps, controller)
    recording = arguments.value("--recording")
    let from = try arguments.time("--from") ?? .zero
    duration = try arguments.time("--duration").map { from + $0 }
  }

  /// Opens a playlist. One that has no end yet is followed: a recorded one in virtual time, one of the web
  /// in real time for as long as will be shown.
  func presentation(
    _ address: String, _ loader: any ResourceLoader, _ variants: AdaptivePresentation.Variants
  ) throws(MediaError) -> AdaptivePresentation {
    var (source, live): (any ResourceLoader, LiveOptions?) = (loader, nil)
    if let recording {
      let recorded = try recordedLists(recording, loader)
      live = LiveOptions(clock: recorded.clock, duration: duration, keepsSegments: false)
      source = recorded
    } else if WebAddress.looksLikeOne(address) {
      live = LiveOptions(clock: .system, duration: duration)
    }
    return try AdaptivePresentation(
      address: address, loader: source, registry: .standard, caps: caps, variants: variants,
      options: .standard, live: live)
  }

  private func recordedLists(
    _ path: String, _ loader: any ResourceLoader
  ) throws(MediaError) -> RecordedLists {
    do throws(MediaError) {
      let source = try FileSource.open(path: path, maximumStreamBytes: 16 << 20)
      let bytes = try source.readFully(at: 0, count: 16 << 20)
      return try RecordedLists(parsing: String(decoding: bytes, as: UTF8.self), loader: loader)
    } catch {
      guard case .line = error.place else { throw error }
      throw MediaError(
        error.family, error.rule, at: .named(path), detail: "\(error.place): \(error.detail)")
    }
  }

  /// Whether something was said that only counts for playlists.
  var isGiven: Bool { network != nil || recording != nil }

  /// The network that is meant, for a presentation that may have to be asked.
  func trace(for presentation: AdaptivePresentation) throws(MediaError) -> NetworkTrace {
    guard let network else {
      throw MediaError(.usage, .hlsUsage, detail: "say --network TRACE; see --help")
    }
    if network == "measured" { return try presentation.measuredNetwork() }
    let words = network.split(separator: ",", omittingEmptySubsequences: false)
    if words.count <= 3, words.allSatisfy({ Rational($0) != nil }) {
      return try NetworkTrace(parsing: "0 " + words.joined(separator: " "))
    }
    do throws(MediaError) {
      let source = try FileSource.open(path: network, maximumStreamBytes: 16 << 20)
      let bytes = try source.readFully(at: 0, count: 16 << 20)
      return try NetworkTrace(parsing: String(decoding: bytes, as: UTF8.self))
    } catch {
      guard case .line = error.place else { throw error }
      throw MediaError(
        error.family, error.rule, at: .named(network), detail: "\(error.place): \(error.detail)")
    }
  }
}
