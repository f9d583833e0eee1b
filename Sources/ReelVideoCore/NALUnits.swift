// Splitting byte streams into NAL units, and removing emulation prevention. Shared by H.264 and HEVC.

public import ReelCore

extension Rule {
  /// A length that reaches past the end of its sample.
  public static let nalLength = Rule(
    "video.nal-length", "a NAL unit's length field must not reach past its sample",
    clause: "ISO/IEC 14496-15:2019 §5.3.2")
}

/// Finds the NAL units of a byte stream or of a length-prefixed sample.
public enum NALUnits {
  /// Ranges of the NAL units in an Annex B byte stream, without start codes and trailing zeros.
  /// ISO/IEC 14496-10:2020 §B.1.
  public static func annexB(_ bytes: [UInt8]) -> [Range<Int>] {
    var units: [Range<Int>] = []
    split(bytes, 0..<bytes.count, start: nil, to: &units)
    return units
  }

  /// Appends the units between the start codes of `range`; what comes before the first is a unit that
  /// begins at `start`, if any.
  private static func split(
    _ bytes: [UInt8], _ range: Range<Int>, start: Int?, to units: inout [Range<Int>]
  ) {
    var start = start
    let end = range.upperBound
    let part = bytes.span.extracting(0..<end)
    var next = StartCodes.first(in: part, from: range.lowerBound)
    while next.isFound {
      if let start { append(start..<next.index, of: bytes, to: &units) }
      start = next.index + 3
      next = StartCodes.first(in: part, from: next.index + 3)
    }
    if let start { append(start..<end, of: bytes, to: &units) }
  }

  /// Appends the range less its trailing zero bytes, unless nothing is left.
  private static func append(_ range: Range<Int>, of bytes: [UInt8], to units: inout [Range<Int>]) {
    var end = range.upperBound
    while end > range.lowerBound && bytes[end - 1] == 0 { end -= 1 }
    if end > range.lowerBound { units.append(range.lowerBound..<end) }
  }

  /// Ranges of the NAL units of a sample whose units stand behind `lengthBytes`-byte lengths, and the
  /// first length that reaches past the sample (everything before it is still good).
  ///
  /// No unit holds a start code (ISO/IEC 14496-10:2020 §7.4.1), so where one stands inside of a length,
  /// a muxer put several units of a byte stream under it: each is told.
  public static func lengthPrefixed(
    _ bytes: [UInt8], lengthBytes: Int
  ) -> (units: [Range<Int>], fault: MediaError?) {
    var units: [Range<Int>] = []
    var i = 0
    while i < bytes.count {
      guard i + lengthBytes <= bytes.count else {
        return (units, fault(at: i, length: 0, in: bytes.count))
      }
      var length = 0
      for k in 0..<lengthBytes { length = length << 8 | Int(bytes[i + k]) }
      i += lengthBytes
      guard length <= bytes.count - i else {
        return (units, fault(at: i - lengthBytes, length: length, in: bytes.count))
      }
      if length > 0 { split(bytes, i..<i + length, start: i, to: &units) }
      i += length
    }
    return (units, nil)
  }

  private static func fault(at offset: Int, length: Int, in count: Int) -> MediaError {
    MediaError(
      .damaged, .nalLength, at: .offset(Int64(offset)),
      detail: "length \(length) at byte \(offset) of a sample of \(count)")
  }

  /// The payload (RBSP) of a NAL unit: the bytes of `range` without emulation prevention bytes.
  /// ISO/IEC 14496-10:2020 §7.3.1. Includes the NAL unit header.
  public static func unescape(_ bytes: [UInt8], _ range: Range<Int>) -> [UInt8] {
    let end = range.upperBound
    var i = range.lowerBound
    // Most units have no escapes at all: look first, then copy in one go.
    var first = end
    while i &+ 2 < end {
      let third = bytes[i &+ 2]
      if third > 3 {
        i &+= 3
      } else if third == 3 && bytes[i] == 0 && bytes[i &+ 1] == 0 {
        first = i &+ 2
        break
      } else {
        i &+= 1
      }
    }
    if first == end { return [UInt8](bytes[range]) }
    return unescape(bytes, range, from: first)
  }

  private static func unescape(_ bytes: [UInt8], _ range: Range<Int>, from first: Int) -> [UInt8] {
    var output = [UInt8](bytes[range.lowerBound..<first])
    output.reserveCapacity(range.count)
    var zeros = 2
    for i in first..<range.upperBound {
      let byte = bytes[i]
      if zeros >= 2 && byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros &+ 1 : 0
      output.append(byte)
    }
    return output
  }
}
