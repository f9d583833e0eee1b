// What is read of a Matroska file when it is opened.

import ReelCore

/// Finds the segment and reads its metadata: what stands before the first cluster, and what the
/// SeekHead points to behind it.
struct MatroskaOpening {
  private(set) var info = SegmentInfo()
  private(set) var entries: [TrackEntry] = []
  private(set) var cues = Cues()
  private(set) var tags = SegmentTags()
  private(set) var chapters = Chapters()
  private(set) var docType = "matroska"
  private(set) var segmentStart: Int64 = 0
  private(set) var segmentEnd: Int64?
  private(set) var firstCluster: Int64 = 0
  private(set) var context: EBMLContext
  private let source: any ByteSource
  private let limits: Limits
  private var seekHead = SeekHead()
  /// Offsets of the elements that were read.
  private var done: Set<Int64> = []

  /// LIMIT: bytes from the start in which the segment has to begin.
  private static let maximumHead: Int64 = 1 << 16

  init(_ source: any ByteSource, limits: Limits) throws(MediaError) {
    (self.source, self.limits) = (source, limits)
    context = EBMLContext(limits: limits)
    var window = SourceWindow(source)
    var position = try readHead(&window)
    position = try findSegment(from: position, &window)
    firstCluster = try readTopLevel(from: position, &window)
    try followSeekHead(&window)
    guard !entries.isEmpty else {
      throw MediaError(
        .damaged, .matroskaTracks, at: .offset(segmentStart), detail: firstFault,
        advice: "an initialization segment or the start of the file may be missing")
    }
  }

  private var firstFault: String { context.faults.first?.description ?? "" }

  /// Whether the first bytes of an input are an EBML header.
  static func probe(_ bytes: [UInt8]) -> Bool {
    guard let header = try? ElementHeader(bytes.prefix(ElementHeader.maximumByteCount)),
      header.id == ElementID.ebml
    else { return false }
    // The document type lies in the first bytes; a prefix that ends before may still be one.
    let head = bytes.prefix(256)
    let names = ["matroska", "webm"]
    return bytes.count < 64
      || names.contains { name in
        let pattern = Array(name.utf8)
        return head.indices.contains { head[$0...].starts(with: pattern) }
      }
  }

  private mutating func readHead(_ window: inout SourceWindow) throws(MediaError) -> Int64 {
    let header: ElementHeader?
    do throws(MediaError) {
      header = try window.header(at: 0)
    } catch {
      // The rule that is broken is that of the header, whatever its bytes are.
      throw error.family == .io ? error : MediaError(error.family, .ebmlHeader, at: .offset(0))
    }
    guard let header else { throw MediaError(.needsMoreData, .ebmlHeader, at: .offset(0)) }
    guard header.id == ElementID.ebml, let size = header.size, size <= Self.maximumHead else {
      throw MediaError(.damaged, .ebmlHeader, at: .offset(0))
    }
    let content = Int64(header.byteCount)
    let element = try element(at: content, size: size)
    guard Int64(element.content.count) == size else {
      throw MediaError(.needsMoreData, .ebmlHeader, at: .offset(content))
    }
    docType = try EBMLHead(element, &context).docType
    return content + size
  }

  private mutating func findSegment(
    from start: Int64, _ window: inout SourceWindow
  ) throws(MediaError) -> Int64 {
    var position = start
    while position <= Self.maximumHead, let header = try window.header(at: position) {
      let content = position + Int64(header.byteCount)
      if header.id == ElementID.segment {
        segmentStart = content
        segmentEnd = header.size.map { content.saturatingAdd($0) }
        return content
      }
      guard let size = header.size else { break }
      position = content.saturatingAdd(size)
    }
    throw MediaError(
      position >= (source.byteCount ?? .max) ? .needsMoreData : .damaged, .matroskaSegment,
      at: .offset(position))
  }

