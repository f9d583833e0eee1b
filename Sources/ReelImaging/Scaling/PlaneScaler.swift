// Scales a plane: first down the columns, then along the rows.

internal import ReelCore

/// The two tables of a plane, and the kernels that follow them.
///
/// 8-bit planes are scaled with integers: a column's sum is kept with 6 fractional bits, a row's sum is
/// rounded to the nearest code. Deeper planes are scaled in single precision. A result is at most one
/// code from the exact weighted mean.
struct PlaneScaler: Sendable {
  let columns: ScaleTable
  let rows: ScaleTable
  /// Weights of `columns` in vectors of eight, zeros behind.
  private let vectors: [SIMD8<Int16>]
  private let vectorsPerSample: Int

  /// `columns`: table along x; `rows`: table along y.
  init(columns: ScaleTable, rows: ScaleTable) {
    self.columns = columns
    self.rows = rows
    let taps = columns.tapCount
    let count = (taps + 7) / 8
    vectorsPerSample = count
    var vectors: [SIMD8<Int16>] = []
    if taps <= Self.integerTapLimit {
      vectors.reserveCapacity(count * columns.outputCount)
      for i in 0..<columns.outputCount {
        for v in 0..<count {
          var vector = SIMD8<Int16>()
          for k in 0..<min(8, taps - v * 8) { vector[k] = columns.weights[i * taps + v * 8 + k] }
          vectors.append(vector)
        }
      }
    }
    self.vectors = vectors
  }

  /// Beyond this many weights 14 bits are too few for each of them.
  static let integerTapLimit = 128

  /// Where a plane's part lies and where its picture goes.
  struct Placement {
    /// Sample (0, 0) of the source part.
    var sourceX = 0, sourceY = 0
    /// Sample (0, 0) of the picture in the target.
    var targetX = 0, targetY = 0
  }

  /// Writes the rows `band` of the result of an 8-bit plane into `target`.
  func run(
    _ source: borrowing SamplePlane<UInt8>, into target: borrowing SamplePlane<UInt8>,
    at place: Placement, band: Range<Int>, kernels: KernelChoice
  ) {
    if columns.isCopy && rows.isCopy {
      copy(source, into: target, at: place, band: band)
    } else if max(columns.tapCount, rows.tapCount) <= Self.integerTapLimit {
      runIntegers(source, into: target, at: place, band: band, kernels: kernels)
    } else {
      runFloats(source, into: target, at: place, band: band, maximum: 255)
    }
  }

  /// Writes the rows `band` of the result of a deeper plane into `target`.
  func run(
    _ source: borrowing SamplePlane<UInt16>, into target: borrowing SamplePlane<UInt16>,
    at place: Placement, band: Range<Int>, maximum: Int
  ) {
    if columns.isCopy && rows.isCopy {
      copy(source, into: target, at: place, band: band)
    } else {
      runFloats(source, into: target, at: place, band: band, maximum: maximum)
    }
  }

  private func copy<S: PictureSample>(
    _ source: borrowing SamplePlane<S>, into target: borrowing SamplePlane<S>,
    at place: Placement, band: Range<Int>
  ) {
    let isStraight = columns.starts.last == columns.starts[0] + columns.outputCount - 1
    for y in band {
      let from = (place.sourceY + rows.starts[y]) * source.stride + place.sourceX
      let to = (place.targetY + y) * target.stride + place.targetX
      if isStraight {
        target.copy(
          from: source, at: from + columns.starts[0], to: to, count: columns.outputCount)
      } else {
        for x in 0..<columns.outputCount { target[to &+ x] = source[from &+ columns.starts[x]] }
      }
    }
  }

  // MARK: Single precision

  func runFloats<S: PictureSample>(
    _ source: borrowing SamplePlane<S>, into target: borrowing SamplePlane<S>,
    at place: Placement, band: Range<Int>, maximum: Int
  ) {
    let width = columns.sourceCount
    var samples = [Float](repeating: 0, count: width)
    var sums = samples
    var output = [Float](repeating: 0, count: columns.outputCount)
    for y in band {
      for k in 0..<rows.tapCount {
        let row = (place.sourceY + rows.starts[y] + k) * source.stride + place.sourceX
        source.withSamples(at: row, count: width) { RowKernels.load($0, into: &samples) }
        RowKernels.accumulate(
          samples, into: &sums, weight: rows.floatWeights[y * rows.tapCount + k], isFirst: k == 0)
      }
      gatherFloats(sums, into: &output)
      let to = (place.targetY + y) * target.stride + place.targetX
      target.withMutableSamples(at: to, count: columns.outputCount) {
        RowKernels.store(output, into: &$0, maximum: maximum)
      }
    }
  }

