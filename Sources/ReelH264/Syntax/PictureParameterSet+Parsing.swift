// Parsing of picture parameter sets. ISO/IEC 14496-10:2020 §7.3.2.2.

import ReelCore
import ReelVideoCore

extension PictureParameterSet {
  /// The ids at the start of a set: what can be known before its sequence parameter set is.
  ///
  /// - Throws: `.damaged` when they are out of range or cut off.
  static func identifiers(
    in payload: [UInt8]
  ) throws(MediaError) -> (picParameterSetID: Int, seqParameterSetID: Int) {
    var reader = SyntaxReader(payload, from: 8)
    let own = try reader.ue(0...255, "pic_parameter_set_id", .h264PictureValue)
    let sequence = try reader.ue(0...31, "seq_parameter_set_id", .h264PictureValue)
    return (own, sequence)
  }

  /// pic_parameter_set_rbsp() of a NAL unit `payload` without emulation prevention. `sequence` is the
  /// set it names, as it is when a slice uses this one.
  ///
  /// - Throws: `.damaged` when a value is out of range or the set is cut off.
  init(parsing payload: [UInt8], sequence: SequenceParameterSet) throws(MediaError) {
    self.init()
    var reader = SyntaxReader(payload, from: 8)
    picParameterSetID = try reader.ue(0...255, "pic_parameter_set_id", .h264PictureValue)
    seqParameterSetID = try reader.ue(0...31, "seq_parameter_set_id", .h264PictureValue)
    entropyCodingModeFlag = reader.flag()
    bottomFieldPicOrderInFramePresentFlag = reader.flag()
    numSliceGroups = 1 + (try reader.ue(0...7, "num_slice_groups_minus1", .h264PictureValue))
    if numSliceGroups > 1 { try parseSliceGroups(&reader, sequence) }
    numRefIdxL0DefaultActive =
      1 + (try reader.ue(0...31, "num_ref_idx_l0_default_active_minus1", .h264PictureValue))
    numRefIdxL1DefaultActive =
      1 + (try reader.ue(0...31, "num_ref_idx_l1_default_active_minus1", .h264PictureValue))
    weightedPredFlag = reader.flag()
    weightedBipredIdc = try reader.u(2, 0...2, "weighted_bipred_idc", .h264PictureValue)
    picInitQP =
      26
      + (try reader.se(-26 - sequence.qpBdOffsetY...25, "pic_init_qp_minus26", .h264PictureValue))
    // SPEC: −26…25 by the letter. Encoders repeat pic_init_qp_minus26 here, which may be lower, in
    // profiles that never use it; SP and SI slices check the sum, QSY.
    picInitQS =
      26
      + (try reader.se(-26 - sequence.qpBdOffsetY...25, "pic_init_qs_minus26", .h264PictureValue))
    chromaQPIndexOffset = try reader.se(-12...12, "chroma_qp_index_offset", .h264PictureValue)
    secondChromaQPIndexOffset = chromaQPIndexOffset
    deblockingFilterControlPresentFlag = reader.flag()
    constrainedIntraPredFlag = reader.flag()
    redundantPicCntPresentFlag = reader.flag()
    try reader.requireNoOverrun()
    scalingLists = sequence.scalingLists
    if reader.hasMoreData { try parseExtension(&reader, sequence) }
  }

  /// What later profiles added at the end.
  private mutating func parseExtension(
    _ reader: inout SyntaxReader, _ sequence: SequenceParameterSet
  ) throws(MediaError) {
    transform8x8ModeFlag = reader.flag()
    if reader.flag() {
      let lists8x8 = transform8x8ModeFlag ? (sequence.chromaFormatIDC == 3 ? 6 : 2) : 0
      // Rule B where the sequence has lists of its own, else rule A. §7.4.2.2.
      scalingLists = try ScalingLists(
        parsing: &reader, count: 6 + lists8x8,
        fallingBackTo: sequence.seqScalingMatrixPresentFlag ? sequence.scalingLists : nil)
    }
    secondChromaQPIndexOffset = try reader.se(
      -12...12, "second_chroma_qp_index_offset", .h264PictureValue)
  }

  private mutating func parseSliceGroups(
    _ reader: inout SyntaxReader, _ sequence: SequenceParameterSet
  ) throws(MediaError) {
    let units = sequence.picSizeInMapUnits
    let type = try reader.ue(0...6, "slice_group_map_type", .h264PictureValue)
    switch type {
    case 0:
      var runs: [Int] = []
      for _ in 0..<numSliceGroups {
        runs.append(1 + (try reader.ue(0...units - 1, "run_length_minus1", .h264SliceGroups)))
      }
      sliceGroupMapping = .interleaved(runLengths: runs)
    case 1:
      sliceGroupMapping = .dispersed
    case 2:
      sliceGroupMapping = .foreground(rectangles: try rectangles(&reader, sequence))
    case 3...5:
      guard numSliceGroups == 2 else {
        throw MediaError(
          .damaged, .h264SliceGroups, detail: "map type \(type) with \(numSliceGroups) groups")
      }
      let direction = reader.flag()
      sliceGroupChangeRate =
        1 + (try reader.ue(0...units - 1, "slice_group_change_rate_minus1", .h264SliceGroups))
      sliceGroupMapping =
        type == 3
        ? .boxOut(changeDirection: direction)
        : type == 4 ? .raster(changeDirection: direction) : .wipe(changeDirection: direction)
    default:
      _ = try reader.ue(
        units - 1...units - 1, "pic_size_in_map_units_minus1", .h264SliceGroups)
      let width = numSliceGroups.ceilLog2
      var groups: [UInt8] = []
      for _ in 0..<units {
        groups.append(
          UInt8(try reader.u(width, 0...numSliceGroups - 1, "slice_group_id", .h264SliceGroups)))
      }
      sliceGroupMapping = .explicit(groups: groups)
    }
  }

  private func rectangles(
    _ reader: inout SyntaxReader, _ sequence: SequenceParameterSet
  ) throws(MediaError) -> [(topLeft: Int, bottomRight: Int)] {
    let units = sequence.picSizeInMapUnits
    let width = sequence.picWidthInMbs
    var rectangles: [(topLeft: Int, bottomRight: Int)] = []
    for _ in 0..<numSliceGroups - 1 {
      let topLeft = try reader.ue(0...units - 1, "top_left", .h264SliceGroups)
      let bottomRight = try reader.ue(topLeft...units - 1, "bottom_right", .h264SliceGroups)
      guard topLeft % width <= bottomRight % width else {
        throw MediaError(
          .damaged, .h264SliceGroups,
          detail: "top_left \(topLeft) lies right of bottom_right \(bottomRight)")
      }
      rectangles.append((topLeft, bottomRight))
    }
    return rectangles
  }
}
