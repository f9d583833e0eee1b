// NAL unit headers, parameter sets, messages and slice headers. ISO/IEC 14496-10:2020 §7.3.

import ReelVideoCore

@testable import ReelH264

extension FuzzEntry {
  /// The input is a byte stream, or a configuration record where it does not begin with a zero.
  public static let h264ParameterSets = FuzzEntry("H264ParameterSets") { bytes in
    var syntax = SyntaxWalk()
    if let first = bytes.first, first != 0 {
      guard let record = try? DecoderConfigurationRecord(parsing: bytes) else { return }
      for set in record.sequenceParameterSets + record.pictureParameterSets {
        syntax.take(NALUnits.unescape(set, 0..<set.count))
      }
      return
    }
    for range in NALUnits.annexB(bytes) { syntax.take(NALUnits.unescape(bytes, range)) }
  }
}

/// Parses units with the sets that came before them, as the decoder does, but decodes no samples.
private struct SyntaxWalk {
  private var sets = ParameterSets()
  private var messages = PendingMessages()
  private var previous: (header: SliceHeader, sequence: SequenceParameterSet)?
  private var partition: (sequence: SequenceParameterSet, picture: PictureParameterSet)?

  mutating func take(_ payload: [UInt8]) {
    guard let unit = try? NALUnitHeader(parsing: payload) else { return }
    switch unit.nalUnitType {
    case .sequenceParameterSet: try? sets.addSequence(payload)
    case .pictureParameterSet: try? sets.addPicture(payload)
    case .supplementalInformation: _ = messages.add(payload)
    case .nonIDRSlice, .idrSlice, .partitionA: slice(payload, unit)
    case .partitionB, .partitionC:
      guard let partition else { return }
      _ = try? SliceDataPartitionHeader(
        parsing: payload, sequence: partition.sequence, picture: partition.picture)
    default: break
    }
  }

  private mutating func slice(_ payload: [UInt8], _ unit: NALUnitHeader) {
    guard let id = try? SliceHeader.pictureParameterSetID(in: payload),
      let active = try? sets.active(picParameterSetID: id)
    else { return }
    partition = active
    guard
      let header = try? SliceHeader(
        parsing: payload, unit: unit, sequence: active.sequence, picture: active.picture)
    else { return }
    if let previous, !header.startsPicture(after: previous.header, previous.sequence) { return }
    previous = (header, active.sequence)
    _ = messages.take(for: header, active.sequence)
  }
}
