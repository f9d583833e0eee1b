// References between tracks. ISO/IEC 14496-12:2020 §8.3.3 (tref).

import ReelCore

/// TrackReferenceBox (`tref`).
struct TrackReferenceBox {
  let references: [TrackReference]

  init(parsing reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    var references: [TrackReference] = []
    try reader.forEachBox(&context) { (header, reader, _) throws(MediaError) in
      var trackIDs: [Int] = []
      while reader.remaining >= 4 { trackIDs.append(Int(try reader.read(UInt32.self))) }
      references.append(TrackReference(type: header.type, trackIDs: trackIDs))
    }
    self.references = references
  }
}
