// An input whose pictures are numbers, and which counts how often they are decoded.

internal import ReelAssets
internal import ReelCore
internal import ReelRendering
internal import ReelTestSupport
internal import Synchronization

/// A container of intra pictures with these durations in ticks.
struct StillDemuxer: Demuxer {
  let formatName = "still"
  let tracks: [Track]
  let duration: MediaTime
  let tags: [Tag] = []
  let warnings: [MediaError] = []
  let hasIndex = true
  let durations: [Int64]
  /// Pictures that cannot be decoded.
  var damaged: Set<Int> = []

  init(durations: [Int64], timescale: Int32 = 100, itemTicks: Int64? = nil) {
    self.durations = durations
    tracks = [
      Track(
        id: 1, kind: .video, codec: "still", timescale: timescale, formats: [.video(VideoFormat())])
    ]
    duration = MediaTime(value: itemTicks ?? durations.reduce(0, +), timescale: timescale)
  }

  func makePacketReader(trackIndices: [Int]) throws(MediaError) -> any PacketReader {
    StillReader(self)
  }
}

private final class StillReader: PacketReader {
  private let demuxer: StillDemuxer
  private var number = 0
  private var ticks: Int64 = 0

  init(_ demuxer: StillDemuxer) { self.demuxer = demuxer }

  func next() throws(MediaError) -> Packet? {
    guard number < demuxer.durations.count else { return nil }
    var packet = Packet(trackIndex: 0, data: [UInt8(number & 255)])
    if demuxer.damaged.contains(number) { packet.data = [] }
    packet.number = number
    packet.presentationTicks = ticks
    packet.durationTicks = demuxer.durations[number]
    packet.isSync = true
    ticks += demuxer.durations[number]
    number += 1
    return packet
  }

  func seek(trackIndex: Int, toSyncAtOrBefore wanted: Int64) throws(MediaError) {
    (number, ticks) = (0, 0)
    while number + 1 < demuxer.durations.count, ticks + demuxer.durations[number] <= wanted {
      ticks += demuxer.durations[number]
      number += 1
    }
  }
}

/// Decodes and counts.
final class StillDecoder: VideoDecoder {
  private let count: DecodeCount

  init(_ count: DecodeCount) { self.count = count }

  func decode(_ packet: Packet) throws(MediaError) -> [VideoFrame] {
    guard let number = packet.data.first else {
      throw MediaError(.damaged, Rule("still.empty", "a picture has a number"))
    }
    count.add()
    var frame = VideoFrame.noise(width: 16, height: 16, seed: UInt64(number) + 1)
    frame.presentationTicks = packet.presentationTicks
    return [frame]
  }

  func flush() throws(MediaError) -> [VideoFrame] { [] }
  func reset() {}
}

final class DecodeCount: Sendable {
  private let number = Mutex(0)
  var value: Int { number.withLock { $0 } }
  func add() { number.withLock { $0 += 1 } }
}

extension RenderInput {
  /// An input of stills; `count` tells how many were decoded.
  static func stills(_ demuxer: StillDemuxer, count: DecodeCount = DecodeCount()) throws
    -> RenderInput
  {
    var options = FrameReader.Options()
    options.cacheByteCount = 0
    let registry = MediaRegistry(videoDecoders: [
      "still": { (_, _) throws(MediaError) in StillDecoder(count) }
    ])
    return try RenderInput(
      name: "stills", asset: Asset(demuxer, registry: registry), options: options)
  }
}

/// Keeps what it is given: the pictures' numbers and times.
final class ListSink: Sink {
  var lines: [String] = []
  var timing: OutputTiming?
  var isFinished = false
  var isAbandoned = false

  func begin(_ timing: OutputTiming) { self.timing = timing }
  func write(_ frame: VideoFrame, key: CompositionKey?, timing: PictureTiming) {
    lines.append("\(key?.picture ?? -9)@\(timing.ticks)+\(timing.duration)")
  }
  func writeAgain(_ key: CompositionKey, timing: PictureTiming) -> Bool {
    lines.append("\(key.picture)@\(timing.ticks)+\(timing.duration)")
    return true
  }
  func finish() { isFinished = true }
  func abandon() { isAbandoned = true }
}
