internal import ReelCore
internal import ReelTestSupport
internal import ReelVideoCore
internal import Testing

@Suite("NAL units")
struct NALUnitsTests {
  private func units(_ bytes: [UInt8], _ ranges: [Range<Int>]) -> [[UInt8]] {
    ranges.map { [UInt8](bytes[$0]) }
  }

  @Test("of a byte stream lie between start codes, without the zeros behind them")
  func byteStream() {
    let bytes: [UInt8] = [9, 0, 0, 1, 0x67, 1, 0, 0, 0, 1, 0x68, 2, 0, 0, 0, 0, 0, 1, 0x65]
    #expect(units(bytes, NALUnits.annexB(bytes)) == [[0x67, 1], [0x68, 2], [0x65]])
    #expect(NALUnits.annexB([0, 0, 1]).isEmpty)
    #expect(NALUnits.annexB([1, 2, 3, 4]).isEmpty)
  }

  @Test("of a sample stand behind their lengths, of 1, 2 or 4 bytes", arguments: [1, 2, 4])
  func lengths(lengthBytes: Int) {
    let bytes = NALUnitWriter.lengthPrefixed(
      [[0x67, 1], [0x65, 0, 0, 1, 9]], lengthBytes: lengthBytes)
    let split = NALUnits.lengthPrefixed(bytes, lengthBytes: lengthBytes)
    #expect(units(bytes, split.units) == [[0x67, 1], [0x65, 0, 0, 3, 1, 9]])
    #expect(split.fault == nil)
  }

  @Test("of a byte stream that a muxer put under one length are told apart")
  func startCodesUnderALength() {
    let inner: [UInt8] = [0x6E, 0xC0, 0x80, 0x0F, 0, 0, 0, 1, 6, 5, 1, 2, 0, 0, 1, 0x65, 0x88]
    let bytes = [0, 0, 0, UInt8(inner.count)] + inner + [0, 0, 0, 2, 0x41, 9]
    let split = NALUnits.lengthPrefixed(bytes, lengthBytes: 4)
    #expect(
      units(bytes, split.units) == [
        [0x6E, 0xC0, 0x80, 0x0F], [6, 5, 1, 2], [0x65, 0x88], [0x41, 9],
      ])
    #expect(split.fault == nil)
  }

  @Test("before a length that reaches past its sample are still told")
  func cutOff() {
    let bytes: [UInt8] = [0, 0, 0, 1, 9, 0, 0, 0, 9, 1, 2]
    let split = NALUnits.lengthPrefixed(bytes, lengthBytes: 4)
    #expect(units(bytes, split.units) == [[9]])
    #expect(split.fault?.rule == .nalLength)
    #expect(split.fault?.place == .offset(5))
  }
}
