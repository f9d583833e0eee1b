// Decoding time of a track fragment. ISO/IEC 14496-12:2020 §8.8.12 (tfdt).

import ReelCore

/// TrackFragmentBaseMediaDecodeTimeBox (`tfdt`): the decoding time of the fragment's first sample.
struct TrackFragmentDecodeTimeBox {
  /// Media ticks, 0 … 2⁶⁰; nil for a value that no presentation reaches.
  let baseMediaDecodeTime: Int64?

  init(parsing reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    let version = try reader.readVersion(upTo: 1, &context).version
    let start = reader.offset
    let time = try reader.readVersionedInteger(version)
    // LIMIT: sums with times up to here never overflow.
    guard time <= 1 << 60 else {
      try context.note(
        MediaError(.damaged, .fragmentTime, at: .offset(start), detail: "\(time) ticks"))
      baseMediaDecodeTime = nil
      return
    }
    baseMediaDecodeTime = Int64(time)
  }
}
