import Foundation
import ReelIO
import ReelKit
import ReelTestSupport
import Testing

@Suite("Playlists as assets")
struct StreamingTests {
  private func list(_ name: String) -> String { Places.testVector("hls/\(name)").path }

  private func hashes(_ asset: Asset) throws -> [String] {
    let reader = try asset.makeLinearFrameReader()
    var hashes: [String] = []
    while let frame = try reader.next() { hashes.append("\(MD5.digest(of: frame.frame))") }
    return hashes
  }

  @Test("AES-128 with implicit and explicit vectors gives what the plain segments give")
  func aes() throws {
    // wrap/ holds the same pictures unencrypted; FFmpeg decodes both to the same bytes.
    let encrypted = try hashes(Asset.open(path: list("aes/list.m3u8")))
    let plain = try hashes(Asset.open(path: list("wrap/list.m3u8")))
    #expect(encrypted.count == 30)
    #expect(encrypted == plain)
  }

  @Test("a wrong key is an error, not noise")
  func wrongKey() throws {
    var files: [String: [UInt8]] = [:]
    for name in ["list.m3u8", "0.ts", "1.ts", "2.ts", "second.key"] {
      files["m/\(name)"] = [UInt8](try Data(contentsOf: Places.testVector("hls/aes/\(name)")))
    }
    files["m/first.key"] = [UInt8](repeating: 1, count: 16)
    do {
      _ = try Asset.open(playlist: "m/list.m3u8", loader: MemoryLoader(files))
      Issue.record("it opened")
    } catch {
      #expect(error.family == .damaged)
    }
    files["m/first.key"] = [1, 2, 3]
    do {
      _ = try Asset.open(playlist: "m/list.m3u8", loader: MemoryLoader(files))
      Issue.record("it opened")
    } catch {
      #expect(error.rule == .streamingKey)
    }
  }

  @Test("times go on where 33 bits come round, and every frame can be had by time")
  func wrap() throws {
    let asset = try Asset.open(path: list("wrap/list.m3u8"))
    #expect(asset.duration == MediaTime(value: 3, timescale: 1))
    let reader = try asset.makeFrameReader()
    #expect(try reader.frameCount == 30)
    let linear = try hashes(asset)
    // Backwards, so that each one is sought.
    for number in (0..<30).reversed() {
      let time = Rational(number, 10) + Rational(1, 20)
      let frame = try #require(try reader.frame(at: time))
      #expect(frame.number == number)
      #expect(frame.start == Rational(number, 10))
      #expect("\(MD5.digest(of: frame.frame))" == linear[number])
    }
  }

