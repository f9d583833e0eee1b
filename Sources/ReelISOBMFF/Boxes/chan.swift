// Channel layouts. QuickTime File Format, "Sound Sample Description Extensions" (chan).

import ReelCore

/// The channel layout box of QuickTime (`chan`): which loudspeaker each channel is for.
struct ChannelLayoutBox {
  /// Layout tag of Core Audio; the low 16 bits are the number of channels.
  let layoutTag: UInt32
  /// Loudspeakers, when the tag says that they are given so.
  let bitmap: UInt32
  /// Labels of the channels, when the tag says that each is described.
  let labels: [UInt32]

  init(parsing reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    _ = try reader.readVersion(upTo: 0, &context)
    layoutTag = try reader.read()
    bitmap = try reader.read()
    let count = try reader.readEntryCount(entryByteCount: 20, &context)
    var labels: [UInt32] = []
    for _ in 0..<count {
      labels.append(try reader.read())
      try reader.skip(16)
    }
    self.labels = labels
  }

  /// Loudspeakers as a bitmap; nil when the layout is given by a tag of its own or by other labels.
  var channelBitmap: UInt32? {
    switch layoutTag {
    case 0x10000: return bitmap
    case 0:
      var bits: UInt32 = 0
      for label in labels {
        guard (1...18).contains(label) else { return nil }
        bits |= 1 << (label - 1)
      }
      return labels.isEmpty ? nil : bits
    default: return nil
    }
  }
}
