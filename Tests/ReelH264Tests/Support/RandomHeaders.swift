// Random parameter sets and slice headers that keep every rule.

internal import ReelCore
internal import ReelTestSupport
internal import ReelVideoCore

@testable internal import ReelH264

extension SequenceParameterSet {
  /// Any valid set with flat scaling lists.
  static func random(using random: inout SeededGenerator) -> SequenceParameterSet {
    var set = SequenceParameterSet()
    set.profileIDC = [66, 77, 88, 100, 110, 122, 244, 44].randomElement(using: &random) ?? 66
    set.constraintFlags = UInt8(random.int(in: 0...63) << 2)
    set.levelIDC = [9, 10, 11, 12, 13, 20, 30, 40, 51, 62].randomElement(using: &random) ?? 10
    set.seqParameterSetID = random.int(in: 0...31)
    if highProfiles.contains(set.profileIDC) {
      set.chromaFormatIDC = random.int(in: 0...3)
      set.separateColourPlaneFlag = set.chromaFormatIDC == 3 && random.one(in: 2)
      set.bitDepthLuma = random.int(in: 8...14)
      set.bitDepthChroma = random.int(in: 8...14)
      set.qpprimeYZeroTransformBypassFlag = random.one(in: 2)
    }
    set.log2MaxFrameNum = random.int(in: 4...16)
    set.picOrderCntType = random.int(in: 0...2)
    if set.picOrderCntType == 0 { set.log2MaxPicOrderCntLsb = random.int(in: 4...16) }
    if set.picOrderCntType == 1 {
      let range = -(1 << 31) + 1...(1 << 31) - 1
      set.deltaPicOrderAlwaysZeroFlag = random.one(in: 2)
      set.offsetForNonRefPic = random.int(in: range)
      set.offsetForTopToBottomField = random.int(in: range)
      set.offsetForRefFrame = (0..<random.int(in: 0...5)).map { _ in random.int(in: range) }
    }
    set.maxNumRefFrames = random.int(in: 0...16)
    set.gapsInFrameNumValueAllowedFlag = random.one(in: 2)
    set.picWidthInMbs = random.int(in: 1...40)
    set.picHeightInMapUnits = random.int(in: 1...30)
    set.frameMbsOnlyFlag = random.one(in: 2)
    set.mbAdaptiveFrameFieldFlag = !set.frameMbsOnlyFlag && random.one(in: 2)
    set.direct8x8InferenceFlag = !set.frameMbsOnlyFlag || random.one(in: 2)
    set.crop = .random(in: set, using: &random)
    if random.one(in: 2) { set.vui = .random(using: &random) }
    return set
  }
}

extension SampleRect {
  /// A cropping rectangle in whole units of the format, (7-19)…(7-22).
  fileprivate static func random(
    in set: SequenceParameterSet, using random: inout SeededGenerator
  ) -> SampleRect {
    // Multiples of 4 suit every format and both kinds of frames.
    let x = 4 * random.int(in: 0...1)
    let y = 4 * random.int(in: 0...1)
    return SampleRect(
      x: x, y: y, width: set.width - x - 4 * random.int(in: 0...1),
      height: set.height - y - 4 * random.int(in: 0...1))
  }
}

extension VideoUsabilityInformation {
  fileprivate static func random(using random: inout SeededGenerator) -> VideoUsabilityInformation {
    var vui = VideoUsabilityInformation()
    if random.one(in: 2) {
      vui.sampleAspectRatio = Ratio(random.int(in: 1...65535), random.int(in: 1...65535))
    }
    if random.one(in: 2) { vui.overscanAppropriate = random.one(in: 2) }
    vui.videoFormat = random.int(in: 0...7)
    vui.videoFullRangeFlag = random.one(in: 2)
    vui.colourPrimaries = random.int(in: 0...255)
    vui.transferCharacteristics = random.int(in: 0...255)
    vui.matrixCoefficients = random.int(in: 0...255)
    if random.one(in: 2) {
      vui.chromaSampleLocTypeTopField = random.int(in: 0...5)
      vui.chromaSampleLocTypeBottomField = random.int(in: 0...5)
    }
    if random.one(in: 2) {
      vui.numUnitsInTick = random.int(in: 1...Int(UInt32.max))
      vui.timeScale = random.int(in: 1...Int(UInt32.max))
      vui.fixedFrameRateFlag = random.one(in: 2)
    }
    if random.one(in: 2) { vui.nalHrd = .random(using: &random) }
    if random.one(in: 2) { vui.vclHrd = .random(using: &random) }
    if vui.nalHrd != nil || vui.vclHrd != nil { vui.lowDelayHrdFlag = random.one(in: 2) }
    vui.picStructPresentFlag = random.one(in: 2)
    if random.one(in: 2) {
      let buffering = random.int(in: 0...16)
      vui.maxDecFrameBuffering = buffering
      vui.maxNumReorderFrames = random.int(in: 0...buffering)
    }
    return vui
  }
}

