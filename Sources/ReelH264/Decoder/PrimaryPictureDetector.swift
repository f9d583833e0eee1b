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
    switch sequence.picOrderCntType {
    case 0:
      if picOrderCntLsb != previous.picOrderCntLsb
        || deltaPicOrderCntBottom != previous.deltaPicOrderCntBottom
      {
        return true
      }
    case 1:
      if deltaPicOrderCnt0 != previous.deltaPicOrderCnt0
        || deltaPicOrderCnt1 != previous.deltaPicOrderCnt1
      {
        return true
      }
    default: break
    }
    // SPEC: by the letter another pic_parameter_set_id alone starts a picture. Encoders use several
    // sets within one, so it counts only with a slice that a picture may start with.
    return picParameterSetID != previous.picParameterSetID && firstMbInSlice == 0
  }
}
