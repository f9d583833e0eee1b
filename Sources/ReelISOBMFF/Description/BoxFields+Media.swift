// Fields of the boxes inside sample entries.

import ReelCore

extension BoxFields {
  /// Reads a box of a sample entry; false when it is another box.
  static func readMedia(
    _ type: FourCC, _ reader: inout ByteReader, _ context: inout BoxContext,
    _ fields: inout [Field]
  ) throws(MediaError) -> Bool {
    switch type {
    case "avcC":
      let box = try AVCConfigurationBox(parsing: &reader, &context)
      fields = [
        Field("AVCProfileIndication", box.bytes[1]), Field("profile_compatibility", box.bytes[2]),
        Field("AVCLevelIndication", box.bytes[3]),
        Field("lengthSizeMinusOne", box.lengthByteCount - 1), Field("bytes", box.bytes.count),
      ]
    case "hvcC":
      let box = try HEVCConfigurationBox(parsing: &reader, &context)
      fields = [
        Field("general_profile_idc", box.bytes[1] & 31), Field("general_level_idc", box.bytes[12]),
        Field("lengthSizeMinusOne", box.lengthByteCount - 1), Field("bytes", box.bytes.count),
      ]
    case "esds":
      let box = try ElementaryStreamDescriptorBox(parsing: &reader, &context)
      fields = [
        Field("objectTypeIndication", box.objectTypeIndication),
        Field("streamType", box.streamType), Field("maxBitrate", box.maximumBitRate),
        Field("avgBitrate", box.averageBitRate),
        Field("DecoderSpecificInfo", hexadecimal(box.decoderSpecificInfo.prefix(64))),
      ]
    case "pasp":
      let box = try PixelAspectRatioBox(parsing: &reader)
      fields = [Field("hSpacing", box.horizontalSpacing), Field("vSpacing", box.verticalSpacing)]
    case "colr":
      let box = try ColourInformationBox(parsing: &reader)
      fields = [Field("colour_type", "\(box.colourType)")]
      if let colour = box.description {
        fields += [
          Field("colour_primaries", colour.primaries),
          Field("transfer_characteristics", colour.transfer),
          Field("matrix_coefficients", colour.matrix),
          Field("full_range_flag", colour.isFullRange ? 1 : 0),
        ]
      }
    case "btrt":
      let box = try BitRateBox(parsing: &reader)
      fields = [
        Field("bufferSizeDB", box.bufferByteCount), Field("maxBitrate", box.maximumBitRate),
        Field("avgBitrate", box.averageBitRate),
      ]
    case "frma": fields = [Field("data_format", "\(FourCC(rawValue: try reader.read()))")]
    case "schm":
      fields = try fullBox(&reader)
      fields.append(Field("scheme_type", "\(FourCC(rawValue: try reader.read()))"))
    case "tenc":
      fields = try fullBox(&reader)
      try reader.skip(2)
      fields += [
        Field("default_isProtected", try reader.read(UInt8.self)),
        Field("default_Per_Sample_IV_Size", try reader.read(UInt8.self)),
        Field("default_KID", hexadecimal(try reader.readBytes(16))),
      ]
    case "vmhd", "smhd", "nmhd", "sthd", "hmhd": fields = try fullBox(&reader)
    default: return try readPicture(type, &reader, &context, &fields)
    }
    return true
  }

  private static func readPicture(
    _ type: FourCC, _ reader: inout ByteReader, _ context: inout BoxContext,
    _ fields: inout [Field]
  ) throws(MediaError) -> Bool {
    switch type {
    case "clap":
      let names = ["cleanApertureWidth", "cleanApertureHeight", "horizOff", "vertOff"]
      for name in names {
        fields.append(Field(name + "N", try reader.read(Int32.self)))
        fields.append(Field(name + "D", try reader.read(Int32.self)))
      }
    case "fiel":
      fields = [Field("field_count", try reader.read(UInt8.self))]
      if !reader.isAtEnd { fields.append(Field("field_ordering", try reader.read(UInt8.self))) }
    case "mdcv":
      let display = try MasteringDisplayBox(parsing: &reader).display
      let points = display.primaries + [display.whitePoint]
      fields = [
        Field(
          "chromaticities",
          .table(columns: ["x", "y"], rows: points.map { [Int64($0.x), Int64($0.y)] })),
        Field("max_display_mastering_luminance", display.maximumLuminance),
        Field("min_display_mastering_luminance", display.minimumLuminance),
      ]
    case "clli":
      let level = try ContentLightLevelBox(parsing: &reader).level
      fields = [
        Field("max_content_light_level", level.maximumContentLight),
        Field("max_pic_average_light_level", level.maximumFrameAverageLight),
      ]
    case "chan":
      let box = try ChannelLayoutBox(parsing: &reader, &context)
      fields = [
        Field("channelLayoutTag", box.layoutTag), Field("channelBitmap", box.bitmap),
        Field("channelLabels", .list(box.labels.prefix(maximumRows).map { .integer(Int64($0)) })),
      ]
    case "dac3", "dec3":
      let box = try DolbyAudioBox(parsing: &reader, isEnhanced: type == "dec3")
      fields = [
        Field("sample_rate", box.sampleRate), Field("channels", box.channelCount),
        Field("bit_rate", box.bitRate),
      ]
    default: return false
    }
    return true
  }
}
