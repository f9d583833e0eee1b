// Vector kernels of scaling. Each has a plain twin in PlaneScaler.swift with equal results.

internal import ReelCore

/// The sign of the lanes. Samples and sums are stored with it turned and turned back after loading: an
/// operation between a load and ``highProducts(_:_:)`` keeps the compiler from widening lanes while it
/// loads them, which would cost the multiplication of eight lanes at once.
@inline(__always)
private var sign: SIMD8<UInt16> { SIMD8(repeating: 0x8000) }

/// Eight vectors of eight lanes.
struct Block8x8 {
  var r0 = SIMD8<Int16>(), r1 = SIMD8<Int16>(), r2 = SIMD8<Int16>(), r3 = SIMD8<Int16>()
  var r4 = SIMD8<Int16>(), r5 = SIMD8<Int16>(), r6 = SIMD8<Int16>(), r7 = SIMD8<Int16>()

  /// One of the three rounds that exchange rows and columns.
  @inline(__always)
  func round() -> Block8x8 {
    let (a, b, c, d) = (zipped(r0, r4), zipped(r1, r5), zipped(r2, r6), zipped(r3, r7))
    return Block8x8(
      r0: a.lowHalf, r1: a.highHalf, r2: b.lowHalf, r3: b.highHalf, r4: c.lowHalf,
      r5: c.highHalf, r6: d.lowHalf, r7: d.highHalf)
  }

  /// Rows as columns.
  @inline(__always)
  var transposed: Block8x8 { round().round().round() }
}

extension PlaneScaler {
  /// Weighs the rows of `window` that `ring` holds and writes their sums.
  @inline(never)
  func sumColumnsSIMD(
    _ ring: borrowing SamplePlane<UInt16>, _ window: ColumnWindow,
    into sums: borrowing SamplePlane<UInt16>
  ) {
    let weights = rowVectors.span.extracting(window.weights)
    let offsets = window.offsets.span
    precondition(offsets.count == weights.count)
    let start = SIMD8<Int16>(repeating: Int16(truncatingIfNeeded: weights.count / 2))
    @inline(__always)
    func load(_ offset: Int) -> SIMD8<Int16> {
      signed(ring.load(SIMD8<UInt16>.self, at: offset) ^ sign)
    }
    @inline(__always)
    func put(_ sum: SIMD8<Int16>, _ x: Int) {
      sums.store(unsigned(sum &<< 1) ^ sign, at: window.sumOffset &+ x)
    }
    for x in Swift.stride(from: 0, to: window.width, by: 32) {
      var (s0, s1, s2, s3) = (start, start, start, start)
      for k in weights.indices {
        let weight = signed(weights[k] ^ sign)
        let offset = offsets[k] &+ x
        s0 &+= highProducts(load(offset), weight)
        s1 &+= highProducts(load(offset &+ 8), weight)
        s2 &+= highProducts(load(offset &+ 16), weight)
        s3 &+= highProducts(load(offset &+ 24), weight)
      }
      put(s0, x)
      put(s1, x &+ 8)
      put(s2, x &+ 16)
      put(s3, x &+ 24)
    }
  }

  /// Turns eight rows of column sums, `distance` samples apart, into `columns`, where the eight sums
  /// of each column stand side by side.
  @inline(never)
  func turnSums(
    _ sums: borrowing SamplePlane<UInt16>, distance: Int,
    into columns: borrowing SamplePlane<UInt16>
  ) {
    @inline(__always)
    func row(_ i: Int, _ x: Int) -> SIMD8<Int16> {
      signed(sums.load(SIMD8<UInt16>.self, at: i &* distance &+ x))
    }
    @inline(__always)
    func put(_ v: SIMD8<Int16>, _ x: Int) {
      columns.store(unsigned(v), at: 8 &* x)
    }
    for x in Swift.stride(from: 0, to: self.columns.sourceCount, by: 8) {
      let block = Block8x8(
        r0: row(0, x), r1: row(1, x), r2: row(2, x), r3: row(3, x), r4: row(4, x), r5: row(5, x),
        r6: row(6, x), r7: row(7, x)
      ).transposed
      put(block.r0, x)
      put(block.r1, x &+ 1)
      put(block.r2, x &+ 2)
      put(block.r3, x &+ 3)
      put(block.r4, x &+ 4)
      put(block.r5, x &+ 5)
      put(block.r6, x &+ 6)
      put(block.r7, x &+ 7)
    }
  }