  @Test("each segment is read with its own initialization section, across discontinuities")
  func sections() throws {
    let asset = try Asset.open(path: list("sections/list.m3u8"))
    #expect(asset.tracks[0].formats.count == 2)
    let reader = try asset.makeLinearFrameReader()
    var sizes: [Int] = []
    var starts: [Rational] = []
    while let frame = try reader.next() {
      sizes.append(frame.frame.width)
      starts.append(frame.start)
    }
    #expect(
      sizes == [Int](repeating: 96, count: 10) + [Int](repeating: 64, count: 10)
        + [Int](repeating: 96, count: 10))
    #expect(starts == (0..<30).map { Rational($0, 10) })
    let all = try hashes(asset)
    #expect(all[0..<10] == all[20..<30])
    // The second frame of each, as FFmpeg decodes the initialization section with its segment.
    #expect(
      Array(all[0...1]) == ["7f8dc622aa942467b7d6a7b88df3a006", "b03eae3da8df21829390b1068c6852a6"])
    #expect(
      Array(all[10...11]) == [
        "a9eb26460bfdb3c89cb17c36409b0f2c", "a9eb26460bfdb3c89cb17c36409b0f2c",
      ])
  }

  @Test("renditions become tracks by language, their cues on the time of the picture")
  func renditions() throws {
    // The first variant is AV1, which there is no decoder for.
    let asset = try Asset.open(path: list("master/master.m3u8"))
    #expect(asset.tracks.map(\.kind) == [.video, .audio, .subtitle])
    #expect(asset.tracks.map(\.language) == [nil, "en", "de"])
    #expect(asset.mediaSelectionGroup(for: .audible).options(for: "en").count == 1)
    #expect(asset.mediaSelectionGroup(for: .legible).options(for: "de").count == 1)
    #expect(try hashes(asset).count == 20)
    let reader = try asset.demuxer.makePacketReader(trackIndices: [2])
    var cues: [String] = []
    while let packet = try reader.next() {
      let time = MediaTime(value: packet.presentationTicks ?? -1, timescale: 90_000)
      // A sample of ISO/IEC 14496-30: the text is behind the heads of two boxes.
      cues.append("\(time.seconds) \(String(decoding: packet.data.dropFirst(16), as: UTF8.self))")
    }
    #expect(cues == ["0.5 over both segments", "1.6 <b>the second</b>"])
  }

  @Test("a list in a file opens nothing above its folder")
  func traversal() throws {
    let folder = try TemporaryFolder()
    let text = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n../secret.ts\n#EXT-X-ENDLIST\n"
    try Data(text.utf8).write(to: folder.url.appendingPathComponent("list.m3u8"))
    do {
      _ = try Asset.open(path: folder.url.appendingPathComponent("list.m3u8").path)
      Issue.record("it opened")
    } catch {
      #expect(error.rule == .streamingAddress)
    }
  }

  @Test("a list has no more than 64 initialization sections")
  func mostSections() {
    func open(_ count: Int) -> MediaError? {
      var text = "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:1\n"
      for number in 0..<count {
        text += "#EXT-X-MAP:URI=\"\(number).mp4\"\n#EXTINF:1,\n\(number).m4s\n"
      }
      text += "#EXT-X-ENDLIST\n"
      do throws(MediaError) {
        _ = try Asset.open(playlist: "l.m3u8", loader: MemoryLoader(["l.m3u8": Array(text.utf8)]))
        return nil
      } catch { return error }
    }
    #expect(open(64)?.rule != .streamingSections)
    #expect(open(65)?.rule == .streamingSections && open(65)?.family == .limitExceeded)
  }

  @Test("a segment longer than the limit is not loaded")
  func hugeSegment() throws {
    let text = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\na.ts\n#EXT-X-ENDLIST\n"
    let folder = try TemporaryFolder()
    try Data(text.utf8).write(to: folder.url.appendingPathComponent("l.m3u8"))
    // A hole of a file: one byte more than the 256 MiB.
    let segment = folder.url.appendingPathComponent("a.ts")
    #expect(FileManager.default.createFile(atPath: segment.path, contents: nil))
    let handle = try FileHandle(forWritingTo: segment)
    try handle.truncate(atOffset: 256 << 20 | 1)
    try handle.close()
    let error = #expect(throws: MediaError.self) {
      try Asset.open(playlist: folder.path("l.m3u8"), loader: MediaLoader())
    }
    #expect(error?.family == .limitExceeded && error?.rule == .resourceSize)
  }

  @Test("lists of lists end at the second one")
  func depth() {
    let master = Array("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8\n".utf8)
    do {
      _ = try Asset.open(
        playlist: "a.m3u8", loader: MemoryLoader(["a.m3u8": master]))
      Issue.record("it opened")
    } catch {
      #expect(error.rule == .streamingDepth)
    }
  }

  @Test("sample encryption is told as protected")
  func protected() throws {
    var files: [String: [UInt8]] = [:]
    let text =
      "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://x\","
      + "KEYFORMAT=\"com.apple.streamingkeydelivery\"\n#EXTINF:1,\n0.ts\n#EXT-X-ENDLIST\n"
    files["l.m3u8"] = Array(text.utf8)
    files["0.ts"] = [UInt8](try Data(contentsOf: Places.testVector("hls/wrap/0.ts")))
    let asset = try Asset.open(playlist: "l.m3u8", loader: MemoryLoader(files))
    #expect(asset.hasProtectedContent)
    #expect(asset.tracks[0].protection?.scheme == "cbcs")
    files["l.m3u8"] = Array(text.replacingOccurrences(of: "SAMPLE-AES", with: "AES-128").utf8)
    let whole = try Asset.open(playlist: "l.m3u8", loader: MemoryLoader(files))
    #expect(whole.hasProtectedContent)
  }

  @Test("gaps hold what was shown before")
  func gaps() throws {
    var files: [String: [UInt8]] = [:]
    files["l.m3u8"] = Array(
      ("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n0.ts\n#EXT-X-GAP\n#EXTINF:1,\nnot-there.ts\n"
        + "#EXTINF:1,\n2.ts\n#EXT-X-ENDLIST\n").utf8)
    for name in ["0.ts", "2.ts"] {
      files[name] = [UInt8](try Data(contentsOf: Places.testVector("hls/wrap/\(name)")))
    }
    let reader = try Asset.open(playlist: "l.m3u8", loader: MemoryLoader(files)).makeFrameReader()
    #expect(try reader.frameCount == 20)
    let held = try #require(try reader.frame(at: Rational(19, 10)))
    #expect(held.number == 9 && held.end == Rational(2))
    #expect(try reader.frame(at: Rational(2))?.number == 10)
  }
}

/// Resources in memory, by address.
private struct MemoryLoader: ResourceLoader {
  private let files: [String: [UInt8]]
  init(_ files: [String: [UInt8]]) { self.files = files }

  func load(_ request: ResourceRequest) throws(MediaError) -> Resource {
    guard let bytes = files[request.address] else {
      throw MediaError(.notFound, .streamingEmpty, at: .named(request.address))
    }
    let range = request.range.map { Int($0.lowerBound)..<Int($0.upperBound) } ?? bytes.indices
    return Resource(bytes: Array(bytes[range]), address: request.address)
  }
}
