// Files, pipes and devices, written whole or not at all.

internal import Glibc
public import ReelCore

/// Writes to a file that gets its name when it is finished, or to standard output or a device.
///
/// A regular file has no name at all until ``finish()`` gives it one, so its name never stands for half
/// a file, and a process that is killed leaves nothing behind. On file systems without nameless files it
/// is written under a hidden name in the same folder and renamed. Devices, pipes and standard output
/// (`-`) are written directly.
/// The process should ignore SIGPIPE, so that a reader who goes away becomes an error.
public final class FileOutput: ByteOutput {
  /// The name as it was given, or what the stream is called.
  public let path: String
  private var descriptor: CInt
  /// The descriptor belongs to the process and stays open.
  private let isBorrowed: Bool
  /// The hidden name on the way, and the name to give at the end; nil when written directly.
  private let renaming: (from: String, to: String)?
  /// The file has no name yet, not even the hidden one.
  private var isNameless = false
  private var pending: [UInt8] = []
  /// Bytes taken so far, those that still wait in memory included.
  public private(set) var byteCount: Int64 = 0

  /// Opens the output.
  ///
  /// - Throws: `.io` with `outputCreate` when that fails.
  public convenience init(path: String) throws(MediaError) {
    if path == "-" {
      self.init(borrowing: STDOUT_FILENO, name: "standard output")
    } else {
      try self.init(opening: path)
    }
  }

  /// Standard error, for messages.
  public static func standardError() -> FileOutput {
    FileOutput(borrowing: STDERR_FILENO, name: "standard error")
  }

  private init(borrowing descriptor: CInt, name: String) {
    self.path = name
    self.descriptor = descriptor
    isBorrowed = true
    renaming = nil
  }

  private init(opening path: String) throws(MediaError) {
    self.path = path
    isBorrowed = false
    let target = OutputPath.resolvingLinks(path)
    switch OutputPath.kind(of: target) {
    case .folder:
      throw MediaError(
        .io, .outputCreate, at: .named(path), detail: "it is a folder", advice: "name a file in it")
    case .device:
      renaming = nil
      descriptor = OutputPath.open(target, O_WRONLY | O_CLOEXEC)
    case .regularOrNone:
      let temporary = OutputPath.temporaryName(for: target)
      renaming = (temporary, target)
      descriptor = OutputPath.openNameless(besides: target)
      isNameless = descriptor >= 0
      if !isNameless {
        descriptor = OutputPath.open(
          temporary, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC)
      }
    }
    if descriptor < 0 {
      let cause = errno
      throw .output(
        .outputCreate, path, cause: cause,
        advice: cause == ENOENT ? "create the folder first" : "choose another place")
    }
  }

  deinit { abandon() }

  /// Tells before any work is done that the folder of a file is missing.
  ///
  /// - Throws: as ``init(path:)`` would for the file.
  public static func checkFolder(of path: String) throws(MediaError) {
    let folder = OutputPath.parts(of: path).folder
    guard OutputPath.kind(of: folder.isEmpty ? "." : String(folder)) != .folder else { return }
    throw .output(.outputCreate, path, cause: ENOENT, advice: "create the folder first")
  }

  /// Takes more bytes, which reach the file 64 KiB or more at a time.
  ///
  /// - Throws: `.io` with `outputWrite`, `outputFull` or `outputClosed`.
  public func write(_ bytes: [UInt8]) throws(MediaError) {
    pending += bytes
    byteCount += Int64(bytes.count)
    if pending.count >= 1 << 16 { try flush() }
  }

  /// Takes `prefix` and a picture's bytes, written from the frame's own memory.
  ///
  /// - Throws: as ``write(_:)``.
  public func write(_ frame: VideoFrame, prefix: [UInt8]) throws(MediaError) {
    pending += prefix
    try flush()
    byteCount += Int64(prefix.count + PixelLayout(frame).byteCount)
    // SAFETY: the rows are written within the closure.
    try unsafe frame.withUnsafeRows { (rows) throws(MediaError) in try unsafe writeAll(rows) }
  }

  /// Writes what waits in memory.
  public func flush() throws(MediaError) {
    guard !pending.isEmpty else { return }
    let bytes = pending
    pending = []
    // SAFETY: the bytes are written within the closure.
    try unsafe bytes.span.withUnsafeBytes { (bytes) throws(MediaError) in
      try unsafe writeAll([bytes])
    }
  }

