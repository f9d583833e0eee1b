// Building the frame index from packet headers, no further than is asked for.

import ReelCore

/// Reads packet headers and orders them by presentation time.
///
/// Where a sync sample begins, everything before it in decoding order comes before it and its leading
/// pictures in presentation order too (ISO/IEC 14496-12:2020 §8.6.2.1), so the frames up to there are
/// final. A container without an index is read only as far as the asked frame.
final class FrameIndexBuilder {
  struct Entry {
    let ticks: Int64
    let duration: Int64
  }

  private(set) var index = FrameIndex()
  /// All packets have been seen.
  private(set) var isComplete = false
  private let track: Track
  private let makeReader: () throws(MediaError) -> any PacketReader
  private var reader: (any PacketReader)?
  private var pending: [Entry] = []
  private var sampleCount = 0
  /// The whole track is sorted at once: its order of times does not keep to sync samples.
  private let sortsAtEnd: Bool
  /// Time of the next frame of a stream without times.
  private var clock: Int64 = 0
  private let limits: Limits

  init(
    track: Track, limits: Limits, sortsAtEnd: Bool = false,
    makeReader: @escaping () throws(MediaError) -> any PacketReader
  ) {
    self.track = track
    self.limits = limits
    self.sortsAtEnd = sortsAtEnd
    self.makeReader = makeReader
  }

  /// Extends the index until `isEnough` holds or all packets have been seen.
  func extend(until isEnough: (FrameIndex) -> Bool) throws(MediaError) {
    while !isComplete && !isEnough(index) { try readGroup() }
  }

  /// Reads up to the next sync sample, which makes the frames before it final.
  private func readGroup() throws(MediaError) {
    if reader == nil { reader = try makeReader() }
    guard let reader else { return }
    while let header = try nextHeader(reader) {
      // LIMIT: the index grows with the samples that are really there, and no further than this.
      guard sampleCount < limits.maximumSamplesPerTrack else {
        throw MediaError(
          .limitExceeded, .assetSampleCount, detail: "more than \(sampleCount) samples",
          advice: "raise Limits.maximumSamplesPerTrack if the input is trusted")
      }
      let endsGroup = header.isSync && !pending.isEmpty && !sortsAtEnd
      if endsGroup { settle() }
      take(header)
      if endsGroup { return }
    }
    settle()
    index.finish()
    isComplete = true
    self.reader = nil
  }

  /// The next header; an input that ends inside a packet ends there.
  private func nextHeader(_ reader: any PacketReader) throws(MediaError) -> PacketHeader? {
    do {
      return try reader.nextHeader()
    } catch {
      guard error.family == .needsMoreData || error.family == .damaged else { throw error }
      return nil
    }
  }

  private func take(_ header: PacketHeader) {
    let ticks = self.ticks(of: header)
    let duration = max(header.durationTicks ?? 0, 0)
    pending.append(Entry(ticks: ticks, duration: duration))
    if header.isSync {
      index.append(
        FrameIndex.Sync(
          sample: sampleCount, presentationTicks: ticks, position: header.position))
    } else {
      index.noteNonSync()
    }
    sampleCount += 1
  }

  /// Presentation time of a packet, within ±2⁶⁰ so that differences never overflow.
  private func ticks(of header: PacketHeader) -> Int64 {
    if let ticks = header.presentationTicks, !index.isOutputCounted {
      return min(max(ticks, -(1 << 60)), 1 << 60)
    }
    index.noteMissingTimes()
    defer {
      let step = header.durationTicks ?? Int64(track.timescale) / 25
      clock = min(clock + max(step, 1), 1 << 60)
    }
    return clock
  }

  private func settle() {
    index.append(pending)
    pending.removeAll(keepingCapacity: true)
  }
}

extension FrameIndexBuilder {
  /// The whole index of a track whose container has one.
  static func complete(
    track: Track, limits: Limits, makeReader: @escaping () throws(MediaError) -> any PacketReader
  ) throws(MediaError) -> FrameIndexBuilder {
    let builder = FrameIndexBuilder(track: track, limits: limits, makeReader: makeReader)
    try builder.extend { $0.isDisordered }
    guard builder.index.isDisordered else { return builder }
    let sorting = FrameIndexBuilder(
      track: track, limits: limits, sortsAtEnd: true, makeReader: makeReader)
    try sorting.extend { _ in false }
    return sorting
  }
}
