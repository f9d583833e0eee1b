// One plane of samples with checked scalar and vector access.

/// A sample of a picture: `UInt8` for 8-bit video, `UInt16` (low bits used) above.
public protocol PictureSample: FixedWidthInteger, UnsignedInteger, BitwiseCopyable, SIMDScalar,
  Sendable, Codable
{}
extension UInt8: PictureSample {}
extension UInt16: PictureSample {}

/// One colour plane: `height` rows of `width` samples, rows `stride` samples apart.
///
/// Offsets are in samples from the first sample. Every access, scalar or vector, is checked against
/// the memory and traps outside; there is no unchecked access. Writing through a borrowed plane is
/// allowed, see ``CheckedBuffer``.
@safe
public struct SamplePlane<Sample: PictureSample>: ~Copyable {
  @usableFromInline let base: UnsafeMutablePointer<Sample>
  /// Samples in memory, `stride` × rows and some padding.
  public let count: Int
  /// Visible samples in a row.
  public let width: Int
  /// Rows.
  public let height: Int
  /// Distance between rows, in samples, ≥ `width`.
  public let stride: Int

  /// A plane of zeros. `width` and `height` are 0 for a plane that the chroma format lacks.
  @inlinable
  public init(width: Int, height: Int) {
    precondition(width >= 0 && height >= 0 && width <= 1 << 20 && height <= 1 << 20)
    self.width = width
    self.height = height
    // Rows start on 32-sample boundaries and one row of slack keeps vector access simple; a stride
    // that is no multiple of 4,096 avoids cache-set conflicts between rows.
    var stride = (width + 31) & ~31
    if stride & 2047 == 0 && stride > 0 { stride += 64 }
    self.stride = stride
    count = stride * height + 64
    // SAFETY: the memory is ours until deinit, and all of it is initialized here.
    unsafe base = UnsafeMutablePointer<Sample>.allocate(capacity: count)
    // As bytes: unspecialised callers would otherwise set one sample a call, which costs milliseconds.
    unsafe UnsafeMutableRawPointer(base).initializeMemory(
      as: UInt8.self, repeating: 0, count: count * MemoryLayout<Sample>.stride)
  }

  // SAFETY: allocated by init, and a ~Copyable value ends once.
  deinit { unsafe base.deallocate() }

  /// The sample at `offset`, 0 ..< `count`; traps outside.
  @inlinable
  public subscript(offset: Int) -> Sample {
    @inline(__always) get {
      precondition(UInt(bitPattern: offset) < UInt(bitPattern: count))
      // SAFETY: the offset was checked on the line above.
      return unsafe base[offset]
    }
    @inline(__always) nonmutating set {
      precondition(UInt(bitPattern: offset) < UInt(bitPattern: count))
      // SAFETY: the offset was checked on the line above.
      unsafe base[offset] = newValue
    }
  }

  /// Traps unless `offset ..< offset + length` lies in memory.
  @inlinable @inline(__always)
  func check(_ offset: Int, _ length: Int) {
    precondition(offset >= 0 && offset <= count &- length)
  }

  /// A vector of any type with `Sample` lanes, read at `offset` (need not be aligned).
  @inlinable @inline(__always)
  public func load<V: SIMD>(_: V.Type = V.self, at offset: Int) -> V
  where V.Scalar == Sample, V: BitwiseCopyable {
    check(offset, V.scalarCount)
    // SAFETY: the extent was checked on the line above, and V is trivial.
    return unsafe UnsafeRawPointer(base + offset).loadUnaligned(as: V.self)
  }

  /// Writes all lanes of a vector at `offset` (need not be aligned).
  @inlinable @inline(__always)
  public func store<V: SIMD>(_ vector: V, at offset: Int)
  where V.Scalar == Sample, V: BitwiseCopyable {
    check(offset, V.scalarCount)
    // SAFETY: the extent was checked on the line above, and V is trivial.
    unsafe UnsafeMutableRawPointer(base + offset).storeBytes(of: vector, as: V.self)
  }

  /// Sets `length` samples from `offset` to `value`; traps unless they lie in memory.
  @inlinable @inline(__always)
  public func fill(at offset: Int, count length: Int, with value: Sample) {
    precondition(length >= 0)
    check(offset, length)
    // SAFETY: the extent was checked on the line above.
    unsafe (base + offset).update(repeating: value, count: length)
  }

  /// Copies `length` samples from `source` at `sourceOffset` to `offset`; both are checked.
  @inlinable @inline(__always)
  public func copy(
    from source: borrowing SamplePlane<Sample>, at sourceOffset: Int, to offset: Int,
    count length: Int
  ) {
    precondition(length >= 0)
    check(offset, length)
    source.check(sourceOffset, length)
    // SAFETY: both extents were checked above; moving allows them to overlap.
    unsafe UnsafeMutableRawPointer(base + offset).copyMemory(
      from: source.base + sourceOffset, byteCount: length &* MemoryLayout<Sample>.stride)
  }

  /// Calls `body` with the samples `offset ..< offset + length`; traps unless they lie in memory.
  @inlinable
  public func withSamples<R, E: Error>(
    at offset: Int, count length: Int, _ body: (Span<Sample>) throws(E) -> R
  ) throws(E) -> R {
    precondition(length >= 0)
    check(offset, length)
    // SAFETY: the extent was checked above; the span cannot outlive this call.
    let samples = unsafe UnsafeBufferPointer(start: base + offset, count: length)
    return try body(unsafe samples.span)
  }

  /// Calls `body` with the samples `offset ..< offset + length` to write; traps unless they lie in
  /// memory. Nobody else may touch them meanwhile.
  @inlinable
  public func withMutableSamples<R, E: Error>(
    at offset: Int, count length: Int, _ body: (inout MutableSpan<Sample>) throws(E) -> R
  ) throws(E) -> R {
    precondition(length >= 0)
    check(offset, length)
    // SAFETY: the extent was checked above; the span cannot outlive this call.
    let samples = unsafe UnsafeMutableBufferPointer(start: base + offset, count: length)
    var span = unsafe samples.mutableSpan
    return try body(&span)
  }

  /// Calls `body` with row `y`'s visible samples; traps unless 0 ≤ `y` < `height`.
  @inlinable
  public func withRow<R, E: Error>(_ y: Int, _ body: (Span<Sample>) throws(E) -> R) throws(E) -> R {
    precondition(y >= 0 && y < height)
    return try withSamples(at: y * stride, count: width, body)
  }

  /// Calls `body` with the bytes of all rows; for handing a plane to a system library in `+Unsafe`
  /// files only. The pointer is valid during the call.
  @inlinable @unsafe
  public func withUnsafeBytes<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    // SAFETY: `base` holds `count` samples while self is borrowed.
    try unsafe body(
      UnsafeRawBufferPointer(start: base, count: count * MemoryLayout<Sample>.stride))
  }
}
