// Where the sync samples of a track lie, found by reading it.

import ReelCore

/// Reads one track from the start as far as it is asked to, and remembers its sync samples.
final class TransportSyncIndex {
  /// A sync sample and how to begin reading with it.
  struct Entry {
    let trackIndex: Int
    let number: Int
    /// Offset in the input of the transport packet that its PES packet begins in.
    let position: Int64
    /// Bytes of the PES packet's payload before it.
    let skip: Int64
    let clock: TransportClock
    let presentation: Int64?
    let decoding: Int64?

    /// Gives the packet the times it has when the stream is read from the start.
    func apply(to header: inout PacketHeader) {
      header.presentationTicks = presentation
      header.decodeTicks = decoding
    }
  }

  private let reader: TransportStreamReader
  private let trackIndex: Int
  private let limit: Int
  private var entries: [Entry] = []
  /// The largest decoding time read so far.
  private var reached: Int64 = .min
  private var isComplete = false

  init(_ reader: TransportStreamReader, trackIndex: Int, limits: Limits) {
    (self.reader, self.trackIndex) = (reader, trackIndex)
    limit = limits.maximumSamplesPerTrack
  }

  /// The last sync sample presented at or before `ticks`; the first one when there is none; nil when
  /// the track has no sync sample.
  func entry(atOrBefore ticks: Int64) throws(MediaError) -> Entry? {
    while !isComplete, reached <= ticks || entries.isEmpty {
      guard let sample = try reader.nextSample() else {
        isComplete = true
        break
      }
      note(sample)
    }
    return entries.last { $0.presentation ?? .max <= ticks } ?? entries.first
  }

  private func note(_ sample: ElementarySample) {
    let packet = sample.header
    if let time = packet.decodeTicks { reached = max(reached, time) }
    guard packet.isSync, let mark = sample.mark, entries.count < limit,
      packet.presentationTicks != nil
    else { return }
    // Of several samples in one PES packet the first is enough.
    if let last = entries.last, last.position == mark.position { return }
    entries.append(
      Entry(
        trackIndex: trackIndex, number: packet.number, position: mark.position, skip: sample.skip,
        clock: mark.clock, presentation: packet.presentationTicks, decoding: packet.decodeTicks))
  }
}
