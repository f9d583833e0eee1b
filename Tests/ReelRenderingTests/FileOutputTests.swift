internal import Foundation
internal import ReelCore
internal import ReelTestSupport
internal import Testing

@testable internal import ReelRendering

@Suite("File output")
struct FileOutputTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("a file has its name only when it is finished")
  func appearsWhole() throws {
    let output = try FileOutput(path: folder.path("a.yuv"))
    try output.write([1, 2, 3])
    try output.flush()
    #expect(!folder.names.contains("a.yuv"))
    try output.write([4])
    try output.finish()
    #expect(folder.names == ["a.yuv"])
    #expect(folder.bytes("a.yuv") == [1, 2, 3, 4])
  }

  @Test("an abandoned file leaves nothing, and the old file stays")
  func abandoned() throws {
    try Data([9]).write(to: folder.url.appendingPathComponent("a.yuv"))
    let output = try FileOutput(path: folder.path("a.yuv"))
    try output.write([1])
    output.abandon()
    #expect(folder.names == ["a.yuv"])
    #expect(folder.bytes("a.yuv") == [9])
    do {
      let forgotten = try FileOutput(path: folder.path("b.yuv"))
      try forgotten.write([1])
    }
    #expect(folder.names == ["a.yuv"])
  }

  @Test("two files of one name at once: each whole, the later finished stays")
  func twoOfOneName() throws {
    let first = try FileOutput(path: folder.path("a.yuv"))
    let second = try FileOutput(path: folder.path("a.yuv"))
    try first.write([1, 1])
    try second.write([2])
    try second.finish()
    #expect(folder.bytes("a.yuv") == [2])
    try first.finish()
    #expect(folder.bytes("a.yuv") == [1, 1])
    #expect(folder.names == ["a.yuv"])
  }

  @Test("a name may begin with a combining mark")
  func combiningMark() throws {
    let output = try FileOutput(path: folder.path("\u{301}a.yuv"))
    try output.write([1])
    try FileOutput.checkFolder(of: folder.path("\u{301}b.yuv"))
    try output.finish()
    #expect(folder.bytes("\u{301}a.yuv") == [1] && folder.names.count == 1)
  }

  @Test("a link stays a link when its file is replaced")
  func linkStays() throws {
    try Data([9]).write(to: folder.url.appendingPathComponent("real"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: "real")
    let output = try FileOutput(path: folder.path("link"))
    try output.write([1])
    try output.finish()
    #expect(folder.names == ["link", "real"])
    #expect(folder.bytes("real") == [1])
  }

  @Test("a missing folder is told, with what to do")
  func missingFolder() {
    let error = #expect(throws: MediaError.self) {
      try FileOutput(path: folder.path("none/a.yuv"))
    }
    #expect(error?.rule == .outputCreate)
    #expect(error?.isOutputFailure == true)
    #expect(
      error?.description.hasSuffix("no such file or directory; create the folder first") == true)
  }

  @Test("a folder is no output")
  func folderIsRefused() {
    let error = #expect(throws: MediaError.self) { try FileOutput(path: folder.url.path) }
    #expect(error?.detail == "it is a folder")
  }

  @Test("a full device is told")
  func fullDevice() throws {
    let output = try FileOutput(path: "/dev/full")
    let error = #expect(throws: MediaError.self) {
      try output.write(.noise(width: 64, height: 64), prefix: [])
    }
    #expect(error?.rule == .outputFull)
    #expect(folder.names.isEmpty)
  }

  @Test("a device is written directly, and keeps its node")
  func deviceIsWrittenDirectly() throws {
    let output = try FileOutput(path: "/dev/null")
    try output.write(.noise(width: 64, height: 64), prefix: [])
    #expect(try output.writeAgain(0..<10) == false)
    try output.finish()
    #expect(FileManager.default.fileExists(atPath: "/dev/null"))
  }

  @Test(
    "writes the shown part of every plane",
    arguments: ChromaFormat.allCases, [8, 10])
  func picturesGoOutWhole(chroma: ChromaFormat, depth: Int) throws {
    let frame = VideoFrame.noise(
      width: 38, height: 1030, chroma: chroma, depth: depth, margin: 6, seed: 5)
    let output = try FileOutput(path: folder.path("a.yuv"))
    try output.write(frame, prefix: [7, 7])
    try output.write(frame, prefix: [])
    try output.finish()
    #expect(output.byteCount == 2 + 2 * Int64(frame.bytes.count))
    #expect(folder.bytes("a.yuv") == [7, 7] + frame.bytes + frame.bytes)
  }

  @Test("takes earlier bytes again, however large they are")
  func takesBytesAgain() throws {
    let frame = VideoFrame.noise(width: 640, height: 400, seed: 3)
    let output = try FileOutput(path: folder.path("a.yuv"))
    try output.write([1, 2, 3])
    try output.write(frame, prefix: [])
    let size = Int64(frame.bytes.count)
    #expect(size > 1 << 18)
    #expect(try output.writeAgain(3..<3 + size))
    #expect(try output.writeAgain(0..<3))
    try output.finish()
    #expect(folder.bytes("a.yuv") == [1, 2, 3] + frame.bytes + frame.bytes + [1, 2, 3])
  }
}
