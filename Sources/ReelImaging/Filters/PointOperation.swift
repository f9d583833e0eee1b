// Operations on one pixel at a time.

internal import ReelCore

/// A step of a pass over rows of R′G′B′.
enum PointOperation: Sendable {
  case matrix(AffineColour)
  /// One curve for each component, over 0…1.
  case curves(UnitTable, UnitTable, UnitTable)
  /// A curve over the fourth root of each component, for functions that are steep at 0.
  case rootCurve(UnitTable)
  case vibrance(Float)
  /// Number of levels.
  case posterize(Float)
  case cube(ColourCube)
  case vignette(Vignette)
  case custom(CustomRowFilter)

  /// `y`: number of the row in the picture, from the top.
  func apply(_ rows: inout RGBRows, y: Int) {
    switch self {
    case .matrix(let map): RowKernels.affine(&rows.r, &rows.g, &rows.b, map)
    case .curves(let r, let g, let b):
      r.map(&rows.r)
      g.map(&rows.g)
      b.map(&rows.b)
    case .rootCurve(let curve):
      curve.mapRoot(&rows.r)
      curve.mapRoot(&rows.g)
      curve.mapRoot(&rows.b)
    case .vibrance(let amount): Self.vibrance(&rows.r, &rows.g, &rows.b, amount)
    case .posterize(let levels):
      Self.posterize(&rows.r, levels)
      Self.posterize(&rows.g, levels)
      Self.posterize(&rows.b, levels)
    case .cube(let cube): cube.apply(&rows)
    case .vignette(let vignette): vignette.apply(&rows, y: y)
    case .custom(let filter): filter.run(&rows, y: y)
    }
  }

  private static func vibrance(
    _ red: inout [Float], _ green: inout [Float], _ blue: inout [Float], _ amount: Float
  ) {
    var r = red.mutableSpan
    var g = green.mutableSpan
    var b = blue.mutableSpan
    let n = r.count
    precondition(g.count >= n && b.count >= n)
    for i in 0..<n {
      let (x, y, z) = (r[i], g[i], b[i])
      let top = max(x, max(y, z))
      let bottom = min(x, min(y, z))
      let luma = 0.2126 * x + 0.7152 * y + 0.0722 * z
      let saturation = top - bottom
      let k = 1 + amount * (1 - (saturation < 1 ? saturation : 1))
      r[i] = luma + (x - luma) * k
      g[i] = luma + (y - luma) * k
      b[i] = luma + (z - luma) * k
    }
  }

  private static func posterize(_ floats: inout [Float], _ levels: Float) {
    var row = floats.mutableSpan
    let top = levels - 1
    let scale = 1 / top
    for i in 0..<row.count {
      let x = row[i]
      let low = x > 0 ? x : 0
      let position = (low < 1 ? low : 1) * levels
      // The level below: rounding of position − ½, with the last level closed above.
      let level = (position - 0.5) + roundingBias - roundingBias
      let floor = level > position ? level - 1 : level
      row[i] = (floor < top ? floor : top) * scale
    }
  }
}

extension UnitTable {
  func map(_ row: inout [Float]) {
    for i in row.indices { row[i] = at(row[i]) }
  }

  /// Looks up the fourth root.
  func mapRoot(_ row: inout [Float]) {
    for i in row.indices {
      let x = row[i]
      row[i] = at((x > 0 ? x : 0).squareRoot().squareRoot())
    }
  }
}

/// Factors that fall towards the corners.
struct Vignette: Sendable {
  let width, height: Int
  /// Distances from the centre, in half diagonals, times this reach 1 where the darkening is full.
  let radius: Double
  let intensity: Double

  func apply(_ rows: inout RGBRows, y: Int) {
    let (halfWidth, halfHeight) = (Float(width) / 2, Float(height) / 2)
    let unit = 1 / (halfWidth * halfWidth + halfHeight * halfHeight)
    let dy = Float(y) + 0.5 - halfHeight
    let k = Float(radius)
    let strength = Float(intensity)
    for x in 0..<rows.count {
      let dx = Float(x) + 0.5 - halfWidth
      let distance = ((dx * dx + dy * dy) * unit).squareRoot() * k
      let s = distance < 1 ? distance : 1
      let factor = 1 - strength * (s * s * (3 - 2 * s))
      rows.r[x] *= factor
      rows.g[x] *= factor
      rows.b[x] *= factor
    }
  }
}
