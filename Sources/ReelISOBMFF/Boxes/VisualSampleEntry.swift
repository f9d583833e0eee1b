// Video sample entries. ISO/IEC 14496-12:2020 §12.1.3; ISO/IEC 14496-15 and -14 for their children.

import ReelCore

/// VisualSampleEntry (`avc1`, `avc3`, `hvc1`, `mp4v` …).
struct VisualSampleEntry {
  private(set) var codec: CodecID
  private(set) var format = VideoFormat()
  /// Set for `encv`.
  private(set) var protection: ContentProtection?
  /// QuickTime's vendor code.
  let vendor: FourCC
  private(set) var compressorName = ""

  init(
    parsing reader: inout ByteReader, type: FourCC, _ context: inout BoxContext
  ) throws(MediaError) {
    codec = CodecNames.video[type] ?? .unknown
    format.sampleEntry = type
    try reader.skip(4)
    vendor = FourCC(rawValue: try reader.read())
    try reader.skip(8)
    format.width = Int(try reader.read(UInt16.self))
    format.height = Int(try reader.read(UInt16.self))
    // Resolution and frame_count: nothing that a decoder needs.
    try reader.skip(14)
    let name = try reader.readBytes(32)
    compressorName = String(
      decoding: name.dropFirst().prefix(min(Int(name[0]), 31)).prefix { $0 != 0 }, as: UTF8.self)
    try reader.skip(4)
    try reader.forEachBox(&context) { (header, reader, context) throws(MediaError) in
      try parseChild(header, &reader, &context)
    }
  }

  private mutating func parseChild(
    _ header: BoxHeader, _ reader: inout ByteReader, _ context: inout BoxContext
  ) throws(MediaError) {
    switch header.type {
    case "avcC":
      let box = try AVCConfigurationBox(parsing: &reader, &context)
      format.configuration = box.bytes
      format.framing = .lengthPrefixed(bytes: box.lengthByteCount)
    case "hvcC":
      let box = try HEVCConfigurationBox(parsing: &reader, &context)
      format.configuration = box.bytes
      format.framing = .lengthPrefixed(bytes: box.lengthByteCount)
    case "esds":
      let box = try ElementaryStreamDescriptorBox(parsing: &reader, &context)
      format.configuration = box.decoderSpecificInfo
      format.bitRate = Int(box.averageBitRate)
      if let named = CodecNames.objectType[box.objectTypeIndication] { codec = named }
    case "pasp":
      format.pixelAspectRatio = try PixelAspectRatioBox(parsing: &reader).ratio
    case "colr":
      // Of several, the code points win over a profile, the first over the rest.
      let box = try ColourInformationBox(parsing: &reader)
      if format.colour == nil { format.colour = box.description }
    case "clap": format.cleanAperture = try CleanApertureBox(parsing: &reader).aperture
    case "fiel": format.fieldOrder = try FieldBox(parsing: &reader).order
    case "mdcv": format.masteringDisplay = try MasteringDisplayBox(parsing: &reader).display
    case "clli": format.contentLightLevel = try ContentLightLevelBox(parsing: &reader).level
    case "btrt": format.bitRate = Int(try BitRateBox(parsing: &reader).averageBitRate)
    case "sinf":
      let box = try ProtectionSchemeInfoBox(parsing: &reader, &context)
      protection = box.protection
      if codec == .unknown, let original = box.originalFormat {
        codec = CodecNames.video[original] ?? .unknown
      }
    case _ where CodecNames.configurationBoxes.contains(header.type):
      format.configuration = try reader.readBytes(reader.remaining)
    default:
      break
    }
  }
}
