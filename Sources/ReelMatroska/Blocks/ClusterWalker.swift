// Walking through the clusters of a segment, block by block, without reading frames.
// RFC 9559 §5.1.3, §10.

import ReelCore

/// A block and where it lies.
struct BlockPlace: Sendable {
  let trackNumber: Int
  /// The segment's ticks.
  let time: Int64
  let lacing: BlockHeader.Lacing
  let isSync: Bool
  /// BlockDuration in the segment's ticks; nil when not told.
  let duration: Int64?
  /// Offset of the payload behind the block's header, and its bytes.
  let payload: Int64
  let byteCount: Int
  /// Offset of the block's element, and of the cluster's that it is in.
  let element: Int64
  let cluster: Int64
}

/// Gives the blocks of a segment in order, going over what is damaged to the next cluster.
struct ClusterWalker: Sendable {
  private struct Cluster {
    let offset: Int64
    /// Offset of the first byte behind it; nil when unknown.
    let end: Int64?
    var timestamp: Int64 = 0
  }

  private var window: SourceWindow
  private let end: Int64?
  private let limit: Int
  /// Offset of the next element.
  private(set) var position: Int64
  private var cluster: Cluster?
  /// What was gone over.
  private(set) var faultCount = 0

  /// A walk from `position`, which is between the children of a segment that ends at `end`.
  init(_ source: any ByteSource, from position: Int64, end: Int64?, limits: Limits) {
    window = SourceWindow(source)
    (self.position, self.end) = (position, end)
    limit = limits.maximumPacketBytes
  }

  /// The timestamp of the cluster that is being walked through, in the segment's ticks.
  var clusterTime: Int64? { cluster?.timestamp }

  /// Goes to a block that was met before: into its cluster, and there to the block's element.
  mutating func enter(_ block: BlockPlace) throws(MediaError) {
    (position, cluster) = (block.cluster, nil)
    while position < block.element {
      guard try step() != nil else { break }
    }
    position = block.element
  }

  /// The next block, or nil at the end of the segment or of the input.
  ///
  /// - Throws: `limitExceeded` for a block beyond `Limits.maximumPacketBytes`; what the source throws.
  mutating func next() throws(MediaError) -> BlockPlace? {
    // A call that the source made fail is as if it had not been made.
    let before = self
    do throws(MediaError) {
      while let step = try step() {
        if case .block(let block) = step { return block }
      }
      return nil
    } catch {
      if error.family == .io { self = before }
      throw error
    }
  }

  private enum Step {
    case block(BlockPlace)
    case other
  }

  /// Takes one element; nil at the end.
  private mutating func step() throws(MediaError) -> Step? {
    if let clusterEnd = cluster?.end, position >= clusterEnd { cluster = nil }
    if let end, position >= end { return nil }
    let header: ElementHeader
    do throws(MediaError) {
      guard let found = try window.header(at: position) else { return nil }
      header = found
    } catch  where error.family == .needsMoreData {
      return nil
    } catch  where error.family == .damaged {
      return try resynchronise()
    }
    let content = position + Int64(header.byteCount)
    if header.id == ElementID.cluster {
      cluster = Cluster(offset: position, end: header.size.map { content.saturatingAdd($0) })
      position = content
      return .other
    }
    if cluster != nil, ElementID.isTopLevel(header.id) {
      cluster = nil
      return .other
    }
    // Another segment is another presentation.
    if header.id == ElementID.segment || header.id == ElementID.ebml { return nil }
    guard let size = header.size, fits(content.saturatingAdd(size)) else {
      return try resynchronise()
    }
    defer { position = content.saturatingAdd(size) }
    guard cluster != nil else { return .other }
    return try take(header.id, content, size) ?? .other
  }

  private func fits(_ elementEnd: Int64) -> Bool {
    guard let clusterEnd = cluster?.end else { return elementEnd != .max }
    return elementEnd <= clusterEnd
  }

  private mutating func take(
    _ id: UInt32, _ content: Int64, _ size: Int64
  ) throws(MediaError) -> Step? {
    switch id {
    case ElementID.timestamp:
      guard size <= 8 else { return nil }
      let bytes = try window.bytes(at: content, count: Int(size))
      let value = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      // LIMIT: 2⁵⁵ leaves room for the sums that follow.
      cluster?.timestamp = Int64(min(value, 1 << 55))
      return nil
    case ElementID.simpleBlock:
      return try block(content, size, element: position).map { .block($0) }
    case ElementID.blockGroup:
      return try group(content, size).map { .block($0) }
    default: return nil
    }
  }

  private mutating func block(
    _ content: Int64, _ size: Int64, element: Int64, isGroup: Bool = false, duration: Int64? = nil,
    isSync: Bool = false
  ) throws(MediaError) -> BlockPlace? {
    guard size <= Int64(limit) else {
      throw MediaError(
        .limitExceeded, .matroskaBlockSize, at: .offset(content), detail: "\(size) bytes")
    }
    let head = try window.bytes(
      at: content, count: Int(min(size, Int64(BlockHeader.maximumByteCount))))
    guard let cluster, let header = BlockHeader(head) else {
      faultCount += 1
      return nil
    }
    return BlockPlace(
      trackNumber: header.trackNumber, time: cluster.timestamp + header.timestamp,
      lacing: header.lacing, isSync: isGroup ? isSync : header.isKeyframe, duration: duration,
      payload: content + Int64(header.byteCount), byteCount: Int(size) - header.byteCount,
      element: element, cluster: cluster.offset)
  }

  /// BlockGroup: a Block, its duration, and the references without which it is a sync sample.
  private mutating func group(_ content: Int64, _ size: Int64) throws(MediaError) -> BlockPlace? {
    let groupEnd = content + size
    var offset = content
    var found: (content: Int64, size: Int64)?
    var (duration, isSync) = (Int64?.none, true)
    while offset < groupEnd {
      let header: ElementHeader
      do throws(MediaError) {
        guard let next = try window.header(at: offset) else { break }
        header = next
      } catch  where error.family == .damaged || error.family == .needsMoreData {
        faultCount += 1
        break
      }
      let start = offset + Int64(header.byteCount)
      guard let size = header.size, start.saturatingAdd(size) <= groupEnd else {
        faultCount += 1
        break
      }
      switch header.id {
      case ElementID.block: found = (start, size)
      case ElementID.referenceBlock: isSync = false
      case ElementID.blockDuration where size <= 8:
        let bytes = try window.bytes(at: start, count: Int(size))
        let value = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        duration = Int64(min(value, 1 << 55))
      default: break
      }
      offset = start + size
    }
    guard let found else { return nil }
    return try block(
      found.content, found.size, element: position, isGroup: true, duration: duration,
      isSync: isSync)
  }

  /// Searches for the next cluster behind something that is no element.
  private mutating func resynchronise() throws(MediaError) -> Step? {
    faultCount += 1
    cluster = nil
    var offset = position + 1
    while true {
      if let end, offset >= end { return nil }
      let bytes = try window.bytes(at: offset, count: 1 << 12)
      guard bytes.count >= 4 else {
        position = offset
        return nil
      }
      var i = bytes.startIndex
      while i + 4 <= bytes.endIndex {
        if bytes[i] == 0x1F, bytes[i + 1] == 0x43, bytes[i + 2] == 0xB6, bytes[i + 3] == 0x75 {
          position = offset + Int64(i - bytes.startIndex)
          return .other
        }
        i += 1
      }
      offset += Int64(bytes.count - 3)
    }
  }
}

extension Int64 {
  /// The sum, or the largest number where it does not fit; `other` ≥ 0.
  func saturatingAdd(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
