// Expected texts that lie in files and are recorded with a switch.

internal import Foundation

/// A text file that a test's result has to equal. With RECORD=1 in the environment the file is written
/// instead, to be read before it is committed.
public enum GoldenText {
  public static let isRecording = ProcessInfo.processInfo.environment["RECORD"] == "1"

  /// What differs between `text` and the file `TestVectors/golden/NAME`; nil when nothing does, or when
  /// the file was recorded.
  public static func difference(_ name: String, _ text: String) throws -> String? {
    let file = Places.testVector("golden").appendingPathComponent(name)
    if isRecording {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
      return nil
    }
    guard let data = try? Data(contentsOf: file) else {
      return "\(name) is not there; record it with RECORD=1"
    }
    let expected = String(decoding: data, as: UTF8.self)
    return expected == text ? nil : firstDifference(expected, text, name)
  }

  private static func firstDifference(_ expected: String, _ text: String, _ name: String) -> String
  {
    let wanted = expected.split(separator: "\n", omittingEmptySubsequences: false)
    let got = text.split(separator: "\n", omittingEmptySubsequences: false)
    let line = zip(wanted, got).enumerated().first { $1.0 != $1.1 }?.offset
    let at = line ?? min(wanted.count, got.count)
    return """
      \(name) differs in line \(at + 1)
      expected: \(at < wanted.count ? String(wanted[at]) : "(end)")
      got:      \(at < got.count ? String(got[at]) : "(end)")
      """
  }
}
