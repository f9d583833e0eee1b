// From the colour description of a video to the one of a JPEG file.

internal import ReelCore

/// What the three samples of a pixel become: a 3×3 matrix and an offset for each row, in 1/16,384.
///
/// A JPEG file's samples are full-range YCbCr by the matrix of BT.601 (ISO/IEC 10918-5:2013 §6); a
/// video's are mostly studio range, and by BT.709 from high definition on. Both are linear in R'G'B', so
/// one product takes the one to the other. Primaries and transfer stay as they are.
struct ColourTransform: Equatable {
  /// Rows Y, Cb, Cr of the output; columns are the planes of the input.
  let matrix: [Int32]
  /// Added before the shift; holds half a unit for rounding.
  let offset: [Int32]
  /// Bits to drop: 14 and what the input is deeper than 8.
  let shift: Int32

  /// Fractional bits of the matrix. With 14 the products of 16-bit samples fit 32 bits.
  private static let fractionBits = 14

  /// The samples are already what JPEG wants.
  var isIdentity: Bool { self == Self.identity }
  /// Luma depends on luma alone, and chroma on chroma of the same kind.
  var isDiagonal: Bool { [1, 2, 3, 5, 6, 7].allSatisfy { matrix[$0] == 0 } }
  /// Chroma depends on the first plane, which only R'G'B' in three planes does.
  var mixesFirstPlaneIntoChroma: Bool { matrix[3] != 0 || matrix[6] != 0 }

  private static let identity = ColourTransform(
    matrix: [1 << 14, 0, 0, 0, 1 << 14, 0, 0, 0, 1 << 14], offset: [1 << 13, 1 << 13, 1 << 13],
    shift: 14)

  private init(matrix: [Int32], offset: [Int32], shift: Int32) {
    (self.matrix, self.offset, self.shift) = (matrix, offset, shift)
  }

  /// The transform for pictures of this description.
  ///
  /// An unspecified matrix is BT.709 above standard definition and BT.601 at or below it.
  init(_ colour: ColourDescription, width: Int, height: Int, bitDepth: Int) {
    let unit = Double(1 << (bitDepth - 8))
    let isRGB = colour.matrix == 0
    let lumaRange = colour.isFullRange ? Double(1 << bitDepth - 1) : 219 * unit
    let chromaRange = colour.isFullRange ? Double(1 << bitDepth - 1) : 224 * unit
    let lumaZero = colour.isFullRange ? 0 : 16 * unit
    let chromaZero = isRGB ? lumaZero : 128 * unit
    let toRGB = Self.toRGB(matrix: colour.matrix, isHighDefinition: width > 1024 || height > 576)
    // R'G'B' to full-range YCbCr by BT.601, each row times 255.
    let (kr, kb) = (0.299, 0.114)
    let kg = 1 - kr - kb
    let fromRGB = [
      kr, kg, kb,
      -kr / (2 * (1 - kb)), -kg / (2 * (1 - kb)), 0.5,
      0.5, -kg / (2 * (1 - kr)), -kb / (2 * (1 - kr)),
    ]
    let scale = [255 / lumaRange, 255 / (isRGB ? lumaRange : chromaRange)]
    let fraction = Double(1 << (Self.fractionBits + bitDepth - 8))
    var matrix: [Int32] = []
    var offset: [Int32] = []
    for row in 0..<3 {
      var constant = row == 0 ? 0.5 : 128.5
      for column in 0..<3 {
        var sum = 0.0
        for k in 0..<3 { sum += fromRGB[row * 3 + k] * toRGB[k * 3 + column] }
        let factor = sum * scale[column == 0 ? 0 : 1]
        let coefficient = (factor * fraction).rounded()
        matrix.append(Int32(coefficient))
        // The zero point is taken off with the rounded coefficient, so that grey stays exactly grey.
        constant -= coefficient * (column == 0 ? lumaZero : chromaZero) / fraction
      }
      offset.append(Int32((constant * fraction).rounded()))
    }
    self.init(
      matrix: matrix, offset: offset, shift: Int32(Self.fractionBits + bitDepth - 8))
  }

  /// R', G', B' (rows) out of the three planes (columns), all zero-based and of range 1.
  private static func toRGB(matrix: UInt8, isHighDefinition: Bool) -> [Double] {
    switch matrix {
    case 0: return [0, 0, 1, 1, 0, 0, 0, 1, 0]  // planes G', B', R'
    case 8: return [1, -1, 1, 1, 1, 0, 1, -1, -1]  // planes Y, Cg, Co
    default: break
    }
    let (kr, kb) = weights(matrix: matrix, isHighDefinition: isHighDefinition)
    let kg = 1 - kr - kb
    return [
      1, 0, 2 * (1 - kr),
      1, -2 * kb * (1 - kb) / kg, -2 * kr * (1 - kr) / kg,
      1, 2 * (1 - kb), 0,
    ]
  }

  /// The weights of R' and B' in Y'. ISO/IEC 23091-2:2021 §8.3, Table 4.
  private static func weights(matrix: UInt8, isHighDefinition: Bool) -> (kr: Double, kb: Double) {
    switch matrix {
    case 1: (0.2126, 0.0722)
    case 4: (0.30, 0.11)
    case 5, 6: (0.299, 0.114)
    case 7: (0.212, 0.087)
    case 9, 10: (0.2627, 0.0593)
    default: isHighDefinition ? (0.2126, 0.0722) : (0.299, 0.114)
    }
  }
}
