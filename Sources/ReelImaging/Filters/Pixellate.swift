// Squares of one colour, cropping, moving.

internal import ReelCore

/// Each square of a grid in the mean of its samples.
struct Pixellate: PlaneFilter {
  /// A corner of a square, in luma samples from the top left.
  let originX, originY: Double
  /// Side of a square in luma samples, ≥ 1.
  let scale: Double

  /// Starts of the squares along a direction of `count` samples, and the end.
  private func cuts(_ origin: Double, _ shift: Int, _ count: Int) -> [Int] {
    let unit = Double(1 << shift)
    // The first grid line at or before the first sample's edge.
    let steps = (-origin / scale).rounded(.down)
    var starts: [Int] = []
    var k = steps
    while true {
      // A sample belongs to the square that its centre lies in.
      let edge = (origin + k * scale) / unit
      let sample = Int((edge - 0.5).rounded(.up))
      if sample >= count { break }
      let start = max(sample, 0)
      if starts.last != start { starts.append(start) }
      k += 1
    }
    return starts + [count]
  }

  func run<S: PictureSample>(
    _ plane: borrowing SamplePlane<S>, into output: borrowing SamplePlane<S>, _ info: PlaneInfo,
    band: Range<Int>
  ) {
    let columns = cuts(originX, info.horizontalShift, info.width)
    let rows = cuts(originY, info.verticalShift, info.height)
    var row = [Float](repeating: 0, count: info.width)
    var sums = row
    for i in 0..<rows.count - 1 {
      // Every band that touches a square makes all of it, so that bands cannot differ.
      guard rows[i] < band.upperBound, rows[i + 1] > band.lowerBound else { continue }
      for y in rows[i]..<rows[i + 1] {
        info.load(plane, row: y, into: &row)
        RowKernels.accumulate(row, into: &sums, weight: 1, isFirst: y == rows[i])
      }
      for j in 0..<columns.count - 1 {
        var sum = 0.0
        for x in columns[j]..<columns[j + 1] { sum += Double(sums[x]) }
        let count = (columns[j + 1] - columns[j]) * (rows[i + 1] - rows[i])
        let mean = Float(sum / Double(max(count, 1)))
        for x in columns[j]..<columns[j + 1] { row[x] = mean }
      }
      for y in max(rows[i], band.lowerBound)..<min(rows[i + 1], band.upperBound) {
        info.store(row, into: output, row: y)
      }
    }
  }
}

/// Black outside of a rectangle; samples that its edges cut are mixed by their area.
struct Crop: PlaneFilter {
  /// Edges in luma samples from the top left.
  let left, top, right, bottom: Double

  func run<S: PictureSample>(
    _ plane: borrowing SamplePlane<S>, into output: borrowing SamplePlane<S>, _ info: PlaneInfo,
    band: Range<Int>
  ) {
    func share(_ i: Int, _ shift: Int, _ low: Double, _ high: Double) -> Float {
      let unit = Double(1 << shift)
      let covered = min(Double(i + 1), high / unit) - max(Double(i), low / unit)
      return Float(min(max(covered, 0), 1))
    }
    let black = Float(info.black)
    let across = (0..<info.width).map { share($0, info.horizontalShift, left, right) }
    var row = [Float](repeating: 0, count: info.width)
    for y in band {
      info.load(plane, row: y, into: &row)
      let down = share(y, info.verticalShift, top, bottom)
      for x in row.indices { row[x] = black + (row[x] - black) * (across[x] * down) }
      info.store(row, into: output, row: y)
    }
  }
}

/// The picture moved by a matrix, interpolated linearly, black around it.
struct AffineResample: PlaneFilter {
  /// From output to source positions, in luma samples from the top left; nil when the matrix has no
  /// inverse, and nothing is left to see.
  let inverse: Transform2D?
  let siting: ChromaSiting

  /// `transform`: from source to output positions, y down.
  init(_ transform: Transform2D, siting: ChromaSiting) {
    let determinant = transform.a * transform.d - transform.b * transform.c
    self.siting = siting
    guard determinant.isFinite, determinant.magnitude > 1e-12 else {
      inverse = nil
      return
    }
    let (a, b) = (transform.d / determinant, -transform.b / determinant)
    let (c, d) = (-transform.c / determinant, transform.a / determinant)
    inverse = Transform2D(
      a: a, b: b, c: c, d: d, tx: -(a * transform.tx + c * transform.ty),
      ty: -(b * transform.tx + d * transform.ty))
  }

  func run<S: PictureSample>(
    _ plane: borrowing SamplePlane<S>, into output: borrowing SamplePlane<S>, _ info: PlaneInfo,
    band: Range<Int>
  ) {
    let black = Float(info.black)
    var row = [Float](repeating: black, count: info.width)
    let (stepX, stepY) = (Double(1 << info.horizontalShift), Double(1 << info.verticalShift))
    let siteX = info.horizontalShift == 0 ? 0.5 : siting.x + 0.5
    let siteY = info.verticalShift == 0 ? 0.5 : siting.y + 0.5
    for y in band {
      guard let m = inverse else {
        info.store(row, into: output, row: y)
        continue
      }
      let py = Double(y) * stepY + siteY
      for x in row.indices {
        let px = Double(x) * stepX + siteX
        let u = (m.a * px + m.c * py + m.tx - siteX) / stepX
        let v = (m.b * px + m.d * py + m.ty - siteY) / stepY
        row[x] = Self.sample(plane, info, u, v, black)
      }
      info.store(row, into: output, row: y)
    }
  }

  /// The value at sample position (u, v); what lies outside is black.
  private static func sample<S: PictureSample>(
    _ plane: borrowing SamplePlane<S>, _ info: PlaneInfo, _ u: Double, _ v: Double, _ black: Float
  ) -> Float {
    guard u > -1, v > -1, u < Double(info.width), v < Double(info.height) else { return black }
    let (left, top) = (u.rounded(.down), v.rounded(.down))
    let (fx, fy) = (Float(u - left), Float(v - top))
    let (x, y) = (Int(left), Int(top))
    @inline(__always)
    func at(_ x: Int, _ y: Int) -> Float {
      guard x >= 0, y >= 0, x < info.width, y < info.height else { return black }
      return Float(UInt32(plane[(info.y + y) * plane.stride + info.x + x]))
    }
    let upper = at(x, y) * (1 - fx) + at(x + 1, y) * fx
    let lower = at(x, y + 1) * (1 - fx) + at(x + 1, y + 1) * fx
    return upper * (1 - fy) + lower * fy
  }
}
