// Vector kernels of scaling that read without a check for each load: the checks would be half of the
// instructions. What they read is checked once a call. Their plain twin is in PlaneScaler.swift.

internal import ReelCore

extension PlaneScaler {
  /// Turns eight rows of column sums, `distance` samples apart, into `columns`, where the eight sums
  /// of each column stand side by side.
  @inline(never)
  func turnSums(
    _ sums: borrowing SamplePlane<UInt16>, distance: Int,
    into columns: borrowing SamplePlane<UInt16>
  ) {
    let count = self.columns.sourceCount
    precondition(distance >= (count + 7) & ~7 && 8 * distance <= sums.count)
    precondition(8 * ((count + 7) & ~7) <= columns.count)
    sums.withSamples(at: 0, count: sums.count) { samples in
      // SAFETY: the bytes of samples, in which every pattern is a number; read inside of this call alone.
      let bytes = unsafe samples.bytes
      @inline(__always)
      func row(_ i: Int, _ x: Int) -> SIMD8<Int16> {
        // SAFETY: i is 0…7 and x + 8 at most `distance`, whose eightfold was checked above.
        unsafe bytes.unsafeLoadUnaligned(
          fromUncheckedByteOffset: 2 &* (i &* distance &+ x), as: SIMD8<Int16>.self)
      }
      for x in Swift.stride(from: 0, to: count, by: 8) {
        let block = Block8x8(
          r0: row(0, x), r1: row(1, x), r2: row(2, x), r3: row(3, x), r4: row(4, x),
          r5: row(5, x), r6: row(6, x), r7: row(7, x)
        ).transposed
        @inline(__always)
        func put(_ v: SIMD8<Int16>, _ i: Int) { columns.store(unsigned(v), at: 8 &* (x &+ i)) }
        put(block.r0, 0)
        put(block.r1, 1)
        put(block.r2, 2)
        put(block.r3, 3)
        put(block.r4, 4)
        put(block.r5, 5)
        put(block.r6, 6)
        put(block.r7, 7)
      }
    }
  }

  /// Rounds the row sums of eight rows to codes; `columns` as `turnSums` made it. Writes the first
  /// `rowCount` rows from `offset` on.
  func sumRowsSIMD(
    _ columns: borrowing SamplePlane<UInt16>, into target: borrowing SamplePlane<UInt8>,
    at offset: Int, rowCount: Int
  ) {
    switch columnStep {
    case 2: sumRows2(columns, into: target, at: offset, rowCount: rowCount)
    case 3: sumRows3(columns, into: target, at: offset, rowCount: rowCount)
    default: sumRows(columns, into: target, at: offset, rowCount: rowCount, pairs: columnStep)
    }
  }

  // Loops whose length the compiler knows are written out; functions of their own, because branches of one
  // would be merged again.

  @inline(never)
  private func sumRows2(
    _ columns: borrowing SamplePlane<UInt16>, into target: borrowing SamplePlane<UInt8>,
    at offset: Int, rowCount: Int
  ) {
    sumRows(columns, into: target, at: offset, rowCount: rowCount, pairs: 2)
  }

  @inline(never)
  private func sumRows3(
    _ columns: borrowing SamplePlane<UInt16>, into target: borrowing SamplePlane<UInt8>,
    at offset: Int, rowCount: Int
  ) {
    sumRows(columns, into: target, at: offset, rowCount: rowCount, pairs: 3)
  }

  @inline(__always)
  private func sumRows(
    _ columns: borrowing SamplePlane<UInt16>, into target: borrowing SamplePlane<UInt8>,
    at offset: Int, rowCount: Int, pairs: Int
  ) {
    let count = self.columns.outputCount
    let starts = self.columns.starts.span
    let weights = columnVectors.span
    precondition(starts.count == count && weights.count == count * pairs && pairs == columnStep)
    precondition(8 * (lastColumn + 2 * pairs) <= columns.count)
    let first = Int16(truncatingIfNeeded: Self.rowRounding(self.columns.tapCount))
    columns.withSamples(at: 0, count: columns.count) { samples in
      // SAFETY: the bytes of samples, in which every pattern is a number; read inside of this call alone.
      let bytes = unsafe samples.bytes
      /// Sums of output sample `x` in eight rows.
      @inline(__always)
      func sums(_ x: Int) -> SIMD8<Int16> {
        var sum = SIMD8<Int16>(repeating: first)
        // SAFETY: x is less than `count`, the number of starts.
        let from = unsafe starts[unchecked: x] &* 16
        for k in 0..<pairs {
          // Halves of a longer vector: a vector that is loaded by itself would be widened while it is
          // loaded, and the products of 16 bits would be lost.
          // SAFETY: a start is at most `lastColumn`, from where on all pairs were checked above; there are
          // `pairs` weights for each of `count` samples.
          let columns = unsafe bytes.unsafeLoadUnaligned(
            fromUncheckedByteOffset: from &+ k &* 32, as: SIMD16<Int16>.self)
          let weight = unsafe weights[unchecked: x &* pairs &+ k]
          sum &+= highProducts(columns.lowHalf, weight.lowHalf)
          sum &+= highProducts(columns.highHalf, weight.highHalf)
        }
        return sum
      }
      for x in Swift.stride(from: 0, to: count, by: 8) {
        let last = count &- 1
        let block = Block8x8(
          r0: sums(x), r1: sums(min(x &+ 1, last)), r2: sums(min(x &+ 2, last)),
          r3: sums(min(x &+ 3, last)), r4: sums(min(x &+ 4, last)), r5: sums(min(x &+ 5, last)),
          r6: sums(min(x &+ 6, last)), r7: sums(min(x &+ 7, last))
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
  }
}
