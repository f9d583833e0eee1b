internal import ReelCore
internal import ReelTestSupport
internal import Testing

@testable internal import ReelH264

@Suite("Slice headers")
struct SliceHeaderTests {
  private func parse(
    _ bytes: [UInt8], _ sequence: SequenceParameterSet, _ picture: PictureParameterSet
  ) throws -> SliceHeader {
    try SliceHeader(
      parsing: bytes, unit: NALUnitHeader(parsing: bytes), sequence: sequence, picture: picture)
  }

  @Test("give back every value that was written, and where the data starts", arguments: 0..<400)
  func roundTrip(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let sequence = SequenceParameterSet.random(using: &random)
    let picture = PictureParameterSet.random(for: sequence, using: &random)
    let header = SliceHeader.random(sequence, picture, using: &random)
    let bytes = HeaderWriter.slice(header, sequence, picture)
    var read = try parse(bytes, sequence, picture)
    var data = BitReader(bytes, from: read.dataStart)
    #expect(data.read(16) == 0x55AA, "seed \(seed)")
    read.dataStart = 0
    #expect(read == header, "seed \(seed)")
    #expect(try SliceHeader.pictureParameterSetID(in: bytes) == picture.picParameterSetID)
  }

  @Test("throw at every prefix that cuts the header", arguments: 0..<40)
  func prefixes(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let sequence = SequenceParameterSet.random(using: &random)
    let picture = PictureParameterSet.random(for: sequence, using: &random)
    let header = SliceHeader.random(sequence, picture, using: &random)
    let bytes = HeaderWriter.slice(header, sequence, picture)
    let end = try parse(bytes, sequence, picture).dataStart
    for count in 1..<bytes.count {
      let prefix = Array(bytes[..<count])
      if count * 8 < end {
        let error = #expect(throws: MediaError.self) { try parse(prefix, sequence, picture) }
        #expect(error?.family == .damaged, "seed \(seed), \(count) bytes")
      } else {
        #expect(try parse(prefix, sequence, picture).dataStart == end)
      }
    }
  }

  /// Sets with all that a header may hold.
  private static let sequence = {
    var set = SequenceParameterSet()
    set.profileIDC = 244
    set.chromaFormatIDC = 1
    set.frameMbsOnlyFlag = false
    set.direct8x8InferenceFlag = true
    (set.picWidthInMbs, set.picHeightInMapUnits) = (4, 3)
    return set
  }()

  private static let picture = {
    var set = PictureParameterSet()
    set.entropyCodingModeFlag = true
    set.weightedPredFlag = true
    set.weightedBipredIdc = 1
    set.deblockingFilterControlPresentFlag = true
    set.redundantPicCntPresentFlag = true
    set.numSliceGroups = 2
    set.sliceGroupMapping = .raster(changeDirection: false)
    set.sliceGroupChangeRate = 6
    return set
  }()

  private static func header(_ type: SliceType) -> SliceHeader {
    var header = SliceHeader()
    header.nalRefIDC = 1
    header.sliceType = type
    if !type.isIntra { header.numRefIdxL0Active = 1 }
    if type == .b { header.numRefIdxL1Active = 1 }
    if !type.isIntra { header.listModifications0 = [.subtract(1), .longTerm(0)].dropLast() }
    header.hasExplicitWeights = !type.isIntra
    var weight = PredictionWeight(lumaLog2Denominator: 0, chromaLog2Denominator: 0)
    (weight.lumaFlag, weight.chromaFlag) = (true, true)
    header.weights0 = type.isIntra ? [] : [weight]
    header.weights1 = type == .b ? [weight] : []
    return header
  }

