// Matrices between R′G′B′ and Y′CbCr. Rec. ITU-T H.273 §8.3.

internal import ReelCore

/// A linear map of three components, rows first.
struct Matrix3: Sendable, Hashable {
  var m: InlineArray<9, Double>

  init(_ m: InlineArray<9, Double>) { self.m = m }
  init(diagonal a: Double, _ b: Double, _ c: Double) { m = [a, 0, 0, 0, b, 0, 0, 0, c] }
  static let identity = Matrix3(diagonal: 1, 1, 1)

  subscript(row: Int, column: Int) -> Double {
    get { m[row * 3 + column] }
    set { m[row * 3 + column] = newValue }
  }

  static func == (a: Matrix3, b: Matrix3) -> Bool {
    for i in 0..<9 where a.m[i] != b.m[i] { return false }
    return true
  }

  func hash(into hasher: inout Hasher) {
    for i in 0..<9 { hasher.combine(m[i]) }
  }

  /// The map that does `b` first.
  static func * (a: Matrix3, b: Matrix3) -> Matrix3 {
    var product = Matrix3.identity
    for row in 0..<3 {
      for column in 0..<3 {
        product[row, column] =
          a[row, 0] * b[0, column] + a[row, 1] * b[1, column] + a[row, 2] * b[2, column]
      }
    }
    return product
  }

  func apply(_ x: Double, _ y: Double, _ z: Double) -> (Double, Double, Double) {
    (
      m[0] * x + m[1] * y + m[2] * z, m[3] * x + m[4] * y + m[5] * z,
      m[6] * x + m[7] * y + m[8] * z
    )
  }

  /// The inverse; the matrix must not be singular.
  var inverse: Matrix3 {
    let c0 = m[4] * m[8] - m[5] * m[7]
    let c1 = m[5] * m[6] - m[3] * m[8]
    let c2 = m[3] * m[7] - m[4] * m[6]
    let d = 1 / (m[0] * c0 + m[1] * c1 + m[2] * c2)
    return Matrix3([
      c0 * d, (m[2] * m[7] - m[1] * m[8]) * d, (m[1] * m[5] - m[2] * m[4]) * d,
      c1 * d, (m[0] * m[8] - m[2] * m[6]) * d, (m[2] * m[3] - m[0] * m[5]) * d,
      c2 * d, (m[1] * m[6] - m[0] * m[7]) * d, (m[0] * m[4] - m[1] * m[3]) * d,
    ])
  }
}

/// How three planes stand for R′G′B′: Y′ 0…1, Cb and Cr −½…½; or G, B, R themselves.
struct ColourMatrix: Sendable, Hashable {
  /// Code point of H.273 with "unspecified" resolved.
  let code: UInt8
  /// (Y′, Cb, Cr) from (R′, G′, B′).
  let fromRGB: Matrix3
  /// (R′, G′, B′) from (Y′, Cb, Cr).
  let toRGB: Matrix3

  /// True for planes G, B, R.
  var isRGB: Bool { code == 0 }

  /// The matrix of a code point; "unspecified" is BT.709 above standard definition and BT.601 at or
  /// below it, which is what files without a colour description mean.
  ///
  /// - Throws: `.unsupported` for constant-luminance and ICtCp coding and for unknown code points.
  init(code: UInt8, width: Int, height: Int) throws(MediaError) {
    let isHighDefinition = width > 1024 || height > 576
    let resolved = code == 2 ? (isHighDefinition ? 1 : 6) : code
    switch resolved {
    case 0:
      self.init(
        code: 0, fromRGB: Matrix3([0, 1, 0, 0, 0, 1, 1, 0, 0]),
        toRGB: Matrix3([0, 0, 1, 1, 0, 0, 0, 1, 0]))
    case 1: self.init(code: 1, kr: 0.2126, kb: 0.0722)
    case 4: self.init(code: 4, kr: 0.30, kb: 0.11)
    case 5, 6: self.init(code: resolved, kr: 0.299, kb: 0.114)
    case 7: self.init(code: 7, kr: 0.212, kb: 0.087)
    case 8:
      // YCgCo: Cg stands in the place of Cb, Co in that of Cr.
      self.init(
        code: 8, fromRGB: Matrix3([0.25, 0.5, 0.25, -0.25, 0.5, -0.25, 0.5, 0, -0.5]),
        toRGB: Matrix3([1, -1, 1, 1, 1, 0, 1, -1, -1]))
    case 9: self.init(code: 9, kr: 0.2627, kb: 0.0593)
    default:
      throw MediaError(
        .unsupported, .colourMatrix, detail: "matrix coefficients \(code)",
        advice: "code points 0, 1, 2 and 4 … 9 are built")
    }
  }

  private init(code: UInt8, fromRGB: Matrix3, toRGB: Matrix3) {
    self.code = code
    self.fromRGB = fromRGB
    self.toRGB = toRGB
  }

  private init(code: UInt8, kr: Double, kb: Double) {
    let kg = 1 - kr - kb
    let b = 2 * (1 - kb)
    let r = 2 * (1 - kr)
    self.init(
      code: code,
      fromRGB: Matrix3([kr, kg, kb, -kr / b, -kg / b, 0.5, 0.5, -kg / r, -kb / r]),
      toRGB: Matrix3([1, 0, r, 1, -kb * b / kg, -kr * r / kg, 1, b, 0]))
  }
}

/// How numbers become codes: range and depth. Rec. ITU-T H.273 §8.3.
struct SampleCoding: Sendable, Hashable {
  /// code = value · scale + offset, of Y′ (or R′, G′, B′).
  let lumaScale, lumaOffset: Double
  /// code = value · scale + offset, of Cb and Cr; as for luma when the planes are G, B, R.
  let chromaScale, chromaOffset: Double
  /// Largest codes.
  let lumaMaximum, chromaMaximum: Int

  init(isFullRange: Bool, lumaDepth: Int, chromaDepth: Int, isRGB: Bool) {
    lumaMaximum = 1 << lumaDepth - 1
    chromaMaximum = 1 << chromaDepth - 1
    let lumaUnit = Double(1 << (lumaDepth - 8))
    let chromaUnit = Double(1 << (chromaDepth - 8))
    lumaScale = isFullRange ? Double(lumaMaximum) : 219 * lumaUnit
    lumaOffset = isFullRange ? 0 : 16 * lumaUnit
    if isRGB {
      chromaScale = isFullRange ? Double(chromaMaximum) : 219 * chromaUnit
      chromaOffset = isFullRange ? 0 : 16 * chromaUnit
    } else {
      chromaScale = isFullRange ? Double(chromaMaximum) : 224 * chromaUnit
      chromaOffset = 128 * chromaUnit
    }
  }
}
