// Dependencies of samples. ISO/IEC 14496-12:2020 §8.6.4 (sdtp).

import ReelCore

/// SampleDependencyTypeBox (`sdtp`): which samples others depend on.
struct SampleDependencyTypeBox {
  /// One byte a sample: is_leading, sample_depends_on, sample_is_depended_on, sample_has_redundancy,
  /// two bits each.
  private(set) var flags = RunLengthTable<UInt8>()

  init(parsing reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    _ = try reader.readVersion(upTo: 0, &context)
    for _ in 0..<min(reader.remaining, context.maximumSampleCount) {
      flags.append(try reader.read())
    }
    flags.compact()
  }
}