  static let outOfRange: [(SliceType, String, Int, Rule)] = [
    (.i, "first_mb_in_slice", 24, .h264SliceValue), (.i, "slice_type", 10, .h264SliceValue),
    (.i, "pic_parameter_set_id", 256, .h264SliceValue),
    (.p, "redundant_pic_cnt", 128, .h264SliceValue),
    (.p, "num_ref_idx_l0_active_minus1", 16, .h264SliceValue),
    (.b, "num_ref_idx_l1_active_minus1", 16, .h264SliceValue),
    (.p, "modification_of_pic_nums_idc", 4, .h264ListModification),
    (.p, "abs_diff_pic_num_minus1", 16, .h264ListModification),
    (.p, "luma_log2_weight_denom", 8, .h264PredictionWeight),
    (.p, "chroma_log2_weight_denom", 8, .h264PredictionWeight),
    (.p, "luma_weight", 128, .h264PredictionWeight),
    (.p, "luma_offset", -129, .h264PredictionWeight),
    (.b, "chroma_weight", -129, .h264PredictionWeight),
    (.b, "chroma_offset", 128, .h264PredictionWeight), (.p, "cabac_init_idc", 3, .h264SliceValue),
    (.i, "slice_qp_delta", 26, .h264SliceValue), (.i, "slice_qp_delta", -27, .h264SliceValue),
    (.sp, "slice_qs_delta", 26, .h264SliceValue), (.si, "slice_qs_delta", -27, .h264SliceValue),
    (.i, "disable_deblocking_filter_idc", 3, .h264SliceValue),
    (.i, "slice_alpha_c0_offset_div2", 7, .h264SliceValue),
    (.i, "slice_beta_offset_div2", -7, .h264SliceValue),
    (.i, "slice_group_change_cycle", 3, .h264SliceValue),
  ]

  @Test("refuse a value past its range", arguments: outOfRange)
  func range(type: SliceType, name: String, value: Int, rule: Rule) throws {
    let header = Self.header(type)
    let good = HeaderWriter.slice(header, Self.sequence, Self.picture)
    _ = try parse(good, Self.sequence, Self.picture)
    let bad = HeaderWriter.slice(header, Self.sequence, Self.picture, overrides: [name: value])
    let error = #expect(throws: MediaError.self) { try parse(bad, Self.sequence, Self.picture) }
    #expect(error?.family == .damaged && error?.rule == rule, "\(name)")
  }

  @Test("let fields have the first half of the addresses and twice the references")
  func fields() throws {
    var header = Self.header(.p)
    header.fieldPicFlag = true
    header.numRefIdxL0Active = 32
    header.weights0 = Array(repeating: header.weights0[0], count: 32)
    header.firstMbInSlice = 11
    _ = try parse(
      HeaderWriter.slice(header, Self.sequence, Self.picture), Self.sequence, Self.picture)
    header.firstMbInSlice = 12
    let bad = HeaderWriter.slice(header, Self.sequence, Self.picture)
    #expect(throws: MediaError.self) { try parse(bad, Self.sequence, Self.picture) }
  }

  @Test("count first_mb_in_slice in pairs in MBAFF frames")
  func pairs() throws {
    var sequence = Self.sequence
    sequence.mbAdaptiveFrameFieldFlag = true
    var header = Self.header(.i)
    header.mbaffFrameFlag = true
    header.firstMbInSlice = 11
    let read = try parse(HeaderWriter.slice(header, sequence, Self.picture), sequence, Self.picture)
    #expect(read.mbaffFrameFlag && read.firstMbInSlice == 11)
    header.firstMbInSlice = 12
    let bad = HeaderWriter.slice(header, sequence, Self.picture)
    #expect(throws: MediaError.self) { try parse(bad, sequence, Self.picture) }
  }

  @Test("take the counts of the picture parameter set, unless a frame has too many")
  func defaultCounts() throws {
    var picture = PictureParameterSet()
    (picture.numRefIdxL0DefaultActive, picture.numRefIdxL1DefaultActive) = (3, 32)
    var header = SliceHeader()
    header.sliceType = .p
    let p = HeaderWriter.slice(header, Self.sequence, picture, overridesCounts: false)
    let read = try parse(p, Self.sequence, picture)
    #expect(read.numRefIdxL0Active == 3 && read.numRefIdxL1Active == 0)
    header.sliceType = .b
    let b = HeaderWriter.slice(header, Self.sequence, picture, overridesCounts: false)
    #expect(throws: MediaError.self) { try parse(b, Self.sequence, picture) }
    header.fieldPicFlag = true
    let field = HeaderWriter.slice(header, Self.sequence, picture, overridesCounts: false)
    #expect(try parse(field, Self.sequence, picture).numRefIdxL1Active == 32)
  }

