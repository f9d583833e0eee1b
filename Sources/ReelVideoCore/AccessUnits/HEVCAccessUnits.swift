// Where access units of HEVC begin. ISO/IEC 23008-2:2020 §7.4.2.4.4.

/// Knows where the coded pictures of an HEVC stream begin, and the last sequence parameter set.
public final class HEVCAccessUnitDetector: AccessUnitDetector {
  /// The last sequence parameter set that could be read.
  public private(set) var sequence: HEVCSequenceSummary?
  public private(set) var lastUnitIsSync = false
  public let lastPictureIsField = false
  private let startsAtCRA: Bool
  private var hasPicture = false

  /// A detector at the start of a stream.
  ///
  /// - Parameter startsAtCRA: whether each clean random access picture is a place to start at. The leading
  ///   pictures behind one are not output by who starts there (§8.1.3), so that a reader which has no times
  ///   and counts what is output must not: for it only the first picture of the stream is.
  public init(startsAtCRA: Bool = true) { self.startsAtCRA = startsAtCRA }

  public func headByteCount(of first: UInt8) -> Int { first >> 1 & 63 <= 31 ? 3 : 1 << 12 }

  public func role(
    of bytes: [UInt8], _ range: Range<Int>, hasLeading: Bool
  ) -> AccessUnitRole {
    lastUnitIsSync = false
    guard range.count >= 3 else { return .neutral }
    let (first, second) = (bytes[range.lowerBound], bytes[range.lowerBound + 1])
    let layer = (first & 1) << 5 | second >> 3
    guard layer == 0 else { return .neutral }
    // Table 7-1.
    switch first >> 1 & 63 {
    case let type where type <= 31:
      let isCRA = type == 21
      lastUnitIsSync = (16...21).contains(type) && (!isCRA || startsAtCRA || !hasPicture)
      hasPicture = true
      return .picture(isFirst: bytes[range.lowerBound + 2] & 0x80 != 0)
    case 33:
      let end = min(range.upperBound, range.lowerBound + 1 << 12)
      let unit = NALUnits.unescape(bytes, range.lowerBound..<end)
      if let new = HEVCSequenceSummary(unescaped: unit) { sequence = new }
      return .leading
    case 35: return .delimiter
    case 32, 34, 39, 41...44, 48...55: return .leading
    default: return .neutral
    }
  }
}
