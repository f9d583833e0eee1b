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
final class VideoStream: ElementaryStream {
  private let detector: any DescribingDetector
  private var assembler: AccessUnitAssembler
  private var marks = PESMarks()
  let endsWithLength = false
  let codec: CodecID? = nil

  init(_ detector: any DescribingDetector, _ limits: Limits, _ keepsData: Bool) {
    self.detector = detector
    assembler = AccessUnitAssembler(detector, limits: limits, keepsData: keepsData)
  }

  var format: TrackFormat? { detector.videoFormat.map { .video($0) } }

  func begin(_ mark: PESMark) { marks.append(mark, at: assembler.endOffset) }
  func append(_ bytes: ArraySlice<UInt8>) { assembler.append(bytes) }
  func end() {}

  func next() throws(MediaError) -> ElementarySample? {
    try assembler.next().map { sample($0) }
  }

  func finish() throws(MediaError) -> ElementarySample? {
    try assembler.finish().map { sample($0) }
  }

  func restart() {
    assembler.restart(offset: 0)
    marks.removeAll()
  }

  private func sample(_ unit: AccessUnit) -> ElementarySample {
    var header = PacketHeader(trackIndex: 0, byteCount: unit.byteCount)
    header.isSync = unit.isSync
    header.durationTicks = detector.frameTicks.map { unit.isField ? $0 / 2 : $0 }
    // The zero byte before a start code may still lie in the PES packet before.
    guard let (mark, isFirst) = marks.take(at: unit.offset + (unit.hasZeroByte ? 1 : 0)) else {
      return ElementarySample(header, data: unit.data)
    }
    if isFirst {
      header.presentationTicks = mark.presentation
      header.decodeTicks = mark.decoding ?? mark.presentation
      header.position = mark.position
    }
    return ElementarySample(
      header, data: unit.data, mark: mark, skip: max(unit.offset - mark.offset, 0))
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
