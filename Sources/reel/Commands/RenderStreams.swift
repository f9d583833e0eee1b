// Playlists of `reel render` that are played over a network.

import ReelCore
import ReelIO
import ReelImaging
import ReelKit
import ReelPlayback
import ReelRendering

/// The inputs that are playlists, over a network or followed while they grow.
struct RenderStreams {
  private let network: NetworkArguments
  private var presentations: [String: AdaptivePresentation] = [:]

  init(_ arguments: Arguments) throws(CommandFailure) {
    network = try NetworkArguments(arguments)
    let opener = arguments.inputs
    for path in arguments.operands where path != "-" && presentations[path] == nil {
      // A list of the web may have no end yet, and then it is followed.
      guard network.isGiven || WebAddress.looksLikeOne(path) else { continue }
      do throws(MediaError) {
        guard try Asset.isPlaylist(opener.source(path)) else { continue }
        presentations[path] = try network.presentation(
          path, opener, network.network == nil ? .chosen : .all)
      } catch {
        throw CommandFailure(error, input: path)
      }
    }
    guard !presentations.isEmpty || !network.isGiven else {
      throw .usage("--network and --recording count for playlists, and none of the inputs is one")
    }
  }

  /// The size that pictures of every variant are fitted into.
  var pictureSize: PixelSize? {
    guard network.network != nil else { return nil }
    let sizes = presentations.values.compactMap(\.resolution)
    guard let width = sizes.map(\.width).max(), let height = sizes.map(\.height).max() else {
      return nil
    }
    return PixelSize(width: width, height: height)
  }

  /// The input of a playlist over the network; nil for any other.
  func input(
    _ path: String, _ options: FrameReader.Options
  ) throws(MediaError) -> RenderInput? {
    guard let presentation = presentations[path] else { return nil }
    let asset = Asset(try presentation.demuxer(), registry: .standard)
    guard network.network != nil else {
      return try RenderInput(
        name: path, asset: asset, options: options, facts: try? asset.facts())
    }
    let session = StreamingSession(
      presentation.plan, network: try network.trace(for: presentation),
      controller: network.controller)
    let stream = RenderStream(
      feed: StreamingFeed(session, duration: asset.duration),
      asset: { (feed) throws(MediaError) in
        let levels = (feed as? StreamingFeed)?.session.levels
        return Asset(try presentation.demuxer(levels: levels), registry: .standard)
      })
    return try RenderInput(
      name: path, asset: asset, options: options, facts: try? asset.facts(), stream: stream)
  }
}
