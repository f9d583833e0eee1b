// Reading the samples of a transport stream, from the start and from sync samples.

import ReelCore

/// A stream that is a track, as the program map first told it.
struct TransportTrack: Sendable {
  let pid: Int
  let programNumber: Int
  let kind: StreamKind
}

/// What is read, and which of its tracks.
struct TransportInput {
  let source: any ByteSource
  let layout: TransportPacketLayout
  let tracks: [TransportTrack]
  /// Indices into `tracks`.
  var selected: Set<Int>
  let limits: Limits
}

/// Gives the samples of some tracks in the order in which they end in the input.
final class TransportStreamReader: PacketReader {
  private let input: TransportInput
  private let start: Int64?
  private var core: TransportStreamCore
  private var indexers: [Int: TransportSyncIndex] = [:]
  /// Samples come with their bytes. What asks for headers first is spared those of video.
  private var keepsData: Bool
  /// Samples given since the start or the last seek, and where that went.
  private var givenCount = 0
  private var origin: TransportSyncIndex.Entry?

  /// A reader from the start of the input, or from an offset in it.
  init(_ input: TransportInput, from offset: Int64? = nil) {
    self.input = input
    start = offset
    keepsData = false
    core = TransportStreamCore(input, keepsData: false, from: offset)
  }

  /// Offset in the input of the next packet to be read.
  var nextOffset: Int64 { core.scanner.nextOffset }
  /// Bytes that were no packets.
  var skippedByteCount: Int64 { core.scanner.skippedByteCount }
  var streams: [PacketIdentifierStream] { core.streams }

  func next() throws(MediaError) -> Packet? {
    if !keepsData { try fetchData() }
    return try nextSample().map { Packet($0.header, data: $0.data) }
  }

  func nextHeader() throws(MediaError) -> PacketHeader? { try nextSample()?.header }

  /// The next sample with its place in the input; bytes of video only if ``next()`` was called.
  func nextSample() throws(MediaError) -> ElementarySample? {
    guard let sample = try core.next() else { return nil }
    givenCount += 1
    return sample
  }

  /// From now on with bytes: reads up to where it stands once more, unless nothing was read yet.
  private func fetchData() throws(MediaError) {
    var new = TransportStreamCore(input, keepsData: true, from: start)
    if let origin { new.restart(at: origin, input) }
    for _ in 0..<givenCount { _ = try new.next() }
    (core, keepsData) = (new, true)
  }

  /// Moves to the last sync sample at or before `ticks`, which are 90 kHz as the packets have them.
  ///
  /// A transport stream has no index: the track is read up to that time once, and remembered.
  func seek(trackIndex: Int, toSyncAtOrBefore ticks: Int64) throws(MediaError) {
    guard input.selected.contains(trackIndex) else {
      throw MediaError(.usage, .transportTrackIndex, detail: "\(trackIndex)")
    }
    let index = indexers[trackIndex] ?? makeIndex(trackIndex)
    indexers[trackIndex] = index
    origin = try index.entry(atOrBefore: ticks)
    givenCount = 0
    core.restart(at: origin, input)
  }

  private func makeIndex(_ trackIndex: Int) -> TransportSyncIndex {
    var input = input
    input.selected = [trackIndex]
    return TransportSyncIndex(
      TransportStreamReader(input), trackIndex: trackIndex, limits: input.limits)
  }
}
