internal import Foundation
internal import ReelTestSupport
internal import Testing

@Suite("Inputs that once failed")
struct FailCaseTests {
  private static let folder = Places.package.appendingPathComponent("Tests/Fuzz/FailCases")

  /// The inputs of an entry, by name.
  private static func inputs(of entry: FuzzEntry) -> [URL] {
    let folder = folder.appendingPathComponent(entry.name)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().map { folder.appendingPathComponent($0) }
  }

  @Test(
    "do no harm to the function that they failed in",
    arguments: FuzzEntry.all.flatMap { entry in inputs(of: entry).map { (entry, $0) } })
  func replay(entry: FuzzEntry, file: URL) throws {
    entry.run([UInt8](try Data(contentsOf: file)))
  }

  @Test("lie in folders that are named as an entry is, and every entry has its fuzzer")
  func names() throws {
    let names = Set(FuzzEntry.all.map(\.name))
    #expect(names.count == FuzzEntry.all.count)
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(Set(folders.filter { !$0.hasPrefix(".") && $0 != "README.md" }).isSubset(of: names))
    let targets = try FileManager.default.contentsOfDirectory(
      atPath: Places.package.appendingPathComponent("Tests/Fuzz/Targets").path)
    #expect(Set(targets) == names)
  }

  @Test(
    "and inputs that say nothing do no harm either", arguments: FuzzEntry.all,
    [[], [0], [0, 0, 1], [UInt8](repeating: 0xFF, count: 64), [UInt8](repeating: 0, count: 64)])
  func nothing(entry: FuzzEntry, bytes: [UInt8]) { entry.run(bytes) }
}
