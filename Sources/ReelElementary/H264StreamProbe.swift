// Telling an H.264 byte stream by its first bytes.

import ReelCore
import ReelVideoCore

/// Recognises H.264 byte streams whatever they begin with: delimiters, messages, end of stream
/// units, slices in the middle of a broadcast.
enum H264StreamProbe {
  /// LIMIT: looks at this many NAL units.
  private static let maximumUnits = 64

  static func matches(_ prefix: [UInt8]) -> Bool {
    // A byte stream begins with zeros and a start code (§B.1.1); anything else is another format.
    guard let first = prefix.firstIndex(where: { $0 != 0 }), first >= 2, prefix[first] == 1 else {
      return false
    }
    let units = NALUnits.annexB(prefix)
    guard let opening = units.first, !isHEVC(prefix, opening) else { return false }
    var likely = 0
    for range in units.prefix(maximumUnits) {
      guard let score = score(prefix, range) else { return false }
      if score > 1 { return true }
      likely += score
    }
    return likely * 2 >= min(units.count, maximumUnits)
  }

  /// 2 for what is surely of H.264, 1 for what may be, 0 for what tells nothing, nil for what an
  /// H.264 stream cannot hold. §7.4.1.
  private static func score(_ bytes: [UInt8], _ range: Range<Int>) -> Int? {
    let header = bytes[range.lowerBound]
    guard header & 0x80 == 0 else { return nil }
    switch header & 31 {
    case 7: return H264SequenceSummary(unescaped: NALUnits.unescape(bytes, range)) != nil ? 2 : 0
    case 1...6, 8...21: return 1
    default: return 0
    }
  }

  /// HEVC streams begin with a delimiter, a message or a parameter set of layer 0, temporal layer 0,
  /// which as H.264 would be odd but possible. ISO/IEC 23008-2:2020 §7.3.1.2, Table 7-1.
  private static func isHEVC(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    guard range.count >= 2, bytes[range.lowerBound + 1] == 1 else { return false }
    return (32...35).contains(bytes[range.lowerBound] >> 1) || bytes[range.lowerBound] == 39 << 1
  }
}
