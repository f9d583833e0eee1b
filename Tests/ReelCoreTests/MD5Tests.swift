internal import ReelCore
internal import ReelTestSupport
internal import Testing

@Suite("MD5")
struct MD5Tests {
  @Test(
    "gives the digests of RFC 1321 §A.5",
    arguments: [
      ("", "d41d8cd98f00b204e9800998ecf8427e"),
      ("a", "0cc175b9c0f1b6a831c399e269772661"),
      ("abc", "900150983cd24fb0d6963f7d28e17f72"),
      ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
      ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
      (
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
        "d174ab98d277d9f5a5611c2c9f419d9f"
      ),
      (
        "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
        "57edf4a22be3c955ac49da2e2107b67a"
      ),
    ])
  func standardDigests(message: String, digest: String) {
    var md5 = MD5()
    md5.update([UInt8](message.utf8))
    #expect(md5.finalize().description == digest)
  }

  @Test("does not depend on how a message is cut", arguments: 0..<200)
  func cutsDoNotMatter(length: Int) {
    var random = SeededGenerator(seed: UInt64(length))
    let message = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
    var whole = MD5()
    whole.update(message)
    var cut = MD5()
    var taken = 0
    while taken < length {
      let count = min(length - taken, random.int(in: 0...70))
      cut.update([UInt8](message[taken..<taken + count]))
      taken += count
    }
    #expect(cut.finalize() == whole.finalize(), "seed \(length)")
  }

  @Test("takes 16-bit samples low byte first")
  func sixteenBitSamples() {
    var samples = MD5()
    samples.update(([0x0201, 0x0403, 0x00FF] as [UInt16]).span)
    var bytes = MD5()
    bytes.update([1, 2, 3, 4, 0xFF, 0])
    #expect(samples.finalize() == bytes.finalize())
  }
}
