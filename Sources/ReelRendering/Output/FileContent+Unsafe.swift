// Reading back what was written.

internal import Glibc

extension FileOutput {
  /// The bytes of a file; nil when it cannot be read or is not of this size any more.
  static func content(ofFile path: String, byteCount: Int) -> [UInt8]? {
    // SAFETY: the name is a string that lives during the call.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // One byte more than expected shows a file that has grown.
    var bytes = [UInt8](repeating: 0, count: byteCount + 1)
    var filled = 0
    while filled < bytes.count {
      // SAFETY: the range from `filled` on is the array's own.
      let count = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe pread(
          descriptor, buffer.baseAddress.map { unsafe $0 + filled }, buffer.count - filled, filled)
      }
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { break }
      filled += count
    }
    guard filled == byteCount else { return nil }
    bytes.removeLast()
    return bytes
  }
}
