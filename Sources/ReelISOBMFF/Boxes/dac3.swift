// AC-3 and E-AC-3 in files. ETSI TS 102 366 Annex F §F.4 (dac3), §F.6 (dec3).

import ReelCore

/// What AC3SpecificBox (`dac3`) or EC3SpecificBox (`dec3`) tells; of several substreams, of the first.
struct DolbyAudioBox {
  let bytes: [UInt8]
  /// Hz; 0 for a reserved code.
  private(set) var sampleRate = 0
  private(set) var channelCount = 0
  /// Bits a second; 0 when not told.
  private(set) var bitRate = 0

  init(parsing reader: inout ByteReader, isEnhanced: Bool) throws(MediaError) {
    bytes = try reader.readBytes(reader.remaining)
    var bits = BitReader(bytes)
    if isEnhanced {
      bitRate = Int(bits.read(13)) * 1000
      bits.skip(3)
    }
    let rate = Int(bits.read(2))
    let identification = Int(bits.read(5))
    // E-AC-3: a reserved bit and asvc before bsmod.
    bits.skip(isEnhanced ? 2 + 3 : 3)
    let mode = Int(bits.read(3))
    let hasLowFrequency = bits.readFlag()
    if !isEnhanced {
      let code = Int(bits.read(5))
      bitRate = code < Self.bitRates.count ? Self.bitRates[code] * 1000 : 0
    } else {
      bits.skip(3)
    }
    // Dependent substreams add loudspeakers, which chan_loc names; pairs are counted as two.
    let added =
      isEnhanced && bits.read(4) > 0
      ? (0..<9).reduce(0) { sum, i in sum + (bits.readFlag() ? Self.locationChannels[i] : 0) } : 0
    guard !bits.overrun else { return }
    sampleRate = rate < 3 ? [48_000, 44_100, 32_000][rate] : 0
    // bsid 9 and 10 of AC-3 are of half and a quarter of the rate.
    if !isEnhanced { sampleRate >>= min(max(identification - 8, 0), 2) }
    channelCount = [2, 1, 2, 3, 3, 4, 4, 5][mode] + (hasLowFrequency ? 1 : 0) + added
  }

  /// Loudspeakers of the bits of chan_loc, the highest bit first: LFE2, Cvh, Lvh/Rvh, Lw/Rw, Lsd/Rsd,
  /// Ts, Cs, Lrs/Rrs, Lc/Rc. Table F.6.2.
  private static let locationChannels = [1, 1, 2, 2, 2, 1, 1, 2, 2]
  private static let bitRates = [
    32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
  ]
}
