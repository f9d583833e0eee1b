// Variable-length codes of residual blocks and coded_block_pattern.
// ISO/IEC 14496-10:2020 Tables 9-4, 9-5, 9-7 to 9-10.

/// A code word: `value` is what it stands for, `bits` its last `length` bits.
struct CodeWord {
  let value: UInt8
  let length: UInt8
  let bits: UInt16
  init(_ value: UInt8, _ length: UInt8, _ bits: UInt16) {
    (self.value, self.length, self.bits) = (value, length, bits)
  }
}

enum CAVLCTables {
  /// coeff_token, 0<=nC<2, Table 9-5; value: TotalCoeff · 4 + TrailingOnes.
  static let coeffToken0: [CodeWord] = [
    .init(0, 1, 1), .init(4, 6, 5), .init(5, 2, 1), .init(8, 8, 7), .init(9, 6, 4), .init(10, 3, 1),
    .init(12, 9, 7), .init(13, 8, 6), .init(14, 7, 5), .init(15, 5, 3), .init(16, 10, 7),
    .init(17, 9, 6), .init(18, 8, 5), .init(19, 6, 3), .init(20, 11, 7), .init(21, 10, 6),
    .init(22, 9, 5), .init(23, 7, 4), .init(24, 13, 15), .init(25, 11, 6), .init(26, 10, 5),
    .init(27, 8, 4), .init(28, 13, 11), .init(29, 13, 14), .init(30, 11, 5), .init(31, 9, 4),
    .init(32, 13, 8), .init(33, 13, 10), .init(34, 13, 13), .init(35, 10, 4), .init(36, 14, 15),
    .init(37, 14, 14), .init(38, 13, 9), .init(39, 11, 4), .init(40, 14, 11), .init(41, 14, 10),
    .init(42, 14, 13), .init(43, 13, 12), .init(44, 15, 15), .init(45, 15, 14), .init(46, 14, 9),
    .init(47, 14, 12), .init(48, 15, 11), .init(49, 15, 10), .init(50, 15, 13), .init(51, 14, 8),
    .init(52, 16, 15), .init(53, 15, 1), .init(54, 15, 9), .init(55, 15, 12), .init(56, 16, 11),
    .init(57, 16, 14), .init(58, 16, 13), .init(59, 15, 8), .init(60, 16, 7), .init(61, 16, 10),
    .init(62, 16, 9), .init(63, 16, 12), .init(64, 16, 4), .init(65, 16, 6), .init(66, 16, 5),
    .init(67, 16, 8),
  ]

  /// coeff_token, 2<=nC<4, Table 9-5; value: TotalCoeff · 4 + TrailingOnes.
  static let coeffToken2: [CodeWord] = [
    .init(0, 2, 3), .init(4, 6, 11), .init(5, 2, 2), .init(8, 6, 7), .init(9, 5, 7),
    .init(10, 3, 3), .init(12, 7, 7), .init(13, 6, 10), .init(14, 6, 9), .init(15, 4, 5),
    .init(16, 8, 7), .init(17, 6, 6), .init(18, 6, 5), .init(19, 4, 4), .init(20, 8, 4),
    .init(21, 7, 6), .init(22, 7, 5), .init(23, 5, 6), .init(24, 9, 7), .init(25, 8, 6),
    .init(26, 8, 5), .init(27, 6, 8), .init(28, 11, 15), .init(29, 9, 6), .init(30, 9, 5),
    .init(31, 6, 4), .init(32, 11, 11), .init(33, 11, 14), .init(34, 11, 13), .init(35, 7, 4),
    .init(36, 12, 15), .init(37, 11, 10), .init(38, 11, 9), .init(39, 9, 4), .init(40, 12, 11),
    .init(41, 12, 14), .init(42, 12, 13), .init(43, 11, 12), .init(44, 12, 8), .init(45, 12, 10),
    .init(46, 12, 9), .init(47, 11, 8), .init(48, 13, 15), .init(49, 13, 14), .init(50, 13, 13),
    .init(51, 12, 12), .init(52, 13, 11), .init(53, 13, 10), .init(54, 13, 9), .init(55, 13, 12),
    .init(56, 13, 7), .init(57, 14, 11), .init(58, 13, 6), .init(59, 13, 8), .init(60, 14, 9),
    .init(61, 14, 8), .init(62, 14, 10), .init(63, 13, 1), .init(64, 14, 7), .init(65, 14, 6),
    .init(66, 14, 5), .init(67, 14, 4),
  ]

