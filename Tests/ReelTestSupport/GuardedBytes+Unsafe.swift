// Bytes that end where memory ends.

import Foundation

/// Memory whose last byte lies at the end of a page; the page behind it may not be touched, so that a read of
/// one byte too many ends the program.
@safe public final class GuardedBytes {
  private let base: UnsafeMutableRawPointer
  private let length: Int
  private let first: Int
  private let end: Int

  /// A copy of the bytes; nil where the system gives no such memory.
  public init?(_ bytes: [UInt8]) {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let pages = (bytes.count + page - 1) / page
    length = (pages + 1) * page
    end = pages * page
    first = end - bytes.count
    // SAFETY: a new private mapping, checked for failure.
    let map = unsafe mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let map = unsafe map, unsafe map != MAP_FAILED else { return nil }
    unsafe base = map
    for (index, byte) in bytes.enumerated() {
      // SAFETY: first + index < end < length.
      unsafe base.storeBytes(of: byte, toByteOffset: first + index, as: UInt8.self)
    }
    // SAFETY: the last page of the mapping above.
    guard unsafe mprotect(base + end, page, PROT_NONE) == 0 else { return nil }
  }

  deinit {
    // SAFETY: the mapping that init made, no view of which outlives this object.
    unsafe munmap(base, length)
  }

  /// Lends the bytes.
  public func withSpan<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
    // SAFETY: first ..< end is mapped, initialised and lives as long as this object.
    let buffer = unsafe UnsafeRawBufferPointer(start: base + first, count: end - first)
    let result = unsafe try body(Span(_unsafeBytes: buffer))
    withExtendedLifetime(self) {}
    return result
  }
}
