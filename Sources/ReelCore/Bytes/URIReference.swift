// URI references and their resolution. RFC 3986 §5.

/// The five components of a URI reference, undecoded. RFC 3986 §3 and Appendix B.
public struct URIReference: Sendable, Hashable, CustomStringConvertible {
  /// Without the colon; nil in a relative reference.
  public var scheme: String?
  /// Without the slashes before it; nil when there is none, which differs from an empty one.
  public var authority: String?
  /// With its slashes; empty where there is none.
  public var path: String
  /// Without the question mark.
  public var query: String?
  /// Without the number sign.
  public var fragment: String?

  /// A reference of components that are escaped where they have to be.
  public init(
    scheme: String? = nil, authority: String? = nil, path: String = "", query: String? = nil,
    fragment: String? = nil
  ) {
    (self.scheme, self.authority, self.path) = (scheme, authority, path)
    (self.query, self.fragment) = (query, fragment)
  }

  /// Splits a reference into its components; every string has them.
  public init(_ string: String) {
    var rest = Substring(string)
    if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "#")) {
      fragment = String(rest[rest.utf8.index(after: mark)...])
      rest = rest[..<mark]
    }
    if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
      query = String(rest[rest.utf8.index(after: mark)...])
      rest = rest[..<mark]
    }
    if let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":")),
      Self.isScheme(rest[..<colon].utf8)
    {
      scheme = String(rest[..<colon])
      rest = rest[rest.utf8.index(after: colon)...]
    }
    if rest.utf8.starts(with: "//".utf8) {
      rest = rest.utf8.dropFirst(2).asSubstring
      let end = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      authority = String(rest[..<end])
      rest = rest[end...]
    }
    path = String(rest)
  }

  /// Whether it is an absolute address of the web: `http://…` or `https://…`. What is not is never asked of
  /// the network, and what is never of the file system.
  public var isOfTheWeb: Bool {
    let scheme = scheme?.lowercased()
    return authority != nil && (scheme == "http" || scheme == "https")
  }

  /// scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." ). RFC 3986 §3.1.
  private static func isScheme(_ text: Substring.UTF8View) -> Bool {
    guard let first = text.first, isLetter(first) else { return false }
    return text.allSatisfy {
      isLetter($0) || 48...57 ~= $0 || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-")
        || $0 == UInt8(ascii: ".")
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    65...90 ~= byte || 97...122 ~= byte
  }

  /// RFC 3986 §5.3.
  public var description: String {
    var text = ""
    if let scheme { text += scheme + ":" }
    if let authority { text += "//" + authority }
    text += path
    if let query { text += "?" + query }
    if let fragment { text += "#" + fragment }
    return text
  }

  /// The target of this reference as it stands in a document at `base`. RFC 3986 §5.2.2, strict.
  public func resolved(against base: URIReference) -> URIReference {
    var target = self
    target.fragment = fragment
    if scheme != nil {
      target.path = Self.removingDotSegments(path)
      return target
    }
    target.scheme = base.scheme
    if authority != nil {
      target.path = Self.removingDotSegments(path)
      return target
    }
    target.authority = base.authority
    if path.isEmpty {
      target.path = base.path
      target.query = query ?? base.query
    } else if path.utf8.first == UInt8(ascii: "/") {
      target.path = Self.removingDotSegments(path)
    } else {
      target.path = Self.removingDotSegments(merged(with: base))
    }
    return target
  }

  /// RFC 3986 §5.2.3.
  private func merged(with base: URIReference) -> String {
    if base.authority != nil && base.path.isEmpty { return "/" + path }
    guard let slash = base.path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(base.path.utf8.prefix(through: slash).asSubstring) + path
  }

  /// RFC 3986 §5.2.4: `.` segments vanish, `..` segments take the one before with them.
  public static func removingDotSegments(_ path: String) -> String {
    let isAbsolute = path.utf8.first == UInt8(ascii: "/")
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    var kept: [Substring] = []
    for (index, part) in parts.enumerated() {
      if isAbsolute && index == 0 { continue }
      let text = part.asSubstring
      let isLast = index == parts.count - 1
      switch text {
      case ".": if isLast { kept.append("") }
      case "..":
        if !kept.isEmpty { kept.removeLast() }
        if isLast { kept.append("") }
      default: kept.append(text)
      }
    }
    // "." and ".." alone leave nothing behind.
    if !isAbsolute && kept == [""] { return "" }
    return (isAbsolute ? "/" : "") + kept.joined(separator: "/")
  }

  /// `reference` as it stands in a document at `base`, as text.
  public static func resolve(_ reference: String, against base: String) -> String {
    URIReference(reference).resolved(against: URIReference(base)).description
  }
}

extension Substring.UTF8View {
  fileprivate var asSubstring: Substring { Substring(self) }
}
