// Fields of file, movie, track and media headers and of metadata.

import ReelCore

extension BoxFields {
  /// Reads one of the headers; false when it is another box.
  static func readHeader(
    _ type: FourCC, _ reader: inout ByteReader, _ context: inout BoxContext,
    _ fields: inout [Field]
  ) throws(MediaError) -> Bool {
    switch type {
    case "ftyp", "styp":
      let box = try FileTypeBox(parsing: &reader)
      fields = [
        Field("major_brand", "\(box.majorBrand)"), Field("minor_version", box.minorVersion),
        Field("compatible_brands", .list(box.compatibleBrands.map { .text("\($0)") })),
      ]
    case "mvhd":
      let box = try MovieHeaderBox(parsing: &reader, &context)
      fields = [
        Field("creation_time", box.creationTime), Field("modification_time", box.modificationTime),
        Field("timescale", box.timescale), Field("duration", box.duration ?? -1),
        Field("rate", fixed(Int64(box.rate), 16)), Field("volume", fixed(Int64(box.volume), 8)),
        Field("matrix", .list(box.matrix.map { .integer(Int64($0)) })),
        Field("next_track_ID", box.nextTrackID),
      ]
    case "tkhd":
      let box = try TrackHeaderBox(parsing: &reader, &context)
      fields = [
        Field("flags", box.flags), Field("track_ID", box.trackID),
        Field("duration", box.duration ?? -1), Field("layer", box.layer),
        Field("alternate_group", box.alternateGroup),
        Field("volume", fixed(Int64(box.volume), 8)),
        Field("matrix", .list(box.matrix.map { .integer(Int64($0)) })),
        Field("width", fixed(Int64(box.width), 16)), Field("height", fixed(Int64(box.height), 16)),
      ]
    case "mdhd":
      let box = try MediaHeaderBox(parsing: &reader, &context)
      fields = [
        Field("creation_time", box.creationTime), Field("timescale", box.timescale),
        Field("duration", box.duration ?? -1), Field("language", box.language ?? "und"),
      ]
    case "hdlr":
      let box = try HandlerBox(parsing: &reader, &context)
      fields = [Field("handler_type", "\(box.handlerType)"), Field("name", box.name)]
    case "elng":
      fields = [
        Field(
          "extended_language", try ExtendedLanguageBox(parsing: &reader, &context).language)
      ]
    case "pssh":
      let box = try ProtectionSystemBox(parsing: &reader, &context)
      fields = [
        Field("SystemID", hexadecimal(box.systemID)),
        Field("KID", .list(box.keyIDs.map { .text(hexadecimal($0)) })),
        Field("DataSize", box.dataByteCount),
      ]
    default: return try readMetadata(type, &reader, &context, &fields)
    }
    return true
  }

  private static func readMetadata(
    _ type: FourCC, _ reader: inout ByteReader, _ context: inout BoxContext,
    _ fields: inout [Field]
  ) throws(MediaError) -> Bool {
    switch type {
    case "data":
      let value = try MetadataValue(parsing: &reader)
      fields = [Field("type", value.type), Field("bytes", value.bytes.count)]
      if let text = value.text { fields.append(Field("value", text)) }
    case "keys":
      let names = try MetadataKeysBox(parsing: &reader, &context).names
      fields = [Field("keys", .list(names.map { .text($0) }))]
    case "url ", "urn ":
      fields = try fullBox(&reader)
      if !reader.isAtEnd { fields.append(Field("location", try reader.readTerminatedString())) }
    case "chap", "tmcd", "cdsc", "hint", "font", "subt", "sync", "folw", "forc", "scpt", "ssrc":
      guard reader.remaining % 4 == 0 else { return false }
      let tracks = try reader.readIntegers(reader.remaining / 4, UInt32.self)
      fields = [Field("track_IDs", .list(tracks.map { .integer(Int64($0)) }))]
    default: return false
    }
    return true
  }

  /// A fixed-point number as text: an integer where it is one, else a fraction.
  static func fixed(_ value: Int64, _ fractionBits: Int64) -> String {
    let unit = Int64(1) << fractionBits
    return value % unit == 0 ? "\(value / unit)" : "\(value)/\(unit)"
  }
}
