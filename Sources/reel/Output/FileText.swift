// Small texts that the user names, such as scripts.

import ReelCore
import ReelIO

enum FileText {
  /// The text of a file; `-` is standard input.
  ///
  /// - Throws: `notFound`, `io`; `limitExceeded` above 64 MiB, `damaged` when it is no UTF-8.
  static func read(_ path: String) throws(MediaError) -> String {
    let bytes = try readBytes(path)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw MediaError(.damaged, .textEncoding)
    }
    return text
  }

  /// The bytes of a small file; `-` is standard input.
  ///
  /// - Throws: `notFound`, `io`; `limitExceeded` above 64 MiB.
  static func readBytes(_ path: String) throws(MediaError) -> [UInt8] {
    let source = try FileSource.open(path: path, maximumStreamBytes: mostBytes)
    let bytes = try source.readFully(at: 0, count: mostBytes + 1)
    // LIMIT: a script of a million lines is smaller.
    guard bytes.count <= mostBytes else { throw MediaError(.limitExceeded, .textSize) }
    return bytes
  }

  private static let mostBytes = 64 << 20
}

extension Rule {
  static let textSize = Rule("reel.text-size", "a script has at most 64 MiB")
  static let textEncoding = Rule("reel.text-encoding", "a script is UTF-8 text")
}
