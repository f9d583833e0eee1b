// Reading the frames of an audio stream, from the start and from any frame.

import ReelAudioCore
import ReelCore

/// Gives the frames of an audio stream with times that add up their samples.
final class FrameStreamReader: PacketReader {
  /// A frame that was passed, to begin reading at.
  private struct Checkpoint {
    var offset: Int64
    var number: Int
    var ticks: Int64
  }

  private let source: any ByteSource
  private let layout: FrameStreamLayout
  private let timescale: Int64
  private let isEmpty: Bool
  private var assembler: AudioFrameAssembler
  private var number = 0
  private var ticks: Int64 = 0
  private var isAtEnd = false
  /// Every so many frames, in order; the first is the start.
  private var checkpoints: [Checkpoint]

  private static let chunk = 1 << 15
  private static let checkpointInterval = 64

  init(source: any ByteSource, layout: FrameStreamLayout, isEmpty: Bool = false) {
    (self.source, self.layout, self.isEmpty) = (source, layout, isEmpty)
    timescale = Int64(max(layout.first.format.sampleRate, 1))
    assembler = AudioFrameAssembler(layout.framing, offset: layout.start)
    checkpoints = [Checkpoint(offset: layout.start, number: 0, ticks: 0)]
  }

  func next() throws(MediaError) -> Packet? {
    guard !isEmpty, let frame = try nextFrame() else { return nil }
    var packet = Packet(trackIndex: 0, data: frame.data)
    packet.number = number
    packet.isSync = true
    packet.position = frame.offset
    packet.presentationTicks = ticks
    packet.decodeTicks = ticks
    packet.durationTicks = length(frame)
    pass(frame)
    return packet
  }

  /// Frames and their length in ticks from here to the end.
  func measureRest() throws(MediaError) -> (count: Int, ticks: Int64) {
    while let frame = try nextFrame() { pass(frame) }
    return (number, ticks)
  }

  /// Ticks of a frame; a stream may change its rate, the track's stays.
  private func length(_ frame: AudioFrame) -> Int64 {
    let rate = Int64(max(frame.format.sampleRate, 1))
    return rate == timescale
      ? Int64(frame.sampleCount) : Int64(frame.sampleCount) * timescale / rate
  }

  private func pass(_ frame: AudioFrame) {
    // Frames of one multiplex element begin at one place; only its first can be begun with.
    if number % Self.checkpointInterval == 0, let last = checkpoints.last, number > last.number,
      frame.offset > last.offset, layout.framing != .loas
    {
      checkpoints.append(Checkpoint(offset: frame.offset, number: number, ticks: ticks))
    }
    number += 1
    ticks = ticks.addingReportingOverflow(length(frame)).partialValue
  }

  private func nextFrame() throws(MediaError) -> AudioFrame? {
    while !isAtEnd {
      if let frame = assembler.next() { return frame }
      let position = assembler.endOffset
      let left = layout.end.map { $0 - position } ?? Int64(Self.chunk)
      let count = Int(min(max(left, 0), Int64(Self.chunk)))
      let bytes = count > 0 ? try source.read(at: position, count: count) : []
      if bytes.isEmpty { isAtEnd = true } else { assembler.append(bytes) }
    }
    return assembler.finish()
  }

  /// Moves to the frame that is heard at `ticks`, every frame being a sync sample.
  func seek(trackIndex: Int, toSyncAtOrBefore ticks: Int64) throws(MediaError) {
    guard trackIndex == 0 else {
      throw MediaError(.usage, .audioTrackIndex, detail: "\(trackIndex)")
    }
    let start = checkpoints.last { $0.ticks <= ticks } ?? checkpoints[0]
    if self.ticks > ticks || start.number > number { restart(at: start) }
    // Reads up to the frame that reaches beyond the time, then begins with it.
    var last = Checkpoint(offset: assembler.endOffset, number: number, ticks: self.ticks)
    var hasFrame = false
    while let frame = try nextFrame() {
      last = Checkpoint(offset: frame.offset, number: number, ticks: self.ticks)
      hasFrame = true
      pass(frame)
      if self.ticks > ticks { break }
    }
    if hasFrame {
      try restart(exactlyAt: last)
    } else {
      // At the end already: the last frame is the answer.
      try seekLast()
    }
  }

  private func seekLast() throws(MediaError) {
    var last = checkpoints[checkpoints.count - 1]
    restart(at: last)
    while let frame = try nextFrame() {
      last = Checkpoint(offset: frame.offset, number: number, ticks: ticks)
      pass(frame)
    }
    try restart(exactlyAt: last)
  }

  private func restart(at checkpoint: Checkpoint) {
    assembler.restart(offset: checkpoint.offset, isFrame: checkpoint.number > 0)
    (number, ticks, isAtEnd) = (checkpoint.number, checkpoint.ticks, false)
  }

  /// Begins with a frame that may be inside a multiplex element, of which the first ones are passed.
  private func restart(exactlyAt checkpoint: Checkpoint) throws(MediaError) {
    guard layout.framing == .loas else { return restart(at: checkpoint) }
    restart(at: checkpoints[0])
    while number < checkpoint.number, let frame = try nextFrame() { pass(frame) }
  }
}