  /// coeff_token, 4<=nC<8, Table 9-5; value: TotalCoeff · 4 + TrailingOnes.
  static let coeffToken4: [CodeWord] = [
    .init(0, 4, 15), .init(4, 6, 15), .init(5, 4, 14), .init(8, 6, 11), .init(9, 5, 15),
    .init(10, 4, 13), .init(12, 6, 8), .init(13, 5, 12), .init(14, 5, 14), .init(15, 4, 12),
    .init(16, 7, 15), .init(17, 5, 10), .init(18, 5, 11), .init(19, 4, 11), .init(20, 7, 11),
    .init(21, 5, 8), .init(22, 5, 9), .init(23, 4, 10), .init(24, 7, 9), .init(25, 6, 14),
    .init(26, 6, 13), .init(27, 4, 9), .init(28, 7, 8), .init(29, 6, 10), .init(30, 6, 9),
    .init(31, 4, 8), .init(32, 8, 15), .init(33, 7, 14), .init(34, 7, 13), .init(35, 5, 13),
    .init(36, 8, 11), .init(37, 8, 14), .init(38, 7, 10), .init(39, 6, 12), .init(40, 9, 15),
    .init(41, 8, 10), .init(42, 8, 13), .init(43, 7, 12), .init(44, 9, 11), .init(45, 9, 14),
    .init(46, 8, 9), .init(47, 8, 12), .init(48, 9, 8), .init(49, 9, 10), .init(50, 9, 13),
    .init(51, 8, 8), .init(52, 10, 13), .init(53, 9, 7), .init(54, 9, 9), .init(55, 9, 12),
    .init(56, 10, 9), .init(57, 10, 12), .init(58, 10, 11), .init(59, 10, 10), .init(60, 10, 5),
    .init(61, 10, 8), .init(62, 10, 7), .init(63, 10, 6), .init(64, 10, 1), .init(65, 10, 4),
    .init(66, 10, 3), .init(67, 10, 2),
  ]

  /// coeff_token, 8<=nC, Table 9-5; value: TotalCoeff · 4 + TrailingOnes.
  static let coeffToken8: [CodeWord] = [
    .init(0, 6, 3), .init(4, 6, 0), .init(5, 6, 1), .init(8, 6, 4), .init(9, 6, 5), .init(10, 6, 6),
    .init(12, 6, 8), .init(13, 6, 9), .init(14, 6, 10), .init(15, 6, 11), .init(16, 6, 12),
    .init(17, 6, 13), .init(18, 6, 14), .init(19, 6, 15), .init(20, 6, 16), .init(21, 6, 17),
    .init(22, 6, 18), .init(23, 6, 19), .init(24, 6, 20), .init(25, 6, 21), .init(26, 6, 22),
    .init(27, 6, 23), .init(28, 6, 24), .init(29, 6, 25), .init(30, 6, 26), .init(31, 6, 27),
    .init(32, 6, 28), .init(33, 6, 29), .init(34, 6, 30), .init(35, 6, 31), .init(36, 6, 32),
    .init(37, 6, 33), .init(38, 6, 34), .init(39, 6, 35), .init(40, 6, 36), .init(41, 6, 37),
    .init(42, 6, 38), .init(43, 6, 39), .init(44, 6, 40), .init(45, 6, 41), .init(46, 6, 42),
    .init(47, 6, 43), .init(48, 6, 44), .init(49, 6, 45), .init(50, 6, 46), .init(51, 6, 47),
    .init(52, 6, 48), .init(53, 6, 49), .init(54, 6, 50), .init(55, 6, 51), .init(56, 6, 52),
    .init(57, 6, 53), .init(58, 6, 54), .init(59, 6, 55), .init(60, 6, 56), .init(61, 6, 57),
    .init(62, 6, 58), .init(63, 6, 59), .init(64, 6, 60), .init(65, 6, 61), .init(66, 6, 62),
    .init(67, 6, 63),
  ]

