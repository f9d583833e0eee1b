// Files and HTTP behind one door.

public import ReelCore

/// Loads from files and, where it was given a client, from HTTP; keeps remote lists from local files.
public struct MediaLoader: ResourceLoader {
  private let client: HTTPClient?

  /// - Parameter client: nil when nothing may be asked of the network.
  public init(client: HTTPClient? = nil) { self.client = client }

  public func load(_ request: ResourceRequest) throws(MediaError) -> Resource {
    let policy = client?.policy ?? NetworkPolicy()
    try policy.check(request.address, namedBy: request.namedBy)
    if WebAddress.looksLikeOne(request.address) {
      guard let client else {
        throw MediaError(
          .limitExceeded, .offline, at: .named(String(request.address.prefix { $0 != "?" })))
      }
      return try client.load(request)
    }
    let path = try FileAddress.path(request.address)
    let source = try FileSource.open(path: path, maximumStreamBytes: request.maximumByteCount)
    return Resource(bytes: try bytes(source, request), address: request.address)
  }

  private func bytes(
    _ source: any ByteSource, _ request: ResourceRequest
  ) throws(MediaError) -> [UInt8] {
    let range = request.range ?? 0..<(source.byteCount ?? 0)
    guard range.lowerBound >= 0, range.upperBound - range.lowerBound <= request.maximumByteCount
    else {
      throw MediaError(
        .limitExceeded, .resourceSize, at: .named(request.address),
        detail: "\(range.upperBound - range.lowerBound) bytes")
    }
    return try source.readExactly(
      at: range.lowerBound, count: Int(range.upperBound - range.lowerBound))
  }
}

/// `file:` addresses.
public enum FileAddress {
  /// The path of a `file:` address, its escapes undone, or the path itself.
  ///
  /// - Throws: `usage` for an address of another kind, or of another machine.
  public static func path(_ address: String) throws(MediaError) -> String {
    guard let mark = address.firstIndex(of: ":"), address[..<mark].lowercased() == "file" else {
      if let mark = address.firstIndex(of: ":"), address[mark...].hasPrefix("://") {
        throw MediaError(.limitExceeded, .webScheme, at: .named(String(address.prefix(120))))
      }
      return address
    }
    var rest = address[address.index(after: mark)...]
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      let host = rest.prefix { $0 != "/" }
      guard host.isEmpty || host == "localhost" else {
        throw MediaError(
          .usage, .fileOpen, at: .named(String(address.prefix(120))), detail: "a file of \(host)")
      }
      rest = rest[host.endIndex...]
    }
    return String(decoding: PercentEncoding.decoded(rest.utf8), as: UTF8.self)
  }
}
