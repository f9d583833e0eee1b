// Defaults of movie fragments. ISO/IEC 14496-12:2020 §8.8.3 (trex).

import ReelCore

/// TrackExtendsBox (`trex`): what track fragments take where they do not tell themselves.
struct TrackExtendsBox {
  let trackID: UInt32
  /// Index into the sample descriptions, from 0 (the file counts from 1).
  let sampleDescriptionIndex: UInt32
  let sampleDuration: UInt32
  let sampleSize: UInt32
  let sampleFlags: SampleFlags

  init(parsing reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    _ = try reader.readVersion(upTo: 0, &context)
    trackID = try reader.read()
    sampleDescriptionIndex = max(try reader.read(UInt32.self), 1) - 1
    sampleDuration = try reader.read()
    sampleSize = try reader.read()
    sampleFlags = SampleFlags(rawValue: try reader.read())
  }
}

/// Flags of a sample in a fragment. ISO/IEC 14496-12:2020 §8.8.3.1.
struct SampleFlags: Equatable {
  let rawValue: UInt32

  /// sample_is_non_sync_sample, or a sample_depends_on that says the same.
  var isNonSync: Bool { rawValue & 0x0101_0000 != 0 }
}