  /// coeff_token, nC==-1, Table 9-5; value: TotalCoeff · 4 + TrailingOnes.
  static let coeffTokenChromaDC420: [CodeWord] = [
    .init(0, 2, 1), .init(4, 6, 7), .init(5, 1, 1), .init(8, 6, 4), .init(9, 6, 6), .init(10, 3, 1),
    .init(12, 6, 3), .init(13, 7, 3), .init(14, 7, 2), .init(15, 6, 5), .init(16, 6, 2),
    .init(17, 8, 3), .init(18, 8, 2), .init(19, 7, 0),
  ]

  /// coeff_token, nC==-2, Table 9-5; value: TotalCoeff · 4 + TrailingOnes.
  static let coeffTokenChromaDC422: [CodeWord] = [
    .init(0, 1, 1), .init(4, 7, 15), .init(5, 2, 1), .init(8, 7, 14), .init(9, 7, 13),
    .init(10, 3, 1), .init(12, 9, 7), .init(13, 7, 12), .init(14, 7, 11), .init(15, 5, 1),
    .init(16, 9, 6), .init(17, 9, 5), .init(18, 7, 10), .init(19, 6, 1), .init(20, 10, 7),
    .init(21, 10, 6), .init(22, 9, 4), .init(23, 7, 9), .init(24, 11, 7), .init(25, 11, 6),
    .init(26, 10, 5), .init(27, 7, 8), .init(28, 12, 7), .init(29, 12, 6), .init(30, 11, 5),
    .init(31, 10, 4), .init(32, 13, 7), .init(33, 12, 5), .init(34, 12, 4), .init(35, 11, 4),
  ]

