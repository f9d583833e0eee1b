// Addresses of the web, taken apart once and put together again, so that nobody else reads them
// differently. RFC 3986.

public import ReelCore

/// An `http` or `https` address. What is sent to a server is made of these parts, never of the text.
public struct WebAddress: Sendable, Hashable, CustomStringConvertible {
  public let isSecure: Bool
  /// In lower case; an address of version 6 without its brackets.
  public let host: String
  public let port: Int
  /// Begins with `/`.
  public let path: String
  /// Behind the `?`; nil when there is none.
  public let query: String?

  /// LIMIT: bytes of an address. Signed addresses of content networks have about 2,000.
  public static let maximumByteCount = 16 << 10

  /// Whether the text begins like an address of the web.
  public static func looksLikeOne(_ text: String) -> Bool { URIReference(text).isOfTheWeb }

  /// Takes an absolute address apart; a fragment is dropped, spaces and bytes outside of ASCII in path
  /// and query are escaped.
  ///
  /// - Throws: `usage` for what is no such address, has a user name, or control characters;
  ///   `limitExceeded` for another scheme.
  public init(_ text: String) throws(MediaError) {
    func wrong(_ why: String) -> MediaError {
      MediaError(.usage, .webAddress, at: .named(Self.shown(text)), detail: why)
    }
    guard text.utf8.count <= Self.maximumByteCount else { throw wrong("it is too long") }
    let parts = URIReference(text)
    guard let scheme = parts.scheme?.lowercased(), let authority = parts.authority else {
      throw wrong("it has no scheme")
    }
    guard parts.isOfTheWeb else {
      throw MediaError(
        .limitExceeded, .webScheme, at: .named(Self.shown(text)),
        detail: "its scheme is \(Self.shown(scheme))")
    }
    isSecure = scheme == "https"
    guard !authority.utf8.contains(UInt8(ascii: "@")) else { throw wrong("it has a user name") }
    guard let place = Self.hostAndPort(authority[...]) else { throw wrong("its host is not one") }
    host = place.host
    port = place.port ?? (isSecure ? 443 : 80)
    guard let escapedPath = Self.escaping(parts.path),
      let escapedQuery = Self.escaping(parts.query ?? "")
    else { throw wrong("it has a control character or a backslash") }
    path = escapedPath.isEmpty ? "/" : URIReference.removingDotSegments(escapedPath)
    query = parts.query == nil ? nil : escapedQuery
  }

  private static func hostAndPort(_ authority: Substring) -> (host: String, port: Int?)? {
    var host = authority
    var port: Substring = ""
    if authority.hasPrefix("[") {
      guard let end = authority.firstIndex(of: "]") else { return nil }
      host = authority[authority.index(after: authority.startIndex)..<end]
      port = authority[authority.index(after: end)...]
      guard host.contains(":"), IPAddress(host) != nil else { return nil }
      guard port.isEmpty || port.hasPrefix(":") else { return nil }
      port = port.dropFirst()
    } else if let colon = authority.firstIndex(of: ":") {
      host = authority[..<colon]
      port = authority[authority.index(after: colon)...]
    }
    let name = host.lowercased()
    guard !name.isEmpty, name.utf8.count <= 253,
      host.contains(":") || name.utf8.allSatisfy(isHostByte)
    else { return nil }
    if port.isEmpty { return (name, nil) }
    guard port.utf8.count <= 5, port.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(port), (1...65535).contains(number)
    else { return nil }
    return (name, number)
  }

  private static func isHostByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// Nil for control characters and backslashes, which servers and clients read differently.
  private static func escaping(_ text: String) -> String? {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0..<0x20, 0x7F, UInt8(ascii: "\\"): return nil
      case UInt8(ascii: " "), UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), 0x80...:
        PercentEncoding.append(byte, to: &bytes)
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The address that a reference means where this is the base. RFC 3986 §5.2.
  ///
  /// - Throws: as ``init(_:)``.
  public func resolving(_ reference: String) throws(MediaError) -> WebAddress {
    try WebAddress(URIReference.resolve(reference, against: description))
  }

  private var hasUsualPort: Bool { port == (isSecure ? 443 : 80) }
  private var bracketedHost: String { host.contains(":") ? "[\(host)]" : host }

  /// Scheme, host and port: what cookies are kept to.
  public var origin: String {
    (isSecure ? "https://" : "http://") + bracketedHost + (hasUsualPort ? "" : ":\(port)")
  }

  public var description: String { origin + path + (query.map { "?\($0)" } ?? "") }

  /// The address for messages: without its query, which may hold somebody's key.
  public var redacted: String { origin + path + (query == nil ? "" : "?…") }

  private static func shown(_ text: String) -> String {
    let short = text.unicodeScalars.prefix(120).map {
      $0.value < 0x20 || $0.value == 0x7F ? " " : $0
    }
    return String(String.UnicodeScalarView(short))
  }
}
