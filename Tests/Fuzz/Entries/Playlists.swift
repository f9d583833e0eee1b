// Playlists, references and network traces. The first byte says which.

import ReelCore
import ReelHLS
import ReelStreaming

extension FuzzEntry {
  public static let playlists = FuzzEntry("Playlists") { input in
    guard let kind = input.first else { return }
    let bytes = [UInt8](input.dropFirst())
    switch kind & 3 {
    case 0, 1:
      // What is read is written and read again the same.
      guard let first = try? Playlist.parse(bytes) else { return }
      _ = first.playlist.issues
      guard let written = try? first.playlist.write(), let second = try? Playlist.parse(written)
      else { preconditionFailure("what was read cannot be written and read again") }
      precondition(first.playlist == second.playlist)
    case 2:
      let text = String(decoding: bytes, as: UTF8.self)
      precondition(URIReference(text).description == text)
      _ = URIReference.resolve(text, against: "http://a/b/c/d;p?q")
      _ = DateTime(text)
    default:
      _ = try? NetworkTrace(parsing: String(decoding: bytes, as: UTF8.self))
    }
  }
}
