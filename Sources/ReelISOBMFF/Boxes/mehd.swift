// Length of a fragmented movie. ISO/IEC 14496-12:2020 §8.8.2 (mehd).

import ReelCore

/// MovieExtendsHeaderBox (`mehd`): length of the whole presentation, fragments included.
struct MovieExtendsHeaderBox {
  /// In movie ticks; nil when the file says it cannot be told.
  let fragmentDuration: Int64?

  init(parsing reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    let version = try reader.readVersion(upTo: 1, &context).version
    fragmentDuration = try reader.readVersionedDuration(version)
  }
}
