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
    let down = radius / Double(1 << info.verticalShift)
    let reach = Int(down)
    let fraction = Float(down - Double(reach))
    // Whole sums of columns are exact: 1,001 samples of 16 bits stay below 2²⁶. Bands that start
    // anywhere therefore have the same sums.
    var sums = [Int32](repeating: 0, count: info.width)
    for y in band.lowerBound - reach...band.lowerBound + reach {
      info.add(plane, row: y, to: &sums)
    }
    var line = LineMean(info, across: radius / Double(1 << info.horizontalShift), down: down)
    for y in band {
      if fraction > 0 {
        info.withRows(plane, y - reach - 1, y + reach + 1) {
          line.take(sums, $0, $1, fraction: fraction)
        }
      } else {
        line.take(sums)
      }
      output.withMutableSamples(at: y * output.stride, count: info.width) {
        line.mean(into: &$0, maximum: info.maximum)
      }
      info.withRows(plane, y - reach, y + reach + 1) { Self.move(&sums, from: $0, to: $1) }
    }
  }

  /// Column sums one row further down.
  private static func move<S: PictureSample>(
    _ array: inout [Int32], from old: Span<S>, to new: Span<S>
  ) {
    var sum = array.mutableSpan
    let n = sum.count
    precondition(old.count >= n && new.count >= n)
    for i in 0..<n {
      sum[i] &+= Int32(truncatingIfNeeded: new[i]) &- Int32(truncatingIfNeeded: old[i])
    }
  }
}

extension PlaneInfo {
  /// Where the picture's row `row`, or the nearest one inside, begins.
  private func offset(_ row: Int, _ stride: Int) -> Int {
    (y + min(max(row, 0), height - 1)) * stride + x
  }

  /// Calls `body` with two rows of the picture, or the nearest ones inside.
  fileprivate func withRows<S: PictureSample>(
    _ plane: borrowing SamplePlane<S>, _ first: Int, _ second: Int,
    _ body: (Span<S>, Span<S>) -> Void
  ) {
    plane.withSamples(at: offset(first, plane.stride), count: width) { a in
      plane.withSamples(at: offset(second, plane.stride), count: width) { b in body(a, b) }
    }
  }

  /// Adds the picture's row `row`, the nearest one inside, to `sums`.
  fileprivate func add<S: PictureSample>(
    _ plane: borrowing SamplePlane<S>, row: Int, to sums: inout [Int32]
  ) {
    plane.withSamples(at: offset(row, plane.stride), count: width) { samples in
      var sum = sums.mutableSpan
      let n = sum.count
      precondition(samples.count >= n)
      for i in 0..<n { sum[i] &+= Int32(truncatingIfNeeded: samples[i]) }
    }
  }
}

/// Running sums along a row of column sums, in 32-bit integers.
private struct LineMean {
  let reach: Int
  let fraction: Float
  /// What makes a code of a sum.
  let scale: Float
  /// Fractional bits of a column's sum: as many as let the sum of a square stay within 31 bits, or fewer than
  /// none.
  let bits: Int
  /// Column sums with the edges repeated on both sides.
  private var columns: [Int32]
  private var sums: [Int32]

  init(_ info: PlaneInfo, across: Double, down: Double) {
    reach = Int(across)
    fraction = Float(across - Double(reach))
    let isWhole = fraction == 0 && down == down.rounded(.down)
    let most = Double(info.maximum) * (2 * across + 3) * (2 * down + 3)
    var bits = 0
    func size(_ bits: Int) -> Double {
      bits < 0 ? most / Double(1 << -bits) : most * Double(1 << bits)
    }
    // Whole sums are exact as they stand.
    if !isWhole { while bits < 16 && size(bits + 1) < 2_147_000_000 { bits += 1 } }
    while size(bits) > 2_147_000_000 { bits -= 1 }
    self.bits = bits
    let unit = size(bits) / most
    scale = Float(1 / ((2 * down + 1) * (2 * across + 1) * unit))
    columns = [Int32](repeating: 0, count: info.width + 2 * (reach + 1))
    sums = [Int32](repeating: 0, count: info.width)
  }

  /// Takes whole sums of columns.
  mutating func take(_ array: [Int32]) {
    let sum = array.span
    let n = sum.count
    let (lead, bits) = (reach + 1, bits)
    var row = columns.mutableSpan
    precondition(row.count >= n + lead)
    let shift = Int64(20 - bits)
    if bits == 0 {
      for i in 0..<n { row[i &+ lead] = sum[i] }
    } else {
      for i in 0..<n {
        row[i &+ lead] = Int32(truncatingIfNeeded: (Int64(sum[i]) &<< 20) &>> shift)
      }
    }
    repeatEdges()
  }

  /// Takes sums of columns with `fraction` of the rows `above` and `below` them.
  mutating func take<S: PictureSample>(
    _ array: [Int32], _ above: Span<S>, _ below: Span<S>, fraction: Float
  ) {
    let sum = array.span
    let n = sum.count
    precondition(above.count >= n && below.count >= n)
    let shift = Int64(20 - bits)
    let share = Int64((Double(fraction) * 1_048_576).rounded())
    let lead = reach + 1
    var row = columns.mutableSpan
    precondition(row.count >= n + lead)
    for i in 0..<n {
      let outer = Int64(truncatingIfNeeded: above[i]) &+ Int64(truncatingIfNeeded: below[i])
      row[i &+ lead] = Int32(
        truncatingIfNeeded: ((Int64(sum[i]) &<< 20) &+ outer &* share) &>> shift)
    }
    repeatEdges()
  }

  private mutating func repeatEdges() {
    let (first, last) = (columns[reach + 1], columns[columns.count - reach - 2])
    for i in 0...reach {
      columns[i] = first
      columns[columns.count - 1 - i] = last
    }
  }

  /// The means of the row.
  mutating func mean<S: PictureSample>(into target: inout MutableSpan<S>, maximum: Int) {
    Self.addUp(columns, span: 2 * reach + 1, into: &sums)
    let n = target.count
    let sum = sums.span
    precondition(sum.count >= n)
    let (scale, limit) = (scale, Float(maximum))
    if fraction == 0 {
      for x in 0..<n {
        let value = Float(sum[x]) * scale
        let clamped = value < limit ? value : limit
        target[x] = S(truncatingIfNeeded: (clamped + roundingBias).bitPattern)
      }
    } else {
      let share = fraction * scale
      let left = columns.span.extracting(0..<n)
      let right = columns.span.extracting(2 * reach + 2..<2 * reach + 2 + n)
      for x in 0..<n {
        let value = Float(sum[x]) * scale + Float(left[x] &+ right[x]) * share
        let clamped = value < limit ? value : limit
        target[x] = S(truncatingIfNeeded: (clamped + roundingBias).bitPattern)
      }
    }
  }

  /// sums[x] ← the `span` columns from x + 1 on, which are those around sample x.
  private static func addUp(_ columns: [Int32], span: Int, into sums: inout [Int32]) {
    let column = columns.span
    var sum = sums.mutableSpan
    let n = sum.count
    var total: Int32 = 0
    for i in 0..<span { total &+= column[i] }
    let old = column.extracting(0..<n)
    let new = column.extracting(span..<span + n)
    for x in 0..<n { sum[x] = new[x] &- old[x] }
    for x in 0..<n {
      total &+= sum[x]
      sum[x] = total
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
