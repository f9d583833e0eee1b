// Colour information. ISO/IEC 14496-12:2020 §12.1.5 (colr).

import ReelCore

/// ColourInformationBox (`colr`): code points, or an ICC profile.
struct ColourInformationBox {
  /// `nclx`, `nclc` (QuickTime), `rICC` or `prof`.
  let colourType: FourCC
  /// Nil for an ICC profile.
  let description: ColourDescription?

  init(parsing reader: inout ByteReader) throws(MediaError) {
    colourType = FourCC(rawValue: try reader.read())
    guard colourType == "nclx" || colourType == "nclc" else {
      description = nil
      return
    }
    var colour = ColourDescription()
    colour.primaries = UInt8(clamping: try reader.read(UInt16.self))
    colour.transfer = UInt8(clamping: try reader.read(UInt16.self))
    colour.matrix = UInt8(clamping: try reader.read(UInt16.self))
    // Some writers end an nclx box before the range flag.
    if colourType == "nclx" && !reader.isAtEnd {
      colour.isFullRange = try reader.read(UInt8.self) & 0x80 != 0
    }
    description = colour
  }
}
