// LevelScale4x4 and LevelScale8x8. ISO/IEC 14496-10:2020 §8.5.9.

import ReelCore

/// Scale factors of all lists and of all remainders of qP, in raster order, in one buffer.
final class ScalingTables {
  /// normAdjust4x4 by qP % 6 for the three classes of positions, (8-315).
  private static let norm4x4: [[Int32]] = [
    [10, 16, 13], [11, 18, 14], [13, 20, 16], [14, 23, 18], [16, 25, 20], [18, 29, 23],
  ]
  /// normAdjust8x8 by qP % 6 for the six classes of positions, (8-318).
  private static let norm8x8: [[Int32]] = [
    [20, 18, 32, 19, 25, 24], [22, 19, 35, 21, 28, 26], [26, 23, 42, 24, 33, 31],
    [28, 25, 45, 26, 35, 33], [32, 28, 51, 30, 40, 38], [36, 32, 58, 34, 46, 43],
  ]

  /// Sixteen 16s, then sixty-four 64s: factors that leave levels as they are (bypass, DC); then
  /// 6 lists × 6 remainders × 16, then 6 lists × 6 remainders × 64.
  let factors: CheckedBuffer<Int32>

  static let flat4x4 = 0
  static let flat8x8 = 16
  /// Offset of the 4×4 factors of list 0…5 and qP % 6.
  static func offset4x4(list: Int, remainder: Int) -> Int { 80 + (list * 6 + remainder) * 16 }
  /// Offset of the 8×8 factors of list 0…5 (Intra Y, Inter Y, Intra Cb, …) and qP % 6.
  static func offset8x8(list: Int, remainder: Int) -> Int {
    80 + 576 + (list * 6 + remainder) * 64
  }

  init(_ picture: PictureParameterSet) {
    factors = CheckedBuffer(repeating: 16, count: 80 + 576 + 2304)
    factors.fill(16..<80, with: 64)
    for list in 0..<6 {
      let weights4x4 = picture.scalingList4x4(list)
      let weights8x8 = picture.scalingList8x8(list)
      for remainder in 0..<6 {
        let base4x4 = Self.offset4x4(list: list, remainder: remainder)
        for k in 0..<16 {
          let raster = Int(ScanTables.frame4x4[k])
          factors[base4x4 + raster] =
            Int32(weights4x4[k])
            * Self.norm4x4[remainder][Self.class4x4(row: raster / 4, column: raster % 4)]
        }
        let base8x8 = Self.offset8x8(list: list, remainder: remainder)
        for k in 0..<64 {
          let raster = Int(ScanTables.frame8x8[k])
          factors[base8x8 + raster] =
            Int32(weights8x8[k])
            * Self.norm8x8[remainder][Self.class8x8(row: raster / 8, column: raster % 8)]
        }
      }
    }
  }

  private static func class4x4(row: Int, column: Int) -> Int {
    switch (row % 2, column % 2) {
    case (0, 0): 0
    case (1, 1): 1
    default: 2
    }
  }

  private static func class8x8(row: Int, column: Int) -> Int {
    switch (row % 4, column % 4) {
    case (0, 0): 0
    case (1, 1), (1, 3), (3, 1), (3, 3): 1
    case (2, 2): 2
    case (0, 1), (0, 3), (1, 0), (3, 0): 3
    case (0, 2), (2, 0): 4
    default: 5
    }
  }
}

/// Chroma quantisation parameters. ISO/IEC 14496-10:2020 Table 8-15.
enum ChromaQP {
  private static let table: InlineArray<22, Int8> = [
    29, 30, 31, 32, 32, 33, 34, 34, 35, 35, 36, 36, 37, 37, 37, 38, 38, 38, 39, 39, 39, 39,
  ]

  /// QPC for QPY and an offset; `bdOffset` is QpBdOffsetC. Between −`bdOffset` and 39.
  static func value(lumaQP: Int, offset: Int, bdOffset: Int) -> Int {
    let index = min(max(lumaQP + offset, -bdOffset), 51)
    return index < 30 ? index : Int(table[index - 30])
  }
}
