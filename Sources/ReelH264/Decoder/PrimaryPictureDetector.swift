// Detection of the first slice of a picture. ISO/IEC 14496-10:2020 §7.4.1.2.4.

extension SliceHeader {
  /// This slice starts another primary coded picture than `previous` belongs to.
  func startsPicture(after previous: SliceHeader, _ sequence: SequenceParameterSet) -> Bool {
    if frameNum != previous.frameNum || fieldPicFlag != previous.fieldPicFlag
      || bottomFieldFlag != previous.bottomFieldFlag || isIDR != previous.isIDR
      || isReference != previous.isReference
    {
      return true
    }
    if isIDR && idrPicID != previous.idrPicID { return true }
    let hasOtherOrder =
      switch sequence.picOrderCntType {
      case 0: picOrderCntLsb != previous.picOrderCntLsb
      case 1: deltaPicOrderCnt0 != previous.deltaPicOrderCnt0
      default: false
      }
    // SPEC: by the letter another pic_parameter_set_id, or another bottom field's distance, alone starts
    // a picture. Encoders use several sets within one, and frames that differ in the distance alone
    // would have the same order count, so these count only with a slice that a picture may start with.
    // docs/decisions/0006.
    return hasOtherOrder || (firstMbInSlice == 0 && hasOtherSetOrDistance(previous, sequence))
  }

  private func hasOtherSetOrDistance(
    _ previous: SliceHeader, _ sequence: SequenceParameterSet
  ) -> Bool {
    if picParameterSetID != previous.picParameterSetID { return true }
    return switch sequence.picOrderCntType {
    case 0: deltaPicOrderCntBottom != previous.deltaPicOrderCntBottom
    case 1: deltaPicOrderCnt1 != previous.deltaPicOrderCnt1
    default: false
    }
  }
}
