// Sample entries of text tracks. 3GPP TS 26.245 §5.16 (tx3g); ISO/IEC 14496-30:2018 §5, §7 (stpp, wvtt).

import ReelCore

/// Sample entries of timed text: `tx3g`, `text`, `wvtt`, `stpp`, `c608` …
struct TextSampleEntry {
  private(set) var codec: CodecID
  private(set) var format: SubtitleFormat

  init(
    parsing reader: inout ByteReader, type: FourCC, _ context: inout BoxContext
  ) throws(MediaError) {
    codec = CodecNames.other[type] ?? .unknown
    format = SubtitleFormat(sampleEntry: type)
    switch type {
    case "wvtt":
      try reader.forEachBox(&context) { (header, reader, _) throws(MediaError) in
        if header.type == "vttC" { format.configuration = try reader.readBytes(reader.remaining) }
      }
    case "mp4s":
      // ISO/IEC 14496-14:2020 §6.7: an MPEG-4 systems stream, of which pictures of DVD are in use.
      try reader.forEachBox(&context) { (header, reader, context) throws(MediaError) in
        guard header.type == "esds" else { return }
        let box = try ElementaryStreamDescriptorBox(parsing: &reader, &context)
        format.configuration = box.decoderSpecificInfo
        if box.objectTypeIndication == 0xE0 { codec = "dvd_subtitle" }
      }
    default:
      format.configuration = try reader.readBytes(reader.remaining)
    }
  }
}
