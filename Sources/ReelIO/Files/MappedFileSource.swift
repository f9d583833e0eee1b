// A file whose bytes are mapped into memory.

import Glibc
public import ReelCore

/// A regular file, mapped: reading a range copies it from the page cache without a system call for
/// the bytes. Where the file system cannot map, ranges are read instead.
public final class MappedFileSource: ByteSource {
  private let file: FileDescriptor
  private let length: Int64
  private let mapping: FileMapping?

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
    mapping = FileMapping(file, length: length)
  }

  public var byteCount: Int64? { length }

  /// - Throws: `io` when the system cannot read, or when the file has become shorter: the mapped
  ///   pages behind its new end must not be touched.
  public func read(at offset: Int64, count: Int) throws(MediaError) -> [UInt8] {
    guard offset >= 0, offset < length, count > 0 else { return [] }
    let count = Int(min(Int64(count), length - offset))
    guard let mapping else { return try file.read(at: offset, count: count) }
    let now = Int64(try file.status().st_size)
    guard now >= length else {
      throw MediaError(
        .io, .fileShrank, at: .named(file.name), detail: "\(length) bytes, now \(now)",
        advice: "wait until it is written")
    }
    return mapping.bytes(Int(offset)..<Int(offset) + count)
  }
}

/// Mapped pages of a file, read-only, unmapped when nobody holds them any more.
@safe
private final class FileMapping: @unchecked Sendable {
  private let base: UnsafeRawPointer
  private let count: Int

  /// Nil when the file cannot be mapped: it is empty, too long, or its file system does not do that.
  init?(_ file: FileDescriptor, length: Int64) {
    guard let count = Int(exactly: length), count > 0 else { return nil }
    // SAFETY: a new private mapping of `count` bytes; nothing else knows its address.
    let base = unsafe mmap(nil, count, PROT_READ, MAP_PRIVATE, file.number, 0)
    guard let base = unsafe base, unsafe base != MAP_FAILED else { return nil }
    unsafe self.base = UnsafeRawPointer(base)
    self.count = count
  }

  deinit {
    // SAFETY: the address and length are those of the mapping, which ends with its owner.
    unsafe munmap(UnsafeMutableRawPointer(mutating: base), count)
  }

  /// A copy of a range; traps unless it lies inside the mapping.
  func bytes(_ range: Range<Int>) -> [UInt8] {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    // SAFETY: the range was checked on the line above.
    return unsafe [UInt8](UnsafeRawBufferPointer(start: base, count: count)[range])
  }
}
