// The low-overhead multiplex of MPEG-4 audio (LATM). ISO/IEC 14496-3:2019 §1.7.3.

import ReelCore

/// StreamMuxConfig() of one program with one layer, the only form in use.
struct StreamMuxConfig: Sendable, Hashable {
  let config: AudioSpecificConfig
  /// The AudioSpecificConfig as bytes, filled with zero bits.
  let configBytes: [UInt8]
  /// Coded frames in a multiplex element.
  let frameCount: Int
  private let frameLengthType: UInt32
  /// Bits of a frame where frameLengthType is 1.
  private let fixedBitCount: Int
  /// Bits of other data behind the frames.
  let otherDataBitCount: Int

  /// Reads StreamMuxConfig(); nil for what is not in use or damaged. Table 1.42.
  init?(_ bits: inout BitReader) {
    let version = bits.readFlag()
    if version && bits.readFlag() { return nil }  // audioMuxVersionA 1 is reserved
    if version { _ = Self.readValue(&bits) }
    let sameTime = bits.readFlag()
    frameCount = Int(bits.read(6)) + 1
    let (programs, layers) = (bits.read(4), bits.read(3))
    guard sameTime, programs == 0, layers == 0 else { return nil }
    guard let (config, bytes) = Self.readConfig(&bits, hasLength: version) else { return nil }
    (self.config, configBytes) = (config, bytes)
    frameLengthType = bits.read(3)
    if frameLengthType == 0 {
      bits.skip(8)
      fixedBitCount = 0
    } else if frameLengthType == 1 {
      fixedBitCount = 8 * (Int(bits.read(9)) + 20)
    } else {
      return nil
    }
    otherDataBitCount = bits.readFlag() ? Self.readOtherLength(&bits, version: version) : 0
    if bits.readFlag() { bits.skip(8) }
    guard !bits.overrun else { return nil }
  }

  private static func readConfig(
    _ bits: inout BitReader, hasLength: Bool
  ) -> (AudioSpecificConfig, [UInt8])? {
    let length = hasLength ? readValue(&bits) : nil
    let start = bits
    guard let config = AudioSpecificConfig(&bits) else { return nil }
    var copy = start
    let used = bits.position - start.position
    let count = length.map(Int.init) ?? used
    guard count >= used, count <= start.bitsLeft else { return nil }
    let bytes = copy.readBits(count)
    bits = copy
    return (config, bytes)
  }

  /// LatmGetValue(): one to four bytes behind their number.
  private static func readValue(_ bits: inout BitReader) -> UInt32 {
    let count = Int(bits.read(2)) + 1
    return bits.read(8 * count)
  }

  private static func readOtherLength(_ bits: inout BitReader, version: Bool) -> Int {
    if version { return Int(readValue(&bits)) }
    var length = 0
    var goesOn = true
    while goesOn, !bits.overrun, length < 1 << 24 {
      goesOn = bits.readFlag()
      length = length << 8 + Int(bits.read(8))
    }
    return length
  }

  /// PayloadLengthInfo(): the bytes of the next frame. Table 1.46.
  func readFrameBitCount(_ bits: inout BitReader) -> Int {
    if frameLengthType == 1 { return fixedBitCount }
    var length = 0
    while !bits.overrun {
      let more = Int(bits.read(8))
      length += more
      if more != 255 { break }
    }
    return length * 8
  }
}

extension BitReader {
  /// The next `count` bits (≥ 0, at most those left) as bytes, the last filled with zeros.
  mutating func readBits(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var left = min(count, max(bitsLeft, 0))
    bytes.reserveCapacity((left + 7) / 8)
    while left >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: read(8)))
      left -= 8
    }
    if left > 0 { bytes.append(UInt8(truncatingIfNeeded: read(left) << UInt32(8 - left))) }
    return bytes
  }
}
