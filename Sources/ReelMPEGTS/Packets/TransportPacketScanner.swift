// Reading transport packets from a source, finding the sync bytes again after damage.

import ReelCore

/// Gives the places of transport packets in stream order, reading the source in pieces.
struct TransportPacketScanner {
  private let source: any ByteSource
  private let stride: Int
  /// Bytes read, of which those before `index` are done with.
  private(set) var bytes: [UInt8] = []
  /// Offset in the source of `bytes[0]`.
  private var base: Int64
  private var index = 0
  private var isAtEnd = false
  /// Bytes passed over in search of a sync byte.
  private(set) var skippedByteCount: Int64 = 0

  private static let chunk = 188 * 512

  init(_ source: any ByteSource, layout: TransportPacketLayout, from offset: Int64? = nil) {
    self.source = source
    stride = layout.stride
    base = offset ?? Int64(layout.start)
  }

  /// Offset in the source of the byte at `index` of ``bytes``.
  func offset(of index: Int) -> Int64 { base + Int64(index) }

  /// Offset in the source of the next packet to be given, as far as it is known.
  var nextOffset: Int64 { base + Int64(index) }

  /// The index in ``bytes`` of the next packet's sync byte, with 188 bytes there; nil at the end.
  mutating func next() throws(MediaError) -> Int? {
    while true {
      try fill(TransportPacket.byteCount)
      guard bytes.count - index >= TransportPacket.byteCount else { return nil }
      if bytes[index] == TransportPacket.syncByte {
        defer { index += stride }
        return index
      }
      try resynchronise()
    }
  }

  /// Moves to the next sync byte that another one follows a stride later, or that is the last.
  private mutating func resynchronise() throws(MediaError) {
    try fill(stride + TransportPacket.byteCount + 1)
    index += 1
    skippedByteCount += 1
    while index < bytes.count {
      if bytes[index] == TransportPacket.syncByte {
        let next = index + stride
        if next < bytes.count ? bytes[next] == TransportPacket.syncByte : isAtEnd { return }
        if next >= bytes.count { return }
      }
      index += 1
      skippedByteCount += 1
    }
  }

  /// Reads until `count` bytes are there from `index` on, or the end is reached.
  private mutating func fill(_ count: Int) throws(MediaError) {
    while !isAtEnd, bytes.count - index < count {
      let more = try source.read(at: base + Int64(bytes.count), count: Self.chunk)
      if index > 0 {
        let done = min(index, bytes.count)
        bytes.removeFirst(done)
        base += Int64(done)
        index -= done
      }
      if more.isEmpty { isAtEnd = true } else { bytes += more }
    }
  }
}
