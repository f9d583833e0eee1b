// Loops over rows of floats. Each is written so that the compiler turns it into vector code.

internal import ReelCore

/// Rows of one band of a picture: R′, G′, B′ nominally 0…1 and free to leave that range.
struct RGBRows {
  var r, g, b: [Float]
  let count: Int

  init(count: Int) {
    self.count = count
    r = [Float](repeating: 0, count: count)
    g = r
    b = r
  }
}

/// Adding and taking away 1.5 · 2²³ leaves a float's nearest whole number (ties to even) in its low
/// bits; exact for |x| < 2²², and made of one addition that has the same result everywhere.
let roundingBias: Float = 12_582_912

enum RowKernels {
  /// Codes as floats.
  static func load<S: PictureSample>(_ source: Span<S>, into floats: inout [Float]) {
    var row = floats.mutableSpan
    let n = source.count
    precondition(row.count >= n)
    for i in 0..<n { row[i] = Float(UInt32(truncatingIfNeeded: source[i])) }
  }

  /// The nearest codes, 0 … `maximum`; no number gives 0.
  static func store<S: PictureSample>(
    _ floats: [Float], into target: inout MutableSpan<S>, maximum: Int
  ) {
    let row = floats.span
    let n = target.count
    precondition(row.count >= n)
    let limit = Float(maximum)
    for i in 0..<n {
      let x = row[i]
      let low = x > 0 ? x : 0
      let clamped = low < limit ? low : limit
      target[i] = S(truncatingIfNeeded: (clamped + roundingBias).bitPattern)
    }
  }

  /// (x, y, z) ← map(x, y, z).
  static func affine(
    _ first: inout [Float], _ second: inout [Float], _ third: inout [Float], _ map: AffineColour
  ) {
    var x = first.mutableSpan
    var y = second.mutableSpan
    var z = third.mutableSpan
    let n = x.count
    precondition(y.count >= n && z.count >= n)
    let m = map.m
    let (a0, a1, a2, a3) = (Float(m[0]), Float(m[1]), Float(m[2]), Float(m[3]))
    let (b0, b1, b2, b3) = (Float(m[4]), Float(m[5]), Float(m[6]), Float(m[7]))
    let (c0, c1, c2, c3) = (Float(m[8]), Float(m[9]), Float(m[10]), Float(m[11]))
    for i in 0..<n {
      let (p, q, s) = (x[i], y[i], z[i])
      x[i] = a0 * p + a1 * q + a2 * s + a3
      y[i] = b0 * p + b1 * q + b2 * s + b3
      z[i] = c0 * p + c1 * q + c2 * s + c3
    }
  }

  /// Limits a row to 0…1; no number gives 0.
  static func clampToUnit(_ floats: inout [Float]) {
    var row = floats.mutableSpan
    for i in 0..<row.count {
      let x = row[i]
      let low = x > 0 ? x : 0
      row[i] = low < 1 ? low : 1
    }
  }

  /// row ← row · (1 − weight) + other · weight.
  static func mix(_ floats: inout [Float], _ others: [Float], weight: Float) {
    var row = floats.mutableSpan
    let other = others.span
    let n = row.count
    precondition(other.count >= n)
    let rest = 1 - weight
    for i in 0..<n { row[i] = row[i] * rest + other[i] * weight }
  }

  /// row ← row · scale + offset.
  static func scale(_ row: inout [Float], _ scale: Float, _ offset: Float) {
    var span = row.mutableSpan
    for i in 0..<span.count { span[i] = span[i] * scale + offset }
  }

  /// sum ← sum + row · weight, or row · weight for the first.
  static func accumulate(
    _ floats: [Float], into sums: inout [Float], weight: Float, isFirst: Bool
  ) {
    let row = floats.span
    var sum = sums.mutableSpan
    let n = sum.count
    precondition(row.count >= n)
    if isFirst {
      for i in 0..<n { sum[i] = row[i] * weight }
    } else {
      for i in 0..<n { sum[i] += row[i] * weight }
    }
  }

  // MARK: Chroma across

  /// Each chroma sample stands for the luma samples it covers.
  static func repeatAcross(_ halves: [Float], into row: inout [Float]) {
    let half = halves.span
    var full = row.mutableSpan
    let n = full.count
    precondition(half.count >= (n + 1) / 2)
    for i in 0..<n / 2 {
      let c = half[i]
      full[2 &* i] = c
      full[2 &* i &+ 1] = c
    }
    if n & 1 == 1 { full[n - 1] = half[n / 2] }
  }

  /// Linear interpolation of chroma samples that lie on the even luma samples.
  static func interpolateCosited(_ halves: [Float], into row: inout [Float]) {
    let half = halves.span
    var full = row.mutableSpan
    let n = full.count
    let pairs = (n + 1) / 2
    precondition(half.count >= pairs)
    for i in 0..<max(pairs - 1, 0) {
      let c = half[i]
      full[2 &* i] = c
      full[2 &* i &+ 1] = (c + half[i &+ 1]) * 0.5
    }
    full[2 * (pairs - 1)] = half[pairs - 1]
    if n & 1 == 0 { full[n - 1] = half[pairs - 1] }
  }

  /// Linear interpolation of chroma samples that lie midway between two luma samples.
  static func interpolateCentred(_ halves: [Float], into row: inout [Float]) {
    let half = halves.span
    var full = row.mutableSpan
    let n = full.count
    let pairs = (n + 1) / 2
    precondition(half.count >= pairs)
    full[0] = half[0]
    for i in 0..<max(pairs - 1, 0) {
      let (c, next) = (half[i], half[i &+ 1])
      full[2 &* i &+ 1] = c * 0.75 + next * 0.25
      full[2 &* i &+ 2] = c * 0.25 + next * 0.75
    }
    if n & 1 == 0 { full[n - 1] = half[pairs - 1] }
  }

  /// The mean of each pair of samples; an odd last sample stands alone.
  static func averagePairs(_ row: [Float], into halves: inout [Float]) {
    let full = row.span
    var half = halves.mutableSpan
    let n = full.count
    precondition(half.count >= (n + 1) / 2)
    for i in 0..<n / 2 { half[i] = (full[2 &* i] + full[2 &* i &+ 1]) * 0.5 }
    if n & 1 == 1 { half[n / 2] = full[n - 1] }
  }

  /// ¼, ½, ¼ around each even sample; the edge sample is repeated.
  static func averageCosited(_ row: [Float], into halves: inout [Float]) {
    let full = row.span
    var half = halves.mutableSpan
    let n = full.count
    let pairs = (n + 1) / 2
    precondition(half.count >= pairs)
    half[0] = full[0] * 0.75 + full[min(1, n - 1)] * 0.25
    for i in 1..<max(n / 2, 1) {
      half[i] = (full[2 &* i &- 1] + full[2 &* i &+ 1]) * 0.25 + full[2 &* i] * 0.5
    }
    if n & 1 == 1 && n > 1 { half[pairs - 1] = full[n - 1] * 0.75 + full[n - 2] * 0.25 }
  }
}
