// Hashes and decryption, all by libcrypto: Reel has no cryptography of its own.

internal import CCrypto
public import ReelCore

extension Rule {
  public static let cryptographyUnavailable = Rule(
    "io.cryptography", "hashing and decryption need libcrypto (OpenSSL) on this machine")
  public static let cipherPadding = Rule(
    "io.cipher-padding", "an encrypted segment is whole and its key is the right one",
    clause: "RFC 8216 §4.3.2.4")
}

/// The functions of libcrypto. They never change once they are set.
final class Libcrypto: @unchecked Sendable {
  let functions: reel_crypto

  /// Nil where there is no libcrypto. It stays loaded until the process ends.
  static let shared = Libcrypto()

  private init?() {
    var functions = reel_crypto()
    // SAFETY: the structure is ours and is written during the call only.
    guard unsafe reel_crypto_load(&functions) == 1 else { return nil }
    self.functions = functions
  }

  static func load() throws(MediaError) -> Libcrypto {
    guard let shared else {
      throw MediaError(.unsupported, .cryptographyUnavailable, advice: "install libssl3")
    }
    return shared
  }
}

/// A running SHA-256.
@safe
public final class SHA256 {
  private let library: Libcrypto
  private let context: UnsafeMutableRawPointer

  /// - Throws: `unsupported` where this machine has no libcrypto.
  public init() throws(MediaError) {
    library = try Libcrypto.load()
    // SAFETY: a new context that nobody else has; it is freed once, when this object ends.
    guard let context = library.functions.EVP_MD_CTX_new() else {
      throw MediaError(.unsupported, .cryptographyUnavailable)
    }
    unsafe self.context = context
    let sha256 = library.functions.EVP_sha256()
    // SAFETY: as above.
    guard unsafe library.functions.EVP_DigestInit_ex(context, sha256, nil) == 1 else {
      throw MediaError(.unsupported, .cryptographyUnavailable, detail: "SHA-256")
    }
  }

  deinit {
    // SAFETY: the context is ours.
    unsafe library.functions.EVP_MD_CTX_free(context)
  }

  /// Takes more bytes; may be called any number of times before ``finish()``.
  public func update(_ bytes: [UInt8]) {
    // SAFETY: the bytes are read during the call only.
    _ = unsafe bytes.withUnsafeBytes {
      unsafe library.functions.EVP_DigestUpdate(context, $0.baseAddress, $0.count)
    }
  }

  /// The 32 bytes of the digest, in lower-case hexadecimal. The object is used up.
  public func finish() -> String {
    var digest = [UInt8](repeating: 0, count: 64)
    var count: UInt32 = 0
    // SAFETY: no digest of libcrypto is longer than 64 bytes.
    _ = unsafe library.functions.EVP_DigestFinal_ex(context, &digest, &count)
    let digits = Array("0123456789abcdef".utf8)
    let text = digest.prefix(Int(count)).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }

  /// The digest of bytes in memory.
  ///
  /// - Throws: `unsupported` where this machine has no libcrypto.
  public static func digest(_ bytes: [UInt8]) throws(MediaError) -> String {
    let hash = try SHA256()
    hash.update(bytes)
    return hash.finish()
  }
}

/// AES-128 in CBC mode with PKCS #7 padding, as whole HLS segments are encrypted.
public enum AES128CBC {
  /// The plain bytes.
  ///
  /// - Parameters:
  ///   - key: 16 bytes.
  ///   - initializationVector: 16 bytes.
  /// - Throws: `usage` for a key or vector of another length; `damaged` when the length is no whole number of
  ///   blocks or the padding is wrong, which a wrong key shows by; `unsupported` without libcrypto.
  public static func decrypt(
    _ bytes: [UInt8], key: [UInt8], initializationVector: [UInt8]
  ) throws(MediaError) -> [UInt8] {
    guard key.count == 16, initializationVector.count == 16 else {
      throw MediaError(
        .usage, .cipherPadding, detail: "key \(key.count), vector \(initializationVector.count)")
    }
    guard bytes.count % 16 == 0, !bytes.isEmpty, let count = Int32(exactly: bytes.count) else {
      throw MediaError(.damaged, .cipherPadding, detail: "\(bytes.count) bytes")
    }
    let library = try Libcrypto.load()
    // SAFETY: a new context that nobody else has, freed when this function ends.
    guard let context = library.functions.EVP_CIPHER_CTX_new() else {
      throw MediaError(.unsupported, .cryptographyUnavailable)
    }
    defer { unsafe library.functions.EVP_CIPHER_CTX_free(context) }
    var plain = [UInt8](repeating: 0, count: bytes.count + 16)
    var (first, last): (Int32, Int32) = (0, 0)
    // SAFETY: decryption writes at most the input's length and a block more; key and vector have the lengths that
    // were checked; nothing is kept.
    let isDone = unsafe plain.withUnsafeMutableBufferPointer { plain in
      guard let start = plain.baseAddress else { return false }
      let cipher = library.functions.EVP_aes_128_cbc()
      // SAFETY: as above.
      guard
        unsafe library.functions.EVP_DecryptInit_ex(context, cipher, nil, key, initializationVector)
          == 1,
        unsafe library.functions.EVP_DecryptUpdate(context, start, &first, bytes, count) == 1
      else { return false }
      // SAFETY: `first` is at most the input's length, so there is a block behind it.
      return unsafe library.functions.EVP_DecryptFinal_ex(context, start + Int(first), &last) == 1
    }
    guard isDone else { throw MediaError(.damaged, .cipherPadding, detail: "padding") }
    plain.removeSubrange(Int(first + last)...)
    return plain
  }
}
