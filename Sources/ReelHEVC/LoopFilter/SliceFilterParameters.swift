// What the loop filters need of a slice.

/// Offsets and flags of one slice. §7.4.7.1.
struct SliceFilterParameters: BitwiseCopyable {
  /// slice_beta_offset_div2 and slice_tc_offset_div2, doubled.
  var betaOffset: Int
  var tcOffset: Int
  var isDeblockingDisabled: Bool
  var acrossSlices: Bool
  var saoLuma: Bool
  var saoChroma: Bool

  init(_ header: SliceHeader) {
    betaOffset = header.betaOffsetDiv2 * 2
    tcOffset = header.tcOffsetDiv2 * 2
    isDeblockingDisabled = header.deblockingDisabled
    acrossSlices = header.loopFilterAcrossSlices
    saoLuma = header.saoLuma
    saoChroma = header.saoChroma
  }
}
