// What the references in a playlist lead to.

import ReelCore
import ReelHLS

/// The address of a playlist, against which the references in it are resolved.
///
/// References in remote lists follow RFC 3986; what they lead to is for the loader's policy to allow. A
/// list in a file may name addresses of the web and files beneath the folder of the list that the user
/// opened, and nothing else: not `/etc/passwd`, not `../../secret`, not `file:`.
public struct PlaylistAddress: Sendable, Hashable {
  public let address: String
  /// Folder of the first list, with a slash at its end unless empty; nil for lists of the web.
  private let root: String?

  /// The address that a user gives: one of the web, a `file:` one, or a path.
  public init(_ address: String) {
    self.address = address
    root = Self.isRemote(address) ? nil : Self.folder(of: address)
  }

  private init(_ address: String, root: String?) {
    self.address = address
    self.root = root
  }

  /// Whether an address is one of the web.
  static func isRemote(_ address: String) -> Bool { URIReference(address).isOfTheWeb }

  private static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
    return String(Substring(path.utf8.prefix(through: slash)))
  }

  /// The address after redirects.
  func moved(to address: String) -> PlaylistAddress {
    PlaylistAddress(address, root: Self.isRemote(address) ? nil : root ?? Self.folder(of: address))
  }

  /// What a reference in this list leads to.
  ///
  /// - Throws: `limitExceeded` when a list in a file names what it may not.
  func resolve(_ reference: String) throws(MediaError) -> PlaylistAddress {
    guard let root else {
      return PlaylistAddress(URIReference.resolve(reference, against: address))
    }
    let parts = URIReference(reference)
    if parts.isOfTheWeb { return PlaylistAddress(reference) }
    guard parts.scheme == nil, parts.authority == nil,
      let path = Self.fileName(parts.path), path.utf8.first != UInt8(ascii: "/")
    else { throw refusal(reference, "it is no relative path") }
    let folder = Self.folder(of: address)
    guard folder.utf8.starts(with: root.utf8),
      let inside = Self.normalized(plain(folder.utf8.dropFirst(root.utf8.count)) + path.utf8)
    else { throw refusal(reference, "it leads out of the folder \(root.isEmpty ? "." : root)") }
    return PlaylistAddress(root + named(inside), root: root)
  }

  /// Paths in a `file:` address are escaped.
  private var isFileAddress: Bool { URIReference(address).scheme?.lowercased() == "file" }

  private func plain(_ path: some Collection<UInt8>) -> [UInt8] {
    isFileAddress ? PercentEncoding.decoded(path) : Array(path)
  }

  /// A relative path as whoever opens it must read it: a name in it that looks like a scheme or an escape is
  /// a name.
  private func named(_ path: String) -> String {
    if isFileAddress { return PercentEncoding.encodedPath(path) }
    let isLikeScheme = URIReference(path).scheme != nil
    return root == "" && isLikeScheme ? "./" + path : path
  }

  private func refusal(_ reference: String, _ why: String) -> MediaError {
    MediaError(
      .limitExceeded, .streamingAddress, at: .named(String(reference.prefix(120))), detail: why)
  }

  /// A path with its escapes undone; nil when it has a byte no name can have.
  private static func fileName(_ path: String) -> String? {
    let bytes = PercentEncoding.decoded(path.utf8)
    guard !bytes.isEmpty, !bytes.contains(0) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A relative path without `.` and `..`; nil when it leads upwards out of where it starts. By bytes, as
  /// the system reads it: a slash before a combining mark is one character, and still ends a name.
  private static func normalized(_ path: [UInt8]) -> String? {
    var kept: [ArraySlice<UInt8>] = []
    for part in path.split(separator: UInt8(ascii: "/")) {
      if part.elementsEqual(".".utf8) { continue }
      if part.elementsEqual("..".utf8) {
        guard kept.popLast() != nil else { return nil }
      } else {
        kept.append(part)
      }
    }
    guard !kept.isEmpty else { return nil }
    return String(decoding: Array(kept.joined(separator: [UInt8(ascii: "/")])), as: UTF8.self)
  }
}
