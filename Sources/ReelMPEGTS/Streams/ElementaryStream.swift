// The bytes of a stream on their way from PES packets to samples.

import ReelAudioCore
import ReelCore
import ReelVideoCore

/// What a PES header says of the first access unit that begins in its packet.
struct PESMark {
  /// Offset in the elementary stream of the packet's first payload byte; set by the stream.
  var offset: Int64 = 0
  /// 90 kHz, unwrapped.
  var presentation: Int64?
  var decoding: Int64?
  /// Offset in the input of the transport packet that the PES packet begins in.
  var position: Int64
  /// The clock before this packet's times, so that reading can begin here again.
  var clock: TransportClock
  /// An access unit has taken the times.
  var isTaken = false
}

/// A packet, and from where it can be found again.
struct ElementarySample {
  var header: PacketHeader
  /// Bytes of the packet; empty when only headers are read.
  var data: [UInt8]
  /// The PES packet that the sample begins in; nil when it was not seen.
  var mark: PESMark?
  /// Bytes of the PES packet's payload before the sample.
  var skip: Int64 = 0

  init(_ header: PacketHeader, data: [UInt8], mark: PESMark? = nil, skip: Int64 = 0) {
    (self.header, self.data, self.mark, self.skip) = (header, data, mark, skip)
  }
}

/// Turns the payloads of one PID into samples.
protocol ElementaryStream: AnyObject {
  /// A PES packet is over when the bytes it told have come; else when the next one begins.
  var endsWithLength: Bool { get }
  /// What is known of the format from the samples given so far.
  var format: TrackFormat? { get }
  /// The codec, when the samples tell it more closely than the program map.
  var codec: CodecID? { get }

  /// A PES packet begins.
  func begin(_ mark: PESMark)
  func append(_ bytes: ArraySlice<UInt8>)
  /// The PES packet is over.
  func end()
  /// The next sample that is complete. Track index and number are set by the reader.
  func next() throws(MediaError) -> ElementarySample?
  /// The samples that are left at the end of the input, one a call.
  func finish() throws(MediaError) -> ElementarySample?
  /// Forgets all bytes, for reading from elsewhere.
  func restart()
}

/// The marks of a stream in order, and which of them a sample takes its times from.
struct PESMarks {
  private var marks: [PESMark] = []

  mutating func append(_ mark: PESMark, at offset: Int64) {
    var mark = mark
    mark.offset = offset
    // A packet without payload marks nothing.
    if let last = marks.last, last.offset == offset { marks.removeLast() }
    marks.append(mark)
    // LIMIT: a stream in which no sample is found needs no more marks than one sample could have.
    if marks.count > 4096 { marks.removeFirst(2048) }
  }

  mutating func removeAll() { marks.removeAll() }

  /// The mark of the PES packet that holds `offset`, and whether the times are still to be had:
  /// they belong to the first access unit that begins in the packet. §2.4.3.7.
  mutating func take(at offset: Int64) -> (mark: PESMark, isFirst: Bool)? {
    guard let index = marks.lastIndex(where: { $0.offset <= offset }) else { return nil }
    if index > 0 { marks.removeFirst(index) }
    let mark = marks[0]
    marks[0].isTaken = true
    return (mark, !mark.isTaken)
  }
}

/// The stream of a kind.
///
/// - Parameter keepsData: false where the bytes of video are not wanted.
func makeStream(
  _ framing: StreamKind.Framing, kind: MediaKind, limits: Limits, keepsData: Bool
) -> any ElementaryStream {
  switch framing {
  case .h264: VideoStream(H264AccessUnitDetector(), limits, keepsData)
  case .hevc: VideoStream(HEVCAccessUnitDetector(), limits, keepsData)
  case .mpeg2: VideoStream(MPEG2AccessUnitDetector(), limits, keepsData)
  case .mpeg4Visual: VideoStream(MPEG4VisualAccessUnitDetector(), limits, keepsData)
  case .adts: AudioStream(.adts)
  case .latm: AudioStream(.loas)
  case .mpegAudio: AudioStream(.mpegAudio)
  case .ac3: AudioStream(.ac3)
  case .packets: PacketStream(kind: kind, limits: limits)
  case .sections: SectionStream()
  }
}
