// Where the bytes of an input come from.

/// Random access to the bytes of an input.
///
/// A demuxer asks for ranges and never for more than it needs. Implementations: memory
/// (``MemorySource``), files and HTTP (in ReelIO), and faulty ones in the tests.
public protocol ByteSource: Sendable {
  /// Length in bytes, or nil while it is not known.
  var byteCount: Int64? { get }

  /// At least one and at most `count` bytes from `offset`; empty exactly at or past the end.
  ///
  /// - Throws: `.io` when reading fails; the same call may be tried again.
  func read(at offset: Int64, count: Int) throws(MediaError) -> [UInt8]
}

extension ByteSource {
  /// `count` bytes from `offset`, fewer only where the input ends; joins partial reads.
  public func readFully(at offset: Int64, count: Int) throws(MediaError) -> [UInt8] {
    var bytes = try read(at: offset, count: count)
    while bytes.count < count {
      let more = try read(at: offset + Int64(bytes.count), count: count - bytes.count)
      if more.isEmpty { break }
      bytes += more
    }
    return bytes
  }

  /// Exactly `count` bytes from `offset`; throws `needsMoreData` where the input ends before.
  public func readExactly(at offset: Int64, count: Int) throws(MediaError) -> [UInt8] {
    let bytes = try readFully(at: offset, count: count)
    guard bytes.count == count else {
      throw MediaError(
        .needsMoreData, .truncated, at: .offset(offset),
        detail: "\(count) bytes needed, \(bytes.count) there")
    }
    return bytes
  }
}

/// Bytes in memory.
public struct MemorySource: ByteSource {
  /// All of the input.
  public let bytes: [UInt8]
  /// A source of these bytes.
  public init(_ bytes: [UInt8]) { self.bytes = bytes }
  /// Always known.
  public var byteCount: Int64? { Int64(bytes.count) }

  /// A copy of the bytes there are; never throws. Empty for an offset or a count below 0 as well.
  public func read(at offset: Int64, count: Int) throws(MediaError) -> [UInt8] {
    guard offset >= 0, offset < Int64(bytes.count), count > 0 else { return [] }
    let start = Int(offset)
    return [UInt8](bytes[start..<start + min(count, bytes.count - start)])
  }
}
