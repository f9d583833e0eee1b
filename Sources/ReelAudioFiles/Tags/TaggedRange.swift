// Where the sound of a file lies between its tags.

import ReelAudioCore
import ReelCore

/// The tags around the frames of a file.
struct TaggedRange: Sendable {
  /// Offset of the first byte behind the tags at the start.
  private(set) var start: Int64 = 0
  /// Offset of the first byte of the tags at the end; nil when the source does not know its length.
  private(set) var end: Int64?
  private(set) var list = TagList()

  /// LIMIT: tags in a row at the start, and bytes of one that are read.
  private static let maximumTags = 16
  private static let maximumTagByteCount = 1 << 24

  init(_ source: any ByteSource, limits: Limits) throws(MediaError) {
    try readStart(source, limits)
    guard let total = source.byteCount else { return }
    end = total
    try readEnd(source, total)
  }

  private mutating func readStart(_ source: any ByteSource, _ limits: Limits) throws(MediaError) {
    for _ in 0..<Self.maximumTags {
      let head = try source.readFully(at: start, count: APETag.footerByteCount)
      if let count = APETag.byteCount(header: head) {
        start += Int64(count)
        continue
      }
      guard let header = ID3v2Header(head[...]) else { return }
      // LIMIT: of a longer tag only the first frames count.
      let count = min(header.tagByteCount, Self.maximumTagByteCount, limits.maximumMetadataBytes)
      let bytes = try source.readFully(at: start, count: count)
      list.add(ID3v2Tag(bytes, header, offset: start))
      start += Int64(header.tagByteCount)
    }
  }

  private mutating func readEnd(_ source: any ByteSource, _ total: Int64) throws(MediaError) {
    var end = total
    var last: ID3v1Tag?
    if end - start >= Int64(ID3v1Tag.byteCount) {
      let bytes = try source.readFully(
        at: end - Int64(ID3v1Tag.byteCount), count: ID3v1Tag.byteCount)
      last = ID3v1Tag(bytes)
      if last != nil { end -= Int64(ID3v1Tag.byteCount) }
    }
    if end - start >= Int64(APETag.footerByteCount) {
      let footer = try source.readFully(
        at: end - Int64(APETag.footerByteCount), count: APETag.footerByteCount)
      if let tag = APETag(footer: footer), Int64(tag.tagByteCount) <= end - start {
        if tag.itemsAndFooterByteCount <= APETag.maximumByteCount {
          let items = try source.readFully(
            at: end - Int64(tag.itemsAndFooterByteCount),
            count: tag.itemsAndFooterByteCount - APETag.footerByteCount)
          tag.add(items, to: &list)
        }
        end -= Int64(tag.tagByteCount)
      }
    }
    last?.add(to: &list)
    self.end = max(end, start)
  }
}
