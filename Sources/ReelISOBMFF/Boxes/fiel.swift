// Fields of interlaced video. QuickTime File Format, "Field Handling" (fiel).

import ReelCore

/// FieldBox (`fiel`): fields of a frame and their order.
struct FieldBox {
  /// Nil where the codes have no meaning.
  let order: FieldOrder?

  init(parsing reader: inout ByteReader) throws(MediaError) {
    let count = try reader.read(UInt8.self)
    let detail = reader.isAtEnd ? 0 : try reader.read(UInt8.self)
    switch (count, detail) {
    case (1, _): order = .progressive
    case (2, 1), (2, 9): order = .topFieldFirst
    case (2, 6), (2, 14): order = .bottomFieldFirst
    default: order = nil
    }
  }
}
