internal import ReelCore
internal import ReelTestSupport
internal import Testing

@testable internal import ReelH264

@Suite("Sequence parameter sets")
struct SequenceParameterSetTests {
  @Test("give back every value that was written", arguments: 0..<200)
  func roundTrip(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let set = SequenceParameterSet.random(using: &random)
    #expect(try SequenceParameterSet(parsing: HeaderWriter.sequence(set)) == set, "seed \(seed)")
  }

  /// A set with every element that can be out of range, for its type of order counts.
  private static func full(type: Int) -> SequenceParameterSet {
    var set = SequenceParameterSet()
    set.profileIDC = 244
    set.levelIDC = 40
    set.picOrderCntType = type
    set.offsetForRefFrame = type == 1 ? [1, 2] : []
    set.picWidthInMbs = 4
    set.picHeightInMapUnits = 3
    set.crop = SampleRect(x: 2, y: 2, width: 60, height: 44)
    return set
  }

  static let outOfRange: [(String, Int, Int)] = [
    ("seq_parameter_set_id", 32, 0), ("chroma_format_idc", 4, 0),
    ("bit_depth_luma_minus8", 7, 0), ("bit_depth_chroma_minus8", 7, 0),
    ("log2_max_frame_num_minus4", 13, 0), ("pic_order_cnt_type", 3, 0),
    ("log2_max_pic_order_cnt_lsb_minus4", 13, 0),
    ("num_ref_frames_in_pic_order_cnt_cycle", 256, 1), ("max_num_ref_frames", 17, 0),
    ("pic_width_in_mbs_minus1", 4096, 0), ("pic_height_in_map_units_minus1", 4096, 0),
    ("frame_crop_left_offset", 33, 0), ("frame_crop_right_offset", 33, 0),
    ("frame_crop_top_offset", 25, 0), ("frame_crop_bottom_offset", 25, 0),
  ]

  @Test("refuse a value past its range", arguments: outOfRange)
  func range(name: String, value: Int, type: Int) throws {
    let set = Self.full(type: type)
    #expect(try SequenceParameterSet(parsing: HeaderWriter.sequence(set)) == set)
    let bad = HeaderWriter.sequence(set, overrides: [name: value])
    let rule: Rule = name.hasPrefix("frame_crop") ? .h264FrameCropping : .h264SequenceValue
    let error = #expect(throws: MediaError.self) { try SequenceParameterSet(parsing: bad) }
    #expect(error?.family == .damaged && error?.rule == rule, "\(name)")
    #expect(error?.detail.contains(name) == true)
  }

  @Test("refuse cropping that leaves nothing, though each offset is in range")
  func cropping() {
    let bad = HeaderWriter.sequence(
      Self.full(type: 0), overrides: ["frame_crop_left_offset": 16, "frame_crop_right_offset": 16])
    let error = #expect(throws: MediaError.self) { try SequenceParameterSet(parsing: bad) }
    #expect(error?.rule == .h264FrameCropping)
  }

  @Test("count cropping in the units of format and field coding", arguments: 0...3, [true, false])
  func croppingUnits(format: Int, frameMbsOnly: Bool) throws {
    var set = SequenceParameterSet()
    set.profileIDC = 244
    set.chromaFormatIDC = format
    set.picWidthInMbs = 2
    set.picHeightInMapUnits = 2
    set.frameMbsOnlyFlag = frameMbsOnly
    set.direct8x8InferenceFlag = true
    set.crop = SampleRect(x: 0, y: 0, width: 16, height: 16)  // to have offsets written
    let bytes = HeaderWriter.sequence(
      set,
      overrides: [
        "frame_crop_left_offset": 1, "frame_crop_right_offset": 0, "frame_crop_top_offset": 1,
        "frame_crop_bottom_offset": 0,
      ])
    // Table 6-1: SubWidthC and SubHeightC; (7-19)…(7-22).
    let unitX = [1, 2, 2, 1][format]
    let unitY = [1, 2, 1, 1][format] * (frameMbsOnly ? 1 : 2)
    let crop = try SequenceParameterSet(parsing: bytes).crop
    #expect(crop.x == unitX && crop.y == unitY)
    #expect(crop.width == set.width - unitX && crop.height == set.height - unitY)
  }

