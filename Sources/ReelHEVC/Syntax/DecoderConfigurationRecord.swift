// The decoder configuration record of files. ISO/IEC 14496-15:2019 §8.3.3.1 (hvcC).

import ReelCore

/// HEVCDecoderConfigurationRecord: NAL units and the size of NAL unit lengths.
struct DecoderConfigurationRecord: Sendable, Hashable {
  /// Bytes of a NAL unit's length: 1, 2 or 4.
  var lengthSize = 4
  /// NAL units with their headers, emulation prevention included, in the order of the arrays.
  var units: [[UInt8]] = []

  /// - Throws: `.damaged` when an array reaches past the record.
  init(parsing bytes: [UInt8]) throws(MediaError) {
    var reader = ByteReader(bytes.span)
    do throws(MediaError) {
      _ = try reader.readBytes(21)
      lengthSize = Int(try reader.read(UInt8.self) & 3) + 1
      for _ in 0..<(try reader.read(UInt8.self)) {
        _ = try reader.read(UInt8.self)  // array_completeness, NAL_unit_type
        for _ in 0..<(try reader.read(UInt16.self)) {
          let size = Int(try reader.read(UInt16.self))
          let unit = try reader.readBytes(size)
          if !unit.isEmpty { units.append(unit) }
        }
      }
    } catch {
      throw MediaError(.damaged, .hevcConfigurationRecord, at: error.place, detail: error.detail)
    }
  }
}
