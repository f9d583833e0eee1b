// Levels. ISO/IEC 14496-10:2020 §A.3, Table A-1.

/// What a level allows, as far as decoding depends on it.
enum Level {
  /// MaxDpbMbs of Table A-1; nil for a level_idc that the table does not have.
  ///
  /// Level 1b (level_idc 9, or 11 with constraint_set3_flag) allows as much as level 1.
  static func maxDpbMbs(_ sequence: SequenceParameterSet) -> Int? {
    switch sequence.levelIDC {
    case 11: isLevel1b(sequence) ? 396 : 900
    case 9, 10: 396
    case 12, 13, 20: 2_376
    case 21: 4_752
    case 22, 30: 8_100
    case 31: 18_000
    case 32: 20_480
    case 40, 41: 32_768
    case 42: 34_816
    case 50: 110_400
    case 51, 52: 184_320
    case 60, 61, 62: 696_320
    default: nil
    }
  }

  /// level_idc 11 means level 1b in the Baseline, Main and Extended profiles with
  /// constraint_set3_flag. §A.3.1.
  private static func isLevel1b(_ sequence: SequenceParameterSet) -> Bool {
    [66, 77, 88].contains(sequence.profileIDC) && sequence.constraintSet3Flag
  }

  /// MaxDpbFrames, §A.3.1 h): frames of this size that the level's buffer holds, 1…16; 16 where the
  /// level is unknown. Streams with pictures too large for their level get room for one.
  static func maxDpbFrames(_ sequence: SequenceParameterSet) -> Int {
    guard let mbs = maxDpbMbs(sequence) else { return 16 }
    return min(max(mbs / (sequence.picWidthInMbs * sequence.frameHeightInMbs), 1), 16)
  }
}

extension SequenceParameterSet {
  /// Every picture is an IDR picture: an Intra profile, or a profile restricted to it. §A.2.8…A.2.11.
  var isIntraOnly: Bool {
    profileIDC == 44 || ([86, 100, 110, 122, 244].contains(profileIDC) && constraintSet3Flag)
  }

  /// Frame buffers of the decoded picture buffer, 1…16: max_dec_frame_buffering, or what the level
  /// allows, but never fewer than max_num_ref_frames. §A.3.1, §E.2.1.
  var dpbFrames: Int {
    let told = vui?.maxDecFrameBuffering ?? (isIntraOnly ? 0 : Level.maxDpbFrames(self))
    return max(told, maxNumRefFrames, 1)
  }

  /// Frames that may wait for output after a frame was stored; nil when only a full buffer decides.
  ///
  /// max_num_reorder_frames where it is told; 0 where output order is decoding order: intra-only
  /// profiles (§E.2.1) and picture order count type 2 (§8.2.1.3).
  var reorderFrames: Int? {
    if let told = vui?.maxNumReorderFrames { return told }
    return isIntraOnly || picOrderCntType == 2 ? 0 : nil
  }
}
