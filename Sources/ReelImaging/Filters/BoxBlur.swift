// Means over squares and along lines.

internal import ReelCore

/// The mean of the samples up to `radius` to each side; the outermost count by the fraction.
struct BoxBlur: PlaneFilter {
  /// In luma samples, ≥ 0.
  let radius: Double

  func run<S: PictureSample>(
    _ plane: borrowing SamplePlane<S>, into output: borrowing SamplePlane<S>, _ info: PlaneInfo,
    band: Range<Int>
  ) {
    let across = radius / Double(1 << info.horizontalShift)
    let down = radius / Double(1 << info.verticalShift)
    let reach = Int(down)
    let fraction = Float(down - Double(reach))
    let scale = Float(1 / ((2 * down + 1) * (2 * across + 1)))
    // Whole sums of columns are exact: 1,001 samples of 16 bits stay below 2²⁶. Bands that start
    // anywhere therefore have the same sums.
    var sums = [Int32](repeating: 0, count: info.width)
    var result = [Float](repeating: 0, count: info.width)
    var row = result
    for y in band.lowerBound - reach...band.lowerBound + reach {
      info.add(plane, row: y, to: &sums, sign: 1)
    }
    var line = LineMean(width: info.width, radius: across)
    for y in band {
      for x in result.indices { result[x] = Float(sums[x]) }
      if fraction > 0 {
        info.load(plane, row: y - reach - 1, into: &row)
        RowKernels.accumulate(row, into: &result, weight: fraction, isFirst: false)
        info.load(plane, row: y + reach + 1, into: &row)
        RowKernels.accumulate(row, into: &result, weight: fraction, isFirst: false)
      }
      line.run(&result, scale: scale)
      info.store(result, into: output, row: y)
      info.add(plane, row: y - reach, to: &sums, sign: -1)
      info.add(plane, row: y + reach + 1, to: &sums, sign: 1)
    }
  }
}

extension PlaneInfo {
  /// Adds the picture's row `row`, the nearest one inside, `sign` times to `sums`.
  fileprivate func add<S: PictureSample>(
    _ plane: borrowing SamplePlane<S>, row: Int, to sums: inout [Int32], sign: Int32
  ) {
    let line = y + min(max(row, 0), height - 1)
    plane.withSamples(at: line * plane.stride + x, count: width) { samples in
      var sum = sums.mutableSpan
      let n = sum.count
      precondition(samples.count >= n)
      for i in 0..<n { sum[i] &+= Int32(truncatingIfNeeded: samples[i]) &* sign }
    }
  }
}

/// Running sums along a row.
private struct LineMean {
  let reach: Int
  let fraction: Float
  /// Sums of the samples before each position, with the edges repeated on both sides.
  private var prefix: [Double]

  init(width: Int, radius: Double) {
    reach = Int(radius)
    fraction = Float(radius - Double(reach))
    prefix = [Double](repeating: 0, count: width + 2 * reach + 3)
  }

  mutating func run(_ row: inout [Float], scale: Float) {
    let width = row.count
    let lead = reach + 1
    var sum = 0.0
    for i in 0..<width + 2 * lead {
      prefix[i] = sum
      sum += Double(row[min(max(i - lead, 0), width - 1)])
    }
    prefix[width + 2 * lead] = sum
    let span = 2 * reach + 1
    let weight = Double(fraction)
    for x in 0..<width {
      // The samples x − reach … x + reach stand at x + 1 … in the extended row.
      var total = prefix[x + 1 + span] - prefix[x + 1]
      if weight > 0 {
        let left = prefix[x + 1] - prefix[x]
        let right = prefix[x + 2 + span] - prefix[x + 1 + span]
        total += weight * (left + right)
      }
      row[x] = Float(total) * scale
    }
  }
}

/// The mean along a line, from samples that are interpolated linearly.
struct MotionBlur: PlaneFilter {
  /// In luma samples, ≥ 0.
  let radius: Double
  /// From the x axis, counter-clockwise, in radians.
  let angle: Double
  private var taps: [Tap] = []

  private struct Tap {
    var x, y: Int
    var weight: Double
  }

  init(radius: Double, angle: Double) {
    self.radius = radius
    self.angle = angle
  }

  func prepared(for info: PlaneInfo) -> MotionBlur {
    var filter = self
    let steps = Int(radius.rounded(.up))
    let (sine, cosine) = ExactMath.sineAndCosine(angle)
    let share = 1 / Double(2 * steps + 1)
    for step in -steps...steps {
      let t = steps == 0 ? 0 : Double(step) * radius / Double(steps)
      let x = t * cosine / Double(1 << info.horizontalShift)
      let y = -t * sine / Double(1 << info.verticalShift)
      let (left, top) = (x.rounded(.down), y.rounded(.down))
      let (fx, fy) = (x - left, y - top)
      filter.add(Int(left), Int(top), share * (1 - fx) * (1 - fy))
      filter.add(Int(left) + 1, Int(top), share * fx * (1 - fy))
      filter.add(Int(left), Int(top) + 1, share * (1 - fx) * fy)
      filter.add(Int(left) + 1, Int(top) + 1, share * fx * fy)
    }
    filter.taps.sort { ($0.y, $0.x) < ($1.y, $1.x) }
    return filter
  }

  private mutating func add(_ x: Int, _ y: Int, _ weight: Double) {
    guard weight > 0 else { return }
    if let i = taps.firstIndex(where: { $0.x == x && $0.y == y }) {
      taps[i].weight += weight
    } else {
      taps.append(Tap(x: x, y: y, weight: weight))
    }
  }

  func run<S: PictureSample>(
    _ plane: borrowing SamplePlane<S>, into output: borrowing SamplePlane<S>, _ info: PlaneInfo,
    band: Range<Int>
  ) {
    let margin = taps.reduce(0) { max($0, abs($1.x)) }
    var row = [Float](repeating: 0, count: info.width)
    var wide = [Float](repeating: 0, count: info.width + 2 * margin)
    var sums = row
    for y in band {
      var loaded: Int?
      for (number, tap) in taps.enumerated() {
        if loaded != tap.y {
          info.load(plane, row: y + tap.y, into: &row)
          Self.extend(row, by: margin, into: &wide)
          loaded = tap.y
        }
        Self.accumulate(
          wide, from: margin + tap.x, into: &sums, weight: Float(tap.weight), isFirst: number == 0)
      }
      info.store(sums, into: output, row: y)
    }
  }

  private static func extend(_ row: [Float], by margin: Int, into wide: inout [Float]) {
    for i in wide.indices { wide[i] = row[min(max(i - margin, 0), row.count - 1)] }
  }

  private static func accumulate(
    _ floats: [Float], from start: Int, into sums: inout [Float], weight: Float, isFirst: Bool
  ) {
    let n = sums.count
    let row = floats.span.extracting(start..<start + n)
    var sum = sums.mutableSpan
    if isFirst {
      for i in 0..<n { sum[i] = row[i] * weight }
    } else {
      for i in 0..<n { sum[i] += row[i] * weight }
    }
  }
}
