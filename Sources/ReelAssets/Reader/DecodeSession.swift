// Packets of one track into one decoder, each frame traced back to its sample.

import ReelCore

/// A frame that a decoder put out, and the packet it came from.
struct DecodedFrame {
  var sample: Int
  /// Media ticks; nil when the container does not tell.
  let presentationTicks: Int64?
  let durationTicks: Int64?
  var frame: VideoFrame
}

/// Decodes a track from a sync sample on. Restarted for a seek.
///
/// Decoders carry the presentation time of a packet through to its picture. The session lends them the
/// sample's number instead, so that a frame is traced to its sample whatever the file says of times.
final class DecodeSession {
  private let asset: Asset
  private let trackIndex: Int
  private let options: DecodeOptions
  private let makeDecoder: MediaRegistry.MakeVideoDecoder
  private var reader: any PacketReader
  private var decoder: (any VideoDecoder)?
  private var formatIndex = -1
  /// Headers of packets whose frames are not out yet, by sample.
  private var inFlight: [Int: PacketHeader] = [:]
  /// All frames are out.
  private(set) var isFinished = false
  /// Number of the sample that is decoded next.
  private(set) var nextSample = 0
  /// Sample the session was started at.
  private(set) var firstSample = 0
  /// Samples that gave no picture, with the reason. Bounded.
  private(set) var faults: [(sample: Int, error: MediaError)] = []
  /// Packets decoded since the beginning, seeks included.
  private(set) var decodedPacketCount = 0

  /// Frames are awaited no longer than for this many packets after their own: pictures of the largest
  /// decoded picture buffer, two fields each.
  static let reorderBound = 34

  init(asset: Asset, trackIndex: Int, options: DecodeOptions) throws(MediaError) {
    let track = asset.tracks[trackIndex]
    guard !track.isProtected else {
      throw MediaError(.protected, .assetProtected, detail: "track \(trackIndex)")
    }
    guard let makeDecoder = asset.registry.videoDecoders[track.codec] else {
      throw MediaError(
        .unsupported, .assetCodec, detail: "\(track.codec)",
        advice: "decoders: \(Self.names(asset.registry))")
    }
    self.asset = asset
    self.trackIndex = trackIndex
    self.options = options
    self.makeDecoder = makeDecoder
    reader = try asset.demuxer.makePacketReader(trackIndices: [trackIndex])
  }

  private static func names(_ registry: MediaRegistry) -> String {
    registry.videoDecoders.keys.map(\.rawValue).sorted().joined(separator: ", ")
  }

  /// Goes to a sync sample, or to the first sample.
  func restart(at sync: FrameIndex.Sync?) throws(MediaError) {
    decoder?.reset()
    inFlight.removeAll()
    isFinished = false
    if let sync, sync.sample > 0, try seek(sync) {
      nextSample = sync.sample
    } else {
      reader = try asset.demuxer.makePacketReader(trackIndices: [trackIndex])
      nextSample = 0
      if let sync { try skip(to: sync.sample) }
    }
    firstSample = nextSample
  }

  /// Seeks to a sync sample; false when its packet cannot be found that way.
  private func seek(_ sync: FrameIndex.Sync) throws(MediaError) -> Bool {
    try reader.seek(trackIndex: trackIndex, toSyncAtOrBefore: sync.presentationTicks)
    // The container may stop at an earlier one with the same time; a few packets show.
    for _ in 0..<64 {
      guard let packet = try reader.next() else { return false }
      guard isSame(packet.header, sync) else { continue }
      first = packet
      return true
    }
    return false
  }

  /// The packet that a seek has read already.
  private var first: Packet?

  private func isSame(_ header: PacketHeader, _ sync: FrameIndex.Sync) -> Bool {
    guard header.isSync, header.presentationTicks == sync.presentationTicks else { return false }
    if asset.demuxer.hasIndex { return header.number == sync.sample }
    return sync.position < 0 || header.position == sync.position
  }

  private func skip(to sample: Int) throws(MediaError) {
    while nextSample < sample, try reader.nextHeader() != nil { nextSample += 1 }
  }

  private func nextPacket() throws(MediaError) -> Packet? {
    if let packet = first {
      first = nil
      return packet
    }
    return try reader.next()
  }