extension HypotheticalDecoderParameters {
  /// One bucket, read from the shortest syntax there is, so that its values can be changed.
  static var plain: HypotheticalDecoderParameters {
    var bits = BitWriter()
    bits.writeUE(0)
    bits.write(0, bits: 8)
    bits.writeUE(0)
    bits.writeUE(0)
    bits.write(0, bits: 1 + 20)
    bits.writeTrailingBits()
    var reader = SyntaxReader(bits.bytes, from: 0)
    guard let hrd = try? HypotheticalDecoderParameters(parsing: &reader) else {
      preconditionFailure("the bucket above has every field")
    }
    return hrd
  }

  fileprivate static func random(
    using random: inout SeededGenerator
  ) -> HypotheticalDecoderParameters {
    var hrd = HypotheticalDecoderParameters.plain
    hrd.cpbCount = random.int(in: 1...32)
    hrd.bitRate = random.int(in: 1...100_000) << 6
    hrd.cpbSize = random.int(in: 1...100_000) << 4
    hrd.initialCpbRemovalDelayLength = random.int(in: 1...32)
    hrd.cpbRemovalDelayLength = random.int(in: 1...32)
    hrd.dpbOutputDelayLength = random.int(in: 1...32)
    hrd.timeOffsetLength = random.int(in: 0...31)
    return hrd
  }
}

extension PictureParameterSet {
  /// Any valid set for the sequence, with flat scaling lists.
  static func random(
    for sequence: SequenceParameterSet, using random: inout SeededGenerator
  ) -> PictureParameterSet {
    var set = PictureParameterSet()
    set.picParameterSetID = random.int(in: 0...255)
    set.seqParameterSetID = sequence.seqParameterSetID
    set.entropyCodingModeFlag = random.one(in: 2)
    set.bottomFieldPicOrderInFramePresentFlag = random.one(in: 2)
    if random.one(in: 2) { set.setSliceGroups(sequence, using: &random) }
    set.numRefIdxL0DefaultActive = random.int(in: 1...32)
    set.numRefIdxL1DefaultActive = random.int(in: 1...32)
    set.weightedPredFlag = random.one(in: 2)
    set.weightedBipredIdc = random.int(in: 0...2)
    set.picInitQP = random.int(in: -sequence.qpBdOffsetY...51)
    set.picInitQS = random.int(in: 0...51)
    set.chromaQPIndexOffset = random.int(in: -12...12)
    set.secondChromaQPIndexOffset =
      random.one(in: 2) ? set.chromaQPIndexOffset : random.int(in: -12...12)
    set.deblockingFilterControlPresentFlag = random.one(in: 2)
    set.constrainedIntraPredFlag = random.one(in: 2)
    set.redundantPicCntPresentFlag = random.one(in: 2)
    set.transform8x8ModeFlag = random.one(in: 2)
    return set
  }

  private mutating func setSliceGroups(
    _ sequence: SequenceParameterSet, using random: inout SeededGenerator
  ) {
    let units = sequence.picSizeInMapUnits
    numSliceGroups = random.int(in: 2...8)
    switch random.int(in: 0...6) {
    case 0:
      sliceGroupMapping = .interleaved(
        runLengths: (0..<numSliceGroups).map { _ in random.int(in: 1...units) })
    case 1: sliceGroupMapping = .dispersed
    case 2:
      sliceGroupMapping = .foreground(
        rectangles: (1..<numSliceGroups).map { _ in
          let across = [
            random.int(in: 0...sequence.picWidthInMbs - 1),
            random.int(in: 0...sequence.picWidthInMbs - 1),
          ].sorted()
          let down = [
            random.int(in: 0...sequence.picHeightInMapUnits - 1),
            random.int(in: 0...sequence.picHeightInMapUnits - 1),
          ].sorted()
          return (
            down[0] * sequence.picWidthInMbs + across[0],
            down[1] * sequence.picWidthInMbs + across[1]
          )
        })
    case 6:
      sliceGroupMapping = .explicit(
        groups: (0..<units).map { _ in UInt8(random.int(in: 0...numSliceGroups - 1)) })
    case let type:
      numSliceGroups = 2
      sliceGroupChangeRate = random.int(in: 1...units)
      let direction = random.one(in: 2)
      sliceGroupMapping =
        type == 3
        ? .boxOut(changeDirection: direction)
        : type == 4 ? .raster(changeDirection: direction) : .wipe(changeDirection: direction)
    }
  }
}

