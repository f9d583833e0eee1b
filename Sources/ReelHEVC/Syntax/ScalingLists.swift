// Scaling lists and the factors made of them. ISO/IEC 23008-2:2020 §7.3.4, §7.4.5.

import ReelCore
import ReelVideoCore

/// scaling_list_data(): for each sizeId 0…3 and matrixId 0…5 a list in diagonal order and a DC value.
struct ScalingLists: Sendable, Hashable {
  /// 64 entries (16 of them used for sizeId 0) at (sizeId · 6 + matrixId) · 64.
  var coefficients: [UInt8]
  /// At sizeId · 6 + matrixId.
  var dc: [UInt8]

  /// The default lists. Tables 7-5 and 7-6.
  init() {
    coefficients = []
    for sizeID in 0..<4 {
      for matrixID in 0..<6 { coefficients += Self.defaultList(sizeID, matrixID) }
    }
    dc = [UInt8](repeating: 16, count: 24)
  }

  private static func defaultList(_ sizeID: Int, _ matrixID: Int) -> [UInt8] {
    if sizeID == 0 { return [UInt8](repeating: 16, count: 64) }
    return matrixID < 3 ? intra8x8 : inter8x8
  }

  /// §7.3.4. With 4:4:4 chroma, the 32×32 lists of chroma are made of the 16×16 ones.
  init(parsing reader: inout SyntaxReader, chromaFormatIDC: Int) throws(MediaError) {
    self.init()
    for sizeID in 0..<4 {
      let step = sizeID == 3 ? 3 : 1
      for matrixID in stride(from: 0, to: 6, by: step) {
        if reader.flag() {
          try parseList(&reader, sizeID, matrixID)
        } else {
          let delta = try reader.ue(
            0...matrixID / step, "scaling_list_pred_matrix_id_delta", .hevcScalingListValue)
          predict(sizeID, matrixID, from: delta == 0 ? nil : matrixID - delta * step)
        }
      }
    }
    if chromaFormatIDC == 3 {
      for matrixID in [1, 2, 4, 5] {
        let from = (12 + matrixID) * 64
        coefficients.replaceSubrange(
          (18 + matrixID) * 64..<(19 + matrixID) * 64, with: coefficients[from..<from + 64])
        dc[18 + matrixID] = dc[12 + matrixID]
      }
    }
    try reader.requireNoOverrun()
  }

  private mutating func parseList(
    _ reader: inout SyntaxReader, _ sizeID: Int, _ matrixID: Int
  ) throws(MediaError) {
    var next = 8
    let index = sizeID * 6 + matrixID
    if sizeID > 1 {
      next = 8 + (try reader.se(-7...247, "scaling_list_dc_coef_minus8", .hevcScalingListValue))
      dc[index] = UInt8(next)
    }
    for i in 0..<(sizeID == 0 ? 16 : 64) {
      let delta = try reader.se(-128...127, "scaling_list_delta_coef", .hevcScalingListValue)
      next = (next + delta + 256) & 255
      coefficients[index * 64 + i] = UInt8(next)
    }
  }

  private mutating func predict(_ sizeID: Int, _ matrixID: Int, from reference: Int?) {
    let index = sizeID * 6 + matrixID
    let range = index * 64..<index * 64 + 64
    if let reference {
      let from = (sizeID * 6 + reference) * 64
      coefficients.replaceSubrange(range, with: coefficients[from..<from + 64])
      dc[index] = dc[sizeID * 6 + reference]
    } else {
      coefficients.replaceSubrange(range, with: Self.defaultList(sizeID, matrixID))
      dc[index] = 16
    }
  }

  /// Table 7-6, matrixId 0…2.
  static let intra8x8: [UInt8] = [
    16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 17, 16, 17, 16, 17, 18,
    17, 18, 18, 17, 18, 21, 19, 20, 21, 20, 19, 21, 24, 22, 22, 24,
    24, 22, 22, 24, 25, 25, 27, 30, 27, 25, 25, 29, 31, 35, 35, 31,
    29, 36, 41, 44, 41, 36, 47, 54, 54, 47, 65, 70, 65, 88, 88, 115,
  ]
  /// Table 7-6, matrixId 3…5.
  static let inter8x8: [UInt8] = [
    16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 17, 17, 17, 17, 17, 18,
    18, 18, 18, 18, 18, 20, 20, 20, 20, 20, 20, 20, 24, 24, 24, 24,
    24, 24, 24, 24, 25, 25, 25, 25, 25, 25, 25, 28, 28, 28, 28, 28,
    28, 33, 33, 33, 33, 33, 41, 41, 41, 41, 54, 54, 54, 71, 71, 91,
  ]
}

/// ScalingFactor of all sizes: raster order, at ``offset(log2Size:matrix:)``. §7.4.5.
final class ScalingFactors: Sendable {
  let values: [UInt8]

  /// Index of the first factor of a matrix; `log2Size` 2…5, `matrix` 0…5.
  @inline(__always)
  static func offset(log2Size: Int, matrix: Int) -> Int {
    // 6 · (16 + 64 + … ) before a size is 2 · (4^log2Size − 16).
    2 &* ((1 &<< (2 &* log2Size)) &- 16) &+ matrix &<< (2 &* log2Size)
  }

  init(_ lists: ScalingLists) {
    var values = [UInt8](repeating: 16, count: 6 * (16 + 64 + 256 + 1024))
    for sizeID in 0..<4 {
      let log2Size = sizeID + 2
      let size = 1 << log2Size
      for matrix in 0..<6 {
        let base = Self.offset(log2Size: log2Size, matrix: matrix)
        let list = (sizeID * 6 + matrix) * 64
        for y in 0..<size {
          for x in 0..<size {
            let shift = max(log2Size - 3, 0)
            let position =
              sizeID == 0
              ? ScanTables.diagonalIndex4(x, y) : ScanTables.diagonalIndex8(x >> shift, y >> shift)
            values[base + y * size + x] = lists.coefficients[list + position]
          }
        }
        if sizeID > 1 { values[base] = lists.dc[sizeID * 6 + matrix] }
      }
    }
    self.values = values
  }
}
