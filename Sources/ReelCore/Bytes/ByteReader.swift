// A bounded big-endian reader for containers.

/// Rules of reading bytes, shared by all containers.
extension Rule {
  public static let truncated = Rule("bytes.truncated", "the structure ends before its last field")
}

/// Reads integers from bytes it can see, and nothing beyond them.
///
/// Every read moves the position. Errors carry offsets in the file.
public struct ByteReader: ~Escapable {
  @usableFromInline let bytes: Span<UInt8>
  /// Bytes read so far, 0 … `count`.
  @usableFromInline var index = 0
  /// Offset of the first byte in the file.
  public let base: Int64

  /// A reader of `bytes`, whose first byte lies at `base` in the file.
  @inlinable @_lifetime(copy bytes)
  public init(_ bytes: Span<UInt8>, base: Int64 = 0) {
    self.bytes = bytes
    self.base = base
  }

  /// Bytes of the reader's window, read or not.
  @inlinable public var count: Int { bytes.count }
  /// Bytes read so far, 0…``count``.
  @inlinable public var position: Int { index }
  /// Bytes not read yet.
  @inlinable public var remaining: Int { bytes.count - index }
  /// No byte is left.
  @inlinable public var isAtEnd: Bool { index == bytes.count }
  /// Offset in the file of the next byte.
  @inlinable public var offset: Int64 { base + Int64(index) }

  /// Throws `needsMoreData` unless `count` (≥ 0) more bytes are there.
  @inlinable
  public func require(_ count: Int) throws(MediaError) {
    guard count >= 0, remaining >= count else { throw truncation(count) }
  }

  @usableFromInline
  func truncation(_ count: Int) -> MediaError {
    MediaError(
      .needsMoreData, .truncated, at: .offset(offset),
      detail: "\(count) bytes needed, \(remaining) there")
  }

  /// A big-endian integer of `T`'s width.
  @inlinable
  public mutating func read<T: FixedWidthInteger>(_: T.Type = T.self) throws(MediaError) -> T {
    let width = T.bitWidth / 8
    try require(width)
    var value: T = 0
    for i in 0..<width { value = value << 8 | T(truncatingIfNeeded: bytes[index &+ i]) }
    index &+= width
    return value
  }

  /// A big-endian unsigned integer of 3 bytes.
  @inlinable
  public mutating func readUInt24() throws(MediaError) -> UInt32 {
    try require(3)
    defer { index &+= 3 }
    return UInt32(bytes[index]) << 16 | UInt32(bytes[index &+ 1]) << 8 | UInt32(bytes[index &+ 2])
  }

  /// A copy of the next `count` bytes.
  @inlinable
  public mutating func readBytes(_ count: Int) throws(MediaError) -> [UInt8] {
    try require(count)
    defer { index &+= count }
    let window = bytes.extracting(index..<index + count)
    return [UInt8](copying: window)
  }

  /// `count` (≥ 0) big-endian integers one behind the other; room for them is checked first.
  @inlinable
  public mutating func readIntegers<T: FixedWidthInteger>(
    _ count: Int, _: T.Type = T.self
  ) throws(MediaError) -> [T] {
    let width = T.bitWidth / 8
    guard count <= remaining / width else { throw truncation(Int.max) }
    let window = bytes.extracting(index..<index &+ count &* width)
    index &+= count &* width
    return [T](capacity: count) { output in
      for i in 0..<count {
        var value: T = 0
        for k in 0..<width { value = value << 8 | T(truncatingIfNeeded: window[i &* width &+ k]) }
        output.append(value)
      }
    }
  }

  /// Moves by `count` bytes (≥ 0); throws `needsMoreData` unless they are there.
  @inlinable
  public mutating func skip(_ count: Int) throws(MediaError) {
    try require(count)
    index &+= count
  }

  /// The next `count` bytes as a reader that cannot see past them.
  @inlinable @_lifetime(copy self)
  public mutating func sub(_ count: Int) throws(MediaError) -> ByteReader {
    try require(count)
    defer { index &+= count }
    return ByteReader(bytes.extracting(index..<index + count), base: offset)
  }
}

extension [UInt8] {
  /// A copy of `span`.
  public init(copying span: Span<UInt8>) {
    self.init(capacity: span.count) { output in
      for i in span.indices { output.append(span[i]) }
    }
  }
}
