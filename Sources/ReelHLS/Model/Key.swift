// How segments are encrypted, and what comes before them.

/// EXT-X-KEY or EXT-X-SESSION-KEY. RFC 8216 §4.3.2.4 and §4.3.4.5.
public struct Key: Sendable, Hashable {
  public enum Method: Sendable, Hashable {
    /// Whole segments in AES-128-CBC with PKCS #7 padding.
    case aes128
    /// Parts of samples, by a scheme the format of the media says.
    case sampleAES
    /// Parts of samples by Common Encryption in counter mode. draft-pantos-hls-rfc8216bis-14 §4.4.4.4.
    case sampleAESCTR
    /// One that is not known.
    case other(String)

    public var name: String {
      switch self {
      case .aes128: "AES-128"
      case .sampleAES: "SAMPLE-AES"
      case .sampleAESCTR: "SAMPLE-AES-CTR"
      case .other(let name): name
      }
    }
  }

  public var method: Method
  /// Where the key is, as written.
  public var uri: String
  /// 16 bytes; nil means the segment's media sequence number.
  public var initializationVector: [UInt8]?
  /// What the resource at `uri` is; nil means `identity`: the key's 16 bytes.
  public var format: String?
  /// Versions of `format` this key complies with, as written: `1/2/5`; nil means 1.
  public var formatVersions: String?
  public var unknownAttributes: [UnknownAttribute] = []
  public var line: SourceLine = 0

  public init(
    method: Method, uri: String, initializationVector: [UInt8]? = nil, format: String? = nil,
    formatVersions: String? = nil
  ) {
    (self.method, self.uri, self.initializationVector) = (method, uri, initializationVector)
    (self.format, self.formatVersions) = (format, formatVersions)
  }

  /// The key's 16 bytes lie at `uri` in the clear.
  public var isIdentity: Bool { (format ?? "identity") == "identity" }

  /// The vector of a segment: the one of the tag, else its media sequence number, big-endian.
  /// RFC 8216 §5.2.
  public func initializationVector(mediaSequenceNumber: Int64) -> [UInt8] {
    if let initializationVector { return initializationVector }
    let number = UInt64(bitPattern: mediaSequenceNumber)
    return [UInt8](repeating: 0, count: 8)
      + (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }
  }
}

/// What has to be read before segments can be. RFC 8216 §4.3.2.5 (EXT-X-MAP).
public struct InitializationSection: Sendable, Hashable {
  public var uri: String
  /// Nil for the whole resource.
  public var byteRange: ByteRange?
  /// The keys that stood before the tag, by which the section itself is encrypted.
  public var keys: [Key]
  public var unknownAttributes: [UnknownAttribute] = []
  public var line: SourceLine = 0
  public init(uri: String, byteRange: ByteRange? = nil, keys: [Key] = []) {
    (self.uri, self.byteRange, self.keys) = (uri, byteRange, keys)
  }
}
