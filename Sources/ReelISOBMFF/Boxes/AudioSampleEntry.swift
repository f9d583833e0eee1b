// Audio sample entries. ISO/IEC 14496-12:2020 §12.2.3; QuickTime File Format, "Sound Sample
// Descriptions", for versions 1 and 2.

import ReelCore

/// AudioSampleEntry (`mp4a`, `twos` …) and QuickTime's sound descriptions.
struct AudioSampleEntry {
  private(set) var codec: CodecID
  private(set) var format = AudioFormat()
  /// Set for `enca`.
  private(set) var protection: ContentProtection?
  /// QuickTime's vendor code.
  let vendor: FourCC
  /// Version of the layout: 0…2.
  private(set) var version: UInt16 = 0
  /// QuickTime versions 1 and 2: uncompressed samples in a packet; 0 when not told.
  private(set) var samplesPerPacket: UInt32 = 0
  /// QuickTime versions 1 and 2: bytes of a packet for all channels; 0 when not told.
  private(set) var bytesPerFrame: UInt32 = 0
  private var pcm: PCMFormat?

  init(
    parsing reader: inout ByteReader, type: FourCC, descriptionVersion: UInt8,
    _ context: inout BoxContext
  ) throws(MediaError) {
    codec = CodecNames.audio[type] ?? .unknown
    format.sampleEntry = type
    version = try reader.read()
    try reader.skip(2)
    vendor = FourCC(rawValue: try reader.read())
    format.channelCount = Int(try reader.read(UInt16.self))
    format.bitsPerSample = Int(try reader.read(UInt16.self))
    try reader.skip(4)
    format.sampleRate = Int(try reader.read(UInt32.self) >> 16)
    // A version 1 stsd holds entries of ISO's own version 1, which adds no fields.
    if descriptionVersion == 0 { try parseQuickTimeFields(&reader) }
    pcm = pcm ?? PCMFormat(type, bitsPerSample: format.bitsPerSample)
    try parseChildren(&reader, &context)
    if let name = pcm?.codec { codec = name }
    if let fixed = Self.fixedFormats[codec] {
      (format.sampleRate, format.channelCount) = (
        fixed.sampleRate, fixed.channelCount ?? format.channelCount
      )
    }
  }

  /// Codecs of one rate, whatever the entry says: 3GPP TS 26.244 §6.4, and Opus, whose entry tells the
  /// rate of the recording.
  private static let fixedFormats: [CodecID: (sampleRate: Int, channelCount: Int?)] = [
    "amr_nb": (8_000, 1), "amr_wb": (16_000, 1), "opus": (48_000, nil),
  ]

  private mutating func parseQuickTimeFields(_ reader: inout ByteReader) throws(MediaError) {
    switch version {
    case 1:
      samplesPerPacket = try reader.read()
      try reader.skip(4)
      bytesPerFrame = try reader.read()
      try reader.skip(4)
    case 2:
      try reader.skip(4)
      format.sampleRate = Self.integer(fromDoubleBits: try reader.read())
      format.channelCount = Int(try reader.read(UInt32.self))
      try reader.skip(4)
      format.bitsPerSample = Int(try reader.read(UInt32.self))
      let flags = try reader.read(UInt32.self)
      if format.sampleEntry == "lpcm" {
        pcm = PCMFormat(
          bits: format.bitsPerSample, isFloat: flags & 1 != 0, isBigEndian: flags & 2 != 0,
          isSigned: flags & 4 != 0)
      }
      bytesPerFrame = try reader.read()
      samplesPerPacket = try reader.read()
    default:
      break
    }
  }

  /// The sample rate that version 2 gives as a 64-bit float; 0 for what is no sensible rate.
  private static func integer(fromDoubleBits bits: UInt64) -> Int {
    let value = Double(bitPattern: bits)
    return value > 0 && value < 2_147_483_648 ? Int(value) : 0
  }

  /// Children; QuickTime wraps some of them once more, in `wave`.
  private mutating func parseChildren(
    _ reader: inout ByteReader, _ context: inout BoxContext
  ) throws(MediaError) {
    try reader.forEachBox(&context) { (header, reader, context) throws(MediaError) in
      switch header.type {
      case "esds":
        let box = try ElementaryStreamDescriptorBox(parsing: &reader, &context)
        format.configuration = box.decoderSpecificInfo
        if box.averageBitRate > 0 { format.bitRate = Int(box.averageBitRate) }
        if let named = CodecNames.objectType[box.objectTypeIndication] { codec = named }
      case "wave":
        try parseChildren(&reader, &context)
      case "enda":
        if try reader.read(UInt16.self) == 1 { pcm?.isBigEndian = false }
      case "pcmC":
        // ISO/IEC 23003-5:2020 §5.1: the byte order, then bits of a sample.
        _ = try reader.readVersion(upTo: 0, &context)
        let isLittleEndian = try reader.read(UInt8.self) & 1 != 0
        pcm = PCMFormat(
          bits: Int(try reader.read(UInt8.self)), isFloat: format.sampleEntry == "fpcm",
          isBigEndian: !isLittleEndian)
      case "chan":
        format.channelBitmap = try ChannelLayoutBox(parsing: &reader, &context).channelBitmap
      case "dac3", "dec3":
        let box = try DolbyAudioBox(parsing: &reader, isEnhanced: header.type == "dec3")
        format.configuration = box.bytes
        if box.sampleRate > 0 { format.sampleRate = box.sampleRate }
        if box.channelCount > 0 { format.channelCount = box.channelCount }
        if box.bitRate > 0 { format.bitRate = box.bitRate }
      case "btrt": format.bitRate = Int(try BitRateBox(parsing: &reader).averageBitRate)
      case _ where CodecNames.configurationBoxes.contains(header.type):
        format.configuration = try reader.readBytes(reader.remaining)
      case "sinf":
        let box = try ProtectionSchemeInfoBox(parsing: &reader, &context)
        protection = box.protection
        if codec == .unknown, let original = box.originalFormat {
          codec = CodecNames.audio[original] ?? .unknown
        }
      default:
        break
      }
    }
  }
}
