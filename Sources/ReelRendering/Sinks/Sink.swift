// What a sink is given.

public import ReelCore

/// Names what a composited picture is made of: equal keys mean equal samples.
public struct CompositionKey: Sendable, Hashable {
  /// Which of the render's sources.
  public var source: Int
  /// Number of the picture in the source's output order, from 0; −1 where nothing is shown.
  public var picture: Int
  /// Number of the look (filters, overlays, cues, bounds) among those the render has seen; 0 is plain.
  public var look: Int

  /// The key of a picture of a source under a look.
  public init(source: Int = 0, picture: Int, look: Int = 0) {
    (self.source, self.picture, self.look) = (source, picture, look)
  }
}

/// When a picture is shown, in ticks of the output's time base.
public struct PictureTiming: Sendable, Hashable {
  /// When it begins, counted from the begin of the presentation or the render.
  public var ticks: Int64
  /// Length in ticks, ≥ 0.
  public var duration: Int64

  /// A begin and a length in the same ticks.
  public init(ticks: Int64, duration: Int64) {
    (self.ticks, self.duration) = (ticks, duration)
  }
}

/// What is known of an output before its first picture.
public struct OutputTiming: Sendable, Hashable {
  /// Which pictures may come again.
  public enum Repetition: Sendable, Hashable {
    /// A picture comes again right after itself or never.
    case adjacent
    /// Any picture may come again at any time.
    case any
  }

  /// Seconds of one tick, such as 1:30 or 1001:30000; both parts > 0.
  public var timeBase: Ratio
  /// Pictures a second, where all are shown equally long or as a nominal value; both parts > 0.
  public var frameRate: Ratio
  /// How much a sink does well to remember.
  public var repetition: Repetition = .adjacent

  /// LIMIT: keys that are remembered, some 100 MB of them; five hours of pictures at 60 Hz stay below.
  static var mostKeys: Int { 1 << 20 }

  /// Both positive; only neighbours repeat until ``repetition`` says otherwise.
  public init(timeBase: Ratio, frameRate: Ratio) {
    (self.timeBase, self.frameRate) = (timeBase, frameRate)
  }
}

/// Takes the pictures of an output in order. Owned by one thread at a time.
///
/// ``begin(_:)`` comes first, ``finish()`` or ``abandon()`` last, each once.
public protocol Sink: AnyObject {
  /// Comes before the first picture, whether there is one or not.
  func begin(_ timing: OutputTiming) throws(MediaError)

  /// Takes a picture. `key` is nil when it will never be asked for again.
  func write(
    _ frame: VideoFrame, key: CompositionKey?, timing: PictureTiming
  ) throws(MediaError)

  /// Puts out once more what ``write(_:key:timing:)`` made of the picture with this key.
  ///
  /// - Returns: False when the sink needs the picture itself; nothing was put out then.
  func writeAgain(_ key: CompositionKey, timing: PictureTiming) throws(MediaError) -> Bool

  /// False when the sink looks at no picture: then none is decoded, and each comes as one that is
  /// written again.
  var needsPictures: Bool { get }

  /// Ends the output in good order; files get their names by now.
  func finish() throws(MediaError)

  /// Ends the output after a failure elsewhere; no unfinished file is left.
  func abandon()
}

extension Sink {
  /// True: what most sinks need.
  public var needsPictures: Bool { true }
}

/// What a sink made of the pictures it may be asked for again.
struct RepeatMemory<Value> {
  private var values: [CompositionKey: Value] = [:]
  private var repetition: OutputTiming.Repetition = .any

  /// To be called when the output begins.
  mutating func begin(_ timing: OutputTiming) { repetition = timing.repetition }

  /// Remembers `value`, unless too much is remembered already.
  mutating func remember(_ value: Value, for key: CompositionKey?) {
    guard let key else { return }
    if repetition == .adjacent { values.removeAll(keepingCapacity: true) }
    guard values.count < OutputTiming.mostKeys else { return }
    values[key] = value
  }

  subscript(key: CompositionKey) -> Value? { values[key] }
}
