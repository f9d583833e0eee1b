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
  let protection: ContentProtection?

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
    case "soun":
      let entry = try AudioSampleEntry(
        parsing: &reader, type: type, descriptionVersion: descriptionVersion, &context)
      (codec, format, protection) = (entry.codec, .audio(entry.format), entry.protection)
    default:
      codec = CodecNames.other[type] ?? .unknown
      format = .other(sampleEntry: type)
      protection = nil
    }
  }
}
