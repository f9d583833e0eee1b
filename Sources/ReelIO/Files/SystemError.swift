// The system's own words for what failed.

import Glibc
import ReelCore

/// The value of `errno` after a call failed, and the system's text for it.
struct SystemError {
  let code: Int32

  /// To be made right after the call that failed.
  init() { code = errno }

  var text: String {
    // SAFETY: strerror gives a string that lives until this thread's next call of it.
    unsafe String(cString: strerror(code))
  }

  /// The error to throw: `notFound` when there is no such file, else `io`.
  func error(_ rule: Rule, _ name: String) -> MediaError {
    MediaError(
      code == ENOENT ? .notFound : .io, rule, at: .named(name), detail: text,
      advice: code == EMFILE ? "close some files or raise the limit of open files" : "")
  }
}
