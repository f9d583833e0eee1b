// One of the inputs of a render: its frames by item time.

public import ReelAssets
public import ReelCore
public import ReelPlayback

/// How the data of an input comes while it is played: a presentation in variants over a network.
public struct RenderStream: Sendable {
  /// Loads it, in host time.
  public let feed: any ItemFeed
  /// The asset of what a feed has loaded in the end, each segment in the variant it was shown in.
  public let asset: @Sendable (any ItemFeed) throws(MediaError) -> Asset

  /// A stream by its feed and what comes of it.
  public init(
    feed: any ItemFeed, asset: @escaping @Sendable (any ItemFeed) throws(MediaError) -> Asset
  ) {
    (self.feed, self.asset) = (feed, asset)
  }
}

/// An opened input and the reader of its frames.
public final class RenderInput {
  /// What the input is called in messages.
  public let name: String
  /// The opened input; of a stream, what was loaded of it in the end.
  public private(set) var asset: Asset
  /// Length of the item: of the presentation, or of the video where that is not told.
  public let duration: MediaTime
  /// What the player is told of the item: its length, its tracks by language.
  public let facts: ItemFacts
  private(set) var reader: FrameReader
  /// How its data comes; nil: it is there.
  let stream: RenderStream?
  private let options: FrameReader.Options

  /// 3×3 display matrix of the video track; nil for none.
  public var displayMatrix: [Int32]? { reader.track.matrix }

  /// The part of the picture that is meant to be seen; nil: all of it.
  public var cleanAperture: CleanAperture? {
    for case .video(let format) in reader.track.formats { return format.cleanAperture }
    return nil
  }

  /// Samples that gave no picture so far, and why; at most the first hundred.
  public var faults: [MediaError] { reader.faults }

  /// Opens a reader on the video track to show.
  ///
  /// - Parameters:
  ///   - facts: what the player is told beside the length; nil: nothing more.
  ///   - stream: how its data comes; nil: all of it is there. The asset then tells length and tracks.
  /// - Throws: as `Asset.makeFrameReader`.
  public init(
    name: String, asset: Asset, options: FrameReader.Options = FrameReader.Options(),
    facts: ItemFacts? = nil, stream: RenderStream? = nil
  ) throws(MediaError) {
    self.name = name
    self.asset = asset
    (self.stream, self.options) = (stream, options)
    reader = try asset.makeFrameReader(options: options)
    duration = asset.duration.isNumeric ? asset.duration : try reader.endTime
    var own = facts ?? ItemFacts(duration: duration)
    own.duration = duration
    self.facts = own
  }

  /// Takes the pictures from what a feed had loaded when all was over.
  func settle(_ feed: any ItemFeed) throws(MediaError) {
    guard let stream else { return }
    let settled = try stream.asset(feed)
    reader = try settled.makeFrameReader(options: options)
    asset = settled
  }

  /// Number of the frame that an item time stands for; nil when there is none.
  func frameNumber(at itemTime: Rational, _ side: PictureSide) throws(MediaError) -> Int? {
    guard var number = try reader.number(at: itemTime) else { return nil }
    guard side == .before else { return number }
    while number > 0, let times = try reader.times(ofFrame: number), times.start >= itemTime {
      number -= 1
    }
    return number
  }

  /// The item time at which another frame than `number` is shown first, going on in the direction of
  /// `rate`; nil when that never comes.
  func nextChange(after number: Int, at itemTime: Rational, rate: Rational) throws(MediaError)
    -> Rational?
  {
    if rate < .zero {
      // Going back, a frame is left at its own begin.
      guard number > 0 else { return nil }
      return try reader.times(ofFrame: number)?.start
    }
    // Several frames may begin at one time; the last of them is shown.
    var next = number + 1
    while let times = try reader.times(ofFrame: next) {
      if times.start > itemTime { return times.start }
      next += 1
    }
    return nil
  }
}
