// Track fragment header. ISO/IEC 14496-12:2020 §8.8.7 (tfhd).

import ReelCore

/// TrackFragmentHeaderBox (`tfhd`): which track, and defaults of this fragment.
struct TrackFragmentHeaderBox {
  let trackID: UInt32
  /// Offset in the file that data offsets count from; nil when not told.
  private(set) var baseDataOffset: UInt64?
  /// Index into the sample descriptions, from 0; nil for the track's default.
  private(set) var sampleDescriptionIndex: UInt32?
  private(set) var sampleDuration: UInt32?
  private(set) var sampleSize: UInt32?
  private(set) var sampleFlags: SampleFlags?
  /// There are no samples in this fragment, only a stretch of time.
  let durationIsEmpty: Bool
  /// Data offsets count from the fragment's own `moof` box.
  let defaultBaseIsMoof: Bool

  init(parsing reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    let flags = try reader.readVersion(upTo: 0, &context).flags
    trackID = try reader.read()
    if flags & 0x01 != 0 { baseDataOffset = try reader.read() }
    if flags & 0x02 != 0 { sampleDescriptionIndex = max(try reader.read(UInt32.self), 1) - 1 }
    if flags & 0x08 != 0 { sampleDuration = try reader.read() }
    if flags & 0x10 != 0 { sampleSize = try reader.read() }
    if flags & 0x20 != 0 { sampleFlags = SampleFlags(rawValue: try reader.read()) }
    durationIsEmpty = flags & 0x1_0000 != 0
    defaultBaseIsMoof = flags & 0x2_0000 != 0
  }
}
