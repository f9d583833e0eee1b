// Fields of movie fragments, segment indexes and events.

import ReelCore

extension BoxFields {
  /// Reads a box of a fragment or segment; false when it is another box.
  static func readFragment(
    _ type: FourCC, _ reader: inout ByteReader, _ context: inout BoxContext,
    _ fields: inout [Field]
  ) throws(MediaError) -> Bool {
    switch type {
    case "mehd":
      let box = try MovieExtendsHeaderBox(parsing: &reader, &context)
      fields = [Field("fragment_duration", box.fragmentDuration ?? -1)]
    case "trex":
      let box = try TrackExtendsBox(parsing: &reader, &context)
      fields = [
        Field("track_ID", box.trackID),
        Field("default_sample_description_index", box.sampleDescriptionIndex + 1),
        Field("default_sample_duration", box.sampleDuration),
        Field("default_sample_size", box.sampleSize),
        Field("default_sample_flags", box.sampleFlags.rawValue),
      ]
    case "mfhd":
      let box = try MovieFragmentHeaderBox(parsing: &reader, &context)
      fields = [Field("sequence_number", box.sequenceNumber)]
    case "tfhd": fields = try trackFragmentHeader(&reader, &context)
    case "tfdt":
      let box = try TrackFragmentDecodeTimeBox(parsing: &reader, &context)
      fields = [Field("baseMediaDecodeTime", box.baseMediaDecodeTime ?? -1)]
    case "trun":
      let box = try TrackRunBox(parsing: &reader, &context)
      fields = [Field("sample_count", box.sampleCount)]
      if let offset = box.dataOffset { fields.append(Field("data_offset", offset)) }
      if let flags = box.firstSampleFlags {
        fields.append(Field("first_sample_flags", flags.rawValue))
      }
      fields.append(try runSamples(box, &reader))
    case "sidx":
      fields = try segmentIndex(SegmentIndexBox(parsing: &reader, &context))
    case "emsg":
      let box = try EventMessageBox(parsing: &reader, &context).message
      fields = [
        Field("scheme_id_uri", box.schemeIDURI), Field("value", box.value),
        Field("timescale", box.timescale),
        Field("event_duration", box.duration.map(Int64.init) ?? -1),
        Field("id", box.id), Field("bytes", box.data.count),
      ]
    default: return try readAccess(type, &reader, &context, &fields)
    }
    return true
  }

  private static func readAccess(
    _ type: FourCC, _ reader: inout ByteReader, _ context: inout BoxContext,
    _ fields: inout [Field]
  ) throws(MediaError) -> Bool {
    switch type {
    case "prft":
      let box = try ProducerReferenceTimeBox(parsing: &reader, &context)
      fields = [
        Field("reference_track_ID", box.trackID), Field("ntp_timestamp", box.ntpTimestamp),
        Field("media_time", box.mediaTime),
      ]
    case "mfro":
      fields = try fullBox(&reader)
      fields.append(Field("size", try reader.read(UInt32.self)))
    case "tfra":
      let box = try TrackFragmentRandomAccessBox(parsing: &reader, &context)
      let rows = box.entries.prefix(maximumRows).map { [$0.time, $0.moofOffset] }
      fields = [
        Field("track_ID", box.trackID), Field("number_of_entry", box.entries.count),
        Field("entries", .table(columns: ["time", "moof_offset"], rows: rows)),
      ]
    default: return false
    }
    return true
  }

  private static func trackFragmentHeader(
    _ reader: inout ByteReader, _ context: inout BoxContext
  ) throws(MediaError) -> [Field] {
    let box = try TrackFragmentHeaderBox(parsing: &reader, &context)
    var fields = [Field("track_ID", box.trackID)]
    if let offset = box.baseDataOffset { fields.append(Field("base_data_offset", offset)) }
    if let index = box.sampleDescriptionIndex {
      fields.append(Field("sample_description_index", index + 1))
    }
    if let value = box.sampleDuration { fields.append(Field("default_sample_duration", value)) }
    if let value = box.sampleSize { fields.append(Field("default_sample_size", value)) }
    if let value = box.sampleFlags {
      fields.append(Field("default_sample_flags", value.rawValue))
    }
    fields.append(Field("duration_is_empty", box.durationIsEmpty ? 1 : 0))
    fields.append(Field("default_base_is_moof", box.defaultBaseIsMoof ? 1 : 0))
    return fields
  }

  private static func runSamples(
    _ box: TrackRunBox, _ reader: inout ByteReader
  ) throws(MediaError) -> Field {
    var columns: [String] = []
    if box.hasDuration { columns.append("sample_duration") }
    if box.hasSize { columns.append("sample_size") }
    if box.hasFlags { columns.append("sample_flags") }
    if box.hasCompositionOffset { columns.append("sample_composition_time_offset") }
    var rows: [[Int64]] = []
    for _ in 0..<(columns.isEmpty ? 0 : min(box.sampleCount, maximumRows)) {
      var row: [Int64] = []
      for column in columns {
        let value = try reader.read(UInt32.self)
        row.append(column.hasSuffix("offset") ? Int64(Int32(bitPattern: value)) : Int64(value))
      }
      rows.append(row)
    }
    return Field("samples", .table(columns: columns, rows: rows))
  }

  private static func segmentIndex(_ box: SegmentIndexBox) -> [Field] {
    let rows = box.references.prefix(maximumRows).map {
      [
        $0.isIndex ? 1 : 0, Int64($0.byteCount), Int64($0.duration),
        $0.startsWithAccessPoint ? 1 : 0,
      ]
    }
    let columns = [
      "reference_type", "referenced_size", "subsegment_duration", "starts_with_SAP",
    ]
    return [
      Field("reference_ID", box.referenceID), Field("timescale", box.timescale),
      Field("earliest_presentation_time", box.earliestPresentationTime),
      Field("first_offset", box.firstOffset), Field("reference_count", box.references.count),
      Field("references", .table(columns: columns, rows: rows)),
    ]
  }
}
