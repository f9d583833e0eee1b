// The parts of a slice header. ISO/IEC 23008-2:2020 §7.3.6.1 to §7.3.6.3.

import ReelCore
import ReelVideoCore

extension SliceHeader {
  mutating func parseSlice(
    _ reader: inout SyntaxReader, _ layout: PictureLayout
  ) throws(MediaError) {
    let (sequence, parameters) = (layout.sequence, layout.parameters)
    reader.skip(parameters.numExtraSliceHeaderBits)
    let type = try reader.ue(0...2, "slice_type", .hevcSliceValue)
    sliceType = SliceType(rawValue: type) ?? .i
    if parameters.outputFlagPresent { picOutput = reader.flag() }
    if !unit.type.isIDR { try parseReferences(&reader, sequence) }
    if sequence.saoEnabled {
      saoLuma = reader.flag()
      if sequence.chromaFormatIDC != 0 { saoChroma = reader.flag() }
    }
    if sliceType != .i { try parseInter(&reader, layout) }
    let delta = try reader.se(-128...128, "slice_qp_delta", .hevcSliceValue)
    qp = parameters.initQP + delta
    guard (-sequence.qpBdOffsetY...51).contains(qp) else {
      throw MediaError(.damaged, .hevcSliceValue, detail: "SliceQpY is \(qp)")
    }
    if parameters.sliceChromaQpOffsetsPresent {
      cbQpOffset = try reader.se(-12...12, "slice_cb_qp_offset", .hevcSliceValue)
      crQpOffset = try reader.se(-12...12, "slice_cr_qp_offset", .hevcSliceValue)
    }
    if parameters.chromaQpOffsetListEnabled { cuChromaQpOffsetEnabled = reader.flag() }
    try parseDeblocking(&reader, parameters)
    try reader.requireNoOverrun()
  }

  private mutating func parseDeblocking(
    _ reader: inout SyntaxReader, _ parameters: PictureParameterSet
  ) throws(MediaError) {
    deblockingDisabled = parameters.deblockingDisabled
    betaOffsetDiv2 = parameters.betaOffsetDiv2
    tcOffsetDiv2 = parameters.tcOffsetDiv2
    if parameters.deblockingOverrideEnabled && reader.flag() {
      deblockingDisabled = reader.flag()
      if !deblockingDisabled {
        betaOffsetDiv2 = try reader.se(-6...6, "slice_beta_offset_div2", .hevcSliceValue)
        tcOffsetDiv2 = try reader.se(-6...6, "slice_tc_offset_div2", .hevcSliceValue)
      }
    }
    loopFilterAcrossSlices = parameters.loopFilterAcrossSlicesEnabled
    if parameters.loopFilterAcrossSlicesEnabled && (saoLuma || saoChroma || !deblockingDisabled) {
      loopFilterAcrossSlices = reader.flag()
    }
  }

  private mutating func parseReferences(
    _ reader: inout SyntaxReader, _ sequence: SequenceParameterSet
  ) throws(MediaError) {
    picOrderCntLsb = reader.u(sequence.log2MaxPicOrderCntLsb)
    let sets = sequence.shortTermSets
    if !reader.flag() {
      shortTerm = try ReferencePictureSet(
        parsing: &reader, index: sets.count, others: sets, isInSlice: true)
    } else {
      guard !sets.isEmpty else {
        throw MediaError(
          .damaged, .hevcSliceValue, detail: "short_term_ref_pic_set_sps_flag without sets")
      }
      shortTerm =
        sets[
          try reader.u(
            sets.count.ceilLog2, 0...sets.count - 1, "short_term_ref_pic_set_idx", .hevcSliceValue)]
    }
    if sequence.longTermRefPicsPresent { try parseLongTerm(&reader, sequence) }
    if sequence.temporalMvpEnabled { temporalMvpEnabled = reader.flag() }
  }

  private mutating func parseLongTerm(
    _ reader: inout SyntaxReader, _ sequence: SequenceParameterSet
  ) throws(MediaError) {
    let known = sequence.longTermPictures
    var fromSequence = 0
    if !known.isEmpty {
      fromSequence = try reader.ue(
        0...min(known.count, 16), "num_long_term_sps", .hevcSliceValue)
    }
    let own = try reader.ue(0...16 - fromSequence, "num_long_term_pics", .hevcSliceValue)
    guard shortTerm.count + fromSequence + own <= 16 else {
      throw MediaError(.damaged, .hevcSliceValue, detail: "more than 16 reference pictures")
    }
    // DeltaPocMsbCycleLt of the entry before.
    var cycle = 0
    for i in 0..<fromSequence + own {
      if i == fromSequence { cycle = 0 }
      var entry: LongTermEntry
      if i < fromSequence {
        let index = try reader.u(
          known.count.ceilLog2, 0...known.count - 1, "lt_idx_sps", .hevcSliceValue)
        entry = LongTermEntry(pocLsb: known[index].pocLsb, isUsed: known[index].isUsed)
      } else {
        let lsb = reader.u(sequence.log2MaxPicOrderCntLsb)
        entry = LongTermEntry(pocLsb: lsb, isUsed: reader.flag())
      }
      // (7-52): counted from the entry before, in each of the two kinds.
      if reader.flag() {
        cycle += try reader.ue(0...1 << 28, "delta_poc_msb_cycle_lt", .hevcSliceValue)
        entry.deltaPocMsbCycle = cycle
      }
      longTerm.append(entry)
    }
  }

