// A rectangle of a plane whose extent was checked once, for kernels.

/// `rows` × `columns` elements in memory, rows `stride` elements apart.
///
/// Making a window checks that the whole rectangle lies in the plane's memory; an access then only
/// compares its row and column with the window's. A kernel makes the window with constant columns
/// and loops over its rows, so the compiler proves those comparisons and drops them, which it cannot
/// do for offsets into a plane of unknown size. Like a ``PlaneView``, a window does not keep its
/// memory alive.
@safe @frozen
public struct PlaneWindow<Element: SIMDScalar & BitwiseCopyable> {
  @usableFromInline let base: UnsafeMutablePointer<Element>
  /// Distance between rows, in elements.
  public let stride: Int
  /// Elements of a row that may be touched.
  public let columns: Int
  /// Rows that may be touched.
  public let rows: Int

  @inlinable @inline(__always)
  init(base: UnsafeMutablePointer<Element>, stride: Int, columns: Int, rows: Int) {
    // SAFETY: the pointer is only kept; who makes a window answers for its extent.
    unsafe self.base = base
    self.stride = stride
    self.columns = columns
    self.rows = rows
  }

  @inlinable @inline(__always)
  func check(_ row: Int, _ column: Int, _ length: Int) {
    precondition(row >= 0 && row < rows)
    precondition(column >= 0 && column <= columns &- length)
  }

  /// The upper left part of this window; traps unless it is one. With constants the compiler knows
  /// the part's extent again where it has lost the window's.
  @inlinable @inline(__always)
  public func part(columns: Int, rows: Int) -> PlaneWindow {
    precondition(columns > 0 && columns <= self.columns && rows > 0 && rows <= self.rows)
    // SAFETY: the part lies in this window, as checked on the line above.
    return unsafe PlaneWindow(base: base, stride: stride, columns: columns, rows: rows)
  }

  /// The element at `row`, 0 ..< `rows`, and `column`, 0 ..< `columns`; traps outside.
  @inlinable
  public subscript(row: Int, column: Int) -> Element {
    @inline(__always) get {
      check(row, column, 1)
      // SAFETY: the position was checked on the line above; the rectangle lies in memory.
      return unsafe base[row &* stride &+ column]
    }
    @inline(__always) nonmutating set {
      check(row, column, 1)
      // SAFETY: the position was checked on the line above; the rectangle lies in memory.
      unsafe base[row &* stride &+ column] = newValue
    }
  }

  /// A vector of consecutive elements of `row` from `column`; traps unless all lie in the window.
  @inlinable @inline(__always)
  public func load<V: SIMD>(_ row: Int, _ column: Int, as _: V.Type = V.self) -> V
  where V.Scalar == Element, V: BitwiseCopyable {
    check(row, column, V.scalarCount)
    // SAFETY: the extent was checked on the line above, and V is trivial.
    return unsafe UnsafeRawPointer(base + (row &* stride &+ column)).loadUnaligned(as: V.self)
  }

  /// Writes a vector to consecutive elements of `row` from `column`; traps unless all lie in the
  /// window.
  @inlinable @inline(__always)
  public func store<V: SIMD>(_ vector: V, _ row: Int, _ column: Int)
  where V.Scalar == Element, V: BitwiseCopyable {
    check(row, column, V.scalarCount)
    // SAFETY: the extent was checked on the line above, and V is trivial.
    unsafe UnsafeMutableRawPointer(base + (row &* stride &+ column))
      .storeBytes(of: vector, as: V.self)
  }

  /// Calls `body` with a window of `columns` × `rows` uninitialised elements that live during the
  /// call. Memory is on the stack when both are constants and it takes no more than 1,024 bytes.
  @inlinable @inline(__always)
  public static func withTemporary(columns: Int, rows: Int, _ body: (PlaneWindow) -> Void) {
    precondition(columns > 0 && rows > 0 && columns <= 4096 && rows <= 4096)
    // SAFETY: the window covers the allocation exactly; every bit pattern is a valid element.
    unsafe withUnsafeTemporaryAllocation(of: Element.self, capacity: columns &* rows) { memory in
      guard let base = memory.baseAddress else { return }
      body(unsafe PlaneWindow(base: base, stride: columns, columns: columns, rows: rows))
    }
  }
}

extension PlaneView {
  /// The rectangle of `columns` × `rows` samples from offset `at`, rows `stride` samples apart;
  /// traps unless all of it lies in memory.
  @inlinable @inline(__always)
  public func window(at: Int, stride: Int, columns: Int, rows: Int) -> PlaneWindow<Sample> {
    precondition(at >= 0 && stride >= 0 && columns > 0 && rows > 0)
    precondition(at + (rows - 1) * stride + columns <= count)
    // SAFETY: first and last sample were checked above; all others lie between them.
    return unsafe PlaneWindow(base: base + at, stride: stride, columns: columns, rows: rows)
  }
}
