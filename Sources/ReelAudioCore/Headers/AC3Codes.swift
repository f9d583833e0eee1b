// Codes that the frames of AC-3 and the boxes that describe them in files share.

/// Tables of AC-3 and E-AC-3. ETSI TS 102 366 §4.4; Annex F uses the same codes in `dac3` and `dec3`.
public enum AC3Codes {
  /// Hz of fscod, by bsid: from 9 on AC-3 has half and from 10 on a quarter of the rate, which E-AC-3
  /// (11 and above) has not. Nil for the reserved code 3 and above. Table 4.1.
  public static func sampleRate(_ code: Int, identification: Int) -> Int? {
    guard sampleRates.indices.contains(code) else { return nil }
    return sampleRates[code] >> (identification == 9 ? 1 : identification == 10 ? 2 : 0)
  }

  /// Bits a second of frmsizecod / 2, which `dac3` calls bit_rate_code; nil above 18. Table 4.13.
  public static func bitRate(_ code: Int) -> Int? {
    kilobitRates.indices.contains(code) ? kilobitRates[code] * 1000 : nil
  }

  /// Loudspeakers of acmod, of which the low three bits count, and lfeon. Table 4.3.
  public static func channelCount(mode: Int, hasLowFrequency: Bool) -> Int {
    fullBandwidthChannels[mode & 7] + (hasLowFrequency ? 1 : 0)
  }

  private static let sampleRates = [48_000, 44_100, 32_000]
  private static let kilobitRates = [
    32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
  ]
  private static let fullBandwidthChannels = [2, 1, 2, 3, 3, 4, 4, 5]
}
