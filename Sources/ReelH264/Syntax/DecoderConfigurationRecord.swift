// The decoder configuration record of MP4 files. ISO/IEC 14496-15:2019 §5.3.3.1 (avcC).

import ReelCore

/// AVCDecoderConfigurationRecord: parameter sets and the size of NAL unit lengths.
struct DecoderConfigurationRecord: Sendable, Hashable {
  var profileIndication = 0
  var profileCompatibility = 0
  var levelIndication = 0
  /// Bytes of a NAL unit's length: 1, 2 or 4.
  var lengthSize = 4
  /// NAL units with their headers, emulation prevention included.
  var sequenceParameterSets: [[UInt8]] = []
  var pictureParameterSets: [[UInt8]] = []

  /// - Throws: `.damaged` when the version is not 1 or a set reaches past the record.
  init(parsing bytes: [UInt8]) throws(MediaError) {
    var reader = ByteReader(bytes.span)
    do throws(MediaError) {
      guard try reader.read(UInt8.self) == 1 else {
        throw MediaError(.damaged, .h264ConfigurationRecord, at: .offset(0))
      }
      profileIndication = Int(try reader.read(UInt8.self))
      profileCompatibility = Int(try reader.read(UInt8.self))
      levelIndication = Int(try reader.read(UInt8.self))
      lengthSize = Int(try reader.read(UInt8.self) & 3) + 1
      let sequenceCount = Int(try reader.read(UInt8.self) & 31)
      sequenceParameterSets = try Self.sets(&reader, sequenceCount)
      let pictureCount = Int(try reader.read(UInt8.self))
      pictureParameterSets = try Self.sets(&reader, pictureCount)
      // Chroma format, depths and extension sets may follow; the parameter sets say the same.
    } catch {
      throw MediaError(
        .damaged, .h264ConfigurationRecord, at: error.place, detail: error.detail)
    }
  }

  private static func sets(
    _ reader: inout ByteReader, _ count: Int
  ) throws(MediaError) -> [[UInt8]] {
    var sets: [[UInt8]] = []
    for _ in 0..<count {
      let size = Int(try reader.read(UInt16.self))
      let bytes = try reader.readBytes(size)
      if !bytes.isEmpty { sets.append(bytes) }
    }
    return sets
  }
}
