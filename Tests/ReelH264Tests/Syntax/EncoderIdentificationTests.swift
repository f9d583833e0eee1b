import Testing

@testable import ReelH264

@Suite("The encoder that a stream says it is of")
struct EncoderIdentificationTests {
  static let identity: [UInt8] = [
    0xDC, 0x45, 0xE9, 0xBD, 0xE6, 0xD9, 0x48, 0xB7, 0x96, 0x2C, 0xD8, 0x20, 0xD9, 0x23, 0xEE, 0xEF,
  ]

  @Test("x264's message tells its build", arguments: [(1, "1"), (148, "148 r2694"), (164, "164")])
  func build(number: Int, text: String) {
    let payload = Self.identity + [UInt8]("x264 - core \(text)".utf8)
    #expect(EncoderIdentification.x264Build(in: payload) == number)
  }

  @Test("Other messages, other identities and texts without a number tell nothing")
  func others() {
    #expect(EncoderIdentification.x264Build(in: []) == nil)
    #expect(EncoderIdentification.x264Build(in: Self.identity) == nil)
    #expect(
      EncoderIdentification.x264Build(in: Self.identity + [UInt8]("x264 - core r".utf8)) == nil)
    var other = Self.identity
    other[0] = 0
    #expect(
      EncoderIdentification.x264Build(in: other + [UInt8]("x264 - core 148".utf8)) == nil)
  }

  @Test("Every prefix of a message is answered")
  func prefixes() {
    let payload = Self.identity + [UInt8]("x264 - core 148".utf8)
    for count in 0...payload.count {
      let build = EncoderIdentification.x264Build(in: [UInt8](payload.prefix(count)))
      #expect(count < payload.count - 2 ? build == nil : build != nil)
    }
  }
}
