// Movie fragment header. ISO/IEC 14496-12:2020 §8.8.5 (mfhd).

import ReelCore

/// MovieFragmentHeaderBox (`mfhd`): the number of a fragment, growing along the file.
struct MovieFragmentHeaderBox {
  let sequenceNumber: UInt32

  init(parsing reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    _ = try reader.readVersion(upTo: 0, &context)
    sequenceNumber = try reader.read()
  }
}
