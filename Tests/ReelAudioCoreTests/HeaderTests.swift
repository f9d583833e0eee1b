internal import ReelAudioCore
internal import ReelCore
internal import ReelTestSupport
internal import Testing

@Suite("Headers of audio frames")
struct AudioHeaderTests {
  @Test("of ADTS tell rate, channels and lengths")
  func adts() throws {
    let header = try #require(
      ADTSHeader([0xFF, 0xF1, 0x4C, 0x80, 0x2B, 0xFF, 0xFC], at: 0))
    #expect((header.profile, header.sampleRate, header.channelConfiguration) == (1, 48_000, 2))
    #expect(
      (header.frameByteCount, header.headerByteCount, header.sampleCount) == (351 - 0, 7, 1024))
    #expect(header.specificConfig == [0x11, 0x90])
  }

  @Test("of ADTS are refused for reserved and impossible values")
  func badADTS() {
    let good: [UInt8] = [0xFF, 0xF1, 0x4C, 0x80, 0x2B, 0xFF, 0xFC]
    for (index, value): (Int, UInt8) in [
      (0, 0xFE), (1, 0xE1), (1, 0xF3), (1, 0xF7), (2, 0x74), (4, 0x00),
    ] {
      var bytes = good
      bytes[index] = value
      if index == 4 { (bytes[3], bytes[5]) = (0x80, 0xDF) }  // 6 bytes, less than the header
      #expect(ADTSHeader(bytes, at: 0) == nil, "byte \(index) = \(value)")
    }
    for count in 0..<7 { #expect(ADTSHeader(Array(good[..<count]), at: 0) == nil) }
    #expect(ADTSHeader(good, at: 1) == nil && ADTSHeader(good, at: -1) == nil)
  }

  /// Lengths that decoders' documentation gives for common streams.
  @Test(
    "of MPEG audio tell the frame's length",
    arguments: [
      (0xFFFB_9064, 3, 44_100, 128_000, 417), (0xFFFB_9264, 3, 44_100, 128_000, 418),
      (0xFFFB_E464, 3, 48_000, 320_000, 960), (0xFFF3_4064, 3, 22_050, 32_000, 104),
      (0xFFE3_4064, 3, 11_025, 32_000, 208), (0xFFFD_8044, 2, 44_100, 128_000, 417),
      (0xFFFF_E844, 1, 32_000, 448_000, 672), (0xFFF5_4064, 2, 22_050, 32_000, 208),
    ] as [(UInt32, Int, Int, Int, Int)])
  func mpegAudio(word: UInt32, layer: Int, rate: Int, bitRate: Int, length: Int) throws {
    let header = try #require(MPEGAudioHeader(word: word))
    #expect((header.layer, header.sampleRate, header.bitRate) == (layer, rate, bitRate))
    #expect(header.frameByteCount == length)
  }

  @Test("of MPEG audio are refused for reserved values, and only for those")
  func reservedMPEGAudio() {
    var accepted = 0
    for bits in UInt32(0)..<1 << 11 {
      // Version, layer, protection, bit rate and frequency; padding 0.
      let word = 0xFFE0_0000 | bits << 10
      let (version, layer) = (bits >> 9 & 3, bits >> 7 & 3)
      let isReserved = version == 1 || layer == 0 || bits >> 2 & 15 == 15 || bits & 3 == 3
      #expect((MPEGAudioHeader(word: word) == nil) == isReserved)
      accepted += isReserved ? 0 : 1
    }
    #expect(accepted == 3 * 3 * 2 * 15 * 3)
    #expect(MPEGAudioHeader(word: 0xFFC0_9064) == nil)
  }

  @Test("of MPEG audio have bit rates that rise with their index")
  func bitRatesRise() {
    for version: UInt32 in [0, 2, 3] {
      for layer: UInt32 in 1...3 {
        let rates = (UInt32(0)...14).compactMap {
          MPEGAudioHeader(word: 0xFFE0_0000 | version << 19 | layer << 17 | $0 << 12)?.bitRate
        }
        #expect(rates.count == 15 && rates[0] == 0)
        #expect(zip(rates, rates.dropFirst()).allSatisfy { $0 < $1 })
      }
    }
  }
}

@Suite("AudioSpecificConfig")
struct AudioSpecificConfigTests {
  private func config(_ write: (inout BitWriter) -> Void) -> AudioSpecificConfig? {
    var bits = BitWriter()
    write(&bits)
    return AudioSpecificConfig(bits.bytes)
  }

  @Test("of AAC LC tells rate and channels", arguments: 0..<13, 1...7)
  func plain(index: Int, channels: Int) throws {
    let config = try #require(
      config {
        $0.write(2, bits: 5)
        $0.write(UInt64(index), bits: 4)
        $0.write(UInt64(channels), bits: 4)
        $0.write(0, bits: 3)
      })
    #expect(config.objectType == 2 && config.sampleRate == AACFrequencies.frequency(index))
    #expect(config.channelCount == (channels == 7 ? 8 : channels))
    #expect(config.frameSampleCount == 1024)
  }

  @Test("takes a rate of 24 bits, and 960 samples a frame")
  func escapes() throws {
    let config = try #require(
      config {
        $0.write(2, bits: 5)
        $0.write(15, bits: 4)
        $0.write(50_000, bits: 24)
        $0.write(1, bits: 4)
        $0.write(0b100, bits: 3)
      })
    #expect(config.sampleRate == 50_000 && config.frameSampleCount == 960)
  }

  @Test("tells the extensions, in front or behind")
  func extensions() throws {
    let front = try #require(
      config {
        for (value, count) in [(29, 5), (7, 4), (1, 4), (4, 4), (2, 5), (0, 3)] {
          $0.write(UInt64(value), bits: count)
        }
      })
    #expect(front.objectType == 2 && front.sampleRate == 22_050)
    #expect(front.extensionSampleRate == 44_100 && front.hasParametricStereo)
    let behind = try #require(
      config {
        for (value, count) in [
          (2, 5), (7, 4), (1, 4), (0, 3), (0x2B7, 11), (5, 5), (1, 1), (4, 4), (0x548, 11), (1, 1),
        ] { $0.write(UInt64(value), bits: count) }
      })
    #expect(behind.extensionSampleRate == 44_100 && behind.hasParametricStereo)
  }

  @Test("is refused when it ends early or has a reserved frequency")
  func damaged() {
    #expect(AudioSpecificConfig([]) == nil)
    #expect(AudioSpecificConfig([0x12]) == nil)
    #expect(AudioSpecificConfig([0x16, 0x90]) == nil)  // index 13
  }
}