  @Test(
    "of switching slices are of 8 bits and 4:2:0",
    arguments: [(10, 8, 1), (8, 9, 1), (14, 14, 1), (8, 8, 0), (8, 8, 2), (8, 8, 3)])
  func switching(luma: Int, chroma: Int, form: Int) throws {
    for type in [SliceType.sp, .si] {
      let header = Self.header(type)
      let right = HeaderWriter.slice(header, Self.sequence, Self.picture)
      #expect(try parse(right, Self.sequence, Self.picture).sliceType == type)
      var sequence = Self.sequence
      (sequence.bitDepthLuma, sequence.bitDepthChroma) = (luma, chroma)
      sequence.chromaFormatIDC = form
      let bytes = HeaderWriter.slice(header, sequence, Self.picture)
      let error = #expect(throws: MediaError.self) { try parse(bytes, sequence, Self.picture) }
      #expect(error?.rule == .h264SwitchingSlice)
    }
  }

  @Test("of IDR pictures are intra and reference slices")
  func idr() {
    var header = Self.header(.p)
    header.nalUnitType = .idrSlice
    let p = HeaderWriter.slice(header, Self.sequence, Self.picture)
    let error = #expect(throws: MediaError.self) { try parse(p, Self.sequence, Self.picture) }
    #expect(error?.rule == .h264IntraPicture)
    header = Self.header(.i)
    header.nalUnitType = .idrSlice
    header.nalRefIDC = 0
    let unused = HeaderWriter.slice(header, Self.sequence, Self.picture)
    #expect(throws: MediaError.self) { try parse(unused, Self.sequence, Self.picture) }
  }

  @Test("end their lists of commands within bounds")
  func endlessCommands() {
    var header = Self.header(.p)
    header.listModifications0 = [.subtract(1), .subtract(1)]
    let more = HeaderWriter.slice(header, Self.sequence, Self.picture)
    let error = #expect(throws: MediaError.self) { try parse(more, Self.sequence, Self.picture) }
    #expect(error?.rule == .h264ListModification)
    header = Self.header(.i)
    header.marking.adaptiveRefPicMarkingModeFlag = true
    header.marking.operations = Array(repeating: .allUnused, count: 69)
    let endless = HeaderWriter.slice(header, Self.sequence, Self.picture)
    let second = #expect(throws: MediaError.self) {
      try parse(endless, Self.sequence, Self.picture)
    }
    #expect(second?.rule == .h264ReferenceMarking)
  }

  static let badOperations: [(MemoryManagementControlOperation, String, Int)] = [
    (.shortTermUnused(differenceOfPicNums: 1), "difference_of_pic_nums_minus1", 16),
    (.longTermUnused(longTermPicNum: 1), "long_term_pic_num", 32),
    (
      .shortTermToLongTerm(differenceOfPicNums: 1, longTermFrameIdx: 0),
      "difference_of_pic_nums_minus1", 16
    ),
    (
      .shortTermToLongTerm(differenceOfPicNums: 1, longTermFrameIdx: 0), "long_term_frame_idx", 16
    ),
    (.maxLongTermFrameIdx(plus1: 0), "max_long_term_frame_idx_plus1", 17),
    (.currentToLongTerm(longTermFrameIdx: 0), "long_term_frame_idx", 16),
    (.allUnused, "memory_management_control_operation", 7),
  ]

  @Test("refuse marking operations past their ranges", arguments: badOperations)
  func operations(operation: MemoryManagementControlOperation, name: String, value: Int) {
    var header = Self.header(.i)
    header.marking.adaptiveRefPicMarkingModeFlag = true
    header.marking.operations = [operation]
    let bad = HeaderWriter.slice(header, Self.sequence, Self.picture, overrides: [name: value])
    let error = #expect(throws: MediaError.self) { try parse(bad, Self.sequence, Self.picture) }
    #expect(error?.rule == .h264ReferenceMarking)
  }

  @Test("of data partitions B and C tell their slice, plane and redundancy")
  func partitions() throws {
    var sequence = Self.sequence
    sequence.chromaFormatIDC = 3
    sequence.separateColourPlaneFlag = true
    let bytes = HeaderWriter.partition(
      .partitionB, sliceID: 5, colourPlaneID: 2, redundantPicCnt: 1)
    let header = try SliceDataPartitionHeader(
      parsing: bytes, sequence: sequence, picture: Self.picture)
    #expect(header.sliceID == 5 && header.colourPlaneID == 2 && header.redundantPicCnt == 1)
    var data = BitReader(bytes, from: header.dataStart)
    #expect(data.read(8) == 0x33)
    let bad = HeaderWriter.partition(.partitionC, sliceID: 24, redundantPicCnt: 0)
    #expect(throws: MediaError.self) {
      try SliceDataPartitionHeader(parsing: bad, sequence: Self.sequence, picture: Self.picture)
    }
  }
}

