// The header of a frame of AC-3 or E-AC-3. ETSI TS 102 366 §4.3, §4.4 (AC-3), Annex E §E.1 (E-AC-3).

/// syncinfo() and the start of bsi().
public struct AC3Header: Sendable, Hashable {
  /// Bytes that ``init(_:at:)`` looks at.
  public static let byteCount = 7

  /// E-AC-3 rather than AC-3.
  public let isEnhanced: Bool
  /// Hz.
  public let sampleRate: Int
  /// acmod, 0…7: which loudspeakers there are. Table 4.3.
  public let channelMode: UInt8
  /// lfeon: a channel of low frequencies is there beside them.
  public let hasLowFrequencyChannel: Bool
  /// Bytes of the frame with its header, ≥ ``byteCount``.
  public let frameByteCount: Int
  /// PCM frames; 0 for a dependent substream, which adds channels to the frame before it.
  public let sampleCount: Int

  /// Reads a header from the bytes at `index`; nil when there is none or it is cut off.
  public init?(_ bytes: [UInt8], at index: Int) {
    guard index >= 0, index <= bytes.count - Self.byteCount, bytes[index] == 0x0B,
      bytes[index + 1] == 0x77
    else { return nil }
    let identification = bytes[index + 5] >> 3
    isEnhanced = identification > 10
    guard identification <= 16 else { return nil }
    let fifth = bytes[index + 4]
    guard isEnhanced else {
      let (rate, code) = (Int(fifth >> 6), Int(fifth & 63))
      guard let hertz = AC3Codes.sampleRate(rate, identification: Int(identification)),
        let bitRate = AC3Codes.bitRate(code / 2)
      else { return nil }
      sampleRate = hertz
      frameByteCount = Self.byteCount(rate: rate, kilobits: bitRate / 1000, isPadded: code % 2 == 1)
      sampleCount = 1536
      let sixth = bytes[index + 6]
      channelMode = sixth >> 5
      hasLowFrequencyChannel = sixth >> UInt8(4 - Self.mixBits(channelMode)) & 1 != 0
      return
    }
    let size = Int(bytes[index + 2] & 7) << 8 | Int(bytes[index + 3])
    frameByteCount = (size + 1) * 2
    var (rate, blocks) = (Int(fifth >> 6), [1, 2, 3, 6][Int(fifth >> 4 & 3)])
    let isHalf = rate == 3
    if isHalf { (rate, blocks) = (Int(fifth >> 4 & 3), 6) }
    guard let hertz = AC3Codes.sampleRate(rate, identification: Int(identification)),
      frameByteCount >= Self.byteCount
    else { return nil }
    sampleRate = isHalf ? hertz / 2 : hertz
    sampleCount = bytes[index + 2] >> 6 == 1 ? 0 : 256 * blocks
    channelMode = fifth >> 1 & 7
    hasLowFrequencyChannel = fifth & 1 != 0
  }

  /// Loudspeakers, the low frequency one counted.
  public var channelCount: Int {
    AC3Codes.channelCount(mode: Int(channelMode), hasLowFrequency: hasLowFrequencyChannel)
  }

  /// Whether frames with these headers can be of one stream.
  func continues(_ other: AC3Header) -> Bool {
    isEnhanced == other.isEnhanced && sampleRate == other.sampleRate
  }

  /// Bits between acmod and lfeon: cmixlev, surmixlev, dsurmod.
  private static func mixBits(_ mode: UInt8) -> Int {
    if mode == 2 { return 2 }
    return (mode & 1 != 0 && mode != 1 ? 2 : 0) + (mode & 4 != 0 ? 2 : 0)
  }

  /// Table 4.13: frames of 1,536 samples at these bit rates, in 16-bit words.
  private static func byteCount(rate: Int, kilobits: Int, isPadded: Bool) -> Int {
    switch rate {
    case 0: kilobits * 4
    case 1: (kilobits * 320 / 147 + (isPadded ? 1 : 0)) * 2
    default: kilobits * 6
    }
  }
}
