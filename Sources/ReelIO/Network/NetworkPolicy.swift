// What may be asked of the network, and by whom.

public import ReelCore

/// What hostile lists and redirects may not make Reel do. The defaults are for lists of strangers.
///
/// It is asked for each address that is named, for each redirect, and, by the transport, for the numerical
/// address that a connection really goes to: a name that resolves to another address the second time it is
/// asked for changes nothing.
public struct NetworkPolicy: Sendable, Hashable {
  /// Connections to this machine, to private and to link-local networks.
  public var allowsPrivateNetwork = false
  /// Connections at all.
  public var allowsNetwork = true
  /// Redirects followed for one request.
  public var maximumRedirects = 5
  /// Bytes of an answer's header fields.
  public var maximumHeadBytes = 64 << 10

  public init() {}

  /// What is known to be forbidden before anything is asked.
  ///
  /// - Throws: `limitExceeded` with the reason.
  public func check(_ address: WebAddress) throws(MediaError) {
    guard allowsNetwork else {
      throw MediaError(.limitExceeded, .offline, at: .named(address.redacted))
    }
    guard !allowsPrivateNetwork else { return }
    let name = address.host.hasSuffix(".") ? String(address.host.dropLast()) : address.host
    if name == "localhost" || name.hasSuffix(".localhost") {
      throw refusal(address, "\(address.host) is this machine")
    }
    if let numerical = IPAddress(name) { try check(numerical, of: address) }
  }

  /// Whether a connection to a numerical address may be made.
  ///
  /// - Throws: `limitExceeded` with the reason.
  public func check(_ numerical: IPAddress, of address: WebAddress) throws(MediaError) {
    guard !allowsPrivateNetwork, let use = numerical.specialUse else { return }
    throw refusal(address, "\(numerical) is \(use)")
  }

  /// Whether a list may name an address: a remote list no local files, and no scheme but http(s).
  ///
  /// - Throws: `limitExceeded` with the reason.
  public func check(_ address: String, namedBy list: String?) throws(MediaError) {
    guard let list, WebAddress.looksLikeOne(list), !WebAddress.looksLikeOne(address) else { return }
    let isFile = address.lowercased().hasPrefix("file:") || !address.contains(":")
    throw MediaError(
      .limitExceeded, isFile ? .localFile : .webScheme, at: .named(String(address.prefix(120))),
      detail: "named by \(list.prefix { $0 != "?" })")
  }

  private func refusal(_ address: WebAddress, _ detail: String) -> MediaError {
    MediaError(
      .limitExceeded, .privateAddress, at: .named(address.redacted), detail: detail,
      advice: "allow private networks if the source is trusted")
  }
}
