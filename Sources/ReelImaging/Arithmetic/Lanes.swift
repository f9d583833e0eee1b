// Operations on eight lanes at once.

internal import ReelCore

// Conversions between vectors of other lanes are written lane by lane: the library's own are functions, which
// the compiler leaves as calls in kernels that use them often, and the lanes become one instruction.

/// The upper 16 bits of the lanes' products: one instruction on x86-64.
@inline(__always)
func highProducts(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
  @inline(__always)
  func lane(_ i: Int) -> Int16 {
    let product = Int32(truncatingIfNeeded: a[i]) &* Int32(truncatingIfNeeded: b[i])
    return Int16(truncatingIfNeeded: product &>> 16)
  }
  return SIMD8(
    lane(0), lane(1), lane(2), lane(3), lane(4), lane(5), lane(6), lane(7))
}

/// The lanes as 16 bits.
@inline(__always)
func widened(_ a: SIMD8<UInt8>) -> SIMD8<Int16> {
  @inline(__always)
  func lane(_ i: Int) -> Int16 { Int16(truncatingIfNeeded: a[i]) }
  return SIMD8(
    lane(0), lane(1), lane(2), lane(3), lane(4), lane(5), lane(6), lane(7))
}

/// The same bits with a sign.
@inline(__always)
func signed(_ a: SIMD8<UInt16>) -> SIMD8<Int16> {
  @inline(__always)
  func lane(_ i: Int) -> Int16 { Int16(truncatingIfNeeded: a[i]) }
  return SIMD8(
    lane(0), lane(1), lane(2), lane(3), lane(4), lane(5), lane(6), lane(7))
}

/// The same bits without a sign.
@inline(__always)
func unsigned(_ a: SIMD8<Int16>) -> SIMD8<UInt16> {
  @inline(__always)
  func lane(_ i: Int) -> UInt16 { UInt16(truncatingIfNeeded: a[i]) }
  return SIMD8(
    lane(0), lane(1), lane(2), lane(3), lane(4), lane(5), lane(6), lane(7))
}

// Written lane by lane as well: selections by masks split the vectors.

@inline(__always)
func lesser(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
  @inline(__always)
  func lane(_ i: Int) -> Int16 { a[i] < b[i] ? a[i] : b[i] }
  return SIMD8(
    lane(0), lane(1), lane(2), lane(3), lane(4), lane(5), lane(6), lane(7))
}

@inline(__always)
func greater(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
  @inline(__always)
  func lane(_ i: Int) -> Int16 { a[i] > b[i] ? a[i] : b[i] }
  return SIMD8(
    lane(0), lane(1), lane(2), lane(3), lane(4), lane(5), lane(6), lane(7))
}

/// Lanes limited to 0…255.
@inline(__always)
func packedBytes(_ v: SIMD8<Int16>) -> SIMD8<UInt8> {
  let limited = lesser(greater(v, SIMD8(repeating: 0)), SIMD8(repeating: 255))
  @inline(__always)
  func lane(_ i: Int) -> UInt8 { UInt8(truncatingIfNeeded: limited[i]) }
  return SIMD8(
    lane(0), lane(1), lane(2), lane(3), lane(4), lane(5), lane(6), lane(7))
}

/// The lanes of two vectors in turn.
@inline(__always)
func zipped(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD16<Int16> {
  var z = SIMD16<Int16>()
  z.evenHalf = a
  z.oddHalf = b
  return z
}
