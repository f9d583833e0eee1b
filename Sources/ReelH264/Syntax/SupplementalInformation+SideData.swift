// Supplemental messages that describe frames to the viewer's side. ISO/IEC 14496-10:2020 Annex D.

import ReelCore

/// A message that stays in force until it is cancelled or replaced.
enum PersistentMessage<Value: Sendable & Hashable>: Sendable, Hashable {
  case cancelled
  /// `isPersistent`: for the pictures that follow as well, else for the next one only.
  case set(Value, isPersistent: Bool)
}

extension FramePacking {
  /// frame_packing_arrangement(), §D.1.26, §D.2.26.
  static func message(
    parsing payload: [UInt8]
  ) throws(MediaError) -> PersistentMessage<FramePacking> {
    var reader = SyntaxReader(payload, from: 0)
    _ = try reader.ue(
      0...Int(UInt32.max) - 1, "frame_packing_arrangement_id", .h264SupplementalValue)
    if reader.flag() { return .cancelled }
    let type = reader.u(7)
    let isQuincunx = reader.flag()
    let interpretation = reader.u(6)
    reader.skip(3)  // spatial_flipping_flag, frame0_flipped_flag, field_views_flag
    let isFrame0 = reader.flag()
    reader.skip(2)  // frame0_self_contained_flag, frame1_self_contained_flag
    if !isQuincunx && type != 5 { reader.skip(16) }
    reader.skip(8)  // frame_packing_arrangement_reserved_byte
    let period = try reader.ue(
      0...16_384, "frame_packing_arrangement_repetition_period", .h264SupplementalValue)
    let packing = FramePacking(
      arrangementType: type, isQuincunx: isQuincunx, contentInterpretation: interpretation,
      isFrame0: isFrame0)
    return .set(packing, isPersistent: period != 0)
  }
}

extension DisplayOrientation {
  /// display_orientation(), §D.1.27, §D.2.27.
  static func message(
    parsing payload: [UInt8]
  ) throws(MediaError) -> PersistentMessage<DisplayOrientation> {
    var reader = SyntaxReader(payload, from: 0)
    if reader.flag() { return .cancelled }
    let isHorizontal = reader.flag()
    let isVertical = reader.flag()
    let rotation = reader.u(16)
    let period = try reader.ue(
      0...16_384, "display_orientation_repetition_period", .h264SupplementalValue)
    let orientation = DisplayOrientation(
      isFlippedHorizontally: isHorizontal, isFlippedVertically: isVertical,
      anticlockwiseRotation: rotation)
    return .set(orientation, isPersistent: period != 0)
  }
}

extension MasteringDisplay {
  /// mastering_display_colour_volume(), §D.2.29.
  init(parsing payload: [UInt8]) throws(MediaError) {
    var reader = SyntaxReader(payload, from: 0)
    var points: [Point] = []
    for _ in 0..<4 {
      let x = reader.u(16)
      points.append(Point(x: x, y: reader.u(16)))
    }
    let maximum = reader.u(32)
    let minimum = reader.u(32)
    try reader.requireNoOverrun()
    self.init(
      primaries: Array(points[0..<3]), whitePoint: points[3], maximumLuminance: maximum,
      minimumLuminance: minimum)
  }
}

extension ContentLightLevel {
  /// content_light_level_info(), §D.2.31.
  init(parsing payload: [UInt8]) throws(MediaError) {
    var reader = SyntaxReader(payload, from: 0)
    let maximum = reader.u(16)
    let average = reader.u(16)
    try reader.requireNoOverrun()
    self.init(maximumContentLight: maximum, maximumFrameAverageLight: average)
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
