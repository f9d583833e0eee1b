// Sample sizes. ISO/IEC 14496-12:2020 §8.7.3.2 (stsz).

import ReelCore

/// SampleSizeBox (`stsz`) and CompactSampleSizeBox (`stz2`): the bytes of each sample.
struct SampleSizeBox {
  /// Bytes of every sample when all are the same, else 0.
  private(set) var constantSize: UInt32 = 0
  /// Number of samples: as stated when the size is constant, else as many as sizes are there.
  private(set) var sampleCount = 0
  /// Bytes of each sample; empty when the size is constant.
  private(set) var sizes: [UInt32] = []

  init() {}

  init(parsing reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    _ = try reader.readVersion(upTo: 0, &context)
    constantSize = try reader.read()
    if constantSize != 0 {
      sampleCount = Int(try reader.read(UInt32.self))
      return
    }
    let start = reader.offset
    sampleCount = try reader.readEntryCount(entryByteCount: 4, &context)
    try Self.check(sampleCount, at: start, context)
    sizes = try reader.readIntegers(sampleCount)
  }

  /// Sum of the sizes of some samples, all of them below `sampleCount`.
  func byteCount(of samples: Range<Int>) -> Int64 {
    if constantSize != 0 { return Int64(constantSize) * Int64(samples.count) }
    var sum: Int64 = 0
    for i in samples { sum &+= Int64(sizes[i]) }
    return sum
  }

  static func check(
    _ count: Int, at offset: Int64, _ context: BoxContext
  ) throws(MediaError) {
    guard count <= context.limits.maximumSamplesPerTrack else {
      throw MediaError(
        .limitExceeded, .sampleCountLimit, at: .offset(offset), detail: "\(count) samples",
        advice: "raise Limits.maximumSamplesPerTrack if the file is trusted")
    }
  }

  init(sizes: [UInt32]) {
    self.sizes = sizes
    sampleCount = sizes.count
  }
}
