// Streams of headers: pictures of few macroblocks whose slice data nobody reads.

internal import ReelCore
internal import ReelTestSupport

@testable internal import ReelH264

/// Gathers NAL units and makes packets of them.
struct ControlStream {
  var sequence = SequenceParameterSet()
  var parameters = PictureParameterSet()
  var units: [[UInt8]] = []

  init(_ configure: (inout SequenceParameterSet) -> Void = { _ in }) {
    sequence.profileIDC = 88
    sequence.levelIDC = 10
    sequence.maxNumRefFrames = 2
    sequence.log2MaxPicOrderCntLsb = 8
    configure(&sequence)
    sequence.crop = SampleRect(x: 0, y: 0, width: sequence.width, height: sequence.height)
  }

  /// The parameter sets as they are now.
  mutating func sets() {
    units.append(HeaderWriter.sequence(sequence))
    units.append(HeaderWriter.picture(parameters, for: sequence))
  }

  mutating func messages(_ messages: [(Int, [UInt8])]) {
    units.append(SupplementalInformationTests.unit(messages))
  }

  mutating func slice(
    _ type: SliceType = .p, frameNum: Int, order: Int = 0, nalRefIDC: Int = 1,
    unit: NALUnitType = .nonIDRSlice, _ change: (inout SliceHeader) -> Void = { _ in }
  ) {
    var header = SliceHeader()
    header.nalUnitType = unit
    header.nalRefIDC = nalRefIDC
    header.sliceType = type
    header.frameNum = frameNum
    header.picOrderCntLsb = order
    if !type.isIntra { header.numRefIdxL0Active = 1 }
    change(&header)
    units.append(HeaderWriter.slice(header, sequence, parameters))
  }

  mutating func idr(id: Int = 0, _ change: (inout SliceHeader) -> Void = { _ in }) {
    slice(.i, frameNum: 0, unit: .idrSlice) {
      $0.idrPicID = id
      change(&$0)
    }
  }

  /// The units since the last call as a packet.
  mutating func packet(
    ticks: Int64? = nil, duration: Int64? = nil, framing: NALUnitFraming = .annexB
  ) -> Packet {
    defer { units.removeAll() }
    let data =
      switch framing {
      case .annexB: NALUnitWriter.annexB(units)
      case .lengthPrefixed(let bytes): NALUnitWriter.lengthPrefixed(units, lengthBytes: bytes)
      }
    var packet = Packet(trackIndex: 0, data: data)
    packet.presentationTicks = ticks
    packet.durationTicks = duration
    return packet
  }
}
