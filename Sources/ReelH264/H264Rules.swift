// The rules of ISO/IEC 14496-10:2020 that this target checks, one constant each.

public import ReelCore

extension Rule {
  // Syntax: NAL units and parameter sets.
  public static let h264Truncated = Rule(
    "h264.truncated", "a syntax structure must end inside its NAL unit",
    clause: "ISO/IEC 14496-10:2020 §7.3.2")
  public static let h264NALUnitHeader = Rule(
    "h264.nal-header", "a NAL unit must start with forbidden_zero_bit 0 and hold its whole header",
    clause: "ISO/IEC 14496-10:2020 §7.4.1")
  public static let h264SequenceValue = Rule(
    "h264.sps-value", "a value of the sequence parameter set must lie in its range",
    clause: "ISO/IEC 14496-10:2020 §7.4.2.1.1")
  public static let h264FrameCropping = Rule(
    "h264.sps-cropping", "the cropping rectangle must leave at least one sample of the frame",
    clause: "ISO/IEC 14496-10:2020 §7.4.2.1.1")
  public static let h264DirectInference = Rule(
    "h264.sps-direct-inference",
    "direct_8x8_inference_flag must be 1 where frame_mbs_only_flag is 0",
    clause: "ISO/IEC 14496-10:2020 §7.4.2.1.1")
  public static let h264UsabilityValue = Rule(
    "h264.vui-value", "a value of the video usability information must lie in its range",
    clause: "ISO/IEC 14496-10:2020 §E.2.1")
  public static let h264PictureValue = Rule(
    "h264.pps-value", "a value of the picture parameter set must lie in its range",
    clause: "ISO/IEC 14496-10:2020 §7.4.2.2")
  public static let h264SliceGroups = Rule(
    "h264.pps-slice-groups", "the slice groups must fit the picture",
    clause: "ISO/IEC 14496-10:2020 §7.4.2.2")
  public static let h264ScalingListValue = Rule(
    "h264.scaling-list", "delta_scale must lie in −128…127",
    clause: "ISO/IEC 14496-10:2020 §7.4.2.1.1.1")
  public static let h264ParameterSetMissing = Rule(
    "h264.parameter-set-missing", "a slice must name parameter sets that came before it",
    clause: "ISO/IEC 14496-10:2020 §7.4.1.2.1")
  public static let h264ConfigurationRecord = Rule(
    "h264.avcc", "the decoder configuration record must hold version 1 and its whole arrays",
    clause: "ISO/IEC 14496-15:2019 §5.3.3.1")

  // Syntax: slices.
  public static let h264SliceValue = Rule(
    "h264.slice-value", "a value of the slice header must lie in its range",
    clause: "ISO/IEC 14496-10:2020 §7.4.3")
  public static let h264IntraPicture = Rule(
    "h264.idr-slice-type", "slices of an IDR picture must be I or SI slices",
    clause: "ISO/IEC 14496-10:2020 §7.4.3")
  public static let h264SwitchingSlice = Rule(
    "h264.switching-slice", "SP and SI slices must be of pictures in 4:2:0 and 8 bits",
    clause: "ISO/IEC 14496-10:2020 §A.2.3")
  public static let h264ListModification = Rule(
    "h264.list-modification", "reference list modification must end and keep its ranges",
    clause: "ISO/IEC 14496-10:2020 §7.4.3.1")
  public static let h264PredictionWeight = Rule(
    "h264.prediction-weight", "weights and offsets must lie in −128…127, denominators in 0…7",
    clause: "ISO/IEC 14496-10:2020 §7.4.3.2")
  public static let h264ReferenceMarking = Rule(
    "h264.reference-marking", "memory management control operations must end and keep their ranges",
    clause: "ISO/IEC 14496-10:2020 §7.4.3.3")

  public static let h264PartitionOrder = Rule(
    "h264.partition-order", "data partitions B and C must follow the partition A of their slice",
    clause: "ISO/IEC 14496-10:2020 §7.4.1.2.5")
  public static let h264PictureCount = Rule(
    "h264.picture-count", "a stream must not hold more pictures than the limit for its bytes")

  // Supplemental enhancement information.
  public static let h264SupplementalValue = Rule(
    "h264.sei-value", "a supplemental enhancement message must fit its size and ranges",
    clause: "ISO/IEC 14496-10:2020 §D.2")
}

extension Rule {
  // References.
  public static let h264PictureSize = Rule(
    "h264.picture-size", "pictures must not be larger than the limit on their samples")
  public static let h264PictureOrderCount = Rule(
    "h264.picture-order-count", "picture order counts must lie in −2³¹…2³¹−1",
    clause: "ISO/IEC 14496-10:2020 §8.2.1")
  public static let h264FrameNumGap = Rule(
    "h264.frame-num-gap", "frame_num must not jump where gaps are not allowed: pictures were lost",
    clause: "ISO/IEC 14496-10:2020 §7.4.3")
  public static let h264MissingReference = Rule(
    "h264.missing-reference", "a slice must refer to pictures that were decoded",
    clause: "ISO/IEC 14496-10:2020 §8.2.4")
  public static let h264DamagedReference = Rule(
    "h264.damaged-reference", "a picture must be predicted from pictures that are whole",
    clause: "ISO/IEC 14496-10:2020 §8.4.2.1")
  public static let h264MarkingTarget = Rule(
    "h264.marking-target", "memory management control operations must name marked pictures",
    clause: "ISO/IEC 14496-10:2020 §8.2.5.4")
}
