import Foundation
import ReelCore
import ReelISOBMFF
import ReelTestSupport
import Testing

@Suite("Real ISO base media files", .enabled(if: Places.sharedVectors != nil, "no vectors here"))
struct VectorTests {
  static let files: [URL] = {
    guard let root = Places.sharedVectors?.appendingPathComponent("isobmff"),
      let walker = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    else { return [] }
    let suffixes = [
      "mp4", "mov", "m4v", "m4a", "m4b", "3gp", "m4s", "cmfv", "cmft", "isma", "ismt",
    ]
    return walker.compactMap { $0 as? URL }
      .filter { suffixes.contains($0.pathExtension.lowercased()) }.sorted { $0.path < $1.path }
  }()

  @Test("a looping clip of the player tests reads to its end")
  func swipeReads() throws {
    let file = try #require(Self.files.first { $0.lastPathComponent == "swipe.mp4" })
    let demuxer = try ISOBMFFDemuxer(source: MemorySource([UInt8](Data(contentsOf: file))))
    #expect(demuxer.tracks.map(\.codec) == [.h264])
    #expect(demuxer.warnings.isEmpty)
    let reader = try demuxer.makePacketReader(trackIndices: [0])
    var count = 0
    while let packet = try reader.next() {
      #expect(packet.number == count)
      count += 1
    }
    #expect(count == 352)
  }
}