extension SliceHeader {
  /// Any valid header for the sets, all counts overridden.
  static func random(
    _ sequence: SequenceParameterSet, _ picture: PictureParameterSet,
    using random: inout SeededGenerator
  ) -> SliceHeader {
    var header = SliceHeader()
    header.nalUnitType =
      [.nonIDRSlice, .idrSlice, .partitionA].randomElement(using: &random) ?? .nonIDRSlice
    header.nalRefIDC = header.isIDR ? random.int(in: 1...3) : random.int(in: 0...3)
    let takesSwitching =
      sequence.bitDepthLuma == 8 && sequence.bitDepthChroma == 8 && sequence.chromaArrayType == 1
    let types: [SliceType] =
      (header.isIDR ? [.i] : [.p, .b, .i])
      + (takesSwitching ? header.isIDR ? [.si] : [.sp, .si] : [])
    header.sliceType = types.randomElement(using: &random) ?? .i
    header.isTypeOfAllSlices = random.one(in: 2)
    header.picParameterSetID = picture.picParameterSetID
    if sequence.separateColourPlaneFlag { header.colourPlaneID = random.int(in: 0...2) }
    header.frameNum = random.int(in: 0...sequence.maxFrameNum - 1)
    if !sequence.frameMbsOnlyFlag { header.fieldPicFlag = random.one(in: 2) }
    header.bottomFieldFlag = header.fieldPicFlag && random.one(in: 2)
    header.mbaffFrameFlag = sequence.mbAdaptiveFrameFieldFlag && !header.fieldPicFlag
    let mbs = sequence.picWidthInMbs * sequence.frameHeightInMbs
    let halved = header.fieldPicFlag || header.mbaffFrameFlag
    header.firstMbInSlice = random.int(in: 0...mbs / (halved ? 2 : 1) - 1)
    header.setOrder(sequence, picture, using: &random)
    header.setReferences(sequence, picture, using: &random)
    header.setMarking(sequence, using: &random)
    header.setRest(sequence, picture, using: &random)
    return header
  }

  private mutating func setOrder(
    _ sequence: SequenceParameterSet, _ picture: PictureParameterSet,
    using random: inout SeededGenerator
  ) {
    let delta = -(1 << 31) + 1...(1 << 31) - 1
    let hasBottom = picture.bottomFieldPicOrderInFramePresentFlag && !fieldPicFlag
    if isIDR { idrPicID = random.int(in: 0...65535) }
    if sequence.picOrderCntType == 0 {
      picOrderCntLsb = random.int(in: 0...sequence.maxPicOrderCntLsb - 1)
      if hasBottom { deltaPicOrderCntBottom = random.int(in: delta) }
    }
    if sequence.picOrderCntType == 1 && !sequence.deltaPicOrderAlwaysZeroFlag {
      deltaPicOrderCnt0 = random.int(in: delta)
      if hasBottom { deltaPicOrderCnt1 = random.int(in: delta) }
    }
    if picture.redundantPicCntPresentFlag { redundantPicCnt = random.int(in: 0...127) }
  }

