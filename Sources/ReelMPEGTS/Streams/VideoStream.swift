// Video streams: access units found by their start codes.

import ReelCore
import ReelVideoCore

/// A detector that can also describe its stream.
protocol DescribingDetector: AccessUnitDetector {
  /// The format as far as headers have told it.
  var videoFormat: VideoFormat? { get }
  /// Length of a frame in 90 kHz; nil when the stream does not tell.
  var frameTicks: Int64? { get }
}

/// Cuts a video stream into access units and gives them the times of their PES packets.
struct VideoStream<Detector: DescribingDetector>: ElementaryStream {
  private var assembler: AccessUnitAssembler<Detector>
  private var marks = PESMarks()
  let endsWithLength = false
  let codec: CodecID? = nil

  init(_ detector: Detector, limits: Limits) {
    assembler = AccessUnitAssembler(detector, limits: limits)
  }

  var format: TrackFormat? { assembler.detector.videoFormat.map { .video($0) } }

  mutating func begin(_ mark: PESMark) { marks.append(mark, at: assembler.endOffset) }
  mutating func append(_ bytes: ArraySlice<UInt8>) { assembler.append(bytes) }
  mutating func end() {}

  mutating func next() throws(MediaError) -> ElementarySample? {
    try assembler.next().map { sample($0) }
  }

  mutating func finish() throws(MediaError) -> ElementarySample? {
    try assembler.finish().map { sample($0) }
  }

  mutating func restart() {
    assembler.restart(offset: 0)
    marks.removeAll()
  }

  private mutating func sample(_ unit: AccessUnit) -> ElementarySample {
    var packet = Packet(trackIndex: 0, data: unit.data)
    packet.isSync = unit.isSync
    packet.durationTicks = assembler.detector.frameTicks.map { unit.isField ? $0 / 2 : $0 }
    // The zero byte before a start code may still lie in the PES packet before.
    let hasZeroByte = unit.data.count > 2 && unit.data[2] == 0
    guard let (mark, isFirst) = marks.take(at: unit.offset + (hasZeroByte ? 1 : 0)) else {
      return ElementarySample(packet: packet)
    }
    if isFirst {
      packet.presentationTicks = mark.presentation
      packet.decodeTicks = mark.decoding ?? mark.presentation
      packet.position = mark.position
    }
    return ElementarySample(packet: packet, mark: mark, skip: max(unit.offset - mark.offset, 0))
  }
}

extension H264AccessUnitDetector: DescribingDetector {
  var videoFormat: VideoFormat? {
    activeSequence.map { sequence in
      var format = VideoFormat()
      (format.width, format.height) = (sequence.width, sequence.height)
      format.pixelAspectRatio = sequence.pixelAspectRatio
      format.colour = sequence.colour
      return format
    }
  }

  var frameTicks: Int64? {
    activeSequence?.tick.map { Int64($0.units) * 180_000 / Int64($0.scale) }
  }
}

extension HEVCAccessUnitDetector: DescribingDetector {
  var videoFormat: VideoFormat? {
    sequence.map { sequence in
      var format = VideoFormat()
      (format.width, format.height) = (sequence.width, sequence.height)
      return format
    }
  }

  var frameTicks: Int64? { nil }
}

extension MPEG2AccessUnitDetector: DescribingDetector {
  var videoFormat: VideoFormat? {
    guard width > 0, height > 0 else { return nil }
    var format = VideoFormat()
    (format.width, format.height) = (width, height)
    return format
  }

  var frameTicks: Int64? { nil }
}

extension MPEG4VisualAccessUnitDetector: DescribingDetector {
  var videoFormat: VideoFormat? {
    guard width > 0, height > 0 else { return nil }
    var format = VideoFormat()
    (format.width, format.height) = (width, height)
    format.configuration = configuration
    return format
  }

  var frameTicks: Int64? { nil }
}
