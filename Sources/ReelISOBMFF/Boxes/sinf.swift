// Protected samples. ISO/IEC 14496-12:2020 §8.12.2 (sinf), §8.12.6 (schm); ISO/IEC 23001-7:2016 §8.2.

import ReelCore

/// ProtectionSchemeInfoBox (`sinf`): what a protected sample entry was before, and how it is protected.
struct ProtectionSchemeInfoBox {
  /// `frma`: the sample entry code of the content.
  private(set) var originalFormat: FourCC?
  private(set) var protection = ContentProtection()

  init(parsing reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    try reader.forEachBox(&context) { (header, reader, context) throws(MediaError) in
      switch header.type {
      case "frma": originalFormat = FourCC(rawValue: try reader.read())
      case "schm":
        _ = try reader.readVersion(upTo: 0, &context)
        protection.scheme = FourCC(rawValue: try reader.read())
      case "schi": try parseInformation(&reader, &context)
      default: break
      }
    }
  }

  /// SchemeInformationBox (`schi`), of which the TrackEncryptionBox (`tenc`, or PIFF's own) is read.
  private mutating func parseInformation(
    _ reader: inout ByteReader, _ context: inout BoxContext
  ) throws(MediaError) {
    try reader.forEachBox(&context) { (header, reader, context) throws(MediaError) in
      guard header.type == "tenc" || header.userType == Self.trackEncryptionOfPIFF else { return }
      _ = try reader.readVersion(upTo: 1, &context)
      try reader.skip(3)
      protection.initializationVectorByteCount = Int(try reader.read(UInt8.self))
      protection.keyID = try reader.readBytes(16)
    }
  }

  /// Extended type of the Protected Interoperable File Format's track encryption box.
  private static let trackEncryptionOfPIFF: [UInt8] = [
    0x89, 0x74, 0xDB, 0xCE, 0x7B, 0xE7, 0x4C, 0x51, 0x84, 0xF9, 0x71, 0x48, 0xF9, 0x88, 0x25, 0x54,
  ]
}
