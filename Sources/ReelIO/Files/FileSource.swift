// Opening whatever a path names.

import Glibc
public import ReelCore

/// Opens files and streams as byte sources.
public enum FileSource {
  /// Bytes of an input that can only be read once, such as a pipe: 1 GiB.
  public static let maximumStreamBytes = 1 << 30

  /// The bytes at `path`; `-` is standard input. Regular files are read by ranges, everything else (pipes,
  /// sockets, devices, files whose length the system does not tell) is read to its end.
  ///
  /// - Throws: `notFound`, `io`; `usage` for a folder; `limitExceeded` for an endless stream.
  public static func open(
    path: String, maximumStreamBytes: Int = maximumStreamBytes
  ) throws(MediaError) -> any ByteSource {
    if path == "-" {
      let input = FileDescriptor(borrowing: STDIN_FILENO, name: "standard input")
      return try source(of: input, maximumStreamBytes)
    }
    return try source(of: FileDescriptor(opening: path), maximumStreamBytes)
  }

  private static func source(
    of file: FileDescriptor, _ maximumStreamBytes: Int
  ) throws(MediaError) -> any ByteSource {
    let status = try file.status()
    let type = status.st_mode & S_IFMT
    guard type != S_IFDIR else {
      throw MediaError(
        .usage, .fileIsFolder, at: .named(file.name), advice: "name a file inside it")
    }
    // A redirected standard input is a file too, but somebody may have read from it before us.
    if type == S_IFREG && status.st_size > 0 && lseek(file.number, 0, SEEK_CUR) == 0 {
      return RegularFileSource(file, length: Int64(status.st_size))
    }
    return try MemorySource(wholeStream(file, maximumStreamBytes))
  }

  private static func wholeStream(
    _ file: FileDescriptor, _ limit: Int
  ) throws(MediaError) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let piece = try file.read(at: nil, count: 1 << 16)
      if piece.isEmpty { return bytes }
      // LIMIT: a device or a pipe may never end.
      guard bytes.count + piece.count <= limit else {
        throw MediaError(
          .limitExceeded, .streamLength, at: .named(file.name), detail: "more than \(limit) bytes",
          advice: "write it to a file and open that")
      }
      bytes += piece
    }
  }
}
