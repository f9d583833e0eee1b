// Audio streams whose frames are found by their headers.

import ReelAudioCore
import ReelCore

/// Cuts an audio stream into frames; those between two PES times are timed by their samples.
final class AudioStream: ElementaryStream {
  private var assembler: AudioFrameAssembler
  private var marks = PESMarks()
  /// The last time that a PES packet told, and the samples since.
  private var baseTicks: Int64?
  private var sampleCount: Int64 = 0
  private var sampleRate = 0
  let endsWithLength = false

  init(_ framing: AudioFraming) { assembler = AudioFrameAssembler(framing) }

  var format: TrackFormat? { assembler.format.map { .audio($0) } }
  var codec: CodecID? { assembler.codec }

  func begin(_ mark: PESMark) { marks.append(mark, at: assembler.endOffset) }
  func append(_ bytes: ArraySlice<UInt8>) { assembler.append(bytes) }
  func end() {}
  func next() throws(MediaError) -> ElementarySample? {
    assembler.next().map { sample($0) }
  }

  func finish() throws(MediaError) -> ElementarySample? {
    assembler.finish().map { sample($0) }
  }

  func restart() {
    assembler.restart(offset: 0)
    marks.removeAll()
    (baseTicks, sampleCount) = (nil, 0)
  }

  private func sample(_ frame: AudioFrame) -> ElementarySample {
    var header = PacketHeader(trackIndex: 0, byteCount: frame.data.count)
    header.isSync = true
    if frame.format.sampleRate != sampleRate {
      baseTicks = ticks
      (sampleCount, sampleRate) = (0, frame.format.sampleRate)
    }
    let taken = marks.take(at: frame.offset)
    if let taken, taken.isFirst, let time = taken.mark.presentation {
      (baseTicks, sampleCount) = (time, 0)
    }
    if let taken, taken.isFirst { header.position = taken.mark.position }
    header.presentationTicks = ticks
    header.decodeTicks = ticks
    sampleCount += Int64(frame.sampleCount)
    if let start = header.presentationTicks { header.durationTicks = ticks.map { $0 - start } }
    return ElementarySample(
      header, data: frame.data, mark: taken?.mark,
      skip: taken.map { frame.offset - $0.mark.offset } ?? 0)
  }

  /// The time of the next sample in 90 kHz.
  private var ticks: Int64? {
    guard let baseTicks, sampleRate > 0 else { return baseTicks }
    return baseTicks + sampleCount * 90_000 / Int64(sampleRate)
  }
}
