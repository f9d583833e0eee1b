// Where coded pictures begin in MPEG-1, MPEG-2 and MPEG-4 Visual streams.

import ReelCore

/// MPEG-1 and MPEG-2 video. ISO/IEC 13818-2:2013 §6.2.
public final class MPEG2AccessUnitDetector: AccessUnitDetector {
  /// horizontal_size_value of the last sequence header, in samples; 0 before it.
  public private(set) var width = 0
  /// vertical_size_value, in samples.
  public private(set) var height = 0
  public private(set) var lastUnitIsSync = false
  public let lastPictureIsField = false

  /// A detector at the start of a stream.
  public init() {}

  public func headByteCount(of first: UInt8) -> Int { 4 }

  public func role(
    of bytes: [UInt8], _ range: Range<Int>, hasLeading: Bool
  ) -> AccessUnitRole {
    lastUnitIsSync = false
    guard let code = bytes[range].first else { return .neutral }
    // Table 6-1.
    switch code {
    case 0x00:
      if range.count >= 3 { lastUnitIsSync = bytes[range.lowerBound + 2] >> 3 & 7 == 1 }
      return .picture(isFirst: true)
    case 0xB3:
      if range.count >= 4 {
        let i = range.lowerBound
        width = Int(bytes[i + 1]) << 4 | Int(bytes[i + 2]) >> 4
        height = Int(bytes[i + 2] & 15) << 8 | Int(bytes[i + 3])
      }
      return .leading
    case 0xB8: return .leading
    default: return .neutral
    }
  }
}

/// MPEG-4 Visual. ISO/IEC 14496-2:2004 §6.2.
public final class MPEG4VisualAccessUnitDetector: AccessUnitDetector {
  /// Width of the last video object layer of rectangular shape, in samples; 0 before it.
  public private(set) var width = 0
  /// Its height, in samples.
  public private(set) var height = 0
  /// The headers before the first picture: what `esds` would hold.
  public private(set) var configuration: [UInt8] = []
  public private(set) var lastUnitIsSync = false
  public let lastPictureIsField = false
  private var hasPicture = false

  /// A detector at the start of a stream.
  public init() {}

  public func headByteCount(of first: UInt8) -> Int { first == 0xB6 ? 2 : 1 << 14 }

  public func role(
    of bytes: [UInt8], _ range: Range<Int>, hasLeading: Bool
  ) -> AccessUnitRole {
    lastUnitIsSync = false
    guard let code = bytes[range].first else { return .neutral }
    // Table 6-3.
    switch code {
    case 0xB6:
      hasPicture = true
      if range.count >= 2 { lastUnitIsSync = bytes[range.lowerBound + 1] >> 6 == 0 }
      return .picture(isFirst: true)
    case 0x00...0x1F, 0xB0, 0xB5:
      note(bytes, range)
      return .leading
    case 0x20...0x2F:
      note(bytes, range)
      readLayer(bytes, range)
      return .leading
    case 0xB3: return .leading
    default: return .neutral
    }
  }

  private func note(_ bytes: [UInt8], _ range: Range<Int>) {
    // LIMIT: headers are a few hundred bytes.
    guard !hasPicture, configuration.count + range.count < 1 << 14 else { return }
    var end = range.upperBound
    while end > range.lowerBound + 1, bytes[end - 1] == 0 { end -= 1 }
    configuration += [0, 0, 1] + bytes[range.lowerBound..<end]
  }

  /// VideoObjectLayer() up to the size. §6.2.3.
  private func readLayer(_ bytes: [UInt8], _ range: Range<Int>) {
    let end = min(range.upperBound, range.lowerBound + 64)
    var bits = BitReader([UInt8](bytes[range.lowerBound..<end]), from: 8)
    bits.skip(1 + 8)
    var version: UInt32 = 1
    if bits.readFlag() {
      version = bits.read(4)
      bits.skip(3)
    }
    if bits.read(4) == 15 { bits.skip(16) }
    if bits.readFlag() {
      bits.skip(3)
      if bits.readFlag() { bits.skip(79) }
    }
    let shape = bits.read(2)
    if shape == 3, version != 1 { bits.skip(4) }
    bits.skip(1)
    let resolution = bits.read(16)
    bits.skip(1)
    if bits.readFlag() {
      bits.skip(resolution > 1 ? 32 - (resolution - 1).leadingZeroBitCount : 1)
    }
    guard shape == 0 else { return }
    bits.skip(1)
    let (w, _, h) = (bits.read(13), bits.read(1), bits.read(13))
    guard !bits.overrun, w > 0, h > 0 else { return }
    (width, height) = (Int(w), Int(h))
  }
}
