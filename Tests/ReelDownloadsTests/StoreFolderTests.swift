internal import Foundation
internal import ReelCore
internal import ReelDownloads
internal import ReelTestSupport
internal import Testing

@Suite("The folder of a store", .enabled(if: MediaServer.isMissing == nil, "needs python3"))
struct StoreFolderTests {
  private func folder(_ bench: DownloadBench, _ store: String, _ id: String) -> URL {
    bench.stores.url.appendingPathComponent(store).appendingPathComponent(id)
  }

  @Test("keys can be read by the user alone")
  func keyMode() throws {
    let bench = try DownloadBench()
    let download = try bench.store().download(bench.server.address("low.m3u8"))
    try download.run()
    let folder = folder(bench, "store", download.id)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let keys = names.filter { $0.hasSuffix(".key") }
    #expect(keys.count == 1)
    for key in keys {
      let path = folder.appendingPathComponent(key).path
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
      #expect((mode as? NSNumber)?.intValue == 0o600)
    }
  }

  @Test("a symbolic link in the place of a file is not written through")
  func symbolicLinks() throws {
    let bench = try DownloadBench()
    let address = bench.server.address("low.m3u8")
    let first = try bench.store("first").download(address)
    try first.run()
    let segments = try FileManager.default.contentsOfDirectory(
      atPath: folder(bench, "first", first.id).path
    ).filter { $0.hasSuffix(".ts") }
    #expect(!segments.isEmpty)
    let victim = bench.stores.url.appendingPathComponent("victim")
    try Data("untouched".utf8).write(to: victim)
    let second = try bench.store("second").download(address)
    let place = folder(bench, "second", second.id)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    for name in segments {
      for own in [name, name + ".part"] {
        try FileManager.default.createSymbolicLink(
          at: place.appendingPathComponent(own), withDestinationURL: victim)
      }
    }
    // It ends with an error or with files of its own; what the links lead to stays as it is.
    try? second.run()
    #expect(try Data(contentsOf: victim) == Data("untouched".utf8))
  }
}