  /// Reads the children of the segment up to the first cluster; its offset, or where reading ended.
  private mutating func readTopLevel(
    from start: Int64, _ window: inout SourceWindow
  ) throws(MediaError) -> Int64 {
    var position = start
    while position < segmentEnd ?? .max {
      let header: ElementHeader
      do throws(MediaError) {
        guard let next = try window.header(at: position) else { return position }
        header = next
      } catch  where error.family == .damaged || error.family == .needsMoreData {
        context.note(error)
        return position
      }
      if header.id == ElementID.cluster { return position }
      let content = position + Int64(header.byteCount)
      guard let size = header.size else {
        context.note(
          MediaError(.damaged, .ebmlElement, at: .offset(position), detail: "unknown size"))
        return position
      }
      try context.count(depth: 1, at: position)
      try read(header.id, at: position, content, size)
      position = content.saturatingAdd(size)
    }
    return position
  }

  /// Reads what stands behind the clusters and is of use.
  private mutating func followSeekHead(_ window: inout SourceWindow) throws(MediaError) {
    let wanted = [
      ElementID.tracks, ElementID.info, ElementID.cues, ElementID.tags, ElementID.chapters,
    ]
    // A SeekHead may point to another one, which is in the list then.
    var index = 0
    while index < seekHead.entries.count {
      let entry = seekHead.entries[index]
      index += 1
      let position = segmentStart.saturatingAdd(entry.position)
      guard wanted.contains(entry.id) || entry.id == ElementID.seekHead, !done.contains(position)
      else { continue }
      do throws(MediaError) {
        guard let header = try window.header(at: position), header.id == entry.id,
          let size = header.size
        else { continue }
        try read(header.id, at: position, position + Int64(header.byteCount), size)
      } catch  where error.family == .damaged || error.family == .needsMoreData {
        context.note(error)
      }
    }
  }

  /// Reads one child of the segment, if it is of use. What is damaged in it is noted.
  private mutating func read(
    _ id: UInt32, at position: Int64, _ content: Int64, _ size: Int64
  ) throws(MediaError) {
    guard done.insert(position).inserted, ElementID.isTopLevel(id), id != ElementID.attachments
    else { return }
    do throws(MediaError) {
      let element = try element(at: content, size: size)
      switch id {
      case ElementID.seekHead: try seekHead.read(element, &context)
      case ElementID.info: try info.read(element, &context)
      case ElementID.tracks: try readTracks(element)
      case ElementID.cues: try cues.read(element, &context)
      case ElementID.tags: try tags.read(element, &context)
      case ElementID.chapters: try chapters.read(element, &context)
      default: break
      }
    } catch  where error.family == .damaged {
      context.note(error)
    }
  }

  private mutating func readTracks(_ element: EBMLElement) throws(MediaError) {
    var entries = self.entries
    let limit = limits.maximumTracks
    defer { self.entries = entries }
    try element.forEachChild(&context) { (id, child, context) throws(MediaError) in
      guard id == ElementID.trackEntry else { return }
      guard entries.count < limit else {
        throw MediaError(.limitExceeded, .matroskaTrackCount, detail: "\(limit)")
      }
      do throws(MediaError) {
        entries.append(try TrackEntry(child, &context))
      } catch  where error.family == .damaged {
        context.note(error)
      }
    }
  }

  /// The content of an element, as much of it as the input has.
  private mutating func element(
    at content: Int64, size: Int64
  ) throws(MediaError) -> EBMLElement {
    guard size <= Int64(limits.maximumMetadataBytes) else {
      throw MediaError(
        .limitExceeded, .matroskaMetadata, at: .offset(content), detail: "\(size) bytes")
    }
    let bytes = try source.readFully(at: content, count: Int(size))
    if Int64(bytes.count) < size {
      context.note(
        MediaError(
          .needsMoreData, .ebmlElement, at: .offset(content),
          detail: "\(size) bytes, \(bytes.count) there"))
    }
    return EBMLElement(bytes, base: content)
  }
}
