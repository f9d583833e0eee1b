// From the buffering of a sequence parameter set to its video usability information.
// ISO/IEC 23008-2:2020 §7.3.2.2.1, §7.3.4, §7.3.7, §E.2.1.

import ReelCore

extension HEVCSequenceSummary {
  /// Reads what follows bit_depth_chroma_minus8, as far as it is in order.
  mutating func readRest(_ bits: inout BitReader, subLayers: Int) {
    let orderCountBits = bits.readUE()
    guard orderCountBits <= 12 else { return }
    for _ in (bits.readFlag() ? 0 : subLayers)...subLayers {
      let (buffered, reordered) = (bits.readUE(), bits.readUE())
      _ = bits.readUE()
      guard buffered <= 16, reordered <= 16, !bits.overrun else { return }
      (bufferedFrameCount, reorderFrameCount) = (Int(buffered), Int(reordered))
    }
    for _ in 0..<6 { _ = bits.readUE() }
    if bits.readFlag(), bits.readFlag() { skipScalingLists(&bits) }
    bits.skip(2)  // amp_enabled_flag, sample_adaptive_offset_enabled_flag
    if bits.readFlag() {
      bits.skip(8)
      _ = bits.readUE()
      _ = bits.readUE()
      bits.skip(1)
    }
    guard skipReferencePictureSets(&bits) else { return }
    if bits.readFlag() {
      let count = bits.readUE()
      guard count <= 32 else { return }
      bits.skip(Int(count) * (Int(orderCountBits) + 4 + 1))
    }
    bits.skip(2)  // sps_temporal_mvp_enabled_flag, strong_intra_smoothing_enabled_flag
    if bits.readFlag(), !bits.overrun { readUsability(&bits) }
  }

  /// scaling_list_data(), §7.3.4.
  private func skipScalingLists(_ bits: inout BitReader) {
    for size in 0..<4 {
      for _ in 0..<(size == 3 ? 2 : 6) {
        if bits.readFlag() {
          if size > 1 { _ = bits.readSE() }
          for _ in 0..<(size == 0 ? 16 : 64) { _ = bits.readSE() }
        } else {
          _ = bits.readUE()
        }
      }
    }
  }

  /// The short-term reference picture sets, §7.3.7; false when their lengths cannot be followed.
  private func skipReferencePictureSets(_ bits: inout BitReader) -> Bool {
    let count = bits.readUE()
    guard count <= 64 else { return false }
    var pictures = 0
    for index in 0..<count {
      if index > 0, bits.readFlag() {
        bits.skip(1)
        _ = bits.readUE()
        var kept = 0
        for _ in 0...pictures {
          let isUsed = bits.readFlag()
          if isUsed || bits.readFlag() { kept += 1 }
        }
        pictures = kept
      } else {
        let (before, after) = (bits.readUE(), bits.readUE())
        guard before <= 16, after <= 16 else { return false }
        pictures = Int(before + after)
        for _ in 0..<pictures {
          _ = bits.readUE()
          bits.skip(1)
        }
      }
      guard pictures <= 32, !bits.overrun else { return false }
    }
    return true
  }

  /// vui_parameters() up to its timing. §E.2.1.
  private mutating func readUsability(_ bits: inout BitReader) {
    if bits.readFlag() {
      let code = Int(bits.read(8))
      let ratio =
        code == 255
        ? Ratio(Int(bits.read(16)), Int(bits.read(16))) : SampleAspectRatios.ratio(code)
      if ratio.numerator > 0, ratio.denominator > 0 { pixelAspectRatio = ratio }
    }
    if bits.readFlag() { bits.skip(1) }
    let colour = readColour(&bits)
    bits.skip(3)  // neutral_chroma_indication_flag, field_seq_flag, frame_field_info_present_flag
    if bits.readFlag() {
      for _ in 0..<4 { _ = bits.readUE() }
    }
    guard !bits.overrun else { return }
    self.colour = colour
    guard bits.readFlag() else { return }
    let (units, scale) = (bits.read(32), bits.read(32))
    if !bits.overrun { (tickUnits, tickScale) = (units, scale) }
  }

  private func readColour(_ bits: inout BitReader) -> ColourDescription? {
    var colour = ColourDescription()
    let hasSignalType = bits.readFlag()
    if hasSignalType {
      bits.skip(3)
      colour.isFullRange = bits.readFlag()
      if bits.readFlag() {
        colour.primaries = UInt8(bits.read(8))
        colour.transfer = UInt8(bits.read(8))
        colour.matrix = UInt8(bits.read(8))
      }
    }
    let hasLocation = bits.readFlag()
    if hasLocation {
      let top = bits.readUE()
      _ = bits.readUE()
      if top <= 5 { colour.chromaLocation = UInt8(top) }
    }
    return hasSignalType || hasLocation ? colour : nil
  }
}