  /// Rounds the row sums of eight rows to codes; `columns` as `turnSums` made it. Writes the first
  /// `rowCount` rows from `offset` on.
  @inline(never)
  func sumRowsSIMD(
    _ columns: borrowing SamplePlane<UInt16>, into target: borrowing SamplePlane<UInt8>,
    at offset: Int, rowCount: Int
  ) {
    let count = self.columns.outputCount
    for x in Swift.stride(from: 0, to: count, by: 8) {
      let last = count &- 1
      let block = Block8x8(
        r0: rowSums(columns, x), r1: rowSums(columns, min(x &+ 1, last)),
        r2: rowSums(columns, min(x &+ 2, last)), r3: rowSums(columns, min(x &+ 3, last)),
        r4: rowSums(columns, min(x &+ 4, last)), r5: rowSums(columns, min(x &+ 5, last)),
        r6: rowSums(columns, min(x &+ 6, last)), r7: rowSums(columns, min(x &+ 7, last))
      ).transposed
      if x &+ 8 <= count && rowCount == 8 {
        put(block.r0, target, offset &+ x)
        put(block.r1, target, offset &+ x &+ target.stride)
        put(block.r2, target, offset &+ x &+ 2 &* target.stride)
        put(block.r3, target, offset &+ x &+ 3 &* target.stride)
        put(block.r4, target, offset &+ x &+ 4 &* target.stride)
        put(block.r5, target, offset &+ x &+ 5 &* target.stride)
        put(block.r6, target, offset &+ x &+ 6 &* target.stride)
        put(block.r7, target, offset &+ x &+ 7 &* target.stride)
      } else {
        putPart(block, target, offset &+ x, columnCount: min(8, count &- x), rowCount: rowCount)
      }
    }
  }

  @inline(__always)
  private func put(_ v: SIMD8<Int16>, _ target: borrowing SamplePlane<UInt8>, _ offset: Int) {
    target.store(packedBytes(v), at: offset)
  }

  /// The part of a block that lies inside the picture.
  @inline(never)
  private func putPart(
    _ block: Block8x8, _ target: borrowing SamplePlane<UInt8>, _ offset: Int, columnCount: Int,
    rowCount: Int
  ) {
    let rows: [8 of SIMD8<Int16>] = [
      block.r0, block.r1, block.r2, block.r3, block.r4, block.r5, block.r6, block.r7,
    ]
    for y in 0..<rowCount {
      let bytes = packedBytes(rows[y])
      for x in 0..<columnCount { target[offset &+ y &* target.stride &+ x] = bytes[x] }
    }
  }

  /// Sums of output sample `x` in eight rows, rounded.
  @inline(__always)
  private func rowSums(_ columns: borrowing SamplePlane<UInt16>, _ x: Int) -> SIMD8<Int16> {
    let taps = self.columns.tapCount
    var sum = SIMD8<Int16>(repeating: Int16(truncatingIfNeeded: Self.rowRounding(taps)))
    var offset = self.columns.starts[x] &* 8
    let first = x &* taps
    for k in 0..<taps {
      let samples = columns.load(SIMD8<UInt16>.self, at: offset) ^ sign
      let weight = signed(columnVectors[first &+ k] ^ sign)
      sum &+= highProducts(signed(samples), weight)
      offset &+= 8
    }
    return (sum &>> 5) &+ 128
  }
}
