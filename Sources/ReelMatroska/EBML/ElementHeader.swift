// Identifiers and sizes of elements. RFC 8794 §4, §5, §6.

import ReelCore

/// What an element begins with.
struct ElementHeader: Hashable {
  let id: UInt32
  /// Bytes of the element's content; nil when unknown.
  let size: Int64?
  /// Bytes of identifier and size, 2…12.
  let byteCount: Int

  static let maximumByteCount = 12

  /// Reads a header from the start of `bytes`.
  ///
  /// - Throws: `needsMoreData` when it is cut off; `damaged` when it is no header. The caller knows
  ///   the place.
  init(_ bytes: ArraySlice<UInt8>) throws(MediaError) {
    guard let first = bytes.first else { throw Self.cutOff }
    let idLength = first.leadingZeroBitCount + 1
    guard idLength <= 4 else { throw Self.fault("identifier begins with \(first)") }
    guard bytes.count > idLength else { throw Self.cutOff }
    let start = bytes.startIndex
    id = bytes[start..<start + idLength].reduce(0) { $0 << 8 | UInt32($1) }
    guard let value = VariableInteger(bytes[(start + idLength)...]) else {
      let isCut = bytes[start + idLength] != 0
      throw isCut ? Self.cutOff : Self.fault("size begins with 0")
    }
    size = value.isUnknown ? nil : Int64(value.value)
    byteCount = idLength + value.byteCount
  }

  private static let cutOff = MediaError(.needsMoreData, .ebmlElement, detail: "header is cut off")

  private static func fault(_ detail: String) -> MediaError {
    MediaError(.damaged, .ebmlElement, detail: detail)
  }
}

/// A number whose first byte tells its length, 1…8 bytes. RFC 8794 §4.
struct VariableInteger: Hashable {
  /// 0 … 2⁵⁶−1.
  let value: UInt64
  let byteCount: Int

  /// All bits of the value are 1, which as a size means that it is not known.
  var isUnknown: Bool { value == 1 << UInt64(7 * byteCount) - 1 }

  /// Nil when `bytes` end before the number, or begin with a zero byte.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard let first = bytes.first, first != 0 else { return nil }
    let length = first.leadingZeroBitCount + 1
    guard bytes.count >= length else { return nil }
    let start = bytes.startIndex
    let head = UInt64(first) & (1 << UInt64(8 - length) - 1)
    value = bytes[start + 1..<start + length].reduce(head) { $0 << 8 | UInt64($1) }
    byteCount = length
  }

  /// The value of a signed lace difference: the range is moved to lie around 0. RFC 9559 §10.3.3.
  var signed: Int64 { Int64(value) - (1 << Int64(7 * byteCount - 1) - 1) }
}
