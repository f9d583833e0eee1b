// Data within an address. RFC 2397.

import ReelCore

/// A `data:` address: keys and initialization sections may be written into a playlist.
enum DataAddress {
  static func isOne(_ address: String) -> Bool { address.utf8.starts(with: "data:".utf8) }

  /// The bytes of `data:[type][;base64],data`.
  ///
  /// - Throws: `damaged` without a comma, or for wrong escapes or base64.
  static func bytes(_ address: String) throws(MediaError) -> [UInt8] {
    let body = Array(address.utf8.dropFirst("data:".utf8.count))
    guard let comma = body.firstIndex(of: UInt8(ascii: ",")) else {
      throw MediaError(.damaged, .streamingDataAddress, detail: "no comma")
    }
    let isBase64 = String(decoding: body[..<comma], as: UTF8.self).hasSuffix(";base64")
    guard let plain = PercentEncoding.decodedOrNil(body[(comma + 1)...]) else {
      throw MediaError(.damaged, .streamingDataAddress, detail: "an escape is wrong")
    }
    guard isBase64 else { return plain }
    guard let bytes = base64(plain) else {
      throw MediaError(.damaged, .streamingDataAddress, detail: "the base64 is wrong")
    }
    return bytes
  }

  /// RFC 4648 §4 and §5, padding optional.
  private static func base64(_ text: [UInt8]) -> [UInt8]? {
    var result: [UInt8] = []
    var (bits, count, isPadding) = (UInt32(0), 0, false)
    for byte in text {
      let value: UInt8
      switch byte {
      case 65...90: value = byte - 65
      case 97...122: value = byte - 71
      case 48...57: value = byte + 4
      case UInt8(ascii: "+"), UInt8(ascii: "-"): value = 62
      case UInt8(ascii: "/"), UInt8(ascii: "_"): value = 63
      case UInt8(ascii: "="):
        isPadding = true
        continue
      default: return nil
      }
      guard !isPadding else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return result
  }
}