  /// Whether the frame of a sample is still to come without going back.
  func isAhead(_ sample: Int) -> Bool {
    sample >= nextSample ? !isFinished : inFlight[sample] != nil
  }

  /// Decodes one packet, or what is left at the end.
  ///
  /// - Returns: the frames that came out, or nil when all is done.
  /// - Throws: what makes going on pointless; damaged packets are only noted in `faults`.
  func step() throws(MediaError) -> [DecodedFrame]? {
    if isFinished { return nil }
    let packet: Packet?
    do {
      packet = try nextPacket()
    } catch {
      // The input ends inside a sample: what came before can still be shown.
      guard error.family == .needsMoreData else { throw error }
      note(error)
      packet = nil
    }
    guard let packet else { return try finish() }
    var frames: [DecodedFrame] = []
    if packet.formatIndex != formatIndex || decoder == nil {
      frames = try drain()
      try changeFormat(packet.formatIndex)
    }
    return try frames + decode(packet)
  }

  /// Ends the session: the frames that the decoder still holds.
  func finish() throws(MediaError) -> [DecodedFrame] {
    isFinished = true
    return try drain()
  }

  private func decode(_ packet: Packet) throws(MediaError) -> [DecodedFrame] {
    let sample = nextSample
    nextSample += 1
    decodedPacketCount += 1
    inFlight[sample] = packet.header
    inFlight[sample - 4 * Self.reorderBound] = nil
    var lent = packet
    lent.presentationTicks = Int64(sample)
    do {
      return try traced(decoder?.decode(lent) ?? [])
    } catch {
      guard error.family == .damaged || error.family == .needsMoreData else {
        throw located(error, packet)
      }
      note(located(error, packet))
      return []
    }
  }

  private func located(_ error: MediaError, _ packet: Packet) -> MediaError {
    guard case .unknown = error.place else { return error }
    return error.at(
      .box(path: "track \(trackIndex) sample \(nextSample - 1)", offset: packet.position))
  }

  private func note(_ error: MediaError) {
    // LIMIT: a stream of nothing but damage says no more after this many.
    if faults.count < 100 { faults.append((max(nextSample - 1, 0), error)) }
  }

  /// Frames that the decoder holds, in output order.
  private func drain() throws(MediaError) -> [DecodedFrame] {
    do {
      return traced(try decoder?.flush() ?? [])
    } catch {
      guard error.family == .damaged || error.family == .needsMoreData else { throw error }
      note(error)
      return []
    }
  }

  private func changeFormat(_ index: Int) throws(MediaError) {
    let formats = asset.tracks[trackIndex].formats
    guard formats.indices.contains(index), case .video(let format) = formats[index] else {
      throw MediaError(
        .damaged, .assetFormatIndex, detail: "format \(index) of \(formats.count)")
    }
    decoder = try makeDecoder(format, options)
    formatIndex = index
  }

  /// Adds what the container tells: its pixel shape counts more than the stream's own, as anybody who
  /// mends a file changes the container; its light levels count where the stream has none.
  private func describe(_ frame: inout VideoFrame, formatIndex: Int) {
    let formats = asset.tracks[trackIndex].formats
    guard formats.indices.contains(formatIndex), case .video(let format) = formats[formatIndex]
    else { return }
    if format.pixelAspectRatio.numerator > 0 && format.pixelAspectRatio.denominator > 0 {
      frame.pixelAspectRatio = format.pixelAspectRatio
    }
    frame.sideData.cleanAperture = format.cleanAperture
    let own = frame.sideData
    frame.sideData.masteringDisplay = own.masteringDisplay ?? format.masteringDisplay
    frame.sideData.contentLightLevel = own.contentLightLevel ?? format.contentLightLevel
  }

  /// Frames with their own times back in place of the sample numbers.
  private func traced(_ frames: [VideoFrame]) -> [DecodedFrame] {
    frames.compactMap { frame in
      guard let sample = frame.presentationTicks.map(Int.init),
        let header = inFlight.removeValue(forKey: sample)
      else { return nil }
      var own = frame
      own.presentationTicks = header.presentationTicks
      own.durationTicks = header.durationTicks
      describe(&own, formatIndex: header.formatIndex)
      return DecodedFrame(
        sample: sample, presentationTicks: header.presentationTicks,
        durationTicks: header.durationTicks, frame: own)
    }
  }
}
