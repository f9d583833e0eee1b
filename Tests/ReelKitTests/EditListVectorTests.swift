import Foundation
import ReelKit
import ReelTestSupport
import Testing

/// Frames of real files, as recorded in the vectors' index.
@Suite("Edit lists of real files", .enabled(if: Places.sharedVectors != nil, "no vectors here"))
struct EditListVectorTests {
  /// Puts nothing out: the presentation is told by the tables alone.
  private final class NoDecoder: VideoDecoder {
    func decode(_ packet: Packet) throws(MediaError) -> [VideoFrame] { [] }
    func flush() throws(MediaError) -> [VideoFrame] { [] }
    func reset() {}
  }

  @Sendable private static func makeDecoder(
    _ format: VideoFormat, _ options: DecodeOptions
  ) throws(MediaError) -> any VideoDecoder { NoDecoder() }

  struct Row: CustomStringConvertible, Sendable {
    let path: String
    let frameCount: Int
    var description: String { path }
  }

  /// Encrypted files, whose recorded frames were decoded without a key and show noise; and a file that
  /// is cut inside its media, of which fewer frames can be decoded than its tables tell.
  private static let exceptions = [
    "prog_8s_enc_dashinit.mp4", "mov-frag-encrypted.mp4", "white_zombie_scrunch-part.mp4",
  ]

  static let rows: [Row] = {
    guard let root = Places.sharedVectors,
      let text = try? String(
        contentsOf: root.appendingPathComponent("index.tsv"), encoding: .utf8)
    else { return [] }
    return text.split(separator: "\n").compactMap { line in
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard columns.count > 6, columns[0] == "isobmff", columns[6].hasPrefix("peer "),
        let count = Int(columns[6].dropFirst(5).prefix { $0.isNumber }),
        columns[6].contains("frames")
      else { return nil }
      if columns[2].isEmpty || exceptions.contains(where: columns[1].hasSuffix) { return nil }
      return Row(path: "isobmff/" + columns[1], frameCount: count)
    }
  }()

  @Test("as many frames are presented as recorded", arguments: rows)
  func frameCount(_ row: Row) throws {
    let root = try #require(Places.sharedVectors)
    let registry = MediaRegistry(
      containers: MediaRegistry.standard.containers,
      videoDecoders: [
        .h264: Self.makeDecoder, .hevc: Self.makeDecoder, .mpeg4Visual: Self.makeDecoder,
        "h263": Self.makeDecoder, "vp9": Self.makeDecoder, "av1": Self.makeDecoder,
      ])
    let bytes = [UInt8](try Data(contentsOf: root.appendingPathComponent(row.path)))
    let reader = try Asset(MemorySource(bytes), registry: registry).makeFrameReader()
    #expect(try reader.frameCount == row.frameCount)
  }

  @Test("encrypted tracks are told as such and not decoded", arguments: exceptions.prefix(2))
  func encrypted(_ name: String) throws {
    let root = try #require(Places.sharedVectors).appendingPathComponent("isobmff")
    let walker = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    let file = try #require(
      walker?.compactMap { $0 as? URL }.first { $0.lastPathComponent == name })
    let asset = try Asset.open(path: file.path)
    #expect(asset.hasProtectedContent)
    let track = try #require(asset.videoTrackIndex.map { asset.tracks[$0] })
    #expect(track.codec == .h264)
    #expect(track.protection?.keyID.count == 16)
    do {
      _ = try asset.makeFrameReader()
      Issue.record("an encrypted track gave frames")
    } catch {
      #expect(error.family == .protected)
    }
  }
}
