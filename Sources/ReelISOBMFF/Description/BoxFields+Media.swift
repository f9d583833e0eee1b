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
    default: return false
    }
    return true
  }
}
