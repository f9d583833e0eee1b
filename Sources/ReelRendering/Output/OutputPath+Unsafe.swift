// Names of outputs, and what the system says of them.

internal import Glibc
internal import ReelCore

/// A file name on the way to becoming an output.
enum OutputPath {
  enum Kind { case folder, device, regularOrNone }

  /// What stands under a name now.
  static func kind(of path: String) -> Kind {
    var status = stat()
    // SAFETY: stat fills the structure it is given and keeps no pointer.
    guard unsafe stat(path, &status) == 0 else { return .regularOrNone }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: return .folder
    case S_IFREG: return .regularOrNone
    default: return .device
    }
  }

  /// The name behind symbolic links, so that a link stays a link when its file is replaced.
  static func resolvingLinks(_ path: String) -> String {
    // SAFETY: realpath returns memory that is ours to free, or nil.
    guard let resolved = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// The hidden name in the same folder that a file is written under until it is whole.
  static func temporaryName(for path: String) -> String {
    let (folder, name) = parts(of: path)
    return "\(folder).\(name).\(getpid()).part"
  }

  /// The folder with its slash, or nothing, and the name in it. By bytes, as the system reads a path: a
  /// slash before a combining mark is one character, and still ends the folder.
  static func parts(of path: String) -> (folder: Substring, name: Substring) {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let cut = slash.map { path.utf8.index(after: $0) } ?? path.startIndex
    return (path[..<cut], path[cut...])
  }

  /// A descriptor for writing, or −1 with `errno` set.
  static func open(_ path: String, _ flags: CInt) -> CInt {
    var descriptor: CInt
    // SAFETY: the name is a string that lives during the call.
    repeat {
      descriptor = unsafe Glibc.open(path, flags, 0o666)
    } while descriptor < 0 && errno == EINTR
    return descriptor
  }

  /// A descriptor of a new file without a name in the folder of a path, or −1 where the file system
  /// has no such files, or no way back to a name.
  static func openNameless(besides path: String) -> CInt {
    // SAFETY: the name is a string that lives during the call.
    guard unsafe access(descriptorFolder, X_OK) == 0 else { return -1 }
    let folder = parts(of: path).folder
    return open(folder.isEmpty ? "." : String(folder), namelessFile | O_RDWR | O_CLOEXEC)
  }

  /// Gives a nameless file a name; what had that name loses it.
  static func link(_ descriptor: CInt, as name: String) -> Bool {
    for _ in 0..<2 {
      // SAFETY: the names are strings that live during the calls.
      let status = unsafe linkat(
        AT_FDCWD, "\(descriptorFolder)/\(descriptor)", AT_FDCWD, name, AT_SYMLINK_FOLLOW)
      if status == 0 { return true }
      guard errno == EEXIST else { return false }
      unsafe unlink(name)
    }
    return false
  }

  private static let descriptorFolder = "/proc/self/fd"
  /// O_TMPFILE, which is a macro of macros: its own bit, with that of a folder.
  private static let namelessFile: CInt = 0o20000000 | O_DIRECTORY

  /// The system's words for an error number, without its own full stop.
  static func text(of cause: CInt) -> String {
    // SAFETY: strerror_r writes at most the given count, and a terminator.
    var buffer = [CChar](repeating: 0, count: 128)
    guard unsafe strerror_r(cause, &buffer, buffer.count) == 0 else { return "error \(cause)" }
    let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return String(decoding: bytes, as: UTF8.self).lowercased()
  }
}

extension MediaError {
  /// A failure of an output, at its name.
  static func output(
    _ rule: Rule, _ name: String, cause: CInt, advice: String = ""
  ) -> MediaError {
    MediaError(.io, rule, at: .named(name), detail: OutputPath.text(of: cause), advice: advice)
  }
}