  /// Writes all pieces in order, as many at a time as the system takes.
  @unsafe private func writeAll(_ pieces: [UnsafeRawBufferPointer]) throws(MediaError) {
    guard descriptor >= 0 else { throw failure(EBADF) }
    // SAFETY: writev only reads; the caller keeps the pieces valid during this call.
    var vectors = unsafe pieces.map {
      unsafe iovec(iov_base: UnsafeMutableRawPointer(mutating: $0.baseAddress), iov_len: $0.count)
    }
    var first = 0
    let count = unsafe vectors.count
    while first < count {
      let batch = min(count - first, Self.mostPieces)
      // SAFETY: `first ..< first + batch` lies within the array.
      let written = unsafe vectors.withUnsafeBufferPointer {
        unsafe writev(descriptor, $0.baseAddress.map { unsafe $0 + first }, CInt(batch))
      }
      if written < 0 {
        let cause = errno
        if cause == EAGAIN { waitUntilWritable() }
        if cause == EINTR || cause == EAGAIN { continue }
        throw failure(cause)
      }
      var left = written
      while first < count {
        // SAFETY: `first` is below `count` here.
        let length = unsafe vectors[first].iov_len
        guard length <= left else { break }
        left -= length
        first += 1
      }
      // A part of a piece was taken: go on behind it. `left` is less than its length.
      if left > 0 {
        // SAFETY: `first` was found below `count` above.
        unsafe vectors[first].iov_base += left
        unsafe vectors[first].iov_len -= left
      }
    }
  }

  /// Somebody made the pipe non-blocking: sleeps until it takes more.
  private func waitUntilWritable() {
    var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    // SAFETY: poll fills the one structure it is given and keeps no pointer.
    _ = unsafe poll(&wait, 1, -1)
  }

  /// Linux takes at most this many pieces in one call (IOV_MAX).
  private static let mostPieces = 1024

  /// Copies bytes of the file to its end; false for a device, a pipe or standard output, which
  /// cannot be read back.
  ///
  /// - Throws: as ``write(_:)``.
  public func writeAgain(_ place: Range<Int64>) throws(MediaError) -> Bool {
    precondition(place.lowerBound >= 0 && place.upperBound <= byteCount)
    guard renaming != nil else { return false }
    try flush()
    try copyThroughMemory(place)
    byteCount += place.upperBound - place.lowerBound
    return true
  }

  private func copyThroughMemory(_ place: Range<Int64>) throws(MediaError) {
    var offset = place.lowerBound
    var buffer = [UInt8](repeating: 0, count: min(1 << 18, Int(place.upperBound - offset)))
    while offset < place.upperBound {
      let wanted = min(buffer.count, Int(place.upperBound - offset))
      // SAFETY: `wanted` is at most the buffer's count.
      let count = unsafe pread(descriptor, &buffer, wanted, Int(offset))
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw failure(count < 0 ? errno : EIO) }
      // SAFETY: the bytes are written within the closure.
      try unsafe buffer.span.extracting(first: count).withUnsafeBytes {
        (bytes) throws(MediaError) in
        try unsafe writeAll([bytes])
      }
      offset += Int64(count)
    }
  }

  /// Writes what waits and gives the file its name, in the place of one that has it.
  ///
  /// - Throws: as ``write(_:)``, or `outputRename`; nothing is left behind then.
  public func finish() throws(MediaError) {
    guard descriptor >= 0 else { return }
    do throws(MediaError) { try flush() } catch {
      abandon()
      throw error
    }
    if isNameless, let renaming {
      guard OutputPath.link(descriptor, as: renaming.from) else {
        let error = MediaError.output(.outputRename, path, cause: errno)
        abandon()
        throw error
      }
      isNameless = false
    }
    let written = descriptor
    descriptor = -1
    if isBorrowed { return }
    // Some file systems tell only now that there is no space.
    if close(written) != 0 {
      let error = failure(errno)
      removeTemporary()
      throw error
    }
    guard let renaming else { return }
    // SAFETY: both names are strings that live during the call.
    if unsafe rename(renaming.from, renaming.to) != 0 {
      let cause = errno
      removeTemporary()
      throw .output(.outputRename, path, cause: cause)
    }
  }

  /// Closes the file without giving it a name.
  public func abandon() {
    guard descriptor >= 0 else { return }
    pending = []
    if !isBorrowed { close(descriptor) }
    descriptor = -1
    removeTemporary()
  }

  private func removeTemporary() {
    // SAFETY: the name is a string that lives during the call.
    if let renaming, !isNameless { unsafe unlink(renaming.from) }
  }

  private func failure(_ cause: CInt) -> MediaError {
    let rule: Rule =
      switch cause {
      case ENOSPC, EDQUOT, EFBIG: .outputFull
      case EPIPE, ECONNRESET: .outputClosed
      default: .outputWrite
      }
    return .output(
      rule, path, cause: cause,
      advice: rule == .outputFull ? "free some or choose another place" : "")
  }
}
