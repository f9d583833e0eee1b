// Scaling lists and their fall-back rules. ISO/IEC 14496-10:2020 §7.3.2.1.1.1, Tables 7-2, 7-3, 7-4.

import ReelCore
import ReelVideoCore

/// The twelve scaling lists, in the order they are sent (zig-zag scan order of the block).
///
/// Lists 0…5 are 4×4: Intra Y, Cb, Cr, Inter Y, Cb, Cr. Lists 6…11 are 8×8: Intra Y, Inter Y,
/// Intra Cb, Inter Cb, Intra Cr, Inter Cr.
struct ScalingLists: Sendable, Hashable {
  private(set) var lists: [[UInt8]]

  /// Flat_4x4_16 and Flat_8x8_16.
  static let flat = ScalingLists(
    lists: (0..<12).map { [UInt8](repeating: 16, count: $0 < 6 ? 16 : 64) })

  /// The list of the default tables that fall-back rule A names for `index` 0…11. Table 7-2.
  static func defaultList(_ index: Int) -> [UInt8] {
    switch index {
    case 0, 1, 2: default4x4Intra
    case 3, 4, 5: default4x4Inter
    case 6, 8, 10: default8x8Intra
    default: default8x8Inter
    }
  }

  /// scaling_list() for each of `count` (6, 8 or 12) lists; lists not sent follow fall-back rule A,
  /// or rule B when `sequence` holds the lists of the sequence parameter set. Table 7-2.
  init(
    parsing reader: inout SyntaxReader, count: Int, fallingBackTo sequence: ScalingLists?
  ) throws(MediaError) {
    lists = []
    lists.reserveCapacity(12)
    for index in 0..<12 {
      if index < count && reader.flag() {
        lists.append(try Self.list(&reader, index))
      } else {
        lists.append(fallBack(index, sequence))
      }
    }
  }

  private init(lists: [[UInt8]]) { self.lists = lists }

  private func fallBack(_ index: Int, _ sequence: ScalingLists?) -> [UInt8] {
    switch index {
    case 0, 3, 6, 7: sequence?.lists[index] ?? Self.defaultList(index)
    case 1, 2, 4, 5: lists[index - 1]
    default: lists[index - 2]
    }
  }

  /// scaling_list(), §7.3.2.1.1.1.
  private static func list(
    _ reader: inout SyntaxReader, _ index: Int
  ) throws(MediaError) -> [UInt8] {
    let size = index < 6 ? 16 : 64
    var list: [UInt8] = []
    list.reserveCapacity(size)
    var last = 8
    var next = 8
    for j in 0..<size {
      if next != 0 {
        let delta = try reader.se(-128...127, "delta_scale", .h264ScalingListValue)
        next = (last + delta + 256) & 255
        // useDefaultScalingMatrixFlag
        if j == 0 && next == 0 { return defaultList(index) }
      }
      if next != 0 { last = next }
      list.append(UInt8(truncatingIfNeeded: last))
    }
    return list
  }

  /// Default_4x4_Intra and Default_4x4_Inter, Table 7-3.
  static let default4x4Intra: [UInt8] = [
    6, 13, 13, 20, 20, 20, 28, 28, 28, 28, 32, 32, 32, 37, 37, 42,
  ]
  static let default4x4Inter: [UInt8] = [
    10, 14, 14, 20, 20, 20, 24, 24, 24, 24, 27, 27, 27, 30, 30, 34,
  ]

  /// Default_8x8_Intra and Default_8x8_Inter, Table 7-4.
  static let default8x8Intra: [UInt8] = [
    6, 10, 10, 13, 11, 13, 16, 16, 16, 16, 18, 18, 18, 18, 18, 23,
    23, 23, 23, 23, 23, 25, 25, 25, 25, 25, 25, 25, 27, 27, 27, 27,
    27, 27, 27, 27, 29, 29, 29, 29, 29, 29, 29, 31, 31, 31, 31, 31,
    31, 33, 33, 33, 33, 33, 36, 36, 36, 36, 38, 38, 38, 40, 40, 42,
  ]
  static let default8x8Inter: [UInt8] = [
    9, 13, 13, 15, 13, 15, 17, 17, 17, 17, 19, 19, 19, 19, 19, 21,
    21, 21, 21, 21, 21, 22, 22, 22, 22, 22, 22, 22, 24, 24, 24, 24,
    24, 24, 24, 24, 25, 25, 25, 25, 25, 25, 25, 27, 27, 27, 27, 27,
    27, 28, 28, 28, 28, 28, 30, 30, 30, 30, 32, 32, 32, 33, 33, 35,
  ]
}