  /// total_zeros of 4x4 blocks by TotalCoeff − 1, Tables 9-7 to 9-9; value: total_zeros.
  static let totalZeros4x4: [[CodeWord]] = [
    [
      .init(0, 1, 1), .init(1, 3, 3), .init(2, 3, 2), .init(3, 4, 3), .init(4, 4, 2),
      .init(5, 5, 3), .init(6, 5, 2), .init(7, 6, 3), .init(8, 6, 2), .init(9, 7, 3),
      .init(10, 7, 2), .init(11, 8, 3), .init(12, 8, 2), .init(13, 9, 3), .init(14, 9, 2),
      .init(15, 9, 1),
    ],
    [
      .init(0, 3, 7), .init(1, 3, 6), .init(2, 3, 5), .init(3, 3, 4), .init(4, 3, 3),
      .init(5, 4, 5), .init(6, 4, 4), .init(7, 4, 3), .init(8, 4, 2), .init(9, 5, 3),
      .init(10, 5, 2), .init(11, 6, 3), .init(12, 6, 2), .init(13, 6, 1), .init(14, 6, 0),
    ],
    [
      .init(0, 4, 5), .init(1, 3, 7), .init(2, 3, 6), .init(3, 3, 5), .init(4, 4, 4),
      .init(5, 4, 3), .init(6, 3, 4), .init(7, 3, 3), .init(8, 4, 2), .init(9, 5, 3),
      .init(10, 5, 2), .init(11, 6, 1), .init(12, 5, 1), .init(13, 6, 0),
    ],
    [
      .init(0, 5, 3), .init(1, 3, 7), .init(2, 4, 5), .init(3, 4, 4), .init(4, 3, 6),
      .init(5, 3, 5), .init(6, 3, 4), .init(7, 4, 3), .init(8, 3, 3), .init(9, 4, 2),
      .init(10, 5, 2), .init(11, 5, 1), .init(12, 5, 0),
    ],
    [
      .init(0, 4, 5), .init(1, 4, 4), .init(2, 4, 3), .init(3, 3, 7), .init(4, 3, 6),
      .init(5, 3, 5), .init(6, 3, 4), .init(7, 3, 3), .init(8, 4, 2), .init(9, 5, 1),
      .init(10, 4, 1), .init(11, 5, 0),
    ],
    [
      .init(0, 6, 1), .init(1, 5, 1), .init(2, 3, 7), .init(3, 3, 6), .init(4, 3, 5),
      .init(5, 3, 4), .init(6, 3, 3), .init(7, 3, 2), .init(8, 4, 1), .init(9, 3, 1),
      .init(10, 6, 0),
    ],
    [
      .init(0, 6, 1), .init(1, 5, 1), .init(2, 3, 5), .init(3, 3, 4), .init(4, 3, 3),
      .init(5, 2, 3), .init(6, 3, 2), .init(7, 4, 1), .init(8, 3, 1), .init(9, 6, 0),
    ],
    [
      .init(0, 6, 1), .init(1, 4, 1), .init(2, 5, 1), .init(3, 3, 3), .init(4, 2, 3),
      .init(5, 2, 2), .init(6, 3, 2), .init(7, 3, 1), .init(8, 6, 0),
    ],
    [
      .init(0, 6, 1), .init(1, 6, 0), .init(2, 4, 1), .init(3, 2, 3), .init(4, 2, 2),
      .init(5, 3, 1), .init(6, 2, 1), .init(7, 5, 1),
    ],
    [
      .init(0, 5, 1), .init(1, 5, 0), .init(2, 3, 1), .init(3, 2, 3), .init(4, 2, 2),
      .init(5, 2, 1), .init(6, 4, 1),
    ],
    [
      .init(0, 4, 0), .init(1, 4, 1), .init(2, 3, 1), .init(3, 3, 2), .init(4, 1, 1),
      .init(5, 3, 3),
    ],
    [.init(0, 4, 0), .init(1, 4, 1), .init(2, 2, 1), .init(3, 1, 1), .init(4, 3, 1)],
    [.init(0, 3, 0), .init(1, 3, 1), .init(2, 1, 1), .init(3, 2, 1)],
    [.init(0, 2, 0), .init(1, 2, 1), .init(2, 1, 1)],
    [.init(0, 1, 0), .init(1, 1, 1)],
  ]

  /// total_zeros of chromaDC 2x2 blocks by TotalCoeff − 1, Tables 9-7 to 9-9; value: total_zeros.
  static let totalZerosChromaDC420: [[CodeWord]] = [
    [.init(0, 1, 1), .init(1, 2, 1), .init(2, 3, 1), .init(3, 3, 0)],
    [.init(0, 1, 1), .init(1, 2, 1), .init(2, 2, 0)],
    [.init(0, 1, 1), .init(1, 1, 0)],
  ]

