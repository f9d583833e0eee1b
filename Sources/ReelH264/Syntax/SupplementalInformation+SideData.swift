// Supplemental messages that describe frames to the viewer's side. ISO/IEC 14496-10:2020 Annex D.

import ReelCore
import ReelVideoCore

extension FramePacking {
  /// frame_packing_arrangement(), §D.1.26, §D.2.26.
  static func message(
    parsing payload: [UInt8]
  ) throws(MediaError) -> PersistentMessage<FramePacking> {
    try message(SyntaxReader(payload, from: 0), .h264SupplementalValue) {
      reader throws(MediaError) in
      try reader.ue(
        0...16_384, "frame_packing_arrangement_repetition_period", .h264SupplementalValue) != 0
    }
  }
}

extension DisplayOrientation {
  /// display_orientation(), §D.1.27, §D.2.27.
  static func message(
    parsing payload: [UInt8]
  ) throws(MediaError) -> PersistentMessage<DisplayOrientation> {
    try message(SyntaxReader(payload, from: 0)) { reader throws(MediaError) in
      try reader.ue(0...16_384, "display_orientation_repetition_period", .h264SupplementalValue)
        != 0
    }
  }
}

/// film_grain_characteristics(), §D.1.20, §D.2.20: whether grain is asked for, and for how long.
enum FilmGrain {
  static func message(parsing payload: [UInt8]) throws(MediaError) -> PersistentMessage<Bool> {
    var reader = SyntaxReader(payload, from: 0)
    if reader.flag() { return .cancelled }
    reader.skip(2)  // film_grain_model_id
    if reader.flag() { reader.skip(31) }  // depths and colour description of the grain
    reader.skip(6)  // blending_mode_id, log2_scale_factor
    let components = [reader.flag(), reader.flag(), reader.flag()]
    for isPresent in components where isPresent {
      let intervals = 1 + reader.u(8)
      let values = 1 + reader.u(3)
      for _ in 0..<intervals {
        reader.skip(16)  // lower and upper bound of the interval
        for _ in 0..<values { _ = try reader.se("comp_model_value", .h264SupplementalValue) }
      }
    }
    let period = try reader.ue(
      0...16_384, "film_grain_characteristics_repetition_period", .h264SupplementalValue)
    return .set(true, isPersistent: period != 0)
  }
}
