// Matroska files made in code.

/// Writes elements. RFC 8794 §4 … §7.
public enum EBML {
  /// An element with its content; `size` writes another size than the content's, nil an unknown one.
  public static func element(_ id: UInt32, _ content: [UInt8], size: Int?? = .none) -> [UInt8] {
    var bytes: [UInt8] = []
    for shift in [24, 16, 8, 0] where id >> UInt32(shift) != 0 {
      bytes.append(UInt8(truncatingIfNeeded: id >> UInt32(shift)))
    }
    switch size {
    case .none: bytes += number(UInt64(content.count))
    case .some(nil): bytes += [0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
    case .some(let value?): bytes += number(UInt64(value))
    }
    return bytes + content
  }

  /// A master element.
  public static func master(_ id: UInt32, _ children: [[UInt8]]) -> [UInt8] {
    element(id, children.flatMap { $0 })
  }

  /// An unsigned integer element in as few bytes as it takes.
  public static func unsigned(_ id: UInt32, _ value: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = value
    while rest > 0 {
      bytes.insert(UInt8(rest & 255), at: 0)
      rest >>= 8
    }
    return element(id, bytes.isEmpty ? [0] : bytes)
  }

  public static func text(_ id: UInt32, _ value: String) -> [UInt8] {
    element(id, Array(value.utf8))
  }

  public static func float(_ id: UInt32, _ value: Double) -> [UInt8] {
    element(id, (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> UInt64(56 - 8 * $0)) })
  }

  /// A number with its length marker, in `length` bytes or as few as it takes.
  public static func number(_ value: UInt64, length: Int? = nil) -> [UInt8] {
    var count = length ?? 1
    // All ones mean "unknown".
    while length == nil, value >= 1 << UInt64(7 * count) - 1 { count += 1 }
    let marked = value | 1 << UInt64(7 * count)
    return (0..<count).map { UInt8(truncatingIfNeeded: marked >> UInt64(8 * (count - 1 - $0))) }
  }
}

/// A Matroska file of tracks and clusters.
public struct MatroskaBuilder: Sendable {
  public var tracks: [[UInt8]] = []
  public var clusters: [[UInt8]] = []
  /// Elements of the segment before the tracks, and behind the clusters.
  public var before: [[UInt8]] = []
  public var after: [[UInt8]] = []
  public var timestampScale: UInt64 = 1_000_000
  public var duration: Double?
  public var docType = "matroska"
  public var hasUnknownSegmentSize = false

  public init() {}

  /// A track: number, type and codec, and further elements.
  public mutating func track(_ number: Int, type: Int, codec: String, _ more: [[UInt8]] = []) {
    tracks.append(
      EBML.master(
        0xAE,
        [
          EBML.unsigned(0xD7, UInt64(number)), EBML.unsigned(0x73C5, UInt64(number + 100)),
          EBML.unsigned(0x83, UInt64(type)), EBML.text(0x86, codec),
        ] + more))
  }

  /// A cluster of blocks.
  public mutating func cluster(time: UInt64, hasUnknownSize: Bool = false, _ blocks: [[UInt8]]) {
    let content = EBML.unsigned(0xE7, time) + blocks.flatMap { $0 }
    clusters.append(EBML.element(0x1F43_B675, content, size: hasUnknownSize ? .some(nil) : .none))
  }

  /// The payload of a Block or SimpleBlock.
  public static func payload(
    track: Int, time: Int, flags: UInt8, _ data: [UInt8]
  ) -> [UInt8] {
    let time = UInt16(bitPattern: Int16(time))
    return EBML.number(UInt64(track)) + [UInt8(time >> 8), UInt8(time & 255), flags] + data
  }

  public static func simpleBlock(
    track: Int, time: Int, isSync: Bool = true, lacing: UInt8 = 0, _ data: [UInt8]
  ) -> [UInt8] {
    let flags = (isSync ? 0x80 : 0) | lacing << 1
    return EBML.element(0xA3, payload(track: track, time: time, flags: flags, data))
  }

  public static func blockGroup(
    track: Int, time: Int, isSync: Bool = true, duration: UInt64? = nil, lacing: UInt8 = 0,
    _ data: [UInt8]
  ) -> [UInt8] {
    var children = [EBML.element(0xA1, payload(track: track, time: time, flags: lacing << 1, data))]
    if let duration { children.append(EBML.unsigned(0x9B, duration)) }
    if !isSync { children.append(EBML.element(0xFB, [0xFF])) }
    return EBML.master(0xA0, children)
  }

  public var head: [UInt8] {
    EBML.master(
      0x1A45_DFA3,
      [
        EBML.unsigned(0x4286, 1), EBML.text(0x4282, docType), EBML.unsigned(0x4287, 4),
        EBML.unsigned(0x4285, 2),
      ])
  }

  private var info: [UInt8] {
    EBML.master(
      0x1549_A966,
      [EBML.unsigned(0x2AD7B1, timestampScale)] + (duration.map { [EBML.float(0x4489, $0)] } ?? []))
  }

  /// The content of the segment up to the first cluster.
  public var opening: [UInt8] {
    before.flatMap { $0 } + info + EBML.master(0x1654_AE6B, tracks)
  }

  public var bytes: [UInt8] {
    let content = opening + clusters.flatMap { $0 } + after.flatMap { $0 }
    return head
      + EBML.element(0x1853_8067, content, size: hasUnknownSegmentSize ? .some(nil) : .none)
  }
}
