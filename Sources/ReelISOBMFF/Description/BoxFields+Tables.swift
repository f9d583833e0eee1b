// Fields of sample tables and edit lists. Of each table, the first rows are shown.

import ReelCore

extension BoxFields {
  /// Reads one of the tables; false when it is another box.
  static func readTable(
    _ type: FourCC, _ reader: inout ByteReader, _ context: inout BoxContext,
    _ fields: inout [Field]
  ) throws(MediaError) -> Bool {
    switch type {
    case "stts":
      let table = try TimeToSampleBox(parsing: &reader, &context).deltas
      fields = runs(table, ["sample_count", "sample_delta"])
    case "ctts":
      let table = try CompositionOffsetBox(parsing: &reader, &context).offsets
      fields = runs(table, ["sample_count", "sample_offset"])
    case "stsc":
      let entries = try SampleToChunkBox(parsing: &reader, &context).entries
      let rows = entries.prefix(maximumRows).map {
        [Int64($0.firstChunk) + 1, Int64($0.samplesPerChunk), Int64($0.sampleDescriptionIndex) + 1]
      }
      fields = table(
        entries.count, ["first_chunk", "samples_per_chunk", "sample_description_index"], rows)
    case "stsz", "stz2":
      let box =
        type == "stsz"
        ? try SampleSizeBox(parsing: &reader, &context)
        : try SampleSizeBox(parsingCompact: &reader, &context)
      fields = [
        Field("sample_size", box.constantSize), Field("sample_count", box.sampleCount),
        Field("entry_size", .list(box.sizes.prefix(maximumRows).map { .integer(Int64($0)) })),
      ]
    case "stco", "co64":
      let offsets =
        type == "stco"
        ? try ChunkOffsetBox(parsing: &reader, &context).offsets
        : try ChunkOffsetBox(parsingLarge: &reader, &context).offsets
      fields = [
        Field("entry_count", offsets.count),
        Field("chunk_offset", .list(offsets.prefix(maximumRows).map { .integer($0) })),
      ]
    case "stss", "stps":
      let samples = try SyncSampleBox(parsing: &reader, &context).samples
      fields = [
        Field("entry_count", samples.count),
        Field("sample_number", .list(samples.prefix(maximumRows).map { .integer(Int64($0) + 1) })),
      ]
    case "elst":
      let entries = try EditListBox(parsing: &reader, &context).entries
      let rows = entries.prefix(maximumRows).map {
        [$0.segmentDuration, $0.mediaTime, Int64($0.mediaRate)]
      }
      fields = table(entries.count, ["segment_duration", "media_time", "media_rate"], rows)
    default: return try readGroups(type, &reader, &context, &fields)
    }
    return true
  }

  private static func readGroups(
    _ type: FourCC, _ reader: inout ByteReader, _ context: inout BoxContext,
    _ fields: inout [Field]
  ) throws(MediaError) -> Bool {
    switch type {
    case "sbgp":
      let box = try SampleToGroupBox(parsing: &reader, &context)
      fields = [Field("grouping_type", "\(box.groupingType)")]
      fields += runs(box.descriptionIndices, ["sample_count", "group_description_index"])
    case "sgpd":
      let box = try SampleGroupDescriptionBox(parsing: &reader, &context)
      fields = [
        Field("grouping_type", "\(box.groupingType)"), Field("version", box.version),
        Field("default_sample_description_index", box.defaultIndex),
        Field("entry_count", box.entries.count),
        Field(
          "entries", .list(box.entries.prefix(maximumRows).map { .text(hexadecimal($0)) })),
      ]
    case "cslg":
      let box = try CompositionToDecodeBox(parsing: &reader, &context)
      fields = [
        Field("compositionToDTSShift", box.compositionToDecodeShift),
        Field("leastDecodeToDisplayDelta", box.leastOffset),
        Field("greatestDecodeToDisplayDelta", box.greatestOffset),
        Field("compositionStartTime", box.startTime), Field("compositionEndTime", box.endTime),
      ]
    default: return false
    }
    return true
  }

  /// A run-length table by its runs. Neighbouring entries with equal values are one run.
  private static func runs<Value>(
    _ runs: RunLengthTable<Value>, _ columns: [String]
  ) -> [Field] {
    let rows = (0..<min(runs.entryCount, maximumRows)).map {
      [Int64(runs.end($0) - runs.start($0)), Int64(clamping: runs.entryValue($0))]
    }
    return table(runs.entryCount, columns, rows)
  }

  private static func table(_ count: Int, _ columns: [String], _ rows: [[Int64]]) -> [Field] {
    [Field("entry_count", count), Field("entries", .table(columns: columns, rows: rows))]
  }
}