  /// total_zeros of chromaDC 2x4 blocks by TotalCoeff − 1, Tables 9-7 to 9-9; value: total_zeros.
  static let totalZerosChromaDC422: [[CodeWord]] = [
    [
      .init(0, 1, 1), .init(1, 3, 2), .init(2, 3, 3), .init(3, 4, 2), .init(4, 4, 3),
      .init(5, 4, 1), .init(6, 5, 1), .init(7, 5, 0),
    ],
    [
      .init(0, 3, 0), .init(1, 2, 1), .init(2, 3, 1), .init(3, 3, 4), .init(4, 3, 5),
      .init(5, 3, 6), .init(6, 3, 7),
    ],
    [
      .init(0, 3, 0), .init(1, 3, 1), .init(2, 2, 1), .init(3, 2, 2), .init(4, 3, 6),
      .init(5, 3, 7),
    ],
    [.init(0, 3, 6), .init(1, 2, 0), .init(2, 2, 1), .init(3, 2, 2), .init(4, 3, 7)],
    [.init(0, 2, 0), .init(1, 2, 1), .init(2, 2, 2), .init(3, 2, 3)],
    [.init(0, 2, 0), .init(1, 2, 1), .init(2, 1, 1)],
    [.init(0, 1, 0), .init(1, 1, 1)],
  ]

  /// run_before by zerosLeft − 1 (the last for all above 6), Table 9-10; value: run_before.
  static let runBefore: [[CodeWord]] = [
    [.init(0, 1, 1), .init(1, 1, 0)],
    [.init(0, 1, 1), .init(1, 2, 1), .init(2, 2, 0)],
    [.init(0, 2, 3), .init(1, 2, 2), .init(2, 2, 1), .init(3, 2, 0)],
    [.init(0, 2, 3), .init(1, 2, 2), .init(2, 2, 1), .init(3, 3, 1), .init(4, 3, 0)],
    [
      .init(0, 2, 3), .init(1, 2, 2), .init(2, 3, 3), .init(3, 3, 2), .init(4, 3, 1),
      .init(5, 3, 0),
    ],
    [
      .init(0, 2, 3), .init(1, 3, 0), .init(2, 3, 1), .init(3, 3, 3), .init(4, 3, 2),
      .init(5, 3, 5), .init(6, 3, 4),
    ],
    [
      .init(0, 3, 7), .init(1, 3, 6), .init(2, 3, 5), .init(3, 3, 4), .init(4, 3, 3),
      .init(5, 3, 2), .init(6, 3, 1), .init(7, 4, 1), .init(8, 5, 1), .init(9, 6, 1),
      .init(10, 7, 1), .init(11, 8, 1), .init(12, 9, 1), .init(13, 10, 1), .init(14, 11, 1),
    ],
  ]

  /// coded_block_pattern by codeNum, Table 9-4, Intra, ChromaArrayType 1 or 2.
  static let codedBlockPatternIntra: [UInt8] = [
    47, 31, 15, 0, 23, 27, 29, 30, 7, 11, 13, 14, 39, 43, 45, 46,
    16, 3, 5, 10, 12, 19, 21, 26, 28, 35, 37, 42, 44, 1, 2, 4,
    8, 17, 18, 20, 24, 6, 9, 22, 25, 32, 33, 34, 36, 40, 38, 41,
  ]

  /// coded_block_pattern by codeNum, Table 9-4, Inter, ChromaArrayType 1 or 2.
  static let codedBlockPatternInter: [UInt8] = [
    0, 16, 1, 2, 4, 8, 32, 3, 5, 10, 12, 15, 47, 7, 11, 13,
    14, 6, 9, 31, 35, 37, 42, 44, 33, 34, 36, 40, 39, 43, 45, 46,
    17, 18, 20, 24, 19, 21, 26, 28, 23, 27, 29, 30, 22, 25, 38, 41,
  ]

  /// coded_block_pattern by codeNum, Table 9-4, Intra, ChromaArrayType 0 or 3.
  static let codedBlockPatternIntraNoChroma: [UInt8] = [
    15, 0, 7, 11, 13, 14, 3, 5, 10, 12, 1, 2, 4, 8, 6, 9,
  ]

  /// coded_block_pattern by codeNum, Table 9-4, Inter, ChromaArrayType 0 or 3.
  static let codedBlockPatternInterNoChroma: [UInt8] = [
    0, 1, 2, 4, 8, 3, 5, 10, 12, 15, 7, 11, 13, 14, 6, 9,
  ]
}
