import Foundation
import ReelCore
import ReelIO
import Testing

@Suite("Files as byte sources")
struct FileSourceTests {
  /// A folder of its own, removed with the test.
  private final class Folder {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "reel-io-\(UUID().uuidString)")
    init() throws {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }
    deinit { try? FileManager.default.removeItem(at: url) }
    func write(_ bytes: [UInt8]) throws -> String {
      let file = url.appendingPathComponent("file")
      try Data(bytes).write(to: file)
      return file.path
    }
  }

  @Test("a file gives any range, cut at its end")
  func rangesOfAFile() throws {
    let folder = try Folder()
    let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let source = try RegularFileSource(path: folder.write(bytes))
    #expect(source.byteCount == 10_000)
    #expect(try source.read(at: 0, count: 10) == [UInt8](bytes[0..<10]))
    #expect(try source.read(at: 4_090, count: 20) == [UInt8](bytes[4_090..<4_110]))
    #expect(try source.read(at: 9_990, count: 100) == [UInt8](bytes[9_990...]))
    #expect(try source.read(at: 10_000, count: 1).isEmpty)
    #expect(try source.read(at: .max, count: .max).isEmpty)
    #expect(try source.read(at: -1, count: 5).isEmpty)
    #expect(try source.read(at: 5, count: 0).isEmpty)
  }

  @Test("an empty file has no bytes")
  func emptyFile() throws {
    let folder = try Folder()
    let source = try FileSource.open(path: folder.write([]))
    #expect(source.byteCount == 0)
    #expect(try source.read(at: 0, count: 1).isEmpty)
  }

  @Test(
    "a file that is cut while it is read gives what is left and then an error, never a crash",
    arguments: [0, 10, 4_096, 50_005, 99_999])
  func shrinkingFile(newLength: Int) throws {
    let folder = try Folder()
    let path = try folder.write([UInt8](repeating: 1, count: 100_000))
    let source = try RegularFileSource(path: path)
    #expect(try source.read(at: 50_000, count: 10).count == 10)
    try FileHandle(forWritingTo: URL(fileURLWithPath: path)).truncate(atOffset: UInt64(newLength))
    #expect(source.byteCount == 100_000)
    do {
      _ = try source.readFully(at: 0, count: 100_000)
      Issue.record("a file of \(newLength) bytes gave 100,000")
    } catch {
      #expect(error.family == .io)
      #expect(error.rule == .fileShrank)
      #expect(error.description.contains("now \(newLength)"))
    }
    let left = try? source.read(at: 50_000, count: 10)
    #expect(left?.count == (newLength > 50_000 ? min(newLength - 50_000, 10) : nil))
  }

  @Test("a file that grows keeps the length that it was opened with")
  func growingFile() throws {
    let folder = try Folder()
    let path = try folder.write([1, 2, 3])
    let source = try RegularFileSource(path: path)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.seekToEnd()
    try file.write(contentsOf: Data([4, 5, 6]))
    #expect(try source.readFully(at: 0, count: 100) == [1, 2, 3])
    #expect(try source.read(at: 3, count: 1).isEmpty)
  }

  @Test("what is not there is not found, with the system's cause")
  func missingFile() throws {
    let path = "/nonexistent/reel/input.mp4"
    do {
      _ = try FileSource.open(path: path)
      Issue.record("a missing file opened")
    } catch {
      #expect(error.family == .notFound)
      #expect(error.rule == .fileOpen)
      #expect(error.description.contains(path))
      #expect(error.description.contains("No such file"))
    }
  }

  @Test("a folder is no input")
  func folder() throws {
    let folder = try Folder()
    do {
      _ = try FileSource.open(path: folder.url.path)
      Issue.record("a folder opened")
    } catch {
      #expect(error.rule == .fileIsFolder)
    }
  }

  @Test("a device is read to its end or to the limit")
  func devices() throws {
    #expect(try FileSource.open(path: "/dev/null").byteCount == 0)
    do {
      _ = try FileSource.open(path: "/dev/zero", maximumStreamBytes: 1 << 20)
      Issue.record("an endless stream ended")
    } catch {
      #expect(error.family == .limitExceeded)
      #expect(error.rule == .streamLength)
    }
  }
}
