// Reading the access units of a byte stream from front to back, and from sync samples.

import ReelCore
import ReelVideoCore

/// Gives the access units of a byte stream in stream order, which is decoding order.
final class VideoStreamReader: PacketReader {
  /// A sync sample that was passed.
  private struct SyncSample {
    var offset: Int64
    var number: Int
    var decodeTicks: Int64
  }

  private let source: any ByteSource
  private let timescale: Int32
  private let isEmpty: Bool
  private let limits: Limits
  private let detector: any TimedDetector
  private var assembler: AccessUnitAssembler
  private var number = 0
  private var decodeTicks: Int64 = 0
  private var isAtEnd = false
  private var syncSamples: [SyncSample] = []

  private static let chunk = 1 << 16

  init(
    source: any ByteSource, detector: any TimedDetector, limits: Limits, timescale: Int32,
    isEmpty: Bool
  ) {
    self.source = source
    self.detector = detector
    self.limits = limits
    self.timescale = timescale
    self.isEmpty = isEmpty
    assembler = AccessUnitAssembler(detector, limits: limits)
  }

  func next() throws(MediaError) -> Packet? {
    guard !isEmpty, let unit = try nextUnit() else { return nil }
    var packet = Packet(trackIndex: 0, data: unit.data)
    packet.number = number
    packet.isSync = unit.isSync
    packet.position = unit.offset
    if unit.isSync { note(unit) }
    if let length = ticks(of: unit) {
      packet.decodeTicks = decodeTicks
      packet.durationTicks = length
      decodeTicks = decodeTicks.addingReportingOverflow(length).partialValue
    }
    number += 1
    return packet
  }

  /// The next access unit; reads nothing into the state before the source has answered, so that a
  /// failed call may be tried again.
  private func nextUnit() throws(MediaError) -> AccessUnit? {
    while !isAtEnd {
      if let unit = try assembler.next() { return unit }
      let bytes = try source.read(at: assembler.endOffset, count: Self.chunk)
      if bytes.isEmpty { isAtEnd = true } else { assembler.append(bytes) }
    }
    return try assembler.finish()
  }

  /// The length of an access unit; none without a picture. Nil when the stream does not tell, or counts
  /// its ticks otherwise than the track does.
  private func ticks(of unit: AccessUnit) -> Int64? {
    guard let tick = detector.description?.tick, tick.scale == timescale else { return nil }
    let fields = unit.hasPicture ? unit.isField ? 1 : 2 : 0
    return Int64(tick.units) * Int64(fields * detector.ticksPerFrame) / 2
  }

  private func note(_ unit: AccessUnit) {
    if let last = syncSamples.last, last.number >= number { return }
    guard syncSamples.count < limits.maximumSamplesPerTrack else { return }
    syncSamples.append(SyncSample(offset: unit.offset, number: number, decodeTicks: decodeTicks))
  }

  /// Moves to the last sync sample whose decode time is at or before `ticks`: presentation times
  /// are not known here. Reads the stream up to there once; where it has no times, to the first
  /// sync sample.
  func seek(trackIndex: Int, toSyncAtOrBefore ticks: Int64) throws(MediaError) {
    guard trackIndex == 0 else {
      throw MediaError(.usage, .elementaryTrack, detail: "asked for track \(trackIndex)")
    }
    if let last = syncSamples.last, last.number > number { restart(at: last) }
    if syncSamples.last.map({ $0.decodeTicks <= ticks }) ?? true { try scan(past: ticks) }
    let isTimed = syncSamples.contains { $0.decodeTicks > 0 }
    let target = isTimed ? syncSamples.last { $0.decodeTicks <= ticks } : nil
    restart(at: target ?? syncSamples.first ?? SyncSample(offset: 0, number: 0, decodeTicks: 0))
  }

  /// Reads on until a packet behind `ticks`, but at least up to the first sync sample.
  private func scan(past ticks: Int64) throws(MediaError) {
    while let packet = try next() {
      if !syncSamples.isEmpty, packet.decodeTicks ?? .max > ticks { return }
    }
  }

  private func restart(at sample: SyncSample) {
    assembler.restart(offset: sample.offset)
    number = sample.number
    decodeTicks = sample.decodeTicks
    isAtEnd = false
  }
}

/// What a sequence parameter set tells of a stream's track.
protocol SequenceDescription {
  var width: Int { get }
  var height: Int { get }
  var pixelAspectRatio: Ratio { get }
  var colour: ColourDescription? { get }
  /// Length of a tick in seconds, as a fraction; nil when not told.
  var tick: (units: UInt32, scale: UInt32)? { get }
}

extension H264SequenceSummary: SequenceDescription {}
extension HEVCSequenceSummary: SequenceDescription {}

/// A detector that knows how long pictures last.
protocol TimedDetector: AccessUnitDetector {
  /// Of the parameter set in force; nil before the first.
  var description: (any SequenceDescription)? { get }
  /// Ticks of a frame.
  var ticksPerFrame: Int { get }
}

extension H264AccessUnitDetector: TimedDetector {
  var description: (any SequenceDescription)? { activeSequence }
  /// ISO/IEC 14496-10:2020 §E.2.1.
  var ticksPerFrame: Int { 2 }
}

extension HEVCAccessUnitDetector: TimedDetector {
  var description: (any SequenceDescription)? { sequence }
  /// ISO/IEC 23008-2:2020 §E.3.1.
  var ticksPerFrame: Int { 1 }
}
