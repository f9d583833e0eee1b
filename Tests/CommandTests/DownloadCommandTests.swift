internal import Foundation
internal import ReelTestSupport
internal import Testing

@Suite("reel download", .enabled(if: MediaServer.isMissing == nil, "needs python3"))
struct DownloadCommandTests {
  /// A served folder with a list of transport packets and a file, and a folder for stores.
  private final class Bench {
    let site: TemporaryFolder
    let stores: TemporaryFolder
    let server: MediaServer
    let command: URL

    init() throws {
      site = try TemporaryFolder()
      stores = try TemporaryFolder()
      command = try #require(Places.command, "the built command stands beside the tests")
      var random = SeededGenerator(seed: 1)
      var list = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n"
      for index in 0..<12 {
        var bytes: [UInt8] = []
        for _ in 0..<150 {
          bytes.append(0x47)
          for _ in 0..<187 { bytes.append(UInt8(truncatingIfNeeded: random.next())) }
        }
        try Data(bytes).write(to: site.url.appendingPathComponent("\(index).ts"))
        list += "#EXTINF:4,\n\(index).ts\n"
      }
      try Data((list + "#EXT-X-ENDLIST\n").utf8).write(
        to: site.url.appendingPathComponent("list.m3u8"))
      let file = (0..<300_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      try Data(file).write(to: site.url.appendingPathComponent("file.bin"))
      server = try MediaServer(folder: site.url)
    }

    func arguments(_ address: String, _ store: String) -> [String] {
      ["download", address, "--store", stores.path(store), "--allow-private-network"]
    }

    /// Everything in a store, by path.
    func tree(_ store: String) throws -> [String: [UInt8]] {
      let root = stores.url.appendingPathComponent(store)
      var files: [String: [UInt8]] = [:]
      for folder in try FileManager.default.contentsOfDirectory(atPath: root.path) {
        let inner = root.appendingPathComponent(folder)
        for name in try FileManager.default.contentsOfDirectory(atPath: inner.path) {
          files["\(folder)/\(name)"] = [UInt8](
            try Data(contentsOf: inner.appendingPathComponent(name)))
        }
      }
      return files
    }
  }

  @Test(
    "killed at random points and resumed, a download equals one that was not",
    arguments: [
      ("list.m3u8", "slow=60000"), ("file.bin", "slow=300000"),
    ])
  func kills(name: String, faults: String) throws {
    let environment = ProcessInfo.processInfo.environment["REEL_DOWNLOAD_KILLS"]
    let wanted = environment.flatMap { Int($0) } ?? 5
    let bench = try Bench()
    let address = bench.server.address(name, faults: faults)
    let whole = try runProgram(bench.command, bench.arguments(address, "whole"))
    #expect(whole.status == 0, "\(whole.errorText)")
    let expected = try bench.tree("whole")
    var random = SeededGenerator(seed: 50)
    var kills = 0
    var downloads = 0
    while kills < wanted {
      let store = "killed-\(downloads)"
      downloads += 1
      var isDone = false
      while !isDone {
        let process = Process()
        process.executableURL = bench.command
        process.arguments = bench.arguments(address, store)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        // Anywhere between the first instruction and most of the way.
        usleep(UInt32(random.int(in: 1_000...350_000)))
        if process.isRunning && kills < wanted {
          kill(process.processIdentifier, SIGKILL)
          kills += 1
        }
        process.waitUntilExit()
        isDone = process.terminationReason == .exit
        if isDone { #expect(process.terminationStatus == 0) }
      }
      #expect(try bench.tree(store) == expected, "after \(kills) kills")
    }
    if environment != nil { print("\(name): \(kills) kills in \(downloads) downloads") }
  }

  @Test("a full disk is told with status 3; with space the download goes on")
  func fullDisk() throws {
    let bench = try Bench()
    let address = bench.server.address("file.bin")
    let words = ([bench.command.path] + bench.arguments(address, "full"))
      .map { "'\($0)'" }.joined(separator: " ")
    // No file may be longer than 100 KiB: writing the rest fails as on a full disk.
    let shell = URL(fileURLWithPath: "/bin/bash")
    let full = try runProgram(shell, ["-c", "ulimit -f 100; exec \(words)"])
    #expect(full.status == 3 && !full.wasKilled, "\(full.errorText)")
    #expect(full.errorText.contains("space") && full.errorText.split(separator: "\n").count == 1)
    let listed = try runProgram(
      bench.command, ["downloads", "list", "--store", bench.stores.path("full")])
    #expect(listed.outputText.contains("102400"))
    let again = try runProgram(bench.command, bench.arguments(address, "full"))
    #expect(again.status == 0)
    let stored = try bench.tree("full").first { $0.key.hasSuffix(".bin") }
    #expect(stored?.value == bench.site.bytes("file.bin"))
  }

  @Test("the commands of a store: list, verify, delete, and what is no action")
  func store() throws {
    let bench = try Bench()
    let store = bench.stores.path("store")
    func downloads(_ words: String...) throws -> ProgramResult {
      try runProgram(
        bench.command, ["downloads"] + words + ["--store", store, "--allow-private-network"])
    }
    let refused = try runProgram(
      bench.command, ["download", bench.server.address("list.m3u8"), "--store", store])
    #expect(refused.status == 1 && refused.errorText.contains("127.0.0.1 is loopback"))
    let made = try runProgram(
      bench.command, bench.arguments(bench.server.address("list.m3u8"), "store"))
    #expect(made.status == 0 && made.outputText.hasSuffix("/index.m3u8\n"))
    let listed = try downloads("list").outputText.split(separator: "\t")
    #expect(listed.count == 5 && listed[1] == "downloaded" && listed[2] == "13/13")
    #expect(try downloads("verify").status == 0)
    let id = String(listed[0])
    let some = try #require(try bench.tree("store").keys.first { $0.hasSuffix(".ts") })
    try Data([1, 2, 3]).write(to: bench.stores.url.appendingPathComponent("store/\(some)"))
    let damaged = try downloads("verify")
    #expect(damaged.status == 1 && damaged.errorText.contains("3 bytes, was 28200"))
    #expect(try downloads("verify", "--repair").status == 0)
    #expect(try downloads("resume").status == 0)
    #expect(try downloads("verify").status == 0)
    #expect(try downloads("delete").status == 2)
    #expect(try downloads("dlete", id).status == 2)
    #expect(try downloads("delete", id).status == 0)
    #expect(try downloads("list").outputText.isEmpty)
    #expect(try downloads("pause", id).status == 1)
  }
}
