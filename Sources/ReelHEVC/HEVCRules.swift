// The rules of ISO/IEC 23008-2:2020 that this target checks, one constant each.

public import ReelCore

extension Rule {
  // Syntax: NAL units and parameter sets.
  public static let hevcTruncated = Rule(
    "hevc.truncated", "a syntax structure must end inside its NAL unit",
    clause: "ISO/IEC 23008-2:2020 §7.3.1.1")
  public static let hevcNALUnitHeader = Rule(
    "hevc.nal-header", "a NAL unit must start with forbidden_zero_bit 0 and hold its whole header",
    clause: "ISO/IEC 23008-2:2020 §7.4.2.2")
  public static let hevcVideoValue = Rule(
    "hevc.vps-value", "a value of the video parameter set must lie in its range",
    clause: "ISO/IEC 23008-2:2020 §7.4.3.1")
  public static let hevcSequenceValue = Rule(
    "hevc.sps-value", "a value of the sequence parameter set must lie in its range",
    clause: "ISO/IEC 23008-2:2020 §7.4.3.2.1")
  public static let hevcConformanceWindow = Rule(
    "hevc.sps-window", "the conformance window must leave at least one sample of the picture",
    clause: "ISO/IEC 23008-2:2020 §7.4.3.2.1")
  public static let hevcUsabilityValue = Rule(
    "hevc.vui-value", "a value of the video usability information must lie in its range",
    clause: "ISO/IEC 23008-2:2020 §E.3.1")
  public static let hevcPictureValue = Rule(
    "hevc.pps-value", "a value of the picture parameter set must lie in its range",
    clause: "ISO/IEC 23008-2:2020 §7.4.3.3.1")
  public static let hevcTiles = Rule(
    "hevc.pps-tiles", "tiles must fit the picture",
    clause: "ISO/IEC 23008-2:2020 §7.4.3.3.1")
  public static let hevcScalingListValue = Rule(
    "hevc.scaling-list", "a value of a scaling list must lie in its range",
    clause: "ISO/IEC 23008-2:2020 §7.4.5")
  public static let hevcReferencePictureSet = Rule(
    "hevc.st-ref-pic-set",
    "a short-term reference picture set must hold at most 16 pictures in range",
    clause: "ISO/IEC 23008-2:2020 §7.4.8")
  public static let hevcParameterSetMissing = Rule(
    "hevc.parameter-set-missing", "a slice must name parameter sets that came before it",
    clause: "ISO/IEC 23008-2:2020 §7.4.2.4.2")
  public static let hevcConfigurationRecord = Rule(
    "hevc.hvcc", "the decoder configuration record must hold its whole arrays",
    clause: "ISO/IEC 14496-15:2019 §8.3.3.1")
  public static let hevcTool = Rule(
    "hevc.tool", "coding tools outside of version 1 and the format range extensions",
    clause: "ISO/IEC 23008-2:2020 §A.3")

  // Syntax: slices.
  public static let hevcSliceValue = Rule(
    "hevc.slice-value", "a value of the slice segment header must lie in its range",
    clause: "ISO/IEC 23008-2:2020 §7.4.7.1")
  public static let hevcDependentSlice = Rule(
    "hevc.dependent-slice", "a dependent slice segment must follow the slice it belongs to",
    clause: "ISO/IEC 23008-2:2020 §7.4.7.1")
  public static let hevcPredictionWeight = Rule(
    "hevc.prediction-weight", "weights and offsets must lie in their ranges",
    clause: "ISO/IEC 23008-2:2020 §7.4.7.3")
  public static let hevcSliceData = Rule(
    "hevc.slice-data", "slice data must end where its last coding tree unit does",
    clause: "ISO/IEC 23008-2:2020 §7.3.8.1")
  public static let hevcSliceElement = Rule(
    "hevc.slice-element", "a value in slice data must lie in its range",
    clause: "ISO/IEC 23008-2:2020 §7.4.9")
  public static let hevcPictureIncomplete = Rule(
    "hevc.picture-incomplete", "the slices of a picture must hold all its coding tree units",
    clause: "ISO/IEC 23008-2:2020 §7.4.2.4.5")
  public static let hevcPictureCount = Rule(
    "hevc.picture-count", "a stream must not hold more pictures than the limit for its bytes")

  // Supplemental enhancement information.
  public static let hevcSupplementalValue = Rule(
    "hevc.sei-value", "a supplemental enhancement message must fit its size and ranges",
    clause: "ISO/IEC 23008-2:2020 §D.2")

  // References.
  public static let hevcPictureSize = Rule(
    "hevc.picture-size", "pictures must not be larger than the limit on their samples")
  public static let hevcMissingReference = Rule(
    "hevc.missing-reference", "a slice must refer to pictures that were decoded",
    clause: "ISO/IEC 23008-2:2020 §8.3.2")
  public static let hevcDamagedReference = Rule(
    "hevc.damaged-reference", "a picture must be predicted from pictures that are whole",
    clause: "ISO/IEC 23008-2:2020 §8.5.3.3.2")
}
