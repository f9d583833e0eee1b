// The header of an ADTS frame. ISO/IEC 14496-3:2019 §1.A.3.2.

/// adts_fixed_header() and adts_variable_header().
public struct ADTSHeader: Sendable, Hashable {
  /// Bytes that ``init(_:at:)`` looks at.
  public static let byteCount = 7

  /// AudioObjectType less 1 (MPEG-4) or profile (MPEG-2): 0 Main, 1 LC, 2 SSR, 3 LTP.
  public let profile: UInt8
  /// sampling_frequency_index, 0…12.
  public let frequencyIndex: UInt8
  /// channel_configuration, 0…7; 0 when a program config element tells.
  public let channelConfiguration: UInt8
  /// aac_frame_length: header and payload in bytes, at least the header.
  public let frameByteCount: Int
  /// Bytes of the header and its checksum, 7 or 9.
  public let headerByteCount: Int
  /// number_of_raw_data_blocks_in_frame plus 1, 1…4.
  public let blockCount: Int

  /// Reads a header from the bytes at `index`; nil when there is none or it is cut off.
  public init?(_ bytes: [UInt8], at index: Int) {
    guard index >= 0, index <= bytes.count - Self.byteCount else { return nil }
    // syncword 0xFFF and layer 0.
    guard bytes[index] == 0xFF, bytes[index + 1] & 0xF6 == 0xF0 else { return nil }
    let third = bytes[index + 2]
    profile = third >> 6
    frequencyIndex = third >> 2 & 15
    channelConfiguration = (third & 1) << 2 | bytes[index + 3] >> 6
    frameByteCount =
      Int(bytes[index + 3] & 3) << 11 | Int(bytes[index + 4]) << 3 | Int(bytes[index + 5]) >> 5
    headerByteCount = bytes[index + 1] & 1 == 0 ? 9 : 7
    blockCount = Int(bytes[index + 6] & 3) + 1
    guard frequencyIndex < 13, frameByteCount >= headerByteCount else { return nil }
  }

  /// Hz.
  public var sampleRate: Int { AACFrequencies.frequency(Int(frequencyIndex)) ?? 0 }
  /// PCM frames of a channel.
  public var sampleCount: Int { 1024 * blockCount }

  /// Whether `other` may follow in the same stream: everything that a decoder is set up with agrees.
  public func continues(_ other: ADTSHeader) -> Bool {
    profile == other.profile && frequencyIndex == other.frequencyIndex
  }

  /// The AudioSpecificConfig of two bytes that says the same. §1.6.2.1.
  public var specificConfig: [UInt8] {
    let objectType = profile + 1
    return [
      objectType << 3 | frequencyIndex >> 1, (frequencyIndex & 1) << 7 | channelConfiguration << 3,
    ]
  }
}

/// Sampling frequencies of AAC by index. ISO/IEC 14496-3:2019 Table 1.18.
public enum AACFrequencies {
  private static let table: [Int32] = [
    96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350,
  ]

  /// Hz of an index; nil for reserved indices and for 15, which is an escape.
  public static func frequency(_ index: Int) -> Int? {
    table.indices.contains(index) ? Int(table[index]) : nil
  }
}
