// The header of an MPEG audio frame. ISO/IEC 11172-3:1993 §2.4.1.3, ISO/IEC 13818-3:1998 §2.4.1.3.

/// header() of layers I to III, MPEG-1, MPEG-2 and the 2.5 extension to low sampling rates.
public struct MPEGAudioHeader: Sendable, Hashable {
  /// Bytes of the header itself, without its checksum.
  public static let byteCount = 4

  /// The four bytes as they stand, first byte highest.
  public let word: UInt32
  /// 1, 2 or 3.
  public let layer: Int
  /// MPEG-1; else MPEG-2 or 2.5, whose layer III frames are half as long.
  public let isMPEG1: Bool
  /// Hz.
  public let sampleRate: Int
  /// Bits a second; 0 for free format.
  public let bitRate: Int

  /// Reads a header from the bytes at `index`; nil when there is none or it is cut off.
  public init?(_ bytes: [UInt8], at index: Int) {
    guard index >= 0, index <= bytes.count - Self.byteCount, bytes[index] == 0xFF else {
      return nil
    }
    var word: UInt32 = 0
    for i in 0..<4 { word = word << 8 | UInt32(bytes[index + i]) }
    self.init(word: word)
  }

  /// Reads a header from its four bytes; nil when a field has a reserved value.
  public init?(word: UInt32) {
    guard word >> 21 == 0x7FF else { return nil }
    let version = word >> 19 & 3  // 0: 2.5, 1: reserved, 2: MPEG-2, 3: MPEG-1
    let layerCode = word >> 17 & 3
    let rateIndex = Int(word >> 12 & 15)
    let frequencyIndex = Int(word >> 10 & 3)
    guard version != 1, layerCode != 0, rateIndex != 15, frequencyIndex != 3 else { return nil }
    self.word = word
    layer = 4 - Int(layerCode)
    isMPEG1 = version == 3
    let shift = version == 3 ? 0 : version == 2 ? 1 : 2
    sampleRate = Int(Self.frequencies[frequencyIndex]) >> shift
    let row = isMPEG1 ? layer - 1 : layer == 1 ? 3 : 4
    bitRate = Int(Self.bitRates[row * 15 + rateIndex]) * 1000
  }

  /// mode is 3: a single channel.
  public var isMono: Bool { word >> 6 & 3 == 3 }
  /// 1 or 2.
  public var channelCount: Int { isMono ? 1 : 2 }
  /// A checksum of two bytes follows the header.
  public var hasChecksum: Bool { word & 0x10000 == 0 }
  private var padding: Int { Int(word >> 9 & 1) }

  /// PCM frames of a channel.
  public var sampleCount: Int { layer == 1 ? 384 : layer == 2 || isMPEG1 ? 1152 : 576 }

  /// Bytes of the frame with its header; nil for free format, where only the next frame tells.
  public var frameByteCount: Int? {
    guard bitRate > 0 else { return nil }
    if layer == 1 { return (12 * bitRate / sampleRate + padding) * 4 }
    return sampleCount / 8 * bitRate / sampleRate + padding
  }

  /// Bytes of the side information of a layer III frame.
  public var sideInformationByteCount: Int {
    isMPEG1 ? isMono ? 17 : 32 : isMono ? 9 : 17
  }

  /// Whether `other` may follow in the same stream: version, layer and sampling rate agree.
  public func continues(_ other: MPEGAudioHeader) -> Bool {
    (word ^ other.word) & 0xFFFE_0C00 == 0
  }

  /// ISO/IEC 11172-3:1993 §2.4.2.3, sampling_frequency.
  private static let frequencies: [Int32] = [44100, 48000, 32000]
  /// Kilobits a second by bitrate_index: MPEG-1 layers I, II, III, then MPEG-2 layer I, layers II
  /// and III. ISO/IEC 11172-3:1993 §2.4.2.3; ISO/IEC 13818-3:1998 §2.4.2.3.
  private static let bitRates: [Int16] = [
    0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448,
    0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384,
    0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320,
    0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256,
    0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160,
  ]
}
