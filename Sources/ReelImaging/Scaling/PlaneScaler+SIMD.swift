// Vector kernels of scaling. Each has a plain twin in PlaneScaler.swift with equal results.

internal import ReelCore

/// Sums of products of neighbouring lanes: one instruction on x86-64.
@inline(__always)
func pairwiseProducts(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD4<Int32> {
  SIMD4<Int32>(truncatingIfNeeded: a.evenHalf) &* SIMD4<Int32>(truncatingIfNeeded: b.evenHalf)
    &+ SIMD4<Int32>(truncatingIfNeeded: a.oddHalf) &* SIMD4<Int32>(truncatingIfNeeded: b.oddHalf)
}

/// The sums of four vectors' lanes.
@inline(__always)
func laneSums(
  _ a: SIMD4<Int32>, _ b: SIMD4<Int32>, _ c: SIMD4<Int32>, _ d: SIMD4<Int32>
) -> SIMD4<Int32> {
  let ab = SIMD8(lowHalf: a, highHalf: b)
  let cd = SIMD8(lowHalf: c, highHalf: d)
  let all = SIMD8(lowHalf: ab.evenHalf &+ ab.oddHalf, highHalf: cd.evenHalf &+ cd.oddHalf)
  return all.evenHalf &+ all.oddHalf
}

/// Eight lanes limited to 0…255.
@inline(__always)
func packedBytes(_ v: SIMD8<Int16>) -> SIMD8<UInt8> {
  let low = SIMD8<Int16>(repeating: 0)
  let high = SIMD8<Int16>(repeating: 255)
  return SIMD8<UInt8>(truncatingIfNeeded: v.clamped(lowerBound: low, upperBound: high))
}

extension PlaneScaler {
  @inline(never)
  func sumColumnsSIMD(
    _ source: borrowing SamplePlane<UInt8>, _ window: ColumnWindow,
    _ weights: ArraySlice<SIMD2<Int16>>, into sums: borrowing SamplePlane<UInt16>
  ) {
    let stride = source.stride
    let first = weights.startIndex
    let pairCount = weights.count
    let isOdd = window.tapCount & 1 == 1
    for x in Swift.stride(from: 0, to: window.width, by: 16) {
      var s0 = SIMD4<Int32>(repeating: 128)
      var (s1, s2, s3) = (s0, s0, s0)
      var offset = window.offset &+ x
      for k in 0..<pairCount {
        let w = weights[first &+ k]
        let pair = SIMD8<Int16>(w.x, w.y, w.x, w.y, w.x, w.y, w.x, w.y)
        let a = source.load(SIMD16<UInt8>.self, at: offset)
        // The last weight of an odd count stands alone; its partner's weight is zero.
        let b =
          isOdd && k == pairCount &- 1 ? a : source.load(SIMD16<UInt8>.self, at: offset &+ stride)
        var low = SIMD16<Int16>()
        low.evenHalf = SIMD8<Int16>(truncatingIfNeeded: a.lowHalf)
        low.oddHalf = SIMD8<Int16>(truncatingIfNeeded: b.lowHalf)
        var high = SIMD16<Int16>()
        high.evenHalf = SIMD8<Int16>(truncatingIfNeeded: a.highHalf)
        high.oddHalf = SIMD8<Int16>(truncatingIfNeeded: b.highHalf)
        s0 &+= pairwiseProducts(low.lowHalf, pair)
        s1 &+= pairwiseProducts(low.highHalf, pair)
        s2 &+= pairwiseProducts(high.lowHalf, pair)
        s3 &+= pairwiseProducts(high.highHalf, pair)
        offset &+= 2 &* stride
      }
      // Bits 8 … 23 are the sum; shifting up first shows the compiler that 16 bits hold it.
      let low = SIMD8(lowHalf: (s0 &<< 8) &>> 16, highHalf: (s1 &<< 8) &>> 16)
      let high = SIMD8(lowHalf: (s2 &<< 8) &>> 16, highHalf: (s3 &<< 8) &>> 16)
      sums.store(SIMD8<UInt16>(truncatingIfNeeded: low), at: x)
      sums.store(SIMD8<UInt16>(truncatingIfNeeded: high), at: x &+ 8)
    }
  }

  @inline(never)
  func sumRowsSIMD(
    _ sums: borrowing SamplePlane<UInt16>, into target: borrowing SamplePlane<UInt8>, at offset: Int
  ) {
    let count = columns.outputCount
    let whole = count & ~7
    for x in Swift.stride(from: 0, to: whole, by: 8) {
      let low = fourSums(sums, x)
      let high = fourSums(sums, x &+ 4)
      let lanes = SIMD8<Int16>(truncatingIfNeeded: SIMD8(lowHalf: low, highHalf: high))
      target.store(packedBytes(lanes), at: offset &+ x)
    }
    for x in whole..<count {
      var sum = SIMD4<Int32>()
      for v in 0..<weightVectorCount { sum &+= product(sums, x, v) }
      let value = (sum.wrappedSum() &+ 1 << 19) >> 20
      target[offset &+ x] = UInt8(truncatingIfNeeded: min(max(value, 0), 255))
    }
  }

  @inline(__always)
  private func fourSums(_ sums: borrowing SamplePlane<UInt16>, _ x: Int) -> SIMD4<Int32> {
    var (a, b, c, d) = (
      product(sums, x, 0), product(sums, x &+ 1, 0), product(sums, x &+ 2, 0),
      product(sums, x &+ 3, 0)
    )
    for v in 1..<max(weightVectorCount, 1) {
      a &+= product(sums, x, v)
      b &+= product(sums, x &+ 1, v)
      c &+= product(sums, x &+ 2, v)
      d &+= product(sums, x &+ 3, v)
    }
    return (laneSums(a, b, c, d) &+ SIMD4<Int32>(repeating: 1 << 19)) &>> 20
  }

  @inline(__always)
  private func product(_ sums: borrowing SamplePlane<UInt16>, _ x: Int, _ v: Int) -> SIMD4<Int32> {
    let samples = sums.load(SIMD8<UInt16>.self, at: columns.starts[x] &+ 8 &* v)
    return pairwiseProducts(SIMD8<Int16>(truncatingIfNeeded: samples), weightVector(x, v))
  }
}
