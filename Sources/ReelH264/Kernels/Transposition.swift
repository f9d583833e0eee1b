// Vectors interleaved lane by lane, and matrices transposed that way.
//
// A transposition is a network of interleavings whose unit doubles from stage to stage. Each stage
// works on the vector type whose lanes are its units: through the change of type the optimiser does
// not look for single lanes, and each interleaving stays the one instruction it should be.

import ReelCore
import ReelVideoCore

extension SIMD16 where Scalar == UInt8 {
  /// The lower lanes of both in turn, this vector's first.
  @inline(always)
  func zippedLow(_ b: Self) -> Self {
    var zipped = Self()
    for i in 0..<8 {
      zipped[2 &* i] = self[i]
      zipped[2 &* i &+ 1] = b[i]
    }
    return zipped
  }

  /// The upper lanes of both in turn, this vector's first.
  @inline(always)
  func zippedHigh(_ b: Self) -> Self {
    var zipped = Self()
    for i in 0..<8 {
      zipped[2 &* i] = self[8 &+ i]
      zipped[2 &* i &+ 1] = b[8 &+ i]
    }
    return zipped
  }
}

extension SIMD8 where Scalar == UInt16 {
  /// The lower lanes of both in turn, this vector's first.
  @inline(always)
  func zippedLow(_ b: Self) -> Self {
    var zipped = Self()
    for i in 0..<4 {
      zipped[2 &* i] = self[i]
      zipped[2 &* i &+ 1] = b[i]
    }
    return zipped
  }

  /// The upper lanes of both in turn, this vector's first.
  @inline(always)
  func zippedHigh(_ b: Self) -> Self {
    var zipped = Self()
    for i in 0..<4 {
      zipped[2 &* i] = self[4 &+ i]
      zipped[2 &* i &+ 1] = b[4 &+ i]
    }
    return zipped
  }
}

extension SIMD4 where Scalar == UInt32 {
  /// The lower lanes of both in turn, this vector's first.
  @inline(always)
  func zippedLow(_ b: Self) -> Self {
    var zipped = Self()
    for i in 0..<2 {
      zipped[2 &* i] = self[i]
      zipped[2 &* i &+ 1] = b[i]
    }
    return zipped
  }

  /// The upper lanes of both in turn, this vector's first.
  @inline(always)
  func zippedHigh(_ b: Self) -> Self {
    var zipped = Self()
    for i in 0..<2 {
      zipped[2 &* i] = self[2 &+ i]
      zipped[2 &* i &+ 1] = b[2 &+ i]
    }
    return zipped
  }
}

extension SIMD2 where Scalar == UInt64 {
  /// The lower lanes of both in turn, this vector's first.
  @inline(always)
  func zippedLow(_ b: Self) -> Self { Self(self[0], b[0]) }

  /// The upper lanes of both in turn, this vector's first.
  @inline(always)
  func zippedHigh(_ b: Self) -> Self { Self(self[1], b[1]) }
}

/// Eight vectors of 16 bytes: a matrix of bytes with 16 lines in one direction.
struct ByteMatrix {
  var v0, v1, v2, v3, v4, v5, v6, v7: ByteVector

  /// The columns of sixteen rows of eight samples.
  @inline(always)
  init(columnsOf s: PlaneWindow<UInt8>) {
    let upper = EightColumns(s, 0)
    let lower = EightColumns(s, 8)
    v0 = reinterpreted(upper.c01.zippedLow(lower.c01))
    v1 = reinterpreted(upper.c01.zippedHigh(lower.c01))
    v2 = reinterpreted(upper.c23.zippedLow(lower.c23))
    v3 = reinterpreted(upper.c23.zippedHigh(lower.c23))
    v4 = reinterpreted(upper.c45.zippedLow(lower.c45))
    v5 = reinterpreted(upper.c45.zippedHigh(lower.c45))
    v6 = reinterpreted(upper.c67.zippedLow(lower.c67))
    v7 = reinterpreted(upper.c67.zippedHigh(lower.c67))
  }

  @inline(always)
  init(
    _ v0: ByteVector, _ v1: ByteVector, _ v2: ByteVector, _ v3: ByteVector, _ v4: ByteVector,
    _ v5: ByteVector, _ v6: ByteVector, _ v7: ByteVector
  ) {
    (self.v0, self.v1, self.v2, self.v3) = (v0, v1, v2, v3)
    (self.v4, self.v5, self.v6, self.v7) = (v4, v5, v6, v7)
  }

  /// Writes the vectors as the columns of sixteen rows of eight samples.
  @inline(always)
  func store(asColumnsOf s: PlaneWindow<UInt8>) {
    let left = FourColumns(v0, v1, v2, v3)
    let right = FourColumns(v4, v5, v6, v7)
    @inline(always)
    func store(_ two: SIMD4<UInt32>, _ row: Int) {
      let rows: SIMD2<UInt64> = reinterpreted(two)
      s.store(reinterpreted(rows[0], as: SIMD8<UInt8>.self), row, 0)
      s.store(reinterpreted(rows[1], as: SIMD8<UInt8>.self), row &+ 1, 0)
    }
    store(left.r0.zippedLow(right.r0), 0)
    store(left.r0.zippedHigh(right.r0), 2)
    store(left.r4.zippedLow(right.r4), 4)
    store(left.r4.zippedHigh(right.r4), 6)
    store(left.r8.zippedLow(right.r8), 8)
    store(left.r8.zippedHigh(right.r8), 10)
    store(left.r12.zippedLow(right.r12), 12)
    store(left.r12.zippedHigh(right.r12), 14)
  }
}

