// A folder of the store, and files that are written so that a kill at any instant leaves nothing false.

internal import Glibc
internal import ReelCore

/// A folder that is reached through its descriptor, so that no name can lead out of it: every name is one that Reel
/// made, and symbolic links are not followed.
final class StoreFolder: Sendable {
  let path: String
  private let descriptor: CInt

  /// Opens a folder, and makes it where it is missing and `creates` says so.
  init(_ path: String, creates: Bool) throws(MediaError) {
    self.path = path
    // SAFETY: the string lives during the call.
    if creates, unsafe mkdir(path, 0o755) != 0, errno != EEXIST {
      throw Self.error(.downloadStore, path)
    }
    // SAFETY: the string lives during the call.
    descriptor = unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.error(.downloadStore, path) }
  }

  deinit { close(descriptor) }

  /// A folder inside this one.
  func folder(_ name: String, creates: Bool) throws(MediaError) -> StoreFolder {
    try StoreFolder("\(path)/\(name)", creates: creates)
  }

  static func error(_ rule: Rule, _ name: String) -> MediaError {
    let code = errno
    // SAFETY: strerror gives a string that lives until this thread's next call of it.
    let text = unsafe String(cString: strerror(code))
    if code == ENOSPC || code == EDQUOT || code == EFBIG {
      return MediaError(
        .io, .downloadSpace, at: .named(name), detail: text, advice: "make space and resume")
    }
    return MediaError(code == ENOENT ? .notFound : .io, rule, at: .named(name), detail: text)
  }

  func error(_ name: String) -> MediaError { Self.error(.downloadStore, "\(path)/\(name)") }

  /// Opens a file of the folder.
  func open(_ name: String, _ flags: CInt) -> CInt {
    // Keys are nobody else's business.
    let mode: mode_t = name.contains(".key") ? 0o600 : 0o644
    // SAFETY: the string lives during the call.
    return unsafe openat(descriptor, name, flags | O_NOFOLLOW | O_CLOEXEC, mode)
  }

  /// Bytes of a file; nil when there is none.
  func size(_ name: String) -> Int64? {
    var status = stat()
    // SAFETY: the structure and the string live during the call.
    let result = unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW)
    return result == 0 && status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : nil
  }

  /// The bytes of a file; nil when there is none.
  func read(_ name: String) throws(MediaError) -> [UInt8]? {
    let file = open(name, O_RDONLY)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      throw error(name)
    }
    defer { close(file) }
    var all: [UInt8] = []
    while let piece = try readPiece(file, name) { all += piece }
    return all
  }

  /// Hands a file's bytes on in pieces.
  func forEachPiece(
    _ name: String, _ body: ([UInt8]) throws(MediaError) -> Void
  ) throws(MediaError) {
    let file = open(name, O_RDONLY)
    guard file >= 0 else { throw error(name) }
    defer { close(file) }
    while let piece = try readPiece(file, name) { try body(piece) }
  }

  private func readPiece(_ file: CInt, _ name: String) throws(MediaError) -> [UInt8]? {
    var failed = false
    // SAFETY: the buffer has room for what is asked, and the system tells how much it wrote.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 18) { buffer, count in
      var result: Int
      repeat {
        result = unsafe Glibc.read(file, buffer.baseAddress, 1 << 18)
      } while result < 0 && errno == EINTR
      failed = result < 0
      count = max(result, 0)
    }
    if failed { throw error(name) }
    return bytes.isEmpty ? nil : bytes
  }

  /// Gives a file its whole content at once: a reader sees the old one or the new one.
  func write(_ bytes: [UInt8], to name: String) throws(MediaError) {
    let temporary = name + ".tmp"
    let file = try StoredFile(self, temporary, truncating: true)
    try file.write(bytes)
    try file.sync()
    try rename(temporary, to: name)
    try sync()
  }

  func rename(_ old: String, to new: String) throws(MediaError) {
    // SAFETY: both strings live during the call.
    guard unsafe renameat(descriptor, old, descriptor, new) == 0 else { throw error(old) }
  }

  /// Removes a file; one that is not there is no error.
  func remove(_ name: String) throws(MediaError) {
    // SAFETY: the string lives during the call.
    guard unsafe unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else { throw error(name) }
  }

  /// Removes an empty folder inside this one.
  func removeFolder(_ name: String) throws(MediaError) {
    // SAFETY: the string lives during the call.
    guard unsafe unlinkat(descriptor, name, AT_REMOVEDIR) == 0 || errno == ENOENT else {
      throw error(name)
    }
  }

  /// What is in the folder, sorted; hidden files and folders too.
  func names() throws(MediaError) -> [String] {
    // SAFETY: the stream is closed before the function ends; each entry is read before the next one is.
    guard let stream = unsafe opendir(path) else { throw error("") }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      // SAFETY: the name ends with a zero inside the entry.
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        unsafe tuple.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe String(cString: $0)
        }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Brings the names of the folder to the disk.
  func sync() throws(MediaError) { guard fsync(descriptor) == 0 else { throw error("") } }
}

/// A file of the store that is written from its end on.
final class StoredFile {
  private let folder: StoreFolder
  private let name: String
  private let descriptor: CInt
  private(set) var byteCount: Int64

  /// Opens a file for appending, and makes it where there is none.
  init(_ folder: StoreFolder, _ name: String, truncating: Bool = false) throws(MediaError) {
    self.folder = folder
    self.name = name
    descriptor = folder.open(name, O_WRONLY | O_CREAT | O_APPEND | (truncating ? O_TRUNC : 0))
    guard descriptor >= 0 else { throw folder.error(name) }
    byteCount = folder.size(name) ?? 0
  }

  deinit { close(descriptor) }

  func write(_ bytes: [UInt8]) throws(MediaError) {
    var start = 0
    while start < bytes.count {
      // SAFETY: `start` is below the count; the bytes are read during the call.
      let written = unsafe bytes.withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress.map { unsafe $0 + start }, $0.count - start)
      }
      if written < 0 {
        if errno == EINTR { continue }
        throw folder.error(name)
      }
      start += written
      byteCount += Int64(written)
    }
  }

  /// Forgets what was written.
  func truncate() throws(MediaError) {
    guard ftruncate(descriptor, 0) == 0 else { throw folder.error(name) }
    byteCount = 0
  }

  /// Brings the bytes to the disk.
  func sync() throws(MediaError) { guard fsync(descriptor) == 0 else { throw folder.error(name) } }
}

/// A lock that the system takes away when the process ends, however it ends.
final class StoreLock {
  private let descriptor: CInt

  /// - Throws: `io` with `downloadBusy` when another process has it.
  init(_ folder: StoreFolder, _ name: String) throws(MediaError) {
    descriptor = folder.open(name, O_RDWR | O_CREAT)
    guard descriptor >= 0 else { throw folder.error(name) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let isTaken = errno == EWOULDBLOCK
      let failure = folder.error(name)
      close(descriptor)
      throw isTaken
        ? MediaError(.io, .downloadBusy, at: .named(folder.path), advice: "pause it there first")
        : failure
    }
  }

  deinit { close(descriptor) }
}

/// Tells one start of the machine from another.
enum BootIdentity {
  static var current: String {
    guard let folder = try? StoreFolder("/proc/sys/kernel/random", creates: false),
      let bytes = try? folder.read("boot_id")
    else { return "unknown" }
    return String(decoding: bytes.filter { $0 > 0x20 }, as: UTF8.self)
  }
}
