// A file whose ranges are read when they are asked for.

import Glibc
public import ReelCore

/// A regular file. Nothing of it is held: what a range costs is its own bytes, whatever the length of
/// the file. It may be read by several threads at once, since no call moves a file position.
public final class RegularFileSource: ByteSource {
  private let file: FileDescriptor
  private let length: Int64

  /// Opens a regular file.
  ///
  /// - Throws: `notFound`, `io`; `usage` for what is no regular file.
  public convenience init(path: String) throws(MediaError) {
    let file = try FileDescriptor(opening: path)
    let status = try file.status()
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw MediaError(.usage, .fileOpen, at: .named(path), detail: "not a regular file")
    }
    self.init(file, length: Int64(status.st_size))
  }

  init(_ file: FileDescriptor, length: Int64) {
    self.file = file
    self.length = length
  }

  /// Length when the file was opened. What is written behind it later is not seen.
  public var byteCount: Int64? { length }

  /// - Throws: `io` when the system cannot read, or when the file has become shorter meanwhile.
  public func read(at offset: Int64, count: Int) throws(MediaError) -> [UInt8] {
    guard offset >= 0, offset < length, count > 0 else { return [] }
    let count = Int(min(Int64(count), length - offset))
    let bytes = try file.read(at: offset, count: count)
    guard !bytes.isEmpty else { throw shrinkage(at: offset) }
    return bytes
  }

  private func shrinkage(at offset: Int64) -> MediaError {
    let now = (try? file.status().st_size).map { ", now \($0)" } ?? ""
    return MediaError(
      .io, .fileShrank, at: .named(file.name), detail: "\(length) bytes\(now), read at \(offset)",
      advice: "wait until it is written")
  }
}
