// Scales a plane: first down the columns, then along the rows.

internal import ReelCore

/// The two tables of a plane, and the kernels that follow them.
///
/// 8-bit planes are scaled with 16-bit integers. Samples with 8 fractional bits are weighed down the columns;
/// the sums count from the middle code, 128, and have 7 fractional bits, so that they fill the lanes. They are
/// weighed along the rows, with 5 bits left. Each product loses its lower 16 bits; half a unit for each makes
/// up for the mean of that. Deeper planes, and pictures that shrink to less than an eighth, are scaled in
/// single precision. A result is at most one code from the exact weighted mean.
struct PlaneScaler: Sendable {
  let columns: ScaleTable
  let rows: ScaleTable
  /// The numbers that weigh rows.
  let rowSums: [RowGroup]
  /// Each weight of `columns` in all lanes; as many for each sample as `columnStep`, the last are 0.
  let columnVectors: [SIMD16<Int16>]
  /// Where the last output sample's first column is at most.
  let lastColumn: Int
  /// Pairs of weights of an output sample.
  var columnStep: Int { (columns.tapCount + 1) / 2 }
  /// `columns`: table along x; `rows`: table along y.
  init(columns: ScaleTable, rows: ScaleTable) {
    self.columns = columns
    self.rows = rows
    let isInteger = max(columns.tapCount, rows.tapCount) <= Self.integerTapLimit
    lastColumn = columns.starts.max() ?? 0
    rowSums = isInteger ? RowGroup.all(of: rows) : []
    columnVectors = isInteger ? Self.pairs(of: columns) : []
  }

  private static func pairs(of table: ScaleTable) -> [SIMD16<Int16>] {
    (0..<table.outputCount).flatMap { x in
      stride(from: 0, to: table.tapCount, by: 2).map { k in
        let first = table.weights[x * table.tapCount + k]
        let second = k + 1 < table.tapCount ? table.weights[x * table.tapCount + k + 1] : 0
        return SIMD16(lowHalf: SIMD8(repeating: first), highHalf: SIMD8(repeating: second))
      }
    }
  }

  /// An 8-bit plane is neither copied nor scaled in single precision.
  var isInteger: Bool {
    !(columns.isCopy && rows.isCopy)
      && max(columns.tapCount, rows.tapCount) <= Self.integerTapLimit
  }

  /// With more weights the rounding of their products adds up too far.
  static let integerTapLimit = 32

  /// Where a plane's part lies and where its picture goes.
  struct Placement {
    /// Sample (0, 0) of the source part.
    var sourceX = 0, sourceY = 0
    /// Sample (0, 0) of the picture in the target.
    var targetX = 0, targetY = 0
    /// The source has this many rows, which take turns: row r of the part is row r modulo this many.
    var ringRows = Int.max
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

  /// Plane `index` of `source` into the same plane of `target`, in bands.
  func run<S: PictureSample>(
    _ source: FramePlanes<S>, into target: FramePlanes<S>, plane index: Int, at place: Placement,
    maximum: Int, context: FilterContext
  ) {
    let (source8, target8) = (source as? FramePlanes<UInt8>, target as? FramePlanes<UInt8>)
    let kernels = context.kernels
    context.executor.forBands(rows: rows.outputCount, alignment: 1) { band in
      if let source8, let target8 {
        source8.withPlane(index) { plane in
          target8.withPlane(index) {
            run(plane, into: $0, at: place, band: band, kernels: kernels)
          }
        }
      } else {
        source.withPlane(index) { plane in
          target.withPlane(index) {
            runFloats(plane, into: $0, at: place, band: band, maximum: maximum)
          }
        }
      }
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
    // Rows have room for whole vectors behind their end.
    let distance = (width + 63) & ~31
    let sums = SamplePlane<UInt16>(width: 8 * distance, height: 1)
    // One column more for the second of the last pair of weights.
    let turned = SamplePlane<UInt16>(width: 8 * (distance + 32), height: 1)
    for y in stride(from: band.lowerBound, to: band.upperBound, by: 8) {
      let rowCount = min(8, band.upperBound - y)
      for line in 0..<rowCount {
        sums.withMutableSamples(at: line * distance, count: width) { row in
          sumColumns(source, place, of: y + line, into: &row, kernels: kernels)
        }
      }
      let to = (place.targetY + y) * target.stride + place.targetX
      switch kernels {
      case .vector:
        turnSums(sums, distance: distance, into: turned)
        sumRowsSIMD(turned, into: target, at: to, rowCount: rowCount)
      case .plain:
        for line in 0..<rowCount {
          sumRows(sums, from: line * distance, into: target, at: to + line * target.stride)
        }
      }
    }
  }

  /// The sums of the columns for output row `y`.
  private func sumColumns(
    _ source: borrowing SamplePlane<UInt8>, _ place: Placement, of y: Int,
    into sums: inout MutableSpan<UInt16>, kernels: KernelChoice
  ) {
    let width = columns.sourceCount
    let groups = (rows.tapCount + 3) / 4
    for group in 0..<groups {
      let numbers = rowSums[y * groups + group]
      // Behind the last row its weight is 0, and any row will do.
      func at(_ k: Int) -> Int {
        let row = place.sourceY + rows.starts[y] + min(4 * group + k, rows.tapCount - 1)
        return row % place.ringRows * source.stride + place.sourceX
      }
      source.withSamples(at: at(0), count: width) { a in
        source.withSamples(at: at(1), count: width) { b in
          source.withSamples(at: at(2), count: width) { c in
            source.withSamples(at: at(3), count: width) { d in
              switch kernels {
              case .vector: numbers.add(a, b, c, d, to: &sums, isFirst: group == 0)
              case .plain: numbers.addPlainly(a, b, c, d, to: &sums, isFirst: group == 0)
              }
            }
          }
        }
      }
    }
  }

  /// What a row's sum starts with: the middle code, half a code, and what its products lose on average.
  static func rowRounding(_ taps: Int) -> Int { 128 << 5 + 16 + taps / 2 }

  /// Row sums rounded to codes; the plain twin of `sumRowsSIMD`.
  private func sumRows(
    _ sums: borrowing SamplePlane<UInt16>, from first: Int,
    into target: borrowing SamplePlane<UInt8>, at offset: Int
  ) {
    let taps = columns.tapCount
    for x in 0..<columns.outputCount {
      var sum = Int32(Self.rowRounding(taps))
      for k in 0..<taps {
        let sample = Int32(Int16(bitPattern: sums[first + columns.starts[x] + k]))
        sum += (sample * Int32(columns.weights[x * taps + k])) >> 16
      }
      target[offset + x] = UInt8(truncatingIfNeeded: min(max(sum >> 5, 0), 255))
    }
  }
}

/// Which of two kernels with equal results runs.
package enum KernelChoice: Sendable, Hashable {
  /// The vector kernel.
  case vector
  /// The plain loop that it is tested against.
  case plain
}
