// zlib streams through the system's zlib.

internal import CZlib
internal import ReelCore

enum Zlib {
  /// The bytes as a zlib stream. `level`: 0 (stored) … 9 (smallest).
  static func deflated(_ bytes: [UInt8], level: Int) throws(MediaError) -> [UInt8] {
    let bound = Int(compressBound(uLong(bytes.count)))
    var result = [UInt8](repeating: 0, count: bound)
    var length = uLongf(bound)
    // SAFETY: both buffers are valid for the lengths given, and zlib keeps neither pointer.
    let status = unsafe result.withUnsafeMutableBufferPointer { target in
      unsafe bytes.withUnsafeBufferPointer { source in
        unsafe compress2(
          target.baseAddress, &length, source.baseAddress, uLong(source.count), CInt(level))
      }
    }
    guard status == Z_OK else { throw MediaError(.io, .pngLibrary, detail: "status \(status)") }
    result.removeLast(bound - Int(length))
    return result
  }

  /// Inflates to exactly `count` bytes; nil when the stream is damaged or has fewer or more.
  static func inflated(_ bytes: [UInt8], count: Int) -> [UInt8]? {
    // Two bits of deflate stand for 258 bytes at most, so that a short stream cannot be so long: nothing is
    // made for it. RFC 1951 §3.2.5.
    guard count <= 1_032 * bytes.count + 64 else { return nil }
    var result = [UInt8](repeating: 0, count: count)
    var length = uLongf(count)
    // SAFETY: both buffers are valid for the lengths given, and zlib keeps neither pointer.
    let status = unsafe result.withUnsafeMutableBufferPointer { target in
      unsafe bytes.withUnsafeBufferPointer { source in
        unsafe uncompress(target.baseAddress, &length, source.baseAddress, uLong(source.count))
      }
    }
    return status == Z_OK && Int(length) == count ? result : nil
  }

  /// The CRC of chunks over `bytes[range]`. ISO/IEC 15948:2004 §5.5.
  static func checksum(_ bytes: [UInt8], _ range: Range<Int>) -> UInt32 {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
    // SAFETY: the range was checked on the line above.
    let value = unsafe bytes.withUnsafeBufferPointer { buffer in
      let start = unsafe buffer.baseAddress.map { unsafe $0 + range.lowerBound }
      return unsafe crc32(crc32(0, nil, 0), start, uInt(range.count))
    }
    return UInt32(truncatingIfNeeded: value)
  }
}
