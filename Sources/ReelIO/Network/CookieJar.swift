// Cookies, each kept to the origin that set it. RFC 6265, narrower.

internal import Synchronization

/// Cookies of one session. `Domain` is not obeyed: a cookie goes back to the scheme, host and port it came
/// from and nowhere else, so no redirect and no list can carry it away. Nothing is kept on disk.
final class CookieJar: Sendable {
  private struct Cookie {
    let name: String
    let value: String
    let path: String
  }
  private let jar = Mutex<[String: [Cookie]]>([:])

  // LIMIT: of origins, cookies of an origin, and bytes of a cookie.
  private static let maximumOrigins = 64
  private static let maximumCookies = 50
  private static let maximumBytes = 4096

  /// Takes the cookies of an answer.
  func store(_ head: HTTPHead, of address: WebAddress) {
    for field in head.fields where field.name == "set-cookie" {
      guard field.value.utf8.count <= Self.maximumBytes else { continue }
      store(field.value, of: address)
    }
  }

  private func store(_ text: String, of address: WebAddress) {
    let parts = text.split(separator: ";").map { $0.trimmed }
    guard let pair = parts.first, let mark = pair.firstIndex(of: "="), mark != pair.startIndex
    else {
      return
    }
    var path = address.path[..<(address.path.lastIndex(of: "/") ?? address.path.startIndex)]
    var hasEnded = false
    for attribute in parts.dropFirst() {
      let words = attribute.split(separator: "=", maxSplits: 1).map { $0.trimmed }
      guard words.count == 2 else { continue }
      if words[0].lowercased() == "path", words[1].hasPrefix("/") { path = words[1] }
      if words[0].lowercased() == "max-age", let age = Int(words[1]) { hasEnded = age <= 0 }
    }
    if path.hasSuffix("/") { path = path.dropLast() }
    let cookie = Cookie(
      name: String(pair[..<mark]), value: String(pair[pair.index(after: mark)...]),
      path: String(path))
    jar.withLock { jar in
      guard jar[address.origin] != nil || jar.count < Self.maximumOrigins else { return }
      var cookies = jar[address.origin] ?? []
      cookies.removeAll { $0.name == cookie.name && $0.path == cookie.path }
      if !hasEnded && cookies.count < Self.maximumCookies { cookies.append(cookie) }
      jar[address.origin] = cookies
    }
  }

  /// The value of the field `Cookie` for a request; nil when there is none.
  func field(for address: WebAddress) -> String? {
    let cookies = jar.withLock { $0[address.origin] ?? [] }
    let fitting = cookies.filter {
      address.path == $0.path || address.path.hasPrefix($0.path + "/")
    }
    return fitting.isEmpty
      ? nil : fitting.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    var text = self
    while text.first == " " || text.first == "\t" { text = text.dropFirst() }
    while text.last == " " || text.last == "\t" { text = text.dropLast() }
    return text
  }
}
