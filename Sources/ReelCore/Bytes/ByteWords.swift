// Several bytes at once.

extension Span where Element == UInt8 {
  /// The eight bytes from `index` on as a big-endian number; traps unless they are there.
  @inlinable @inline(__always)
  public func word(at index: Int) -> UInt64 {
    precondition(index >= 0 && index <= count &- 8)
    // SAFETY: the range was checked on the line above.
    return unsafe UInt64(
      bigEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self))
  }
}
