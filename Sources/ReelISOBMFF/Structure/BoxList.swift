// The boxes of a file as they stand, for showing.

public import ReelCore

/// A box as its header tells it.
public struct BoxEntry: Sendable, Hashable {
  public let type: FourCC
  /// Offset of its header in the file.
  public let offset: Int64
  /// Bytes, header included; what is there of a box that the file cuts off.
  public let byteCount: Int64
  /// Boxes around it.
  public let depth: Int
}

/// Lists the boxes of a file. ISO/IEC 14496-12:2020 §4.2.
public enum BoxList {
  /// Boxes that hold boxes, and the bytes of their own before those.
  private static let containers: [FourCC: Int64] = [
    "moov": 0, "trak": 0, "mdia": 0, "minf": 0, "stbl": 0, "edts": 0, "dinf": 0, "udta": 0,
    "mvex": 0, "moof": 0, "traf": 0, "mfra": 0, "tref": 0, "sinf": 0, "schi": 0, "ilst": 0,
    "meta": 4, "dref": 8, "stsd": 8,
    "avc1": 78, "avc3": 78, "hvc1": 78, "hev1": 78, "mp4v": 78, "encv": 78, "mp4a": 28, "enca": 28,
  ]

  /// Calls `body` with every box, outermost first, in file order.
  ///
  /// - Throws: `.damaged` for a size that cannot be, what reading throws.
  public static func forEach(
    in source: any ByteSource, limits: Limits = .standard,
    _ body: (BoxEntry) throws(MediaError) -> Void
  ) throws(MediaError) {
    let end = source.byteCount ?? .max
    var count = 0
    try list(source, 0..<end, depth: 0, limits, &count, body)
  }

  private static func list(
    _ source: any ByteSource, _ range: Range<Int64>, depth: Int, _ limits: Limits,
    _ count: inout Int, _ body: (BoxEntry) throws(MediaError) -> Void
  ) throws(MediaError) {
    // LIMIT: real files stay below ten levels.
    guard depth < limits.maximumNesting else { return }
    var offset = range.lowerBound
    while range.upperBound - offset >= 8 {
      guard let header = try header(source, at: offset, end: range.upperBound, depth) else {
        return
      }
      count += 1
      // LIMIT: an attack could hold a box in every eight bytes.
      guard count <= limits.maximumBoxes else {
        throw MediaError(.limitExceeded, .boxCount, at: .offset(offset))
      }
      try body(header.entry)
      let inner = offset + header.byteCount + (containers[header.entry.type] ?? 0)
      let next = offset + header.entry.byteCount
      if containers[header.entry.type] != nil && inner <= next && !header.isCut {
        try list(source, inner..<next, depth: depth + 1, limits, &count, body)
      }
      offset = next
    }
  }

  private struct Header {
    let entry: BoxEntry
    let byteCount: Int64
    let isCut: Bool
  }

  /// The box at `offset`; nil where the file ends first, or where what is there cannot be a box and
  /// lies inside of another (an old QuickTime list ends in four zero bytes).
  private static func header(
    _ source: any ByteSource, at offset: Int64, end: Int64, _ depth: Int
  ) throws(MediaError) -> Header? {
    let bytes = try source.readFully(at: offset, count: 16)
    guard bytes.count >= 8 else { return nil }
    func number(_ range: Range<Int>) -> UInt64 {
      range.reduce(0) { $0 << 8 | UInt64(bytes[$1]) }
    }
    let type = FourCC(rawValue: UInt32(number(4..<8)))
    var size = number(0..<4)
    var headerSize: UInt64 = 8
    if size == 1 && bytes.count == 16 {
      size = number(8..<16)
      headerSize = 16
    } else if size == 0 && depth == 0 {
      size = UInt64(end - offset)
    }
    guard size >= headerSize else {
      if depth > 0 { return nil }
      throw MediaError(
        .damaged, .boxSize, at: .box(path: type.description, offset: offset),
        detail: "size \(size)")
    }
    let available = end - offset
    let length = min(Int64(clamping: size), available)
    return Header(
      entry: BoxEntry(type: type, offset: offset, byteCount: length, depth: depth),
      byteCount: Int64(headerSize), isCut: Int64(clamping: size) > available)
  }
}