  private mutating func setReferences(
    _ sequence: SequenceParameterSet, _ picture: PictureParameterSet,
    using random: inout SeededGenerator
  ) {
    guard !sliceType.isIntra else { return }
    let bound = fieldPicFlag ? 32 : 16
    directSpatialMvPredFlag = sliceType == .b && random.one(in: 2)
    numRefIdxL0Active = random.int(in: 1...bound)
    numRefIdxL1Active = sliceType == .b ? random.int(in: 1...bound) : 0
    let maxPicNum = maxPicNum(sequence)
    func commands(_ count: Int) -> [ReferenceListModification] {
      (0..<random.int(in: 0...min(count, 4))).map { _ in
        switch random.int(in: 0...2) {
        case 0: .subtract(random.int(in: 1...maxPicNum))
        case 1: .add(random.int(in: 1...maxPicNum))
        default: .longTerm(random.int(in: 0...31))
        }
      }
    }
    listModifications0 = commands(numRefIdxL0Active)
    listModifications1 = commands(numRefIdxL1Active)
    hasExplicitWeights =
      sliceType == .b ? picture.weightedBipredIdc == 1 : picture.weightedPredFlag
    guard hasExplicitWeights else { return }
    let hasChroma = sequence.chromaArrayType != 0
    lumaLog2WeightDenom = random.int(in: 0...7)
    if hasChroma { chromaLog2WeightDenom = random.int(in: 0...7) }
    func weights(_ count: Int) -> [PredictionWeight] {
      (0..<count).map { _ in
        var entry = PredictionWeight(
          lumaLog2Denominator: lumaLog2WeightDenom, chromaLog2Denominator: chromaLog2WeightDenom)
        entry.lumaFlag = random.one(in: 2)
        entry.chromaFlag = hasChroma && random.one(in: 2)
        func value() -> Int32 { Int32(random.int(in: -128...127)) }
        if entry.lumaFlag { (entry.lumaWeight, entry.lumaOffset) = (value(), value()) }
        if entry.chromaFlag {
          (entry.cbWeight, entry.cbOffset) = (value(), value())
          (entry.crWeight, entry.crOffset) = (value(), value())
        }
        return entry
      }
    }
    weights0 = weights(numRefIdxL0Active)
    weights1 = weights(numRefIdxL1Active)
  }

  private mutating func setMarking(
    _ sequence: SequenceParameterSet, using random: inout SeededGenerator
  ) {
    guard isReference else { return }
    if isIDR {
      marking.noOutputOfPriorPicsFlag = random.one(in: 2)
      marking.longTermReferenceFlag = random.one(in: 2)
      return
    }
    marking.adaptiveRefPicMarkingModeFlag = random.one(in: 2)
    guard marking.adaptiveRefPicMarkingModeFlag else { return }
    let maxPicNum = maxPicNum(sequence)
    marking.operations = (0..<random.int(in: 0...8)).map { _ in
      switch random.int(in: 1...6) {
      case 1: .shortTermUnused(differenceOfPicNums: random.int(in: 1...maxPicNum))
      case 2: .longTermUnused(longTermPicNum: random.int(in: 0...31))
      case 3:
        .shortTermToLongTerm(
          differenceOfPicNums: random.int(in: 1...maxPicNum),
          longTermFrameIdx: random.int(in: 0...15))
      case 4: .maxLongTermFrameIdx(plus1: random.int(in: 0...16))
      case 5: .allUnused
      default: .currentToLongTerm(longTermFrameIdx: random.int(in: 0...15))
      }
    }
  }

  private mutating func setRest(
    _ sequence: SequenceParameterSet, _ picture: PictureParameterSet,
    using random: inout SeededGenerator
  ) {
    if picture.entropyCodingModeFlag && !sliceType.isIntra { cabacInitIdc = random.int(in: 0...2) }
    sliceQPY = random.int(in: -sequence.qpBdOffsetY...51)
    qsY = picture.picInitQS
    if sliceType == .sp || sliceType == .si { qsY = random.int(in: 0...51) }
    spForSwitchFlag = sliceType == .sp && random.one(in: 2)
    if picture.deblockingFilterControlPresentFlag {
      disableDeblockingFilterIdc = random.int(in: 0...2)
      if disableDeblockingFilterIdc != 1 {
        filterOffsetA = 2 * random.int(in: -6...6)
        filterOffsetB = 2 * random.int(in: -6...6)
      }
    }
    if picture.numSliceGroups > 1, picture.sliceGroupMapping.isChanging {
      let rate = picture.sliceGroupChangeRate
      sliceGroupChangeCycle = random.int(in: 0...(sequence.picSizeInMapUnits + rate - 1) / rate)
    }
    let mbs = sequence.picWidthInMbs * sequence.frameHeightInMbs
    if nalUnitType == .partitionA { sliceID = random.int(in: 0...mbs - 1) }
  }
}
