// Options that several commands have.

import Glibc
import ReelCore

extension Arguments {
  /// The number of `--threads`; one for each processor when it is not given.
  var threadCount: Int {
    get throws(CommandFailure) {
      if let count = try count("--threads", in: 1...64) { return count }
      return min(max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1), 8)
    }
  }

  /// The time given for an option: seconds (`1.5`), a fraction (`1001/30000`) or a clock time
  /// (`1:02:03.5`), not below zero.
  func time(_ name: String) throws(CommandFailure) -> Rational? {
    guard let text = value(name) else { return nil }
    guard let time = Rational(text), time >= .zero else {
      throw .usage("\(name) takes a time such as 1.5, 1001/30000 or 0:01:30, not '\(text)'")
    }
    return time
  }

  /// The number given for an option, a decimal or a fraction above zero.
  func ratio(_ name: String, example: String) throws(CommandFailure) -> Rational? {
    guard let text = value(name) else { return nil }
    guard !text.contains(":"), let number = Rational(text), number > .zero else {
      throw .usage("\(name) takes a number above 0 such as \(example), not '\(text)'")
    }
    return number
  }
}
