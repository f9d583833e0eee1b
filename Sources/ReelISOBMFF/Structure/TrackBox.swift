// A track and the boxes inside it. ISO/IEC 14496-12:2020 §8.3.1 (trak) and below.

import ReelCore

/// Payload of a box that can only be read once a later box is known.
struct DeferredBox {
  let bytes: [UInt8]
  let offset: Int64
}

/// TrackBox (`trak`) with what this target reads of its children.
struct TrackBox {
  private(set) var header: TrackHeaderBox?
  private(set) var edits: EditListBox?
  private(set) var mediaHeader: MediaHeaderBox?
  private(set) var handler: HandlerBox?
  private(set) var dataReferences: DataReferenceBox?
  private(set) var descriptions: SampleDescriptionBox?
  private(set) var times = TimeToSampleBox()
  private(set) var compositionOffsets = CompositionOffsetBox()
  private(set) var sampleToChunk: SampleToChunkBox?
  private(set) var sizes = SampleSizeBox()
  private(set) var chunkOffsets = ChunkOffsetBox()
  /// Nil when every sample is a sync sample.
  private(set) var syncSamples: SyncSampleBox?
  private(set) var dependencies: SampleDependencyTypeBox?
  private(set) var compositionRange: CompositionToDecodeBox?
  private(set) var groups: [SampleToGroupBox] = []
  private(set) var groupDescriptions: [SampleGroupDescriptionBox] = []
  private(set) var references: [TrackReference] = []
  private(set) var userData: UserDataBox?
  private(set) var metadata: MetadataBox?
  private(set) var extendedLanguage: String?
  /// QuickTime's partial sync samples (`stps`): open groups begin there.
  private(set) var partialSyncSamples: SyncSampleBox?
  private var deferredDescriptions: DeferredBox?

  init(parsing reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    try reader.forEachBox(&context) { (header, reader, context) throws(MediaError) in
      switch header.type {
      case "tkhd": self.header = try TrackHeaderBox(parsing: &reader, &context)
      case "edts":
        try reader.forEachBox(&context) { (header, reader, context) throws(MediaError) in
          if header.type == "elst" { edits = try EditListBox(parsing: &reader, &context) }
        }
      case "mdia": try parseMedia(&reader, &context)
      case "tref": references = try TrackReferenceBox(parsing: &reader, &context).references
      case "udta": userData = try UserDataBox(parsing: &reader, &context)
      case "meta": metadata = try MetadataBox(parsing: &reader, &context)
      default: break
      }
    }
    if let deferred = deferredDescriptions {
      // The handler says how entries are laid out, and it may stand behind them.
      var reader = ByteReader(deferred.bytes.span, base: deferred.offset)
      descriptions = try SampleDescriptionBox(
        parsing: &reader, handler: handler?.handlerType ?? "vide", &context)
      deferredDescriptions = nil
    }
  }

  /// Sample descriptions, from 0, whose data reference names another file. ISO/IEC 14496-12:2020 §8.7.2.
  var externalDescriptions: Set<Int> {
    guard let references = dataReferences?.entries else { return [] }
    let entries = descriptions?.entries ?? []
    return Set(
      entries.indices.filter { index in
        let reference = Int(entries[index].dataReferenceIndex) - 1
        return references.indices.contains(reference) && references[reference].isElsewhere
      })
  }

  /// MediaBox (`mdia`). ISO/IEC 14496-12:2020 §8.4.1.
  private mutating func parseMedia(
    _ reader: inout ByteReader, _ context: inout BoxContext
  ) throws(MediaError) {
    try reader.forEachBox(&context) { (header, reader, context) throws(MediaError) in
      switch header.type {
      case "mdhd": mediaHeader = try MediaHeaderBox(parsing: &reader, &context)
      case "hdlr": handler = try HandlerBox(parsing: &reader, &context)
      case "elng":
        extendedLanguage = try ExtendedLanguageBox(parsing: &reader, &context).language
      case "minf": try parseMediaInformation(&reader, &context)
      default: break
      }
    }
  }

  /// MediaInformationBox (`minf`). ISO/IEC 14496-12:2020 §8.4.4.
  private mutating func parseMediaInformation(
    _ reader: inout ByteReader, _ context: inout BoxContext
  ) throws(MediaError) {
    try reader.forEachBox(&context) { (header, reader, context) throws(MediaError) in
      switch header.type {
      case "dinf":
        try reader.forEachBox(&context) { (header, reader, context) throws(MediaError) in
          if header.type == "dref" {
            dataReferences = try DataReferenceBox(parsing: &reader, &context)
          }
        }
      case "stbl": try parseSampleTable(&reader, &context)
      default: break
      }
    }
  }

  /// SampleTableBox (`stbl`). ISO/IEC 14496-12:2020 §8.5.1.
  private mutating func parseSampleTable(
    _ reader: inout ByteReader, _ context: inout BoxContext
  ) throws(MediaError) {
    var seen: Set<FourCC> = []
    try reader.forEachBox(&context) { (header, reader, context) throws(MediaError) in
      // Of a table that stands twice the first counts; a second one would cost time for nothing.
      guard seen.insert(header.type).inserted || !Self.tables.contains(header.type) else {
        try context.note(MediaError(.damaged, .boxDuplicate, at: .offset(header.offset)))
        return
      }
      switch header.type {
      case "stsd":
        let offset = reader.offset
        deferredDescriptions = DeferredBox(
          bytes: try reader.readBytes(reader.remaining), offset: offset)
      case "stts": times = try TimeToSampleBox(parsing: &reader, &context)
      case "ctts": compositionOffsets = try CompositionOffsetBox(parsing: &reader, &context)
      case "stsc": sampleToChunk = try SampleToChunkBox(parsing: &reader, &context)
      case "stsz": sizes = try SampleSizeBox(parsing: &reader, &context)
      case "stz2": sizes = try SampleSizeBox(parsingCompact: &reader, &context)
      case "stco": chunkOffsets = try ChunkOffsetBox(parsing: &reader, &context)
      case "co64": chunkOffsets = try ChunkOffsetBox(parsingLarge: &reader, &context)
      case "stss": syncSamples = try SyncSampleBox(parsing: &reader, &context)
      case "stps": partialSyncSamples = try SyncSampleBox(parsing: &reader, &context)
      case "cslg": compositionRange = try CompositionToDecodeBox(parsing: &reader, &context)
      case "sbgp": groups.append(try SampleToGroupBox(parsing: &reader, &context))
      case "sgpd":
        groupDescriptions.append(try SampleGroupDescriptionBox(parsing: &reader, &context))
      case "sdtp": dependencies = try SampleDependencyTypeBox(parsing: &reader, &context)
      default: break
      }
    }
  }

  private static let tables: Set<FourCC> = [
    "stsd", "stts", "ctts", "stsc", "stsz", "stz2", "stco", "co64", "stss", "sdtp", "stps", "cslg",
  ]

  /// The same box without its sample tables, which are large.
  var withoutTables: TrackBox {
    var box = self
    box.times = TimeToSampleBox()
    box.compositionOffsets = CompositionOffsetBox()
    box.sampleToChunk = nil
    box.sizes = SampleSizeBox()
    box.chunkOffsets = ChunkOffsetBox()
    box.syncSamples = nil
    box.dependencies = nil
    box.partialSyncSamples = nil
    box.groups = []
    return box
  }
}
