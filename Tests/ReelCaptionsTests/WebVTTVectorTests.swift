internal import Foundation
internal import ReelCore
internal import ReelTestSupport
internal import Testing

@testable internal import ReelCaptions

/// The cases of a parser's tests with the parses they expect, where they lie beside the checkout.
private struct VectorCase: CustomTestStringConvertible {
  let path: String
  let file: URL
  let expected: URL
  var testDescription: String { path }

  static let folder = Places.sharedVectors?.appendingPathComponent("captions/mozilla+vtt.js/tests")

  static let all: [VectorCase] = {
    guard let folder,
      let map = try? String(
        contentsOf: folder.appendingPathComponent("expected-map.tsv"), encoding: .utf8)
    else { return [] }
    return map.split(separator: "\n").dropFirst().compactMap { line in
      let fields = line.split(separator: "\t")
      guard fields.count == 3 else { return nil }
      let file = folder.appendingPathComponent(String(fields[0]))
      let expected = folder.appendingPathComponent(String(fields[2]))
      guard FileManager.default.fileExists(atPath: file.path),
        FileManager.default.fileExists(atPath: expected.path)
      else { return nil }
      return VectorCase(path: String(fields[0]), file: file, expected: expected)
    }
  }()
}

@Suite("WebVTT vectors")
struct WebVTTVectorTests {
  /// Cases whose expected parse follows a draft that the standard left, with the reason.
  static let exceptions: [String: String] = {
    let list = Places.package.appendingPathComponent("Tests/Conformance/exceptions/captions.list")
    let text = (try? String(contentsOf: list, encoding: .utf8)) ?? ""
    let rows = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
      line.firstIndex(of: " ").map { (String(line[..<$0]), String(line[$0...].dropFirst())) }
    }
    return Dictionary(rows) { first, _ in first }
  }()

  @Test(
    "agree with the expected parse",
    .enabled(if: VectorCase.folder != nil, "the vectors do not lie beside the checkout"),
    arguments: VectorCase.all)
  fileprivate func agrees(c: VectorCase) throws {
    let expected = try JSONSerialization.jsonObject(with: Data(contentsOf: c.expected))
    let bytes = [UInt8](try Data(contentsOf: c.file))
    let file = (try? WebVTTFile(parsing: bytes)) ?? WebVTTFile()
    let differences = Self.differences(file, expected)
    if let reason = Self.exceptions[c.path] {
      #expect(!differences.isEmpty, "\(c.path) agrees now, though: \(reason)")
    } else {
      #expect(differences.isEmpty, "\(c.path): \(differences.joined(separator: "; "))")
    }
  }

  private static func differences(_ file: WebVTTFile, _ expected: Any) -> [String] {
    guard let root = expected as? [String: Any], let cues = root["cues"] as? [[String: Any]] else {
      return file.cues.isEmpty ? [] : ["\(file.cues.count) cues where none are expected"]
    }
    var found: [String] = []
    if cues.count != file.cues.count {
      return ["\(file.cues.count) cues instead of \(cues.count)"]
    }
    for (index, (cue, want)) in zip(file.cues, cues).enumerated() {
      for (key, value) in properties(cue) {
        guard let wanted = want[key] else { continue }
        if !equal(value, wanted) { found.append("cue \(index) \(key): \(value), not \(wanted)") }
      }
    }
    let regions = root["regions"] as? [[String: Any]] ?? []
    if regions.count != file.regions.count {
      found.append("\(file.regions.count) regions instead of \(regions.count)")
    }
    for (region, want) in zip(file.regions, regions) { found += differences(region, want) }
    return found
  }

  private static func differences(_ region: CueRegion, _ want: [String: Any]) -> [String] {
    let own: [(String, Any)] = [
      ("lines", Double(region.lines)), ("width", region.width), ("regionAnchorX", region.anchorX),
      ("regionAnchorY", region.anchorY), ("viewportAnchorX", region.viewportAnchorX),
      ("viewportAnchorY", region.viewportAnchorY), ("scroll", region.scrollsUp ? "up" : ""),
    ]
    return own.compactMap { key, value in
      guard let wanted = want[key], !equal(value, wanted) else { return nil }
      return "region \(key): \(value), not \(wanted)"
    }
  }

  /// A cue in the words of the draft that the expected parses are of.
  private static func properties(_ cue: Cue) -> [(String, Any)] {
    let s = cue.settings
    var line: Any = "auto"
    if case .number(let n) = s.line { line = n }
    if case .percentage(let n) = s.line { line = n }
    let lineAlign = s.lineAlignment == .center ? "middle" : s.lineAlignment.rawValue
    var list: [(String, Any)] = [
      ("id", cue.id), ("startTime", cue.start.seconds), ("endTime", cue.end.seconds),
      ("text", cue.source),
      ("align", s.textAlignment == .center ? "middle" : s.textAlignment.rawValue),
      ("size", s.size), ("vertical", s.writingDirection.rawValue), ("line", line),
      ("lineAlign", lineAlign), ("snapToLines", s.snapsToLines),
      ("position", s.position.map { $0 as Any } ?? "auto"),
    ]
    // The draft resolves automatic positions by the text's alignment.
    let byText: [CueSettings.TextAlignment: String] = [
      .start: "start", .left: "start", .end: "end", .right: "end",
    ]
    let positions: [CueSettings.PositionAlignment: String] = [
      .center: "middle", .lineLeft: "start", .lineRight: "end",
    ]
    list.append(
      ("positionAlign", positions[s.positionAlignment] ?? byText[s.textAlignment] ?? "middle"))
    return list
  }

  private static func equal(_ own: Any, _ wanted: Any) -> Bool {
    switch (own, wanted) {
    case (let a as Bool, let b as Bool): a == b
    case (let a as Double, let b as NSNumber): abs(a - b.doubleValue) < 1e-9
    case (let a as String, let b as String): a == b
    default: false
    }
  }
}
