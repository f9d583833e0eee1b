// Where whole resources come from: playlists, segments, keys.

/// A request for a resource or a part of one.
public struct ResourceRequest: Sendable, Hashable {
  /// An absolute `http(s)://` or `file://` address, or the path of a file.
  public var address: String
  /// Address of the list that names the resource; nil when the user does. What a remote list may name
  /// is less than what the user may.
  public var namedBy: String?
  /// The bytes wanted; nil for all. A range that reaches past the end is an error.
  public var range: Range<Int64>?
  /// An answer longer than this, after decompression, is refused.
  public var maximumByteCount: Int

  /// A request of the user, or of the list at `namedBy`.
  public init(
    _ address: String, namedBy: String? = nil, range: Range<Int64>? = nil,
    maximumByteCount: Int
  ) {
    self.address = address
    self.namedBy = namedBy
    self.range = range
    self.maximumByteCount = maximumByteCount
  }
}

/// What a request was answered with.
public struct Resource: Sendable {
  /// Exactly the bytes asked for, decompressed.
  public let bytes: [UInt8]
  /// Where they came from in the end: references inside are relative to this.
  public let address: String
  /// What the server calls the content, in lower case and without parameters; nil for a file.
  public let contentType: String?
  /// The time that the transfer took, for a measurement of the network; zero for a file.
  public let transferTime: Duration

  /// An answer; a file has neither a content type nor a time that is worth measuring.
  public init(
    bytes: [UInt8], address: String, contentType: String? = nil, transferTime: Duration = .zero
  ) {
    self.bytes = bytes
    self.address = address
    self.contentType = contentType
    self.transferTime = transferTime
  }
}

/// Fetches resources. Implementations: files and HTTP (in ReelIO), a store of downloads, values in
/// the tests.
public protocol ResourceLoader: Sendable {
  /// The resource; returns when it is there. May be called on several threads at once.
  ///
  /// - Throws: `notFound`, `io` with the cause, `limitExceeded` when it is longer than allowed, or when
  ///   the policy refuses the address.
  func load(_ request: ResourceRequest) throws(MediaError) -> Resource
}
