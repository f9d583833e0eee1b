// An open file that is closed when nobody holds it any more.

import Glibc
import ReelCore

/// Owner of a file descriptor.
final class FileDescriptor: Sendable {
  let number: Int32
  let name: String
  private let isOwned: Bool

  /// Opens a file for reading.
  ///
  /// - Throws: `notFound`, `io`.
  init(opening path: String) throws(MediaError) {
    name = path
    var number: Int32
    repeat {
      number = unsafe open(path, O_RDONLY | O_CLOEXEC)  // SAFETY: the path outlives the call
    } while number < 0 && errno == EINTR
    guard number >= 0 else { throw SystemError().error(.fileOpen, path) }
    self.number = number
    isOwned = true
  }

  /// A descriptor that somebody else opened and will close, such as standard input.
  init(borrowing number: Int32, name: String) {
    self.number = number
    self.name = name
    isOwned = false
  }

  deinit { if isOwned { close(number) } }

  /// What the system says of the file.
  func status() throws(MediaError) -> stat {
    var status = stat()
    // SAFETY: the structure is ours and outlives the call.
    guard unsafe fstat(number, &status) == 0 else { throw SystemError().error(.fileRead, name) }
    return status
  }

  /// Up to `count` bytes (> 0) from `offset`, or from where the stream stands when it is nil; empty at
  /// the end.
  func read(at offset: Int64?, count: Int) throws(MediaError) -> [UInt8] {
    var failure: SystemError?
    // SAFETY: the buffer has room for `count` bytes, and the system tells how many it wrote.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      var result: Int
      repeat {
        if let offset {
          result = unsafe pread(number, buffer.baseAddress, count, off_t(offset))
        } else {
          result = unsafe Glibc.read(number, buffer.baseAddress, count)
        }
      } while result < 0 && errno == EINTR
      if result < 0 { failure = SystemError() }
      initializedCount = max(result, 0)
    }
    if let failure { throw failure.error(.fileRead, name) }
    return bytes
  }
}
