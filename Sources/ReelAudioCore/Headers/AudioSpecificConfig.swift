// The set-up of an AAC decoder, as far as a container needs it. ISO/IEC 14496-3:2019 §1.6.2.1.

public import ReelCore

/// What an AudioSpecificConfig() says of a stream.
public struct AudioSpecificConfig: Sendable, Hashable {
  /// audioObjectType of the core coder: 2 for AAC LC.
  public private(set) var objectType = 0
  /// Hz of the core coder.
  public private(set) var sampleRate = 0
  /// channelConfiguration, 0…7 and beyond; 0 when a program config element tells.
  public private(set) var channelConfiguration = 0
  /// Channels of the core coder.
  public private(set) var channelCount = 0
  /// Explicitly signalled spectral band replication: the output has this rate in Hz.
  public private(set) var extensionSampleRate: Int?
  /// Explicitly signalled parametric stereo.
  public private(set) var hasParametricStereo = false
  /// PCM frames of a coded frame at the core rate, 1,024 or 960 (512 or 480 for low delay).
  public private(set) var frameSampleCount = 1024

  /// Channels by channelConfiguration. Table 1.19.
  private static let channelCounts: [Int] = [0, 1, 2, 3, 4, 5, 6, 8, 0, 0, 0, 7, 8, 0, 8]

  /// Reads a configuration and leaves `bits` behind it; nil for one that is damaged or of a coder
  /// whose set-up is not known here.
  ///
  /// - Parameter readsExtension: looks for backward compatible signalling behind the configuration,
  ///   which needs `bits` to end with it.
  public init?(_ bits: inout BitReader, readsExtension: Bool = false) {
    objectType = Self.readObjectType(&bits)
    guard let rate = Self.readFrequency(&bits) else { return nil }
    sampleRate = rate
    channelConfiguration = Int(bits.read(4))
    if objectType == 5 || objectType == 29 {
      hasParametricStereo = objectType == 29
      extensionSampleRate = Self.readFrequency(&bits)
      objectType = Self.readObjectType(&bits)
    }
    if Self.channelCounts.indices.contains(channelConfiguration) {
      channelCount = Self.channelCounts[channelConfiguration]
    }
    guard readGeneralAudio(&bits), !bits.overrun else { return nil }
    if readsExtension { readBackwardCompatible(&bits) }
  }

  /// Reads the configuration that `bytes` hold.
  public init?(_ bytes: [UInt8]) {
    var bits = BitReader(bytes)
    self.init(&bits, readsExtension: true)
  }

  private static func readObjectType(_ bits: inout BitReader) -> Int {
    let type = Int(bits.read(5))
    return type == 31 ? 32 + Int(bits.read(6)) : type
  }

  private static func readFrequency(_ bits: inout BitReader) -> Int? {
    let index = Int(bits.read(4))
    let rate = index == 15 ? Int(bits.read(24)) : AACFrequencies.frequency(index) ?? 0
    return rate > 0 ? rate : nil
  }

  /// GASpecificConfig() and ELDSpecificConfig(). §4.4.1, §4.6.20.3.
  private mutating func readGeneralAudio(_ bits: inout BitReader) -> Bool {
    switch objectType {
    case 1, 2, 3, 4, 6, 7, 17, 19, 20, 21, 22, 23: break
    case 39:
      frameSampleCount = bits.readFlag() ? 480 : 512
      return true
    default: return false
    }
    let isShort = bits.readFlag()
    frameSampleCount = objectType == 23 ? isShort ? 480 : 512 : isShort ? 960 : 1024
    if bits.readFlag() { bits.skip(14) }
    let hasExtension = bits.readFlag()
    if channelConfiguration == 0 {
      channelCount = ProgramConfigElement(&bits).channelCount
    }
    if objectType == 6 || objectType == 20 { bits.skip(3) }
    if hasExtension {
      if objectType == 22 { bits.skip(16) }
      if [17, 19, 20, 23].contains(objectType) { bits.skip(3) }
      bits.skip(1)
    }
    // The error resilient coders tell their error protection behind. Only 0 (none) and 1 are plain.
    if objectType >= 17, bits.read(2) > 1 { return false }
    return true
  }

  /// The extension behind the configuration that older decoders do not look at.
  private mutating func readBackwardCompatible(_ bits: inout BitReader) {
    guard extensionSampleRate == nil, bits.bitsLeft >= 16, bits.read(11) == 0x2B7,
      Self.readObjectType(&bits) == 5, bits.readFlag()
    else { return }
    extensionSampleRate = Self.readFrequency(&bits)
    if bits.bitsLeft >= 12, bits.read(11) == 0x548 { hasParametricStereo = bits.readFlag() }
  }
}
