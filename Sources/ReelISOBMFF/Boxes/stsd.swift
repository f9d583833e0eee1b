// Sample descriptions. ISO/IEC 14496-12:2020 §8.5.2 (stsd).

import ReelCore

/// SampleDescriptionBox (`stsd`): the formats of a track's samples.
struct SampleDescriptionBox {
  let entries: [SampleEntry]

  /// Entries are read as their track's handler says: the layout depends on it, not on the code.
  init(
    parsing reader: inout ByteReader, handler: FourCC, _ context: inout BoxContext
  ) throws(MediaError) {
    let version = try reader.readVersion(upTo: 1, &context).version
    _ = try reader.readEntryCount(entryByteCount: 8, &context)
    var entries: [SampleEntry] = []
    try reader.forEachBox(&context) { (header, reader, context) throws(MediaError) in
      entries.append(
        try SampleEntry(
          parsing: &reader, type: header.type, handler: handler, descriptionVersion: version,
          &context))
    }
    self.entries = entries
  }
}

/// One sample description. ISO/IEC 14496-12:2020 §8.5.2.2.
struct SampleEntry {
  let type: FourCC
  /// Index into the data references, from 1.
  private(set) var dataReferenceIndex: UInt16 = 1
  let codec: CodecID
  let format: TrackFormat
  /// Nil when the samples are in the clear.
  private(set) var protection: ContentProtection?
  /// QuickTime's vendor code; nil for entries that have none.
  private(set) var vendor: FourCC?
  /// Name of the encoder in a video entry; may be empty.
  private(set) var compressorName = ""
  /// Audio: uncompressed samples and bytes of a packet, as QuickTime's descriptions tell; 0 when not.
  private(set) var samplesPerPacket = 0
  private(set) var bytesPerFrame = 0

  init(
    parsing reader: inout ByteReader, type: FourCC, handler: FourCC, descriptionVersion: UInt8,
    _ context: inout BoxContext
  ) throws(MediaError) {
    self.type = type
    try reader.skip(6)
    dataReferenceIndex = try reader.read()
    switch handler {
    case "vide", "pict", "auxv":
      let entry = try VisualSampleEntry(parsing: &reader, type: type, &context)
      (codec, format, protection) = (entry.codec, .video(entry.format), entry.protection)
      (vendor, compressorName) = (entry.vendor, entry.compressorName)
    case "soun":
      let entry = try AudioSampleEntry(
        parsing: &reader, type: type, descriptionVersion: descriptionVersion, &context)
      (codec, format, protection) = (entry.codec, .audio(entry.format), entry.protection)
      vendor = entry.vendor
      (samplesPerPacket, bytesPerFrame) = (Int(entry.samplesPerPacket), Int(entry.bytesPerFrame))
    case "text", "sbtl", "subt", "subp", "clcp":
      let entry = try TextSampleEntry(parsing: &reader, type: type, &context)
      (codec, format) = (entry.codec, .subtitle(entry.format))
    default:
      codec = CodecNames.other[type] ?? .unknown
      format = .other(sampleEntry: type)
    }
  }
}
