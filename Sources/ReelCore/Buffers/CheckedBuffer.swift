// Fixed memory of trivial elements, owned, every access checked.

/// Owned memory of `count` trivial elements. Every access is bounds-checked and traps outside.
///
/// An `Array` held by a class costs a uniqueness check and an exclusivity check at each write; this
/// costs one comparison. Writing through a borrowed buffer is allowed (`nonmutating set`), so that a
/// buffer can be a `let` of a class or be lent to a kernel. The owner decides who may write when:
/// two threads must not touch the same elements without ordering between them.
@safe
public struct CheckedBuffer<Element: BitwiseCopyable>: ~Copyable {
  @usableFromInline let base: UnsafeMutablePointer<Element>
  /// Number of elements.
  public let count: Int

  /// Memory for `count` elements (≥ 0), each set to `value`.
  @inlinable
  public init(repeating value: Element, count: Int) {
    precondition(count >= 0)
    self.count = count
    // SAFETY: the memory is ours until deinit, and all of it is initialized here.
    unsafe base = UnsafeMutablePointer<Element>.allocate(capacity: max(count, 1))
    unsafe base.initialize(repeating: value, count: max(count, 1))
  }

  /// Memory holding a copy of `elements`.
  @inlinable
  public init(_ elements: [Element]) {
    count = elements.count
    // SAFETY: the memory is ours until deinit; Element is trivial, and the loop fills what `count` tells.
    unsafe base = UnsafeMutablePointer<Element>.allocate(capacity: max(elements.count, 1))
    for i in elements.indices { unsafe base[i] = elements[i] }
  }

  // SAFETY: allocated by init, and a ~Copyable value ends once.
  deinit { unsafe base.deallocate() }

  /// The element at `index`, 0 ..< `count`; traps outside.
  @inlinable
  public subscript(index: Int) -> Element {
    @inline(__always) get {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
      // SAFETY: the index was checked on the line above.
      return unsafe base[index]
    }
    @inline(__always) nonmutating set {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
      // SAFETY: the index was checked on the line above.
      unsafe base[index] = newValue
    }
  }

  /// Sets the elements of `range` to `value`; traps unless the range lies inside.
  @inlinable
  public func fill(_ range: Range<Int>, with value: Element) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    // SAFETY: the range was checked on the line above.
    unsafe (base + range.lowerBound).update(repeating: value, count: range.count)
  }

  /// Sets every element to `value`.
  @inlinable
  public func fill(with value: Element) { fill(0..<count, with: value) }
}

extension CheckedBuffer {
  /// Copies `length` elements of `source` from `sourceIndex` to `index`; both extents are checked.
  @inlinable @inline(__always)
  public func copy(
    from source: borrowing CheckedBuffer<Element>, at sourceIndex: Int, to index: Int,
    count length: Int
  ) {
    precondition(length >= 0 && index >= 0 && index <= count &- length)
    precondition(sourceIndex >= 0 && sourceIndex <= source.count &- length)
    // SAFETY: both extents were checked above; moving allows them to overlap.
    unsafe UnsafeMutableRawPointer(base + index).copyMemory(
      from: source.base + sourceIndex, byteCount: length &* MemoryLayout<Element>.stride)
  }
}

extension CheckedBuffer where Element == UInt8 {
  /// `bytes` followed by `padding` zeros.
  @inlinable
  public init(_ bytes: [UInt8], padding: Int) {
    self.init(repeating: 0, count: bytes.count + padding)
    // SAFETY: this buffer was made at least as long as the array on the line above.
    unsafe bytes.withUnsafeBufferPointer { source in
      if let start = source.baseAddress { unsafe base.update(from: start, count: source.count) }
    }
  }

  /// Eight bytes from `index` as a big-endian number; traps unless all lie inside.
  @inlinable @inline(__always)
  public func loadBigEndian64(at index: Int) -> UInt64 {
    precondition(index >= 0 && index <= count &- 8)
    // SAFETY: the extent was checked on the line above.
    return unsafe UInt64(
      bigEndian: UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self))
  }

  /// Four bytes from `index` as a big-endian number; traps unless all lie inside.
  @inlinable @inline(__always)
  public func loadBigEndian32(at index: Int) -> UInt32 {
    precondition(index >= 0 && index <= count &- 4)
    // SAFETY: the extent was checked on the line above.
    return unsafe UInt32(
      bigEndian: UnsafeRawPointer(base + index).loadUnaligned(as: UInt32.self))
  }
}
