// Which samples an output sample is made of, along one direction.

/// Where the samples of a plane lie along one direction, in luma samples.
struct SampleGrid: Sendable, Hashable {
  /// Distance between neighbours: 1 for luma, 2 for subsampled chroma.
  var step = 1.0
  /// Centre of the first sample; luma sample 0 has its centre at ½.
  var first = 0.5

  static let luma = SampleGrid()
  /// Chroma at the siting `site`, one for every 2^`shift` luma samples.
  static func chroma(shift: Int, site: Double) -> SampleGrid {
    shift == 0 ? .luma : SampleGrid(step: 2, first: 0.5 + site)
  }
}

/// First sample and weights for each output sample along one direction.
///
/// Weights sum to 1 (16,384 as integers). Where a curve reaches over the edge of the source, the edge
/// sample takes the weight; so a flat picture stays flat to its last sample.
struct ScaleTable: Sendable {
  /// Weights of one output sample.
  static let unit: Int32 = 16_384
  /// First source sample of each output sample.
  private(set) var starts: [Int] = []
  /// Weights in Q14, `tapCount` for each output sample.
  private(set) var weights: [Int16] = []
  /// The same weights as floats.
  private(set) var floatWeights: [Float] = []
  private(set) var tapCount = 1
  let outputCount: Int
  let sourceCount: Int

  /// - Parameters:
  ///   - sourceCount: samples there are, > 0.
  ///   - origin, length: the part of the source to show, in luma samples.
  ///   - outputCount: samples to make, > 0.
  ///   - outputLength: luma samples of the output that `length` becomes.
  ///   - source, output: where the samples of the two grids lie.
  init(
    sourceCount: Int, origin: Double, length: Double, outputCount: Int, outputLength: Double,
    source: SampleGrid, output: SampleGrid, filter: ScaleFilter
  ) {
    self.outputCount = outputCount
    self.sourceCount = sourceCount
    let ratio = length / outputLength
    // Output neighbours are this many source samples apart; the curve widens with it.
    let spacing = ratio * output.step / source.step
    let widening = filter == .nearest ? 1 : max(spacing, 1)
    let radius = filter.radius * widening
    var rows: [(start: Int, weights: [Double])] = []
    rows.reserveCapacity(outputCount)
    for i in 0..<outputCount {
      let position = origin + (output.first + Double(i) * output.step) * ratio
      let centre = (position - source.first) / source.step
      rows.append(
        Self.weights(
          around: centre, radius: radius, widening: widening, filter: filter, count: sourceCount))
      tapCount = max(tapCount, rows[i].weights.count)
    }
    tapCount = min(tapCount, sourceCount)
    fill(rows)
  }

  /// A table that keeps the size and weighs the neighbours of each sample alike on both sides.
  ///
  /// - Parameter half: weights 0, 1, 2, … samples from the centre; with both sides they sum to 1.
  init(count: Int, symmetric half: [Double]) {
    outputCount = count
    sourceCount = count
    let reach = half.count - 1
    tapCount = min(2 * reach + 1, count)
    let rows = (0..<count).map { i -> (start: Int, weights: [Double]) in
      let start = max(i - reach, 0)
      let end = min(i + reach, count - 1)
      var weights = [Double](repeating: 0, count: end - start + 1)
      for j in i - reach...i + reach {
        weights[min(max(j, start), end) - start] += half[j < i ? i - j : j - i]
      }
      return (start, weights)
    }
    fill(rows)
  }

  /// Weights of the source samples around `centre`, those beyond the edges given to the edge samples.
  private static func weights(
    around centre: Double, radius: Double, widening: Double, filter: ScaleFilter, count: Int
  ) -> (start: Int, weights: [Double]) {
    if filter == .nearest {
      return (min(max(Int((centre + 0.5).rounded(.down)), 0), count - 1), [1])
    }
    let first = Int((centre - radius).rounded(.down)) + 1
    let last = max(Int((centre + radius).rounded(.up)) - 1, first)
    let start = min(max(first, 0), count - 1)
    let end = min(max(last, 0), count - 1)
    var weights = [Double](repeating: 0, count: end - start + 1)
    var sum = 0.0
    for j in first...last {
      let weight = filter.weight((Double(j) - centre) / widening)
      weights[min(max(j, start), end) - start] += weight
      sum += weight
    }
    guard sum > 0 else { return (min(max(Int(centre.rounded()), 0), count - 1), [1]) }
    for k in weights.indices { weights[k] /= sum }
    return (start, weights)
  }

  private mutating func fill(_ rows: [(start: Int, weights: [Double])]) {
    starts.reserveCapacity(rows.count)
    weights.reserveCapacity(rows.count * tapCount)
    floatWeights.reserveCapacity(rows.count * tapCount)
    for row in rows {
      // A short row near the end moves left, with zero weights before it.
      let start = min(row.start, sourceCount - tapCount)
      let lead = row.start - start
      starts.append(start)
      var integers = row.weights.map { Int32(($0 * Double(Self.unit)).rounded()) }
      // Rounding must not change the sum: the largest weight takes the difference.
      let rest = Self.unit - integers.reduce(0, +)
      if let largest = integers.indices.max(by: { integers[$0] < integers[$1] }) {
        integers[largest] += rest
      }
      for k in 0..<tapCount {
        let index = k - lead
        let isInside = integers.indices.contains(index)
        weights.append(isInside ? Int16(clamping: integers[index]) : 0)
        floatWeights.append(isInside ? Float(row.weights[index]) : 0)
      }
    }
  }

  /// Each output sample is one source sample.
  var isCopy: Bool { tapCount == 1 }
}
