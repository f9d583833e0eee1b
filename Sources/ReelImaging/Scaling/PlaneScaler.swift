// Scales a plane: first down the columns, then along the rows.

internal import ReelCore

/// The two tables of a plane, and the kernels that follow them.
///
/// 8-bit planes are scaled with 16-bit integers. Samples count from the middle code, 128, so that they
/// fill the lanes: with 8 fractional bits they are weighed, of which 6 are left in a column's sum; with 7
/// they are weighed again, of which 5 are left in a row's sum. Each product loses its lower 16 bits; half
/// a unit for each makes up for the mean of that. Deeper planes, and pictures that shrink to less than an
/// eighth, are scaled in single precision. A result is at most one code from the exact weighted mean.
struct PlaneScaler: Sendable {
  let columns: ScaleTable
  let rows: ScaleTable
  /// Each weight in all lanes, its sign turned (see PlaneScaler+SIMD.swift).
  let columnVectors, rowVectors: [SIMD8<UInt16>]
  /// `columns`: table along x; `rows`: table along y.
  init(columns: ScaleTable, rows: ScaleTable) {
    self.columns = columns
    self.rows = rows
    let isInteger = max(columns.tapCount, rows.tapCount) <= Self.integerTapLimit
    columnVectors = isInteger ? Self.vectors(of: columns) : []
    rowVectors = isInteger ? Self.vectors(of: rows) : []
  }

  private static func vectors(of table: ScaleTable) -> [SIMD8<UInt16>] {
    table.weights.map { SIMD8(repeating: UInt16(bitPattern: $0) ^ 0x8000) }
  }

  /// With more weights the rounding of their products adds up too far.
  static let integerTapLimit = 32

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
    // Source rows as 16-bit integers, the last `tapCount` of them.
    let ring = SamplePlane<UInt16>(width: rows.tapCount * distance, height: 1)
    var nextRow = rows.starts[band.lowerBound]
    let sums = SamplePlane<UInt16>(width: 8 * distance, height: 1)
    let turned = SamplePlane<UInt16>(width: 8 * distance, height: 1)
    for y in stride(from: band.lowerBound, to: band.upperBound, by: 8) {
      let rowCount = min(8, band.upperBound - y)
      for line in 0..<rowCount {
        let first = rows.starts[y + line]
        nextRow = max(nextRow, first)
        while nextRow < first + rows.tapCount {
          widen(
            source, from: (place.sourceY + nextRow) * source.stride + place.sourceX, into: ring,
            at: nextRow % rows.tapCount * distance)
          nextRow += 1
        }
        let window = ColumnWindow(
          offsets: (0..<rows.tapCount).map { (first + $0) % rows.tapCount * distance },
          weights: (y + line) * rows.tapCount..<(y + line + 1) * rows.tapCount, width: width,
          sumOffset: line * distance)
        switch kernels {
        case .vector: sumColumnsSIMD(ring, window, into: sums)
        case .plain: sumColumns(ring, window, into: sums)
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

  /// A row's samples with 8 fractional bits. Counted from the middle code their sign is turned.
  @inline(never)
  private func widen(
    _ source: borrowing SamplePlane<UInt8>, from offset: Int,
    into ring: borrowing SamplePlane<UInt16>, at target: Int
  ) {
    let width = columns.sourceCount
    source.withSamples(at: offset, count: width) { samples in
      ring.withMutableSamples(at: target, count: width) { row in
        for x in 0..<width { row[x] = UInt16(truncatingIfNeeded: samples[x]) &<< 8 }
      }
    }
  }

  /// The rows in the ring that one output row is made of.
  struct ColumnWindow {
    let offsets: [Int]
    /// Their weights among those of `rows`.
    let weights: Range<Int>
    let width: Int
    /// Where the sums go.
    let sumOffset: Int
  }

  /// What a row's sum starts with: half a code, and what its products lose on average.
  static func rowRounding(_ taps: Int) -> Int { 16 + taps / 2 }

  /// Column sums; the plain twin of `sumColumnsSIMD`.
  private func sumColumns(
    _ ring: borrowing SamplePlane<UInt16>, _ window: ColumnWindow,
    into sums: borrowing SamplePlane<UInt16>
  ) {
    for x in 0..<window.width {
      var sum = Int32(window.weights.count / 2)
      for (k, weight) in window.weights.enumerated() {
        let sample = Int32(ring[window.offsets[k] + x]) - 0x8000
        sum += (sample * Int32(rows.weights[weight])) >> 16
      }
      sums[window.sumOffset + x] = UInt16(truncatingIfNeeded: sum << 1) ^ 0x8000
    }
  }

  /// Row sums rounded to codes; the plain twin of `sumRowsSIMD`.
  private func sumRows(
    _ sums: borrowing SamplePlane<UInt16>, from first: Int,
    into target: borrowing SamplePlane<UInt8>, at offset: Int
  ) {
    let taps = columns.tapCount
    for x in 0..<columns.outputCount {
      var sum = Int32(Self.rowRounding(taps))
      for k in 0..<taps {
        let sample = Int32(sums[first + columns.starts[x] + k]) - 0x8000
        sum += (sample * Int32(columns.weights[x * taps + k])) >> 16
      }
      target[offset + x] = UInt8(truncatingIfNeeded: min(max(sum >> 5 + 128, 0), 255))
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
