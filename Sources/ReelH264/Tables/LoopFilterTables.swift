// Thresholds of the deblocking filter. ISO/IEC 14496-10:2020 Tables 8-16 and 8-17.

/// Thresholds for 8-bit samples; deeper samples scale them by 2^(bitDepth − 8).
enum LoopFilterTables {
  /// α′ of Table 8-16; `indexA` outside 0…51 counts as the nearest.
  static func alpha(_ indexA: Int) -> Int32 { Int32(alphas[min(max(indexA, 0), 51)]) }

  /// β′ of Table 8-16; `indexB` outside 0…51 counts as the nearest.
  static func beta(_ indexB: Int) -> Int32 { Int32(betas[min(max(indexB, 0), 51)]) }

  /// t′C0 of Table 8-17 for `bS` 1…3; 0 for any other strength.
  static func tc0(_ indexA: Int, _ bS: Int) -> Int32 {
    guard bS >= 1 && bS <= 3 else { return 0 }
    return Int32(tc0s[(bS &- 1) &* 52 &+ min(max(indexA, 0), 51)])
  }

  /// t′C0 + 1 for bS 1, 2, 3 in bytes 1, 2, 3; byte 0 is 0. `indexA` as for ``alpha``.
  static func limits(_ indexA: Int) -> UInt32 {
    let index = min(max(indexA, 0), 51)
    return UInt32(tc0s[index]) &<< 8 | UInt32(tc0s[52 &+ index]) &<< 16
      | UInt32(tc0s[104 &+ index]) &<< 24 &+ 0x0101_0100
  }

  private static let alphas: [52 of UInt8] = [
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 5, 6, 7, 8, 9, 10, 12, 13,
    15, 17, 20, 22, 25, 28, 32, 36, 40, 45, 50, 56, 63, 71, 80, 90, 101, 113, 127, 144, 162, 182,
    203, 226, 255, 255,
  ]

  private static let betas: [52 of UInt8] = [
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4,
    6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15, 16, 16, 17, 17, 18, 18,
  ]

  /// 52 values for each of bS 1, 2, 3.
  private static let tc0s: [156 of UInt8] = [
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 6, 6, 7, 8, 9, 10, 11, 13,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 7, 8, 8, 10, 11, 12, 13, 15, 17,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 6, 6, 7, 8, 9, 10, 11, 13, 14, 16, 18, 20, 23, 25,
  ]
}
