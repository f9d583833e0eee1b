internal import ReelAudioCore
internal import ReelCore
internal import ReelTestSupport
internal import Testing

@Suite("Audio frames in a stream of bytes")
struct AudioFrameAssemblerTests {
  /// An ADTS frame of AAC LC, stereo, at a rate by index.
  private func adts(_ payload: [UInt8], index: UInt8 = 3) -> [UInt8] {
    let length = payload.count + 7
    return [
      0xFF, 0xF1, 0x40 | index << 2, 0x80 | UInt8(length >> 11), UInt8(length >> 3 & 255),
      UInt8(length & 7) << 5 | 0x1F, 0xFC,
    ] + payload
  }

  private func frames(
    _ bytes: [UInt8], _ framing: AudioFraming, pieces: Int? = nil
  ) -> [AudioFrame] {
    var assembler = AudioFrameAssembler(framing)
    var frames: [AudioFrame] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      assembler.append(rest.prefix(pieces ?? bytes.count))
      rest = rest.dropFirst(pieces ?? bytes.count)
      while let frame = assembler.next() { frames.append(frame) }
    }
    while let frame = assembler.finish() { frames.append(frame) }
    return frames
  }

  private let payloads = (0..<6).map { [UInt8](repeating: UInt8($0 + 1), count: 20 + $0) }

  @Test("are the same however the bytes come", arguments: [1, 2, 3, 7, 26, 100])
  func pieces(count: Int) {
    let bytes = payloads.flatMap { adts($0) }
    #expect(frames(bytes, .adts, pieces: count).map(\.data) == payloads)
    #expect(frames(bytes, .adts, pieces: count) == frames(bytes, .adts))
  }

  /// A frame of AC-3 with five channels and a low frequency one, 48 kHz, 192 kbit/s: 768 bytes.
  private func ac3(_ number: UInt8) -> [UInt8] {
    [0x0B, 0x77, 0, 0, 20, 8 << 3, 0b1110_0001] + [UInt8](repeating: number, count: 761)
  }

  /// A frame of E-AC-3 of so many bytes: six blocks, stereo, 44.1 kHz; independent or dependent.
  private func eac3(_ number: UInt8, byteCount: Int, isDependent: Bool = false) -> [UInt8] {
    let size = byteCount / 2 - 1
    let head: [UInt8] = [
      0x0B, 0x77, (isDependent ? 0x40 : 0) | UInt8(size >> 8), UInt8(size & 255), 0b0111_0100,
      16 << 3, 0,
    ]
    return head + [UInt8](repeating: number, count: byteCount - 7)
  }

  @Test("of AC-3 tell rate, channels and length, and are cut by them", arguments: [1, 100, 4096])
  func dolby(pieces: Int) {
    let parts = (1...4).map { ac3(UInt8($0)) }
    let noise: [UInt8] = [9, 0x0B, 0x77, 1]
    let bytes = noise + parts.flatMap { $0 }
    let found = frames(bytes, .ac3, pieces: pieces)
    #expect(found.map(\.data) == parts)
    #expect(found.allSatisfy { $0.codec == "ac3" && $0.sampleCount == 1536 })
    #expect(found.first?.format.sampleRate == 48_000)
    #expect(found.first?.format.channelCount == 6)
  }

  @Test("of E-AC-3 come with dependent ones, which take no time")
  func enhancedDolby() {
    let parts = [
      eac3(1, byteCount: 200), eac3(2, byteCount: 120, isDependent: true), eac3(3, byteCount: 210),
      eac3(4, byteCount: 122, isDependent: true),
    ]
    let found = frames(parts.flatMap { $0 }, .ac3)
    #expect(found.map(\.data) == parts)
    #expect(found.map(\.sampleCount) == [1536, 0, 1536, 0])
    #expect(found.allSatisfy { $0.codec == "eac3" && $0.format.sampleRate == 44_100 })
    #expect(found.allSatisfy { $0.format.channelCount == 2 })
  }

  @Test("of AC-3 are not trapped on by any header", arguments: 0..<200)
  func dolbyDamage(seed: UInt64) {
    var good: [UInt8] = []
    for i: UInt8 in 1...3 { good += ac3(i) + eac3(i, byteCount: 64) }
    let bytes = Damage.apply(to: good, seed: seed)
    let total = frames(bytes, .ac3).reduce(0) { $0 + $1.data.count }
    #expect(total <= bytes.count, "seed \(seed)")
  }

  @Test("are found behind other bytes, and again behind damage")
  func resynchronisation() {
    let noise: [UInt8] = [1, 0xFF, 0xF1, 0x4C, 0x80, 0x02, 0x1F, 0xFC, 9, 0xFF]
    var bytes = noise + adts(payloads[0]) + adts(payloads[1])
    bytes += noise + adts(payloads[2]) + adts(payloads[3])
    #expect(frames(bytes, .adts).map(\.data) == Array(payloads[..<4]))
  }

  @Test("stay together around ID3v2 tags")
  func tagsBetween() {
    let tag: [UInt8] =
      [0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 1, 0] + [UInt8](repeating: 0xFF, count: 128)
    let bytes = adts(payloads[0]) + tag + adts(payloads[1]) + tag + adts(payloads[2])
    for pieces in [1, 5, 1000] {
      #expect(frames(bytes, .adts, pieces: pieces).map(\.data) == Array(payloads[..<3]))
    }
  }

  @Test("may change their rate")
  func rateChange() {
    let bytes =
      payloads[..<2].flatMap { adts($0) } + payloads[2..<4].flatMap { adts($0, index: 4) }
    #expect(frames(bytes, .adts).map(\.format.sampleRate) == [48_000, 48_000, 44_100, 44_100])
  }

  @Test("of free format end where the next one begins")
  func freeFormat() {
    let frame: [UInt8] = [0xFF, 0xFD, 0x04, 0x44] + [UInt8](repeating: 0x55, count: 96)
    let bytes = frame + frame + frame
    #expect(frames(bytes, .mpegAudio).map(\.data.count) == [100, 100])
    let endless = frame + [UInt8](repeating: 0x55, count: 100_000)
    #expect(frames(endless, .mpegAudio).isEmpty)
  }

  @Test("with a program config element carry it in their configuration")
  func programConfig() throws {
    var bits = BitWriter()
    bits.write(5, bits: 3)
    // Tag, object type, frequency, then 2 front, 1 side, 0 back, 1 low, 0 data, 0 coupling elements.
    for (value, count) in [(0, 4), (1, 2), (3, 4), (2, 4), (1, 4), (0, 4), (1, 2), (0, 3), (0, 4)] {
      bits.write(UInt64(value), bits: count)
    }
    bits.write(0, bits: 3)
    for isPair in [0, 1, 1] { bits.write(UInt64(isPair << 4), bits: 5) }
    bits.write(0, bits: 4)
    bits.alignToByte()
    bits.write(2, bits: 8)
    bits.write(0xABCD, bits: 16)
    bits.write(0xFFFF, bits: 16)
    var frame = adts(bits.bytes)
    frame[3] &= 0x3F  // channel_configuration 0
    let format = try #require(frames(frame + frame, .adts).first?.format)
    #expect(format.channelCount == 6)
    let config = try #require(AudioSpecificConfig(format.configuration))
    #expect(config.channelCount == 6 && config.channelConfiguration == 0)
    #expect(Array(format.configuration.suffix(3)) == [2, 0xAB, 0xCD])
  }

  /// An AudioSyncStream element with these frames; the configuration stands in it when `hasConfig`.
  private func loas(_ frames: [[UInt8]], hasConfig: Bool) -> [UInt8] {
    var bits = BitWriter()
    bits.writeFlag(!hasConfig)
    if hasConfig {
      bits.write(0, bits: 1)  // audioMuxVersion
      bits.write(1, bits: 1)  // allStreamsSameTimeFraming
      bits.write(UInt64(frames.count - 1), bits: 6)
      bits.write(0, bits: 7)  // one program, one layer
      for (value, count) in [(2, 5), (4, 4), (2, 4), (0, 3)] {
        bits.write(UInt64(value), bits: count)
      }
      bits.write(0, bits: 3 + 8)  // frameLengthType 0, fullness
      bits.write(0, bits: 2)  // no other data, no checksum
    }
    for frame in frames {
      var left = frame.count
      while left >= 255 {
        bits.write(255, bits: 8)
        left -= 255
      }
      bits.write(UInt64(left), bits: 8)
      for byte in frame { bits.write(UInt64(byte), bits: 8) }
    }
    let body = bits.bytes
    return [0x56, 0xE0 | UInt8(body.count >> 8), UInt8(body.count & 255)] + body
  }

  @Test("of LATM come without their multiplex, several to an element")
  func latm() {
    let long = [UInt8](repeating: 0x77, count: 600)
    let bytes =
      loas([payloads[0], long], hasConfig: true)
      + loas([payloads[1], payloads[2]], hasConfig: false)
    let got = frames(bytes, .loas)
    #expect(got.map(\.data) == [payloads[0], long, payloads[1], payloads[2]])
    #expect(got.allSatisfy { $0.format.sampleRate == 44_100 && $0.format.channelCount == 2 })
    #expect(got.first?.format.configuration == [0x12, 0x10])
  }

  @Test("of LATM wait for a configuration")
  func latmWithoutConfig() {
    let bytes = loas([payloads[0]], hasConfig: false) + loas([payloads[1]], hasConfig: true)
    #expect(frames(bytes, .loas).map(\.data) == [payloads[1]])
  }

  @Test("never trap on damage, and skip no more bytes than there are", arguments: 0..<300)
  func damage(seed: UInt64) {
    let aac = payloads.flatMap { adts($0) }
    let latm = (0..<6).flatMap { loas([payloads[$0]], hasConfig: $0 % 2 == 0) }
    let free: [UInt8] = [0xFF, 0xFD, 0x04, 0x44] + [UInt8](repeating: 0x55, count: 96)
    for (bytes, framing): ([UInt8], AudioFraming) in [
      (aac, .adts), (latm, .loas), (free + free + free, .mpegAudio),
    ] {
      let damaged = Damage.apply(to: bytes, seed: seed)
      let whole = frames(damaged, framing)
      #expect(whole == frames(damaged, framing, pieces: 5), "seed \(seed) \(framing)")
      #expect(whole.reduce(0) { $0 + $1.data.count } <= damaged.count, "seed \(seed)")
    }
  }
}
