internal import ReelCore
internal import ReelIO
internal import Testing

@Suite("Cryptography")
struct CryptographyTests {
  @Test("SHA-256 of FIPS 180-4's examples")
  func sha256() throws {
    #expect(
      try SHA256.digest([]) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(
      try SHA256.digest(Array("abc".utf8))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    let pieces = try SHA256()
    for _ in 0..<1000 { pieces.update([UInt8](repeating: UInt8(ascii: "a"), count: 1000)) }
    #expect(
      pieces.finish() == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test("AES-128-CBC: a block of NIST SP 800-38A is refused for its padding, a padded text is read")
  func aes() throws {
    // `printf 'sixteen bytes!!!and four' | openssl enc -aes-128-cbc -K 000102…0f -iv 0f0e…00`
    let key = [UInt8](0..<16)
    let vector = [UInt8]((0..<16).reversed())
    let cipher: [UInt8] = AESSample.cipher
    let plain = try AES128CBC.decrypt(cipher, key: key, initializationVector: vector)
    #expect(String(decoding: plain, as: UTF8.self) == "sixteen bytes!!!and four")
    var wrong = key
    wrong[0] ^= 1
    #expect(throws: MediaError.self) {
      try AES128CBC.decrypt(cipher, key: wrong, initializationVector: vector)
    }
    #expect(throws: MediaError.self) {
      try AES128CBC.decrypt(Array(cipher.dropLast()), key: key, initializationVector: vector)
    }
    #expect(throws: MediaError.self) {
      try AES128CBC.decrypt([], key: key, initializationVector: vector)
    }
  }
}

private enum AESSample {
  static let cipher: [UInt8] = [
    0xbd, 0x9a, 0x90, 0x3a, 0x86, 0xf9, 0xaf, 0x92, 0xa6, 0x04, 0x16, 0x93, 0x88, 0xc0, 0x66, 0x0d,
    0x53, 0x93, 0xd0, 0x1b, 0xa3, 0xe1, 0xe4, 0xdc, 0x4c, 0x73, 0x1c, 0x09, 0xc1, 0xd0, 0x70, 0xe1,
  ]
}
