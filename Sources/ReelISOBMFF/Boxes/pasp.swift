// Pixel aspect ratio. ISO/IEC 14496-12:2020 §12.1.4 (pasp).

import ReelCore

/// PixelAspectRatioBox (`pasp`): width to height of a pixel, in any unit.
struct PixelAspectRatioBox {
  let horizontalSpacing: UInt32
  let verticalSpacing: UInt32

  init(parsing reader: inout ByteReader) throws(MediaError) {
    horizontalSpacing = try reader.read()
    verticalSpacing = try reader.read()
  }

  /// The reduced ratio; unknown when either is 0.
  var ratio: Ratio {
    guard horizontalSpacing > 0, verticalSpacing > 0 else { return .unknown }
    var (a, b) = (horizontalSpacing, verticalSpacing)
    while b != 0 { (a, b) = (b, a % b) }
    return Ratio(Int(horizontalSpacing / a), Int(verticalSpacing / a))
  }
}
