// Profile, tier and level. ISO/IEC 23008-2:2020 §7.3.3.

import ReelCore
import ReelVideoCore

/// The general part of profile_tier_level().
struct ProfileTierLevel: Sendable, Hashable {
  var profileSpace = 0
  var isHighTier = false
  var profileIDC = 0
  /// general_profile_compatibility_flag[ j ] at bit 31 − j.
  var compatibilityFlags: UInt32 = 0
  /// 30 times the level.
  var levelIDC = 0

  init() {}

  /// profile_tier_level( 1, `subLayers` ): sub-layers' own parts are passed over.
  init(parsing reader: inout SyntaxReader, subLayers: Int) throws(MediaError) {
    profileSpace = reader.u(2)
    isHighTier = reader.flag()
    profileIDC = reader.u(5)
    compatibilityFlags = UInt32(truncatingIfNeeded: reader.u(32))
    reader.skip(48)
    levelIDC = reader.u(8)
    if subLayers > 0 {
      var present: [(profile: Bool, level: Bool)] = []
      for _ in 0..<subLayers { present.append((reader.flag(), reader.flag())) }
      reader.skip(2 * (8 - subLayers))
      for part in present { reader.skip((part.profile ? 88 : 0) + (part.level ? 8 : 0)) }
    }
    try reader.requireNoOverrun()
  }
}