@Suite("First slices of pictures")
struct PrimaryPictureTests {
  private static func header(_ change: (inout SliceHeader) -> Void = { _ in }) -> SliceHeader {
    var header = SliceHeader()
    header.nalRefIDC = 2
    header.firstMbInSlice = 4
    change(&header)
    return header
  }

  static let changes: [(String, Int, SliceHeader, SliceHeader)] = [
    ("frame_num", 0, header(), header { $0.frameNum = 1 }),
    ("field_pic_flag", 0, header(), header { $0.fieldPicFlag = true }),
    (
      "bottom_field_flag", 0, header { $0.fieldPicFlag = true },
      header {
        $0.fieldPicFlag = true
        $0.bottomFieldFlag = true
      }
    ),
    ("nal_ref_idc 0", 0, header(), header { $0.nalRefIDC = 0 }),
    ("pic_order_cnt_lsb", 0, header(), header { $0.picOrderCntLsb = 1 }),
    (
      "delta_pic_order_cnt_bottom", 0, header(),
      header {
        $0.deltaPicOrderCntBottom = 1
        $0.firstMbInSlice = 0
      }
    ),
    ("delta_pic_order_cnt[0]", 1, header(), header { $0.deltaPicOrderCnt0 = 1 }),
    (
      "delta_pic_order_cnt[1]", 1, header(),
      header {
        $0.deltaPicOrderCnt1 = 1
        $0.firstMbInSlice = 0
      }
    ),
    ("IdrPicFlag", 0, header(), header { $0.nalUnitType = .idrSlice }),
    (
      "idr_pic_id", 0, header { $0.nalUnitType = .idrSlice },
      header {
        $0.nalUnitType = .idrSlice
        $0.idrPicID = 1
      }
    ),
    (
      "pic_parameter_set_id", 0, header(),
      header {
        $0.picParameterSetID = 1
        $0.firstMbInSlice = 0
      }
    ),
  ]

  @Test("differ in one of the values of §7.4.1.2.4", arguments: changes)
  func change(name: String, type: Int, first: SliceHeader, second: SliceHeader) {
    var sequence = SequenceParameterSet()
    sequence.picOrderCntType = type
    #expect(second.startsPicture(after: first, sequence), "\(name)")
    #expect(!first.startsPicture(after: first, sequence))
  }

  @Test("are not told by values that do not count")
  func others() {
    let sequence = SequenceParameterSet()
    let first = Self.header()
    #expect(!Self.header { $0.nalRefIDC = 3 }.startsPicture(after: first, sequence))
    #expect(!Self.header { $0.firstMbInSlice = 9 }.startsPicture(after: first, sequence))
    #expect(!Self.header { $0.sliceType = .b }.startsPicture(after: first, sequence))
    #expect(!Self.header { $0.picParameterSetID = 3 }.startsPicture(after: first, sequence))
    #expect(!Self.header { $0.deltaPicOrderCnt0 = 3 }.startsPicture(after: first, sequence))
    #expect(!Self.header { $0.deltaPicOrderCntBottom = 3 }.startsPicture(after: first, sequence))
  }
}
