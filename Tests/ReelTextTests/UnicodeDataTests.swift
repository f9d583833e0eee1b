internal import Foundation
internal import Testing

@testable internal import ReelText

/// The Unicode Character Database's own tests, where the package unicode-data is installed.
private enum UnicodeData {
  static let folder = "/usr/share/unicode"
  static func lines(_ name: String) -> [Substring] {
    guard let text = try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8) else {
      return []
    }
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") && !$0.hasPrefix("@") }
  }
  static func has(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: "\(folder)/\(name)")
  }
  static func scalars(_ text: Substring) -> [Unicode.Scalar] {
    text.split(separator: " ").compactMap { UInt32($0, radix: 16) }.compactMap(Unicode.Scalar.init)
  }
}

@Suite("The tests of the Unicode database")
struct UnicodeDataTests {
  @Test(
    "bidirectional levels and order of all cases of BidiCharacterTest.txt",
    .enabled(if: UnicodeData.has("BidiCharacterTest.txt"), "unicode-data is not installed"))
  func bidi() throws {
    var count = 0
    var faults: [String] = []
    for line in UnicodeData.lines("BidiCharacterTest.txt") {
      let fields = line.split(separator: ";", omittingEmptySubsequences: false)
      guard fields.count >= 5 else { continue }
      let scalars = UnicodeData.scalars(fields[0])
      let direction: TextDirection =
        fields[1] == "0" ? .leftToRight : fields[1] == "1" ? .rightToLeft : .automatic
      let paragraph = BidiParagraph(scalars, direction: direction)
      let levels = paragraph.lineLevels(0..<scalars.count)
      let expected = fields[3].split(separator: " ")
      let isEqual =
        String(paragraph.baseLevel) == fields[2]
        && zip(levels, expected).allSatisfy { $1 == "x" || String($0) == $1 }
      let kept = scalars.indices.filter { expected[$0] != "x" }
      let order = BidiParagraph.visualOrder(kept.map { levels[$0] }).map { String(kept[$0]) }
      let isOrdered = order == fields[4].split(separator: " ").map(String.init)
      if !isEqual || !isOrdered {
        faults.append("\(line): \(paragraph.baseLevel) \(levels) \(order)")
      }
      count += 1
    }
    #expect(count > 90_000)
    #expect(faults.isEmpty, "\(faults.count) of \(count): \(faults.prefix(5))")
  }

  @Test(
    "line breaks of all cases of LineBreakTest.txt",
    .enabled(if: UnicodeData.has("auxiliary/LineBreakTest.txt"), "unicode-data is not installed"))
  func lines() throws {
    var count = 0
    var faults: [String] = []
    for line in UnicodeData.lines("auxiliary/LineBreakTest.txt") {
      let fields = line.split(separator: "#")[0].split { $0 == " " || $0 == "\t" }
      let marks = fields.enumerated().filter { $0.offset % 2 == 0 }.map { $0.element == "÷" }
      let scalars = fields.enumerated().filter { $0.offset % 2 == 1 }.compactMap {
        UInt32($0.element, radix: 16).flatMap(Unicode.Scalar.init)
      }
      let actions = LineBreaks.actions(scalars).map { $0 != .none }
      if actions != Array(marks.dropFirst()) { faults.append(String(line)) }
      count += 1
    }
    #expect(count > 7_000)
    #expect(
      faults.isEmpty, "\(faults.count) of \(count): \(faults.prefix(8).joined(separator: "\n"))")
  }
}