/// Four columns of sixteen samples turned into rows of four, four rows a vector.
struct FourColumns {
  let r0, r4, r8, r12: SIMD4<UInt32>

  @inline(always)
  init(_ c0: ByteVector, _ c1: ByteVector, _ c2: ByteVector, _ c3: ByteVector) {
    let upper01: SIMD8<UInt16> = reinterpreted(c0.zippedLow(c1))
    let lower01: SIMD8<UInt16> = reinterpreted(c0.zippedHigh(c1))
    let upper23: SIMD8<UInt16> = reinterpreted(c2.zippedLow(c3))
    let lower23: SIMD8<UInt16> = reinterpreted(c2.zippedHigh(c3))
    r0 = reinterpreted(upper01.zippedLow(upper23))
    r4 = reinterpreted(upper01.zippedHigh(upper23))
    r8 = reinterpreted(lower01.zippedLow(lower23))
    r12 = reinterpreted(lower01.zippedHigh(lower23))
  }
}

/// Eight rows of eight samples transposed: a lane is a column, two columns a vector.
struct EightColumns {
  let c01, c23, c45, c67: SIMD2<UInt64>

  @inline(always)
  init(_ s: PlaneWindow<UInt8>, _ row: Int) {
    @inline(always)
    func pair(_ i: Int) -> SIMD8<UInt16> {
      let a: SIMD8<UInt8> = s.load(row &+ i, 0)
      return reinterpreted(a.zipped(s.load(row &+ i &+ 1, 0)))
    }
    let (a, b, c, d) = (pair(0), pair(2), pair(4), pair(6))
    let ab0: SIMD4<UInt32> = reinterpreted(a.zippedLow(b))
    let ab4: SIMD4<UInt32> = reinterpreted(a.zippedHigh(b))
    let cd0: SIMD4<UInt32> = reinterpreted(c.zippedLow(d))
    let cd4: SIMD4<UInt32> = reinterpreted(c.zippedHigh(d))
    c01 = reinterpreted(ab0.zippedLow(cd0))
    c23 = reinterpreted(ab0.zippedHigh(cd0))
    c45 = reinterpreted(ab4.zippedLow(cd4))
    c67 = reinterpreted(ab4.zippedHigh(cd4))
  }
}

/// Eight vectors of eight 16-bit values.
struct WordMatrix {
  var r0, r1, r2, r3, r4, r5, r6, r7: WordVector

  @inline(always)
  init(
    _ r0: WordVector, _ r1: WordVector, _ r2: WordVector, _ r3: WordVector, _ r4: WordVector,
    _ r5: WordVector, _ r6: WordVector, _ r7: WordVector
  ) {
    (self.r0, self.r1, self.r2, self.r3) = (r0, r1, r2, r3)
    (self.r4, self.r5, self.r6, self.r7) = (r4, r5, r6, r7)
  }

  /// Rows become columns.
  @inline(always)
  var transposed: WordMatrix {
    let upper = Half(r0, r1, r2, r3)
    let lower = Half(r4, r5, r6, r7)
    return WordMatrix(
      reinterpreted(upper.c01.zippedLow(lower.c01)), reinterpreted(upper.c01.zippedHigh(lower.c01)),
      reinterpreted(upper.c23.zippedLow(lower.c23)), reinterpreted(upper.c23.zippedHigh(lower.c23)),
      reinterpreted(upper.c45.zippedLow(lower.c45)), reinterpreted(upper.c45.zippedHigh(lower.c45)),
      reinterpreted(upper.c67.zippedLow(lower.c67)), reinterpreted(upper.c67.zippedHigh(lower.c67)))
  }

  /// Four rows transposed: a lane is a column of four values, two columns a vector.
  private struct Half {
    let c01, c23, c45, c67: SIMD2<UInt64>

    @inline(always)
    init(_ a: WordVector, _ b: WordVector, _ c: WordVector, _ d: WordVector) {
      let (a, b) = (
        reinterpreted(a, as: SIMD8<UInt16>.self), reinterpreted(b, as: SIMD8<UInt16>.self)
      )
      let (c, d) = (
        reinterpreted(c, as: SIMD8<UInt16>.self), reinterpreted(d, as: SIMD8<UInt16>.self)
      )
      let ab0: SIMD4<UInt32> = reinterpreted(a.zippedLow(b))
      let ab4: SIMD4<UInt32> = reinterpreted(a.zippedHigh(b))
      let cd0: SIMD4<UInt32> = reinterpreted(c.zippedLow(d))
      let cd4: SIMD4<UInt32> = reinterpreted(c.zippedHigh(d))
      c01 = reinterpreted(ab0.zippedLow(cd0))
      c23 = reinterpreted(ab0.zippedHigh(cd0))
      c45 = reinterpreted(ab4.zippedLow(cd4))
      c67 = reinterpreted(ab4.zippedHigh(cd4))
    }
  }
}
