// Rules of slice data. ISO/IEC 14496-10:2020 §7.4.4, §7.4.5.

public import ReelCore

extension Rule {
  public static let sliceFirstMacroblock = Rule(
    "h264.first-mb", "first_mb_in_slice must lie in the picture",
    clause: "ISO/IEC 14496-10:2020 §7.4.3")
  public static let sliceEnd = Rule(
    "h264.slice-end", "a slice must end with the picture or before the next slice",
    clause: "ISO/IEC 14496-10:2020 §7.3.4")
  public static let sliceTruncated = Rule(
    "h264.slice-truncated", "slice data must not end inside a macroblock",
    clause: "ISO/IEC 14496-10:2020 §7.3.4")
  public static let macroblockType = Rule(
    "h264.mb-type", "mb_type and sub_mb_type must be ones of the slice type",
    clause: "ISO/IEC 14496-10:2020 §7.4.5")
  public static let macroblockReference = Rule(
    "h264.ref-idx", "ref_idx must name an entry of the reference list",
    clause: "ISO/IEC 14496-10:2020 §7.4.5.1")
  public static let macroblockIntraMode = Rule(
    "h264.intra-mode", "an intra prediction mode must find the samples that it predicts from",
    clause: "ISO/IEC 14496-10:2020 §8.3")
  public static let macroblockPattern = Rule(
    "h264.coded-block-pattern", "coded_block_pattern must be a code of Table 9-4",
    clause: "ISO/IEC 14496-10:2020 §9.1.2")
  public static let macroblockDeltaQP = Rule(
    "h264.mb-qp-delta", "mb_qp_delta must lie in its range",
    clause: "ISO/IEC 14496-10:2020 §7.4.5")
  public static let residualCode = Rule(
    "h264.residual", "residual data must consist of codes of their tables",
    clause: "ISO/IEC 14496-10:2020 §9.2")
  public static let partitionMissing = Rule(
    "h264.partition-missing", "data partitions B and C must follow the partition A that needs them",
    clause: "ISO/IEC 14496-10:2020 §7.4.2.9")
}