  private func gatherFloats(_ sums: [Float], into output: inout [Float]) {
    let taps = columns.tapCount
    let weights = columns.floatWeights.span
    let row = sums.span
    for x in 0..<columns.outputCount {
      let start = columns.starts[x]
      var sum: Float = 0
      for k in 0..<taps { sum += row[start &+ k] * weights[x &* taps &+ k] }
      output[x] = sum
    }
  }

  // MARK: Integers

  private func runIntegers(
    _ source: borrowing SamplePlane<UInt8>, into target: borrowing SamplePlane<UInt8>,
    at place: Placement, band: Range<Int>, kernels: KernelChoice
  ) {
    let width = columns.sourceCount
    // One row of column sums, with room for whole vectors behind its end.
    let sums = SamplePlane<UInt16>(width: width + 16 + 8 * vectorsPerSample, height: 1)
    let pairs = rowWeightPairs()
    let taps = rows.tapCount
    for y in band {
      let offset = (place.sourceY + rows.starts[y]) * source.stride + place.sourceX
      let to = (place.targetY + y) * target.stride + place.targetX
      let window = ColumnWindow(offset: offset, tapCount: taps, width: width)
      let weights = pairs[y * ((taps + 1) / 2)..<(y + 1) * ((taps + 1) / 2)]
      switch kernels {
      case .vector:
        sumColumnsSIMD(source, window, weights, into: sums)
        sumRowsSIMD(sums, into: target, at: to)
      case .plain:
        sumColumns(source, window, weights, into: sums)
        sumRows(sums, into: target, at: to)
      }
    }
  }

  /// Rows of the source that one output row is made of.
  struct ColumnWindow {
    let offset: Int
    let tapCount: Int
    let width: Int
  }

  /// Weights of `rows` two by two.
  private func rowWeightPairs() -> [SIMD2<Int16>] {
    let taps = rows.tapCount
    var pairs: [SIMD2<Int16>] = []
    pairs.reserveCapacity(rows.outputCount * ((taps + 1) / 2))
    for y in 0..<rows.outputCount {
      for k in stride(from: 0, to: taps, by: 2) {
        let first = rows.weights[y * taps + k]
        pairs.append(SIMD2(first, k + 1 < taps ? rows.weights[y * taps + k + 1] : 0))
      }
    }
    return pairs
  }

  /// Column sums with 6 fractional bits; the plain twin of `sumColumnsSIMD`.
  private func sumColumns(
    _ source: borrowing SamplePlane<UInt8>, _ window: ColumnWindow,
    _ weights: ArraySlice<SIMD2<Int16>>, into sums: borrowing SamplePlane<UInt16>
  ) {
    for x in 0..<window.width {
      var sum: Int32 = 128
      for k in 0..<window.tapCount {
        let pair = weights[weights.startIndex + k / 2]
        let sample = source[window.offset + k * source.stride + x]
        sum &+= Int32(truncatingIfNeeded: sample) &* Int32(k & 1 == 0 ? pair.x : pair.y)
      }
      sums[x] = UInt16(truncatingIfNeeded: sum >> 8)
    }
  }

  /// Row sums rounded to codes; the plain twin of `sumRowsSIMD`.
  private func sumRows(
    _ sums: borrowing SamplePlane<UInt16>, into target: borrowing SamplePlane<UInt8>, at offset: Int
  ) {
    let taps = columns.tapCount
    for x in 0..<columns.outputCount {
      let start = columns.starts[x]
      var sum: Int32 = 1 << 19
      for k in 0..<taps {
        let value = Int32(Int16(bitPattern: sums[start + k]))
        sum &+= value &* Int32(columns.weights[x * taps + k])
      }
      target[offset + x] = UInt8(truncatingIfNeeded: min(max(sum >> 20, 0), 255))
    }
  }

  /// Vectors of weights for output sample `x`.
  @inline(__always)
  func weightVector(_ x: Int, _ v: Int) -> SIMD8<Int16> { vectors[x &* vectorsPerSample &+ v] }
  var weightVectorCount: Int { vectorsPerSample }
}

/// Which of two kernels with equal results runs.
package enum KernelChoice: Sendable, Hashable {
  /// The vector kernel.
  case vector
  /// The plain loop that it is tested against.
  case plain
}
