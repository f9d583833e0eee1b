// A moving window on the bytes of an input.

import ReelCore

/// Gives small pieces of an input without asking the source for each.
struct SourceWindow: Sendable {
  let source: any ByteSource
  private var bytes: [UInt8] = []
  private var base: Int64 = 0

  /// Headers lie apart by the frames between them, so more would be read in vain.
  private static let byteCount = 1 << 12

  init(_ source: any ByteSource) { self.source = source }

  /// `count` bytes from `offset`, fewer only where the input ends.
  mutating func bytes(at offset: Int64, count: Int) throws(MediaError) -> ArraySlice<UInt8> {
    let start = offset - base
    if start >= 0, start + Int64(count) <= Int64(bytes.count) {
      return bytes[Int(start)..<Int(start) + count]
    }
    bytes = try source.readFully(at: offset, count: max(count, Self.byteCount))
    base = offset
    return bytes.prefix(count)
  }

  /// The header of the element at `offset`; nil at the end of the input.
  ///
  /// - Throws: `damaged` or `needsMoreData` with its place.
  mutating func header(at offset: Int64) throws(MediaError) -> ElementHeader? {
    let head = try bytes(at: offset, count: ElementHeader.maximumByteCount)
    guard !head.isEmpty else { return nil }
    do throws(MediaError) {
      return try ElementHeader(head)
    } catch {
      throw error.at(.offset(offset))
    }
  }
}
