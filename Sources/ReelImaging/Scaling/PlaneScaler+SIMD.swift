// Vector kernels of scaling. Each has a plain twin in PlaneScaler.swift with equal results.

internal import ReelCore

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
  @inline(__always)
  func put(_ v: SIMD8<Int16>, _ target: borrowing SamplePlane<UInt8>, _ offset: Int) {
    target.store(packedBytes(v &>> 5), at: offset)
  }

  /// The part of a block that lies inside the picture.
  @inline(never)
  func putPart(
    _ block: Block8x8, _ target: borrowing SamplePlane<UInt8>, _ offset: Int, columnCount: Int,
    rowCount: Int
  ) {
    let rows: [8 of SIMD8<Int16>] = [
      block.r0, block.r1, block.r2, block.r3, block.r4, block.r5, block.r6, block.r7,
    ]
    for y in 0..<rowCount {
      let bytes = packedBytes(rows[y] &>> 5)
      for x in 0..<columnCount { target[offset &+ y &* target.stride &+ x] = bytes[x] }
    }
  }
}
