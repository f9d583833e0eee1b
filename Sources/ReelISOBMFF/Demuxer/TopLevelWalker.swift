// The boxes of the file itself: finding the movie without loading the media.

import ReelCore

/// A box at the top level of the file.
struct TopLevelBox {
  let type: FourCC
  let offset: Int64
  let headerByteCount: Int
  /// Bytes of the whole box as stated, or to the end of the file; nil when it goes to the end and
  /// that is not known.
  let byteCount: Int64?

  var payloadOffset: Int64 { offset + Int64(headerByteCount) }
}

/// Reads top-level boxes one after the other. Only headers are read.
struct TopLevelWalker {
  let source: any ByteSource
  private(set) var offset: Int64 = 0
  /// The last box goes to the end of the file.
  private var isAtEnd = false
  /// Bytes from `windowOffset` on: fragments are small, and several are read at once.
  private var window: [UInt8] = []
  private var windowOffset: Int64 = 0

  private static let windowByteCount = 4096

  init(_ source: any ByteSource, from offset: Int64 = 0) {
    self.source = source
    self.offset = offset
  }

  /// The next box, or nil at the end of the file.
  ///
  /// - Throws: `needsMoreData` for a header that is cut, `damaged` for a size that cannot be, `io`.
  mutating func next(_ context: inout BoxContext) throws(MediaError) -> TopLevelBox? {
    if isAtEnd { return nil }
    if !isInWindow(offset, 16) {
      window = try source.readFully(at: offset, count: Self.windowByteCount)
      windowOffset = offset
    }
    let start = Int(offset - windowOffset)
    let head = [UInt8](window[start..<min(start + 16, window.count)])
    if head.isEmpty { return nil }
    try context.countBox(at: offset)
    var reader = ByteReader(head.span, base: offset)
    var byteCount = UInt64(try reader.read(UInt32.self))
    let type = FourCC(rawValue: try reader.read())
    var headerByteCount = 8
    if byteCount == 1 {
      byteCount = try reader.read()
      headerByteCount = 16
    }
    if byteCount == 0 {
      isAtEnd = true
      return TopLevelBox(
        type: type, offset: offset, headerByteCount: headerByteCount,
        byteCount: source.byteCount.map { $0 - offset })
    }
    guard byteCount >= UInt64(headerByteCount) else {
      throw MediaError(
        .damaged, .boxSize, at: .offset(offset), detail: "\(type) has size \(byteCount)")
    }
    let box = TopLevelBox(
      type: type, offset: offset, headerByteCount: headerByteCount,
      byteCount: Int64(clamping: byteCount))
    let (end, overflow) = offset.addingReportingOverflow(Int64(clamping: byteCount))
    if overflow { isAtEnd = true } else { offset = end }
    return box
  }

  private func isInWindow(_ offset: Int64, _ count: Int) -> Bool {
    offset >= windowOffset && offset - windowOffset <= Int64(window.count - count)
  }

  /// The payload of a metadata box, which must fit the limit and the file.
  ///
  /// - Parameter acceptsLess: what is there of a box that is cut is payload enough.
  func payload(
    of box: TopLevelBox, limits: Limits, acceptsLess: Bool = false
  ) throws(MediaError) -> [UInt8] {
    let stated = box.byteCount.map { $0 - Int64(box.headerByteCount) }
    // LIMIT: a file cannot make us hold more than this, whatever size it states.
    guard (stated ?? 0) <= Int64(limits.maximumMetadataBytes) else {
      throw MediaError(
        .limitExceeded, .metadataBytes, at: .box(path: "\(box.type)", offset: box.offset),
        detail: "\(stated ?? 0) bytes",
        advice: "raise Limits.maximumMetadataBytes if the file is trusted")
    }
    let wanted = Int(stated ?? Int64(limits.maximumMetadataBytes))
    // An input of unknown length is read piece by piece: only what is there takes memory.
    if let end = source.byteCount, end - box.payloadOffset < Int64(wanted), stated != nil,
      !acceptsLess
    {
      throw truncation(box, there: end - box.payloadOffset)
    }
    if isInWindow(box.payloadOffset, wanted) {
      let start = Int(box.payloadOffset - windowOffset)
      return [UInt8](window[start..<start + wanted])
    }
    var bytes: [UInt8] = []
    while bytes.count < wanted {
      let piece = try source.read(
        at: box.payloadOffset + Int64(bytes.count), count: min(wanted - bytes.count, 1 << 24))
      if piece.isEmpty { break }
      if bytes.isEmpty { bytes = piece } else { bytes += piece }
    }
    if stated != nil && bytes.count < wanted && !acceptsLess {
      throw truncation(box, there: Int64(bytes.count))
    }
    return bytes
  }

  /// The error of a box that is cut after so many bytes of its payload.
  func truncation(_ box: TopLevelBox, there: Int64) -> MediaError {
    MediaError(
      .needsMoreData, .boxTruncated, at: .box(path: "\(box.type)", offset: box.offset),
      detail:
        "\(box.byteCount ?? 0) bytes stated, \(max(there, 0) + Int64(box.headerByteCount)) there")
  }
}
