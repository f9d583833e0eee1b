// Loading samples as 16-bit lanes.

import ReelCore

extension UInt8 {
  @inline(__always)
  static func load8(_ plane: PlaneView<UInt8>, at: Int) -> SIMD8<UInt16> {
    SIMD8<UInt16>(truncatingIfNeeded: plane.load(SIMD8<UInt8>.self, at: at))
  }
}

extension UInt16 {
  @inline(__always)
  static func load8(_ plane: PlaneView<UInt16>, at: Int) -> SIMD8<UInt16> {
    plane.load(SIMD8<UInt16>.self, at: at)
  }
}