  private mutating func parseInter(
    _ reader: inout SyntaxReader, _ layout: PictureLayout
  ) throws(MediaError) {
    let parameters = layout.parameters
    let isB = sliceType == .b
    activeL0 = parameters.defaultActiveL0
    activeL1 = isB ? parameters.defaultActiveL1 : 0
    if reader.flag() {
      activeL0 = 1 + (try reader.ue(0...14, "num_ref_idx_l0_active_minus1", .hevcSliceValue))
      if isB {
        activeL1 = 1 + (try reader.ue(0...14, "num_ref_idx_l1_active_minus1", .hevcSliceValue))
      }
    }
    let total = picTotalCurr
    guard total > 0 else {
      throw MediaError(.damaged, .hevcSliceValue, detail: "an inter slice without references")
    }
    if parameters.listsModificationPresent && total > 1 {
      listEntriesL0 = try Self.listEntries(&reader, activeL0, total)
      if isB { listEntriesL1 = try Self.listEntries(&reader, activeL1, total) }
    }
    if isB { mvdL1Zero = reader.flag() }
    if parameters.cabacInitPresent { cabacInit = reader.flag() }
    if temporalMvpEnabled {
      if isB { collocatedFromL0 = reader.flag() }
      let count = collocatedFromL0 ? activeL0 : activeL1
      if count > 1 {
        collocatedRefIdx = try reader.ue(0...count - 1, "collocated_ref_idx", .hevcSliceValue)
      }
    }
    if isB ? parameters.weightedBipred : parameters.weightedPred {
      try parseWeights(&reader, layout.sequence)
    }
    maxNumMergeCand =
      5 - (try reader.ue(0...4, "five_minus_max_num_merge_cand", .hevcSliceValue))
  }

  private static func listEntries(
    _ reader: inout SyntaxReader, _ count: Int, _ total: Int
  ) throws(MediaError) -> [Int]? {
    guard reader.flag() else { return nil }
    var entries: [Int] = []
    for _ in 0..<count {
      entries.append(
        try reader.u(total.ceilLog2, 0...total - 1, "list_entry", .hevcSliceValue))
    }
    return entries
  }

  /// pred_weight_table(), §7.3.6.3.
  private mutating func parseWeights(
    _ reader: inout SyntaxReader, _ sequence: SequenceParameterSet
  ) throws(MediaError) {
    lumaLog2WeightDenom = try reader.ue(0...7, "luma_log2_weight_denom", .hevcPredictionWeight)
    if sequence.chromaFormatIDC != 0 {
      chromaLog2WeightDenom =
        lumaLog2WeightDenom
        + (try reader.se(-7...7, "delta_chroma_log2_weight_denom", .hevcPredictionWeight))
      guard (0...7).contains(chromaLog2WeightDenom) else {
        throw MediaError(
          .damaged, .hevcPredictionWeight,
          detail: "ChromaLog2WeightDenom is \(chromaLog2WeightDenom)")
      }
    }
    weightsL0 = try weights(&reader, activeL0, sequence)
    if sliceType == .b { weightsL1 = try weights(&reader, activeL1, sequence) }
  }

  private func weights(
    _ reader: inout SyntaxReader, _ count: Int, _ sequence: SequenceParameterSet
  ) throws(MediaError) -> [PredictionWeight] {
    let hasChroma = sequence.chromaFormatIDC != 0
    var flags: [(luma: Bool, chroma: Bool)] = []
    for _ in 0..<count { flags.append((reader.flag(), false)) }
    if hasChroma {
      for i in 0..<count { flags[i].chroma = reader.flag() }
    }
    let isPrecise = sequence.range.highPrecisionOffsetsEnabled
    let halfY = 1 << (isPrecise ? sequence.bitDepthY - 1 : 7)
    let halfC = 1 << (isPrecise ? sequence.bitDepthC - 1 : 7)
    let shiftY = isPrecise ? 0 : sequence.bitDepthY - 8
    let shiftC = isPrecise ? 0 : sequence.bitDepthC - 8
    var result: [PredictionWeight] = []
    for flag in flags {
      var entry = PredictionWeight(
        weight: SIMD4(
          1 << Int32(lumaLog2WeightDenom), 1 << Int32(chromaLog2WeightDenom),
          1 << Int32(chromaLog2WeightDenom), 0), offset: SIMD4(repeating: 0))
      if flag.luma {
        entry.weight[0] += Int32(
          try reader.se(-128...127, "delta_luma_weight", .hevcPredictionWeight))
        let offset = try reader.se(-halfY...halfY - 1, "luma_offset", .hevcPredictionWeight)
        entry.offset[0] = Int32(offset << shiftY)
      }
      if flag.chroma {
        for plane in 1...2 {
          let delta = try reader.se(-128...127, "delta_chroma_weight", .hevcPredictionWeight)
          let weight = 1 << chromaLog2WeightDenom + delta
          let deltaOffset = try reader.se(
            -4 * halfC...4 * halfC - 1, "delta_chroma_offset", .hevcPredictionWeight)
          // (7-56)
          let offset = halfC + deltaOffset - (halfC * weight) >> chromaLog2WeightDenom
          entry.weight[plane] = Int32(weight)
          entry.offset[plane] = Int32(min(max(offset, -halfC), halfC - 1) << shiftC)
        }
      }
      result.append(entry)
    }
    return result
  }
}
