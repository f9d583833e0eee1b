internal import ReelCore
internal import Testing

@Suite("Escapes of addresses, RFC 3986 §2.1")
struct PercentEncodingTests {
  @Test(
    "an escape is a sign and two hexadecimal digits; another sign stands for itself, or is a fault",
    arguments: [
      ("a%20b", "a b", true), ("%41%4a%4A", "AJJ", true), ("", "", true), ("%2525", "%25", true),
      ("%", "%", false), ("%4", "%4", false), ("%4g", "%4g", false), ("%%41", "%A", false),
      ("%+1%-1% 1", "%+1%-1% 1", false),
    ])
  func decoding(text: String, expected: String, isWhole: Bool) {
    #expect(PercentEncoding.decoded(text.utf8) == Array(expected.utf8))
    #expect(PercentEncoding.decodedOrNil(text.utf8) == (isWhole ? Array(expected.utf8) : nil))
  }

  @Test("a path keeps its slashes, and nothing that means something in an address")
  func paths() {
    #expect(PercentEncoding.encodedPath("a b/%2e?#:é~-._Z9") == "a%20b/%252e%3F%23%3A%C3%A9~-._Z9")
  }

  @Test("every byte comes back from its escape")
  func everyByte() {
    var text: [UInt8] = []
    for byte in UInt8.min...UInt8.max { PercentEncoding.append(byte, to: &text) }
    #expect(
      String(decoding: text.prefix(36), as: UTF8.self) == "%00%01%02%03%04%05%06%07%08%09%0A%0B")
    #expect(PercentEncoding.decodedOrNil(text) == Array(UInt8.min...UInt8.max))
  }
}
