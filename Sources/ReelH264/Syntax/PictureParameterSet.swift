// Picture parameter sets. ISO/IEC 14496-10:2020 §7.3.2.2, §7.4.2.2.

import ReelCore

/// How macroblocks are shared out among slice groups (flexible macroblock ordering). §7.4.2.2.
enum SliceGroupMapping: Sendable, Hashable {
  /// Type 0: run_length_minus1[i] + 1.
  case interleaved(runLengths: [Int])
  /// Type 1.
  case dispersed
  /// Type 2: top left and bottom right map unit of each group but the last.
  case foreground(rectangles: [(topLeft: Int, bottomRight: Int)])
  /// Types 3…5: box-out, raster, wipe; with slice_group_change_direction_flag.
  case boxOut(changeDirection: Bool)
  case raster(changeDirection: Bool)
  case wipe(changeDirection: Bool)
  /// Type 6: slice_group_id of each map unit.
  case explicit(groups: [UInt8])

  /// Types 3…5 move with slice_group_change_cycle.
  var isChanging: Bool {
    switch self {
    case .boxOut, .raster, .wipe: true
    default: false
    }
  }

  static func == (a: SliceGroupMapping, b: SliceGroupMapping) -> Bool {
    switch (a, b) {
    case (.interleaved(let x), .interleaved(let y)): x == y
    case (.dispersed, .dispersed): true
    case (.foreground(let x), .foreground(let y)):
      x.elementsEqual(y) { $0.topLeft == $1.topLeft && $0.bottomRight == $1.bottomRight }
    case (.boxOut(let x), .boxOut(let y)), (.raster(let x), .raster(let y)),
      (.wipe(let x), .wipe(let y)):
      x == y
    case (.explicit(let x), .explicit(let y)): x == y
    default: false
    }
  }

  func hash(into hasher: inout Hasher) {
    switch self {
    case .interleaved(let runs): hasher.combine(runs)
    case .foreground(let rectangles): hasher.combine(rectangles.count)
    case .explicit(let groups): hasher.combine(groups)
    case .boxOut(let flag), .raster(let flag), .wipe(let flag): hasher.combine(flag)
    case .dispersed: hasher.combine(1)
    }
  }
}

/// pic_parameter_set_rbsp() read against the sequence parameter set it names.
struct PictureParameterSet: Sendable, Hashable {
  /// 0…255.
  var picParameterSetID = 0
  /// 0…31.
  var seqParameterSetID = 0
  /// CABAC where true, CAVLC where false.
  var entropyCodingModeFlag = false
  var bottomFieldPicOrderInFramePresentFlag = false
  /// 1…8.
  var numSliceGroups = 1
  /// Meaningful where there is more than one slice group.
  var sliceGroupMapping = SliceGroupMapping.dispersed
  /// SliceGroupChangeRate, for types 3…5.
  var sliceGroupChangeRate = 1
  /// num_ref_idx_l0/l1_default_active_minus1 + 1, 1…32.
  var numRefIdxL0DefaultActive = 1
  var numRefIdxL1DefaultActive = 1
  var weightedPredFlag = false
  /// 0: none, 1: explicit, 2: implicit.
  var weightedBipredIdc = 0
  /// 26 + pic_init_qp_minus26, −QpBdOffsetY…51.
  var picInitQP = 26
  /// 26 + pic_init_qs_minus26, 0…51.
  var picInitQS = 26
  /// −12…12, of Cb and of Cr.
  var chromaQPIndexOffset = 0
  var secondChromaQPIndexOffset = 0
  var deblockingFilterControlPresentFlag = false
  var constrainedIntraPredFlag = false
  var redundantPicCntPresentFlag = false
  var transform8x8ModeFlag = false
  /// The lists to use: sent here, or fallen back to the sequence's, or flat.
  var scalingLists = ScalingLists.flat

  init() {}

  /// The 4×4 list of Intra Y, Cb, Cr, Inter Y, Cb, Cr (`index` 0…5): 16 values in zig-zag order.
  func scalingList4x4(_ index: Int) -> [UInt8] { scalingLists.lists[index] }
  /// The 8×8 list of Intra Y, Inter Y, Intra Cb, Inter Cb, Intra Cr, Inter Cr (`index` 0…5):
  /// 64 values in zig-zag order.
  func scalingList8x8(_ index: Int) -> [UInt8] { scalingLists.lists[6 + index] }
}
