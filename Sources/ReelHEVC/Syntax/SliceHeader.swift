// Slice segment headers. ISO/IEC 23008-2:2020 §7.3.6, §7.4.7.

import ReelCore
import ReelVideoCore

/// slice_type. Table 7-7.
enum SliceType: Int, Sendable {
  case b = 0
  case p = 1
  case i = 2
}

/// A long-term picture of a slice's reference picture set. §7.4.7.1.
struct LongTermEntry: Sendable, Hashable {
  /// PocLsbLt
  var pocLsb: Int
  /// UsedByCurrPicLt
  var isUsed: Bool
  /// DeltaPocMsbCycleLt; nil when delta_poc_msb_present_flag is 0.
  var deltaPocMsbCycle: Int?
}

/// Explicit weights of one entry of a reference list. §7.4.7.3.
struct PredictionWeight: Sendable, Hashable {
  /// Weights and offsets (at the samples' depth) of Y, Cb, Cr.
  var weight: SIMD4<Int32>
  var offset: SIMD4<Int32>
}

/// slice_segment_header(). A dependent segment has the values of its slice.
struct SliceHeader: Sendable {
  var unit: NALUnitHeader
  var firstSliceSegmentInPic = false
  var noOutputOfPriorPics = false
  var picParameterSetID = 0
  var isDependent = false
  /// slice_segment_address, in raster scan.
  var segmentAddress = 0
  /// SliceAddrRs: the address of the first segment of the slice.
  var sliceAddress = 0
  var sliceType = SliceType.i
  var picOutput = true
  var picOrderCntLsb = 0
  var shortTerm = ReferencePictureSet()
  var longTerm: [LongTermEntry] = []
  var temporalMvpEnabled = false
  var saoLuma = false
  var saoChroma = false
  /// num_ref_idx_l0/l1_active_minus1 + 1; 0 where the list is not used.
  var activeL0 = 0
  var activeL1 = 0
  /// list_entry_l0/l1; nil without modification.
  var listEntriesL0: [Int]?
  var listEntriesL1: [Int]?
  var mvdL1Zero = false
  var cabacInit = false
  var collocatedFromL0 = true
  var collocatedRefIdx = 0
  var lumaLog2WeightDenom = 0
  var chromaLog2WeightDenom = 0
  /// Weights of both lists; empty without explicit weights.
  var weightsL0: [PredictionWeight] = []
  var weightsL1: [PredictionWeight] = []
  var maxNumMergeCand = 5
  /// SliceQpY
  var qp = 26
  var cbQpOffset = 0
  var crQpOffset = 0
  var cuChromaQpOffsetEnabled = false
  var deblockingDisabled = false
  var betaOffsetDiv2 = 0
  var tcOffsetDiv2 = 0
  var loopFilterAcrossSlices = false
  /// Byte of the payload where slice_segment_data() starts.
  var dataStart = 0

  /// NumPicTotalCurr, (7-55).
  var picTotalCurr: Int {
    shortTerm.negative.count { $0.isUsed } + shortTerm.positive.count { $0.isUsed }
      + longTerm.count { $0.isUsed }
  }

  /// slice_pic_parameter_set_id, which must be known before the rest can be read.
  static func pictureParameterSetID(
    in payload: [UInt8], _ unit: NALUnitHeader
  ) throws(MediaError) -> Int {
    var reader = SyntaxReader(payload, from: 16)
    reader.skip(unit.type.isIRAP ? 2 : 1)
    return try reader.ue(0...63, "slice_pic_parameter_set_id", .hevcSliceValue)
  }

  /// Reads the header of a NAL unit without emulation prevention.
  ///
  /// - Parameter previous: header of the slice segment before this one in the picture, whose values a
  ///   dependent segment takes over.
  init(
    parsing payload: [UInt8], unit: NALUnitHeader, layout: PictureLayout, previous: SliceHeader?
  ) throws(MediaError) {
    self.unit = unit
    var reader = SyntaxReader(payload, from: 16)
    let first = reader.flag()
    let noOutput = unit.type.isIRAP && reader.flag()
    let setID = try reader.ue(0...63, "slice_pic_parameter_set_id", .hevcSliceValue)
    var address = 0
    var dependent = false
    if !first {
      dependent = layout.parameters.dependentSliceSegmentsEnabled && reader.flag()
      address = try reader.u(
        layout.sequence.ctbCount.ceilLog2, 0...layout.sequence.ctbCount - 1,
        "slice_segment_address", .hevcSliceValue)
    }
    if dependent {
      guard let previous else { throw MediaError(.damaged, .hevcDependentSlice) }
      self = previous
    }
    self.unit = unit
    firstSliceSegmentInPic = first
    noOutputOfPriorPics = noOutput
    picParameterSetID = setID
    isDependent = dependent
    segmentAddress = address
    if !dependent {
      sliceAddress = address
      try parseSlice(&reader, layout)
    }
    try parseEnd(&reader, layout)
  }

  private mutating func parseEnd(
    _ reader: inout SyntaxReader, _ layout: PictureLayout
  ) throws(MediaError) {
    let parameters = layout.parameters
    if parameters.tilesEnabled || parameters.entropyCodingSyncEnabled {
      // Substreams follow each other, so the entry points tell nothing that decoding does not.
      let count = try reader.ue(
        0...layout.sequence.heightInCtbs * parameters.tileColumnCount,
        "num_entry_point_offsets", .hevcSliceValue)
      if count > 0 {
        let length = 1 + (try reader.ue(0...31, "offset_len_minus1", .hevcSliceValue))
        reader.skip(length * count)
      }
    }
    if parameters.sliceHeaderExtensionPresent {
      reader.skip(
        8 * (try reader.ue(0...256, "slice_segment_header_extension_length", .hevcSliceValue)))
    }
    try reader.requireNoOverrun()
    // byte_alignment(): a one and zeros.
    dataStart = (reader.position + 8) / 8
  }
}
