// AC-3 and E-AC-3 in files. ETSI TS 102 366 Annex F §F.4 (dac3), §F.6 (dec3).

import ReelAudioCore
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
      bitRate = AC3Codes.bitRate(Int(bits.read(5))) ?? 0
    } else {
      bits.skip(3)
    }
    // Dependent substreams add loudspeakers, which chan_loc names; pairs are counted as two.
    let added =
      isEnhanced && bits.read(4) > 0
      ? (0..<9).reduce(0) { sum, i in sum + (bits.readFlag() ? Self.locationChannels[i] : 0) } : 0
    guard !bits.overrun else { return }
    sampleRate = AC3Codes.sampleRate(rate, identification: identification) ?? 0
    channelCount = AC3Codes.channelCount(mode: mode, hasLowFrequency: hasLowFrequency) + added
  }

  /// Loudspeakers of the bits of chan_loc, the highest bit first: LFE2, Cvh, Lvh/Rvh, Lw/Rw, Lsd/Rsd,
  /// Ts, Cs, Lrs/Rrs, Lc/Rc. Table F.6.2.
  private static let locationChannels = [1, 1, 2, 2, 2, 1, 1, 2, 2]
}
