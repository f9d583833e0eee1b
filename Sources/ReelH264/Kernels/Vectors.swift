// Operations on small vectors that compile to one or two instructions of the SSE2 baseline.
//
// Each is written in the form that the optimiser is known to recognise; the disassembly was read for
// all of them. They are members of concrete vector types, since comparisons of a generic vector run
// lane by lane. Conversions are loops of our own, since the standard library's initialisers, like
// `pointwiseMin`, `clamped` and `any`, may stay calls; loops, since a list of eight converted lanes
// is not turned into a vector again.

import ReelCore
import ReelVideoCore

/// Eight intermediate values of 8-bit video.
typealias WordVector = SIMD8<Int16>
/// Sixteen samples of 8-bit video.
typealias ByteVector = SIMD16<UInt8>

extension SIMD8 where Scalar == Int16 {
  /// The smaller of each pair of lanes.
  @inline(always)
  func lowered(to limit: Self) -> Self { replacing(with: limit, where: limit .< self) }

  /// The larger of each pair of lanes.
  @inline(always)
  func raised(to limit: Self) -> Self { replacing(with: limit, where: limit .> self) }
}

extension SIMD8 where Scalar == UInt8 {
  /// (a + b + 1) >> 1.
  @inline(always)
  func mean(_ b: Self) -> Self { (self | b) &- ((self ^ b) &>> 1) }
}

extension SIMD16 where Scalar == UInt8 {
  /// The smaller of each pair of lanes.
  @inline(always)
  func lowered(to limit: Self) -> Self { replacing(with: limit, where: limit .< self) }

  /// The larger of each pair of lanes.
  @inline(always)
  func raised(to limit: Self) -> Self { replacing(with: limit, where: limit .> self) }

  /// a − b, 0 where b is larger.
  @inline(always)
  func minusSaturated(_ b: Self) -> Self { raised(to: b) &- b }

  /// a + b, the largest value where the sum does not fit.
  @inline(always)
  func plusSaturated(_ b: Self) -> Self {
    let sum = self &+ b
    return sum.replacing(with: 255, where: sum .< self)
  }

  /// (a + b + 1) >> 1.
  @inline(always)
  func mean(_ b: Self) -> Self { (self | b) &- ((self ^ b) &>> 1) }

  /// (a + b) >> 1.
  @inline(always)
  func flooredMean(_ b: Self) -> Self { mean(b) &- ((self ^ b) & 1) }

  /// |a − b|.
  @inline(always)
  func distance(_ b: Self) -> Self { raised(to: b) &- lowered(to: b) }
}

extension SIMD16 where Scalar == UInt8 {
  /// Lanes 0…7.
  @inline(always)
  var lowEight: SIMD8<UInt8> {
    let halves: SIMD2<UInt64> = reinterpreted(self)
    return reinterpreted(halves[0])
  }

  /// Lanes 8…15.
  @inline(always)
  var highEight: SIMD8<UInt8> {
    let halves: SIMD2<UInt64> = reinterpreted(self)
    return reinterpreted(halves[1])
  }

  /// Lanes 0…7 as 16-bit values.
  @inline(always)
  var lowWords: WordVector { reinterpreted(zippedLow(ByteVector(repeating: 0))) }

  /// Lanes 8…15 as 16-bit values.
  @inline(always)
  var highWords: WordVector { reinterpreted(zippedHigh(ByteVector(repeating: 0))) }

  /// Eight lanes, and zeros above.
  @inline(always)
  init(_ low: SIMD8<UInt8>) {
    self = reinterpreted(SIMD2<UInt64>(reinterpreted(low), 0))
  }

  /// Whether all lanes are 0.
  @inline(always)
  var isZero: Bool {
    let halves: SIMD2<UInt64> = reinterpreted(self)
    return halves[0] | halves[1] == 0
  }

  /// 255 where the mask is set, else 0.
  @inline(always)
  init(mask: SIMDMask<SIMD16<Int8>>) {
    self = Self(repeating: 0).replacing(with: 255, where: mask)
  }

  /// The low eight from `low`, the high eight from `high`, each limited to 0…255.
  @inline(always)
  init(clipping low: WordVector, _ high: WordVector) {
    self.init(lowHalf: SIMD8<UInt8>(clipping: low), highHalf: SIMD8<UInt8>(clipping: high))
  }
}

extension SIMD8 where Scalar == UInt8 {
  /// Lanes 0…3.
  @inline(always)
  var lowFour: SIMD4<UInt8> {
    let halves: SIMD2<UInt32> = reinterpreted(self)
    return reinterpreted(halves[0])
  }

  /// Lanes 4…7.
  @inline(always)
  var highFour: SIMD4<UInt8> {
    let halves: SIMD2<UInt32> = reinterpreted(self)
    return reinterpreted(halves[1])
  }

  /// Lanes 0 and 1.
  @inline(always)
  var lowTwo: SIMD2<UInt8> {
    let pairs: SIMD4<UInt16> = reinterpreted(self)
    return reinterpreted(pairs[0])
  }

  /// All lanes of both in turn, this vector's first. For vectors just loaded, from which the form of
  /// ``SIMD16/zippedLow`` would make loads of single samples.
  @inline(always)
  func zipped(_ b: Self) -> SIMD16<UInt8> {
    var zipped = SIMD16<UInt8>()
    for i in 0..<8 {
      zipped[2 &* i] = self[i]
      zipped[2 &* i &+ 1] = b[i]
    }
    return zipped
  }

  /// Each lane limited to 0…255.
  @inline(always)
  init(clipping words: WordVector) {
    self.init()
    for i in 0..<8 { self[i] = UInt8(truncatingIfNeeded: Swift.min(Swift.max(words[i], 0), 255)) }
  }

  /// The low byte of each lane.
  @inline(always)
  init(truncating words: SIMD8<UInt16>) {
    self.init()
    for i in 0..<8 { self[i] = UInt8(truncatingIfNeeded: words[i]) }
  }

  /// The lanes as 16-bit values; every machine Swift runs on has the low byte first.
  @inline(always)
  var words: WordVector {
    // Interleaved with zeros, since a conversion may be split into loads of single samples.
    var words = SIMD16<UInt8>(repeating: 0)
    words.evenHalf = self
    return reinterpreted(words)
  }
}

extension SIMD8 where Scalar == Int16 {
  /// The low 16 bits of each lane.
  @inline(always)
  init(truncating row: SIMD8<Int32>) {
    self.init()
    for i in 0..<8 { self[i] = Int16(truncatingIfNeeded: row[i]) }
  }
}

extension PlaneWindow where Element == UInt8 {
  /// Eight samples of `row` from `column` as 16-bit values.
  @inline(always)
  func words(_ row: Int, _ column: Int) -> WordVector {
    load(row, column, as: SIMD8<UInt8>.self).words
  }
}
