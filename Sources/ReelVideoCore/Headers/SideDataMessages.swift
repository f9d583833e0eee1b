// Supplemental messages that H.264 and HEVC share. ISO/IEC 14496-10:2020 Annex D, ISO/IEC 23008-2:2020 Annex D.

package import ReelCore

/// A message that stays in force until it is cancelled or replaced.
package enum PersistentMessage<Value: Sendable & Hashable>: Sendable, Hashable {
  case cancelled
  /// `isPersistent`: for the pictures that follow as well, else for one only.
  case set(Value, isPersistent: Bool)
}

extension FramePacking {
  /// frame_packing_arrangement(), ISO/IEC 14496-10 §D.2.26, ISO/IEC 23008-2 §D.2.16.
  ///
  /// - Parameter isPersistent: reads how long it holds, which is where the standards differ.
  package static func message(
    _ reader: SyntaxReader, _ rule: Rule,
    isPersistent: (inout SyntaxReader) throws(MediaError) -> Bool
  ) throws(MediaError) -> PersistentMessage<FramePacking> {
    var reader = reader
    _ = try reader.ue(0...Int(UInt32.max) - 1, "frame_packing_arrangement_id", rule)
    if reader.flag() { return .cancelled }
    let type = reader.u(7)
    let isQuincunx = reader.flag()
    let interpretation = reader.u(6)
    reader.skip(3)  // spatial_flipping_flag, frame0_flipped_flag, field_views_flag
    let isFrame0 = reader.flag()
    reader.skip(2)  // frame0_self_contained_flag, frame1_self_contained_flag
    if !isQuincunx && type != 5 { reader.skip(16) }
    reader.skip(8)  // frame_packing_arrangement_reserved_byte
    let holds = try isPersistent(&reader)
    try reader.requireNoOverrun()
    let packing = FramePacking(
      arrangementType: type, isQuincunx: isQuincunx, contentInterpretation: interpretation,
      isFrame0: isFrame0)
    return .set(packing, isPersistent: holds)
  }
}

extension DisplayOrientation {
  /// display_orientation(), ISO/IEC 14496-10 §D.2.27, ISO/IEC 23008-2 §D.2.17.
  ///
  /// - Parameter isPersistent: reads how long it holds, which is where the standards differ.
  package static func message(
    _ reader: SyntaxReader, isPersistent: (inout SyntaxReader) throws(MediaError) -> Bool
  ) throws(MediaError) -> PersistentMessage<DisplayOrientation> {
    var reader = reader
    if reader.flag() { return .cancelled }
    let isHorizontal = reader.flag()
    let isVertical = reader.flag()
    let rotation = reader.u(16)
    let holds = try isPersistent(&reader)
    try reader.requireNoOverrun()
    let orientation = DisplayOrientation(
      isFlippedHorizontally: isHorizontal, isFlippedVertically: isVertical,
      anticlockwiseRotation: rotation)
    return .set(orientation, isPersistent: holds)
  }
}

extension MasteringDisplay {
  /// mastering_display_colour_volume(), ISO/IEC 14496-10 §D.2.29, ISO/IEC 23008-2 §D.2.28.
  package init(_ reader: SyntaxReader) throws(MediaError) {
    var reader = reader
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
  /// content_light_level_info(), ISO/IEC 14496-10 §D.2.31, ISO/IEC 23008-2 §D.2.35.
  package init(_ reader: SyntaxReader) throws(MediaError) {
    var reader = reader
    let maximum = reader.u(16)
    let average = reader.u(16)
    try reader.requireNoOverrun()
    self.init(maximumContentLight: maximum, maximumFrameAverageLight: average)
  }
}
