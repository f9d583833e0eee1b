// What a read past the end of an RBSP breaks. ISO/IEC 14496-10:2020 §7.3.

import ReelCore
import ReelVideoCore

extension SyntaxReader {
  /// A reader of `payload` (without emulation prevention) from bit `start`.
  init(_ payload: [UInt8], from start: Int) {
    self.init(payload, from: start, truncated: .h264Truncated)
  }
}
