internal import ReelAudioCore
internal import Testing

@Suite("Codes of AC-3")
struct AC3CodesTests {
  @Test(
    "rates are whole, a half and a quarter by bsid, and whole again for E-AC-3",
    arguments: [(0, 1), (8, 1), (9, 2), (10, 4), (11, 1), (16, 1)])
  func sampleRates(identification: Int, divisor: Int) {
    let rates = (0..<3).map { AC3Codes.sampleRate($0, identification: identification) }
    #expect(rates == [48_000, 44_100, 32_000].map { $0 / divisor })
    #expect(AC3Codes.sampleRate(3, identification: identification) == nil)
    #expect(AC3Codes.sampleRate(-1, identification: identification) == nil)
  }

  @Test("bit rates grow from 32 to 640 kbit/s in 19 codes")
  func bitRates() {
    let rates = (0..<19).compactMap { AC3Codes.bitRate($0) }
    #expect(rates.count == 19 && rates == rates.sorted())
    #expect(rates.first == 32_000 && rates[10] == 192_000 && rates.last == 640_000)
    #expect(AC3Codes.bitRate(19) == nil && AC3Codes.bitRate(-1) == nil)
  }

  @Test("channels are those of the mode and the low frequency one")
  func channels() {
    let modes = (0..<8).map { AC3Codes.channelCount(mode: $0, hasLowFrequency: false) }
    #expect(modes == [2, 1, 2, 3, 3, 4, 4, 5])
    #expect(AC3Codes.channelCount(mode: 7, hasLowFrequency: true) == 6)
  }
}