  @Test("refuse direct inference switched off where fields are coded")
  func directInference() {
    var set = SequenceParameterSet()
    set.frameMbsOnlyFlag = false
    let error = #expect(throws: MediaError.self) {
      try SequenceParameterSet(parsing: HeaderWriter.sequence(set))
    }
    #expect(error?.rule == .h264DirectInference)
  }

  @Test(
    "throw at every prefix before the usability information, and never after", arguments: 0..<20)
  func prefixes(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var set = SequenceParameterSet.random(using: &random)
    while set.vui == nil { set = SequenceParameterSet.random(using: &random) }
    let whole = HeaderWriter.sequence(set)
    var bare = set
    bare.vui = nil
    // All but the last byte of the set without usability information lies before it.
    let end = HeaderWriter.sequence(bare).count - 1
    for count in 1..<whole.count {
      let prefix = Array(whole[..<count])
      if count < end {
        let error = #expect(throws: MediaError.self) { try SequenceParameterSet(parsing: prefix) }
        #expect(error?.family == .damaged, "seed \(seed), \(count) bytes")
      } else if count > end + 1 {
        var read = try SequenceParameterSet(parsing: prefix)
        read.vui = nil
        #expect(read == bare, "seed \(seed), \(count) bytes")
      }
    }
  }

  @Test("keep the usability information read before one of its values is out of range")
  func damagedUsability() throws {
    var set = SequenceParameterSet()
    set.vui = VideoUsabilityInformation()
    set.vui?.timeScale = 50
    set.vui?.numUnitsInTick = 1
    set.vui?.maxNumReorderFrames = 1
    set.vui?.maxDecFrameBuffering = 2
    let bytes = HeaderWriter.sequence(set, overrides: ["max_dec_frame_buffering": 17])
    let vui = try SequenceParameterSet(parsing: bytes).vui
    #expect(vui?.timeScale == 50 && vui?.maxDecFrameBuffering == nil)
    let reversed = HeaderWriter.sequence(set, overrides: ["max_num_reorder_frames": 3])
    #expect(try SequenceParameterSet(parsing: reversed).vui?.maxNumReorderFrames == nil)
  }

  @Test("derive the standard's values")
  func derived() throws {
    var set = SequenceParameterSet()
    set.profileIDC = 244
    set.chromaFormatIDC = 3
    set.separateColourPlaneFlag = true
    set.bitDepthLuma = 10
    set.bitDepthChroma = 12
    set.log2MaxFrameNum = 5
    set.log2MaxPicOrderCntLsb = 7
    set.frameMbsOnlyFlag = false
    set.picWidthInMbs = 3
    set.picHeightInMapUnits = 5
    #expect(set.chromaArrayType == 0 && set.chromaFormat == .yuv444)
    #expect(set.qpBdOffsetY == 12 && set.qpBdOffsetC == 24)
    #expect(set.maxFrameNum == 32 && set.maxPicOrderCntLsb == 128)
    #expect(set.frameHeightInMbs == 10 && set.width == 48 && set.height == 160)
    #expect(set.picSizeInMapUnits == 15)
    set.offsetForRefFrame = [3, -1, 5]
    #expect(set.expectedDeltaPerPicOrderCntCycle == 7)
  }
}

@Suite("Levels")
struct LevelTests {
  /// Table A-1, MaxDpbMbs, and MaxDpbFrames of frames of 45 × 30 and 120 × 68 macroblocks.
  static let rows: [(Int, Int, Int, Int)] = [
    (10, 396, 1, 1), (11, 900, 1, 1), (12, 2376, 1, 1), (13, 2376, 1, 1), (20, 2376, 1, 1),
    (21, 4752, 3, 1), (22, 8100, 6, 1), (30, 8100, 6, 1), (31, 18000, 13, 2),
    (32, 20480, 15, 2), (40, 32768, 16, 4), (41, 32768, 16, 4), (42, 34816, 16, 4),
    (50, 110400, 16, 13), (51, 184320, 16, 16), (52, 184320, 16, 16), (60, 696320, 16, 16),
    (61, 696320, 16, 16), (62, 696320, 16, 16),
  ]

  @Test("hold as many frames as Table A-1 says", arguments: rows)
  func table(level: Int, mbs: Int, small: Int, large: Int) {
    var set = SequenceParameterSet()
    set.levelIDC = level
    #expect(Level.maxDpbMbs(set) == mbs)
    (set.picWidthInMbs, set.picHeightInMapUnits) = (45, 30)
    #expect(Level.maxDpbFrames(set) == small)
    (set.picWidthInMbs, set.picHeightInMapUnits) = (120, 68)
    #expect(Level.maxDpbFrames(set) == large)
  }

  @Test("know level 1b by constraint_set3_flag or by its own number")
  func level1b() {
    var set = SequenceParameterSet()
    set.levelIDC = 11
    set.constraintFlags = 0x10
    for profile in [66, 77, 88] {
      set.profileIDC = profile
      #expect(Level.maxDpbMbs(set) == 396)
    }
    set.profileIDC = 100
    #expect(Level.maxDpbMbs(set) == 900)
    set.levelIDC = 9
    #expect(Level.maxDpbMbs(set) == 396)
  }

  @Test("leave 16 frames to levels that are not in the table")
  func unknown() {
    var set = SequenceParameterSet()
    set.levelIDC = 99
    #expect(Level.maxDpbMbs(set) == nil && Level.maxDpbFrames(set) == 16)
  }

  @Test("give way to the usability information, but hold all references")
  func bufferSize() {
    var set = SequenceParameterSet()
    set.profileIDC = 100
    set.levelIDC = 40
    (set.picWidthInMbs, set.picHeightInMapUnits) = (120, 68)
    #expect(set.dpbFrames == 4 && set.reorderFrames == nil)
    set.maxNumRefFrames = 6
    #expect(set.dpbFrames == 6)
    set.vui = VideoUsabilityInformation()
    set.vui?.maxDecFrameBuffering = 9
    set.vui?.maxNumReorderFrames = 2
    #expect(set.dpbFrames == 9 && set.reorderFrames == 2)
  }

  @Test("wait for nothing in intra profiles and with order count type 2")
  func noReordering() {
    var set = SequenceParameterSet()
    set.levelIDC = 40
    set.picOrderCntType = 2
    #expect(set.reorderFrames == 0)
    set.picOrderCntType = 0
    set.profileIDC = 110
    #expect(set.reorderFrames == nil)
    set.constraintFlags = 0x10
    #expect(set.reorderFrames == 0 && set.dpbFrames == 1)
    set.constraintFlags = 0
    set.profileIDC = 44
    #expect(set.reorderFrames == 0)
  }
}
