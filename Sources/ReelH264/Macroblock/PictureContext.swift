// What is known of each macroblock while a picture is decoded.

import ReelCore

/// Kinds of macroblock as bits, stored for each macroblock.
enum MacroblockKind {
  static let intra4x4: UInt16 = 1
  static let intra8x8: UInt16 = 2
  static let intra16x16: UInt16 = 4
  static let pcm: UInt16 = 8
  /// mb_type SI: predicted like Intra_4x4, decoded by §8.6.2.
  static let switchingIntra: UInt16 = 16
  static let inter: UInt16 = 32
  static let skip: UInt16 = 64
  /// B_Skip or B_Direct_16x16.
  static let direct: UInt16 = 128
  /// Field macroblock of an MBAFF frame.
  static let field: UInt16 = 256
  static let transform8x8: UInt16 = 512
  /// Made up because it was lost.
  static let concealed: UInt16 = 1024

  static let intraMask = intra4x4 | intra8x8 | intra16x16 | pcm | switchingIntra
  /// mb_type I_NxN.
  static let intraNxN = intra4x4 | intra8x8
}

/// Values of the macroblocks of the picture under way, by macroblock in raster order (see
/// ``MotionField`` for MBAFF). Kept for neighbours and for the loop filter, dropped with the picture.
final class PictureContext {
  let widthInMbs: Int
  let heightInMbs: Int
  /// Number of the slice that the macroblock is in, −1 before it is decoded.
  let slice: CheckedBuffer<Int32>
  let kind: CheckedBuffer<UInt16>
  /// QPY, −QpBdOffsetY…51.
  let qp: CheckedBuffer<Int8>
  /// coded_block_pattern in bits 0…5; coded_block_flag of the DC blocks of Y, Cb, Cr in bits 8…10.
  let codedBlocks: CheckedBuffer<UInt16>
  /// Coefficients of each 4×4 block: plane · 16 + raster of four columns; 48 a macroblock.
  let coefficientCounts: CheckedBuffer<UInt8>
  /// Luma 4×4 blocks with coefficients, by bits in raster order, for the loop filter.
  let nonzeroLuma: CheckedBuffer<UInt16>
  /// Intra4x4PredMode or Intra8x8PredMode of each 4×4 block, raster; 16 a macroblock.
  let intraModes: CheckedBuffer<Int8>
  let intraChromaModes: CheckedBuffer<UInt8>
  /// Absolute motion vector differences, at most 127, x and y; 16 a macroblock. CABAC only.
  let differences0, differences1: CheckedBuffer<SIMD2<UInt8>>
  /// 8×8 blocks predicted in direct mode, bits 0…3.
  let directBlocks: CheckedBuffer<UInt8>
  /// How inter motion is divided: 0 16×16, 1 16×8, 2 8×16, 3 8×8, 4 smaller. For the loop filter.
  let divisions: CheckedBuffer<UInt8>

  init(widthInMbs: Int, heightInMbs: Int) {
    self.widthInMbs = widthInMbs
    self.heightInMbs = heightInMbs
    let count = widthInMbs * heightInMbs
    slice = CheckedBuffer(repeating: -1, count: count)
    kind = CheckedBuffer(repeating: 0, count: count)
    qp = CheckedBuffer(repeating: 0, count: count)
    codedBlocks = CheckedBuffer(repeating: 0, count: count)
    coefficientCounts = CheckedBuffer(repeating: 0, count: count * 48)
    nonzeroLuma = CheckedBuffer(repeating: 0, count: count)
    intraModes = CheckedBuffer(repeating: 2, count: count * 16)
    intraChromaModes = CheckedBuffer(repeating: 0, count: count)
    differences0 = CheckedBuffer(repeating: .zero, count: count * 16)
    differences1 = CheckedBuffer(repeating: .zero, count: count * 16)
    directBlocks = CheckedBuffer(repeating: 0, count: count)
    divisions = CheckedBuffer(repeating: 0, count: count)
  }

  /// Forgets the macroblocks of an earlier picture.
  func reset() {
    slice.fill(with: -1)
    kind.fill(with: 0)
  }
}
