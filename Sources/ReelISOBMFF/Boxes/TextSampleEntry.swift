// Sample entries of text tracks. 3GPP TS 26.245 §5.16 (tx3g); ISO/IEC 14496-30:2018 §5, §7 (stpp, wvtt).

import ReelCore

/// Sample entries of timed text: `tx3g`, `text`, `wvtt`, `stpp`, `c608` …
struct TextSampleEntry {
  let codec: CodecID
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
    default:
      format.configuration = try reader.readBytes(reader.remaining)
    }
  }
}
