// A plane, or one field of it, as a plain value for kernels.

/// Checked access to a ``SamplePlane``'s memory, as a value that can be stored and passed freely.
///
/// A view does not keep its plane alive: the holder of the view holds the plane's owner as well (a
/// decoder holds the pictures of a job for as long as the job runs). That duty is why making a view
/// is spelled `unsafe`; using one is not: every access is checked against the memory.
@safe @frozen
public struct PlaneView<Sample: PictureSample> {
  @usableFromInline let base: UnsafeMutablePointer<Sample>
  /// Samples that may be touched from offset 0.
  public let count: Int
  /// Visible samples in a row.
  public let width: Int
  /// Rows.
  public let height: Int
  /// Distance between rows, in samples.
  public let stride: Int

  @usableFromInline
  init(base: UnsafeMutablePointer<Sample>, count: Int, width: Int, height: Int, stride: Int) {
    // SAFETY: stored, not used; every use below is checked against `count`.
    unsafe self.base = base
    self.count = count
    self.width = width
    self.height = height
    self.stride = stride
  }

  /// The rows of one parity as a plane of its own: 0 top, 1 bottom field.
  @inlinable
  public func field(_ parity: Int) -> PlaneView {
    precondition(parity == 0 || (parity == 1 && stride <= count))
    // SAFETY: the base moves by at most one row, which the line above found inside.
    return unsafe PlaneView(
      base: base + parity * stride, count: count - parity * stride, width: width,
      height: (height + 1 - parity) / 2, stride: stride * 2)
  }

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
  public func copy(from source: PlaneView, at sourceOffset: Int, to offset: Int, count length: Int)
  {
    precondition(length >= 0)
    check(offset, length)
    source.check(sourceOffset, length)
    // SAFETY: both extents were checked above; moving allows them to overlap.
    unsafe UnsafeMutableRawPointer(base + offset).copyMemory(
      from: source.base + sourceOffset, byteCount: length &* MemoryLayout<Sample>.stride)
  }
}

extension SamplePlane {
  /// This plane as a view, valid for as long as the plane's owner lives.
  @inlinable @unsafe
  public var view: PlaneView<Sample> {
    // SAFETY: the plane vouches for `count` samples; whoever asks keeps its owner alive.
    unsafe PlaneView(base: base, count: count, width: width, height: height, stride: stride)
  }
}

extension CheckedBuffer where Element: SIMDScalar {
  /// A vector of `Element` lanes, read at `index` (need not be aligned); traps outside.
  @inlinable @inline(__always)
  public func load<V: SIMD>(_: V.Type = V.self, at index: Int) -> V
  where V.Scalar == Element, V: BitwiseCopyable {
    precondition(index >= 0 && index <= count &- V.scalarCount)
    // SAFETY: the extent was checked on the line above, and V is trivial.
    return unsafe UnsafeRawPointer(base + index).loadUnaligned(as: V.self)
  }

  /// Writes all lanes of a vector at `index` (need not be aligned); traps outside.
  @inlinable @inline(__always)
  public func store<V: SIMD>(_ vector: V, at index: Int)
  where V.Scalar == Element, V: BitwiseCopyable {
    precondition(index >= 0 && index <= count &- V.scalarCount)
    // SAFETY: the extent was checked on the line above, and V is trivial.
    unsafe UnsafeMutableRawPointer(base + index).storeBytes(of: vector, as: V.self)
  }
}
