// Samples as vectors of 16-bit words, whatever their type.

import ReelCore
import ReelVideoCore

/// Eight intermediate values.
typealias WordVector = SIMD8<Int16>
/// Eight sums of products of words.
typealias SumVector = SIMD8<Int32>

/// A sample type the decoder can work on: `UInt8` for bit depth 8, `UInt16` for 9…12.
///
/// Kernels are generic over it and see samples as words; a type only says how to load and store them.
protocol HEVCSample: PictureSample {
  /// Sums of an 8-tap filter over samples fit 16 bits.
  static var sumsFitWords: Bool { get }
  /// Eight samples of `row` from `column`.
  static func words(_ window: PlaneWindow<Self>, _ row: Int, _ column: Int) -> WordVector
  /// Writes eight words, each limited to 0…`maximum`.
  static func store(
    _ words: WordVector, maximum: WordVector, _ window: PlaneWindow<Self>, _ row: Int,
    _ column: Int)
  /// The planes of a storage whose samples are of this type.
  static func planes(of storage: VideoFrame.Storage) -> FramePlanes<Self>?
}

extension UInt8: HEVCSample {
  static var sumsFitWords: Bool { true }

  @inline(always)
  static func words(_ window: PlaneWindow<UInt8>, _ row: Int, _ column: Int) -> WordVector {
    // Interleaved with zeros, since a conversion may be split into loads of single samples.
    var words = SIMD16<UInt8>(repeating: 0)
    words.evenHalf = window.load(row, column, as: SIMD8<UInt8>.self)
    return reinterpreted(words)
  }

  @inline(always)
  static func store(
    _ words: WordVector, maximum: WordVector, _ window: PlaneWindow<UInt8>, _ row: Int,
    _ column: Int
  ) {
    var samples = SIMD8<UInt8>()
    for i in 0..<8 {
      samples[i] = UInt8(truncatingIfNeeded: Swift.min(Swift.max(words[i], 0), 255))
    }
    window.store(samples, row, column)
  }

  static func planes(of storage: VideoFrame.Storage) -> FramePlanes<UInt8>? {
    if case .depth8(let planes) = storage { planes } else { nil }
  }
}

extension UInt16: HEVCSample {
  static var sumsFitWords: Bool { false }

  @inline(always)
  static func words(_ window: PlaneWindow<UInt16>, _ row: Int, _ column: Int) -> WordVector {
    reinterpreted(window.load(row, column, as: SIMD8<UInt16>.self))
  }

  @inline(always)
  static func store(
    _ words: WordVector, maximum: WordVector, _ window: PlaneWindow<UInt16>, _ row: Int,
    _ column: Int
  ) {
    let clipped = words.raised(to: WordVector(repeating: 0)).lowered(to: maximum)
    window.store(reinterpreted(clipped, as: SIMD8<UInt16>.self), row, column)
  }

  static func planes(of storage: VideoFrame.Storage) -> FramePlanes<UInt16>? {
    if case .depth16(let planes) = storage { planes } else { nil }
  }
}

extension SIMD8 where Scalar == Int16 {
  /// The smaller of each pair of lanes.
  @inline(always)
  func lowered(to limit: Self) -> Self { replacing(with: limit, where: limit .< self) }

  /// The larger of each pair of lanes.
  @inline(always)
  func raised(to limit: Self) -> Self { replacing(with: limit, where: limit .> self) }

  /// The lanes as 32-bit numbers.
  @inline(always)
  var sums: SumVector {
    var result = SumVector()
    for i in 0..<8 { result[i] = Int32(self[i]) }
    return result
  }

  /// Each lane limited to −32768…32767.
  @inline(always)
  init(saturating sums: SumVector) {
    self.init()
    for i in 0..<8 {
      self[i] = Int16(truncatingIfNeeded: Swift.min(Swift.max(sums[i], -32768), 32767))
    }
  }
}

extension PlaneWindow {
  /// Writes the first `count` (1…8) lanes of what `store` writes; whole vectors where `count` is 8.
  @inline(always)
  func isWhole(_ column: Int) -> Bool { column &+ 8 <= columns }
}

/// Sixteen-bit values in rows, in memory that the decoder owns.
struct WordBlock: ~Copyable {
  let values: CheckedBuffer<Int16>
  let stride: Int

  init(stride: Int, rows: Int) {
    values = CheckedBuffer(repeating: 0, count: stride * rows + 16)
    self.stride = stride
  }
}
