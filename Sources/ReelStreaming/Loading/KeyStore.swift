// Keys of encrypted segments.

import ReelCore
import ReelHLS
import Synchronization

/// Loads the keys of a presentation, each once.
final class KeyStore: Sendable {
  private let loader: any ResourceLoader
  private let keys = Mutex<[String: [UInt8]]>([:])
  /// LIMIT: keys that are kept; rotating keys of a day every ten seconds are 8,640.
  private static let maximumCount = 10_000

  init(loader: any ResourceLoader) { self.loader = loader }

  /// The 16 bytes of a key.
  ///
  /// - Throws: `damaged` for another number of bytes; what the loader throws.
  func bytes(_ key: Key, in list: PlaylistAddress) throws(MediaError) -> [UInt8] {
    if DataAddress.isOne(key.uri) { return try checked(DataAddress.bytes(key.uri), key) }
    let address = try list.resolve(key.uri).address
    if let known = keys.withLock({ $0[address] }) { return known }
    let request = ResourceRequest(address, namedBy: list.address, maximumByteCount: 16)
    let bytes = try checked(loader.load(request).bytes, key)
    keys.withLock { keys in
      if keys.count >= Self.maximumCount { keys.removeAll() }
      keys[address] = bytes
    }
    return bytes
  }

  private func checked(_ bytes: [UInt8], _ key: Key) throws(MediaError) -> [UInt8] {
    guard bytes.count == 16 else {
      throw MediaError(
        .damaged, .streamingKey, at: .line(key.line.number), detail: "\(bytes.count) bytes")
    }
    return bytes
  }
}

extension [Key] {
  /// The key that whole segments are encrypted with and that can be had; nil when they are not.
  ///
  /// - Throws: `protected` when segments are encrypted as a whole by a key of a DRM system.
  func wholeSegmentKey() throws(MediaError) -> Key? {
    let whole = filter { $0.method == .aes128 }
    guard !whole.isEmpty else { return nil }
    if let key = whole.first(where: \.isIdentity) { return key }
    throw MediaError(
      .protected, .streamingProtected, at: .line(whole[0].line.number),
      detail: "KEYFORMAT \(whole[0].format ?? "")")
  }

  /// Samples are encrypted, which only the demuxer of the media could undo.
  var protectsSamples: Bool { contains { $0.method != .aes128 } }

  /// The scheme of Common Encryption that sample encryption corresponds to.
  var sampleScheme: FourCC? {
    for key in self {
      switch key.method {
      case .sampleAES: return "cbcs"
      case .sampleAESCTR: return "cenc"
      case .aes128, .other: continue
      }
    }
    return nil
  }
}
