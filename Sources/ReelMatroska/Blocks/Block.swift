// Blocks: a header, and one or several frames of a track. RFC 9559 §10.

import ReelCore

/// The header of a Block or SimpleBlock.
struct BlockHeader {
  let trackNumber: Int
  /// Ticks from the cluster's timestamp.
  let timestamp: Int64
  let flags: UInt8
  let byteCount: Int

  /// Track number, timestamp and flags: at most 8, 2 and 1 bytes.
  static let maximumByteCount = 11

  /// Nil when `bytes`, the first of a block, are no header.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard let number = VariableInteger(bytes), number.value <= UInt64(Int32.max) else { return nil }
    let i = bytes.startIndex + number.byteCount
    guard i + 3 <= bytes.endIndex else { return nil }
    trackNumber = Int(number.value)
    timestamp = Int64(Int16(truncatingIfNeeded: Int(bytes[i]) << 8 | Int(bytes[i + 1])))
    flags = bytes[i + 2]
    byteCount = number.byteCount + 3
  }

  /// Of a SimpleBlock: its frames can be decoded without others.
  var isKeyframe: Bool { flags & 0x80 != 0 }

  enum Lacing: UInt8 { case none, xiph, fixed, ebml }
  var lacing: Lacing { Lacing(rawValue: flags >> 1 & 3) ?? .none }
}

/// Where the frames of a laced block lie.
enum Lacing {
  /// LIMIT: bytes that lacing data takes at most: 255 EBML sizes of 8 bytes, or Xiph sizes that add
  /// up to no more than a frame of 16 MiB each would allow; longer lacing is damage.
  static let maximumByteCount = 1 << 17

  /// Byte ranges of the frames in a block's payload of `count` bytes, of which `head` are the first.
  ///
  /// - Throws: `damaged` when sizes do not add up to the payload. RFC 9559 §10.3.
  static func frames(
    _ lacing: BlockHeader.Lacing, head: ArraySlice<UInt8>, count: Int
  ) throws(MediaError) -> [Range<Int>] {
    guard lacing != .none else { return [0..<count] }
    guard let first = head.first else { throw fault("no lace count") }
    let frameCount = Int(first) + 1
    var sizes: [Int]
    var used = 1
    switch lacing {
    case .none, .fixed:
      let total = count - 1
      guard total % frameCount == 0 else { throw fault("\(total) bytes in \(frameCount) frames") }
      sizes = [Int](repeating: total / frameCount, count: frameCount)
    case .xiph:
      (sizes, used) = try xiph(head, frameCount)
    case .ebml:
      (sizes, used) = try ebml(head, frameCount)
    }
    return try ranges(&sizes, frameCount, used: used, count: count)
  }

  /// Lays the frames one after the other; the last takes what the others leave.
  private static func ranges(
    _ sizes: inout [Int], _ frameCount: Int, used: Int, count: Int
  ) throws(MediaError) -> [Range<Int>] {
    if sizes.count < frameCount {
      let rest = count - used - sizes.reduce(0, +)
      guard rest >= 0 else { throw fault("laces of more bytes than the block has") }
      sizes.append(rest)
    }
    var ranges: [Range<Int>] = []
    var start = used
    for size in sizes {
      guard size >= 0, start + size <= count else { throw fault("lace of \(size) bytes") }
      ranges.append(start..<start + size)
      start += size
    }
    return ranges
  }

  /// Sizes as sums of bytes up to one below 255. §10.3.2.
  private static func xiph(
    _ head: ArraySlice<UInt8>, _ frameCount: Int
  ) throws(MediaError) -> ([Int], Int) {
    var sizes: [Int] = []
    var i = head.startIndex + 1
    while sizes.count < frameCount - 1 {
      var size = 0
      var last: UInt8 = 255
      while last == 255 {
        guard i < head.endIndex else { throw fault("laces end early") }
        last = head[i]
        size += Int(last)
        i += 1
      }
      sizes.append(size)
    }
    return (sizes, i - head.startIndex)
  }

  /// The first size, then differences. §10.3.3.
  private static func ebml(
    _ head: ArraySlice<UInt8>, _ frameCount: Int
  ) throws(MediaError) -> ([Int], Int) {
    var sizes: [Int] = []
    var i = head.startIndex + 1
    while sizes.count < frameCount - 1 {
      guard let value = VariableInteger(head[i...]) else { throw fault("laces end early") }
      // Every number has at most 56 bits, so 255 of them never overflow.
      let size = sizes.last.map { Int64($0) + value.signed } ?? Int64(value.value)
      guard size >= 0, size <= Int64(Int32.max) else { throw fault("lace of \(size) bytes") }
      sizes.append(Int(size))
      i += value.byteCount
    }
    return (sizes, i - head.startIndex)
  }

  private static func fault(_ detail: String) -> MediaError {
    MediaError(.damaged, .matroskaBlock, detail: detail)
  }
}
