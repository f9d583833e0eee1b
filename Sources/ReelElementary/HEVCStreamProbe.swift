// Telling an HEVC byte stream by its first bytes.

import ReelCore
import ReelVideoCore

/// Recognises HEVC byte streams by their sequence parameter set, or by parameter sets and slices whose
/// headers are in order.
enum HEVCStreamProbe {
  /// LIMIT: looks at this many NAL units.
  private static let maximumUnits = 64

  static func matches(_ prefix: [UInt8]) -> Bool {
    // A byte stream begins with zeros and a start code (§B.2.1); anything else is another format.
    guard let first = prefix.firstIndex(where: { $0 != 0 }), first >= 2, prefix[first] == 1 else {
      return false
    }
    var likely = 0
    let units = NALUnits.annexB(prefix).prefix(maximumUnits)
    for range in units {
      guard let score = score(prefix, range) else { return false }
      if score > 1 { return true }
      likely += score
    }
    // Without a sequence parameter set, H.264 could look the same: a video parameter set decides.
    return likely > 0 && likely * 2 >= units.count
  }

  /// 2 for what is surely of HEVC, 1 for what may be, 0 for what tells nothing, nil for what an HEVC
  /// stream cannot hold. ISO/IEC 23008-2:2020 §7.4.2.2.
  private static func score(_ bytes: [UInt8], _ range: Range<Int>) -> Int? {
    guard range.count >= 2 else { return 0 }
    let (first, second) = (bytes[range.lowerBound], bytes[range.lowerBound + 1])
    guard first & 0x80 == 0, second & 7 != 0 else { return nil }
    guard first & 1 == 0, second >> 3 == 0 else { return 0 }
    switch first >> 1 {
    case 33:
      return HEVCSequenceSummary(unescaped: NALUnits.unescape(bytes, range)) != nil ? 2 : 0
    case 32: return second == 1 ? 1 : 0
    default: return 0
    }
  }
}
