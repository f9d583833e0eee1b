import Foundation
import ReelKit
import ReelTestSupport
import Testing

@Suite("The report on an input")
struct ProbeReportTests {
  typealias B = BoxBuilder

  private func report(_ bytes: [UInt8], _ change: (inout ProbeReport.Options) -> Void = { _ in })
    throws -> ProbeReport
  {
    var options = ProbeReport.Options()
    change(&options)
    return try ProbeReport(MemorySource(bytes), name: "input", options: options)
  }

  private func object(_ report: ProbeReport) throws -> [String: Any] {
    let text = try report.json()
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
    return try #require(value as? [String: Any])
  }

  private func list(_ value: Any?) throws -> [[String: Any]] {
    try #require(value as? [[String: Any]])
  }

  private func string(_ value: Any?) -> String { value.map { "\($0)" } ?? "none" }

  private var movie: MovieBuilder {
    var video = MovieTrack(samples: (0..<10).map { [UInt8](repeating: UInt8($0), count: 10) })
    video.syncSamples = [0, 5]
    video.edits = [(200, 80, 0x10000)]
    var sound = MovieTrack(samples: (0..<20).map { [UInt8($0)] }, duration: 20)
    (sound.handler, sound.sampleEntry) = ("soun", "mp4a")
    var builder = MovieBuilder([video, sound])
    let name = B.box("ilst", B.box("©nam", B.box("data", B.u32(1), B.u32(0), B.code("Name \"1\""))))
    let cover = B.box(
      "ilst",
      B.box(
        "covr",
        B.box(
          "data", B.u32(14), B.u32(0), [0x89, 0x50, 0x4E, 0x47], B.zeros(12), B.u32(7), B.u32(5))))
    let handler = B.fullBox("hdlr", B.zeros(4), B.code("mdir"), B.zeros(12), [0])
    builder.movieBoxes = B.box("udta", B.fullBox("meta", handler, name, cover))
    return builder
  }

  @Test("names streams, counts and times as ffprobe does, in JSON")
  func movieReport() throws {
    let whole = try object(try report(movie.file()))
    let streams = try list(whole["streams"])
    #expect(streams.map { string($0["codec_name"]) } == ["h264", "aac", "png"])
    #expect(streams.map { string($0["codec_type"]) } == ["video", "audio", "video"])
    #expect(string(streams[0]["nb_frames"]) == "10")
    #expect(string(streams[0]["nb_read_packets"]) == "10")
    #expect(string(streams[0]["nb_presented_frames"]) == "5")
    #expect(string(streams[0]["duration"]) == "0.200000")
    #expect(string(streams[0]["time_base"]) == "1/1000")
    #expect(string(streams[0]["r_frame_rate"]) == "25/1")
    #expect(string(streams[1]["sample_rate"]) == "48000")
    #expect(string(streams[1]["channels"]) == "2")
    #expect(string(streams[2]["width"]) == "7" && string(streams[2]["height"]) == "5")
    let picture = try #require(streams[2]["disposition"] as? [String: Any])
    #expect(string(picture["attached_pic"]) == "1")
    let format = try #require(whole["format"] as? [String: Any])
    #expect(string(format["nb_streams"]) == "3")
    #expect(string(format["size"]) == "\(movie.file().count)")
    let tags = try #require(format["tags"] as? [String: Any])
    #expect(string(tags["title"]) == "Name \"1\"")
    #expect(whole["faults"] == nil)
  }

  @Test("lists packets with times of the presentation, flags and hashes")
  func packets() throws {
    let whole = try object(
      try report(movie.file()) {
        $0.listsPackets = true
        $0.hashesPackets = true
      })
    let packets = try list(whole["packets"])
    #expect(packets.count == 30)
    let video = packets.filter { string($0["stream_index"]) == "0" }
    #expect(video.map { string($0["pts"]) } == (0..<10).map { "\($0 * 40 - 80)" })
    let flags = (0..<10).map { ($0 % 5 == 0 ? "K" : "_") + ((2..<7).contains($0) ? "_" : "D") }
    #expect(video.map { string($0["flags"]) } == flags)
    var hash = MD5()
    hash.update([UInt8](repeating: 3, count: 10))
    #expect(string(video[3]["data_hash"]) == "MD5:\(hash.finalize())")
    #expect(string(video[3]["size"]) == "10")
  }

  @Test("shows the tree of boxes or elements, in JSON and as text")
  func structure() throws {
    var matroska = MatroskaBuilder()
    matroska.track(1, type: 17, codec: "S_TEXT/UTF8")
    matroska.cluster(time: 0, [MatroskaBuilder.simpleBlock(track: 1, time: 0, [65])])
    for (bytes, names, line) in [
      (movie.file(), ["ftyp", "moov", "mdat"], "    mvhd  at "),
      (matroska.bytes, ["EBML", "Segment"], "      SimpleBlock  at "),
    ] {
      let report = try report(bytes) { $0.showsStructure = true }
      let boxes = try list(try object(report)["boxes"])
      #expect(boxes.map { string($0["type"]) } == names)
      #expect(string(boxes[0]["offset"]) == "0")
      var text: [UInt8] = []
      try report.writeText { (piece) throws(MediaError) in text += piece }
      #expect(String(decoding: text, as: UTF8.self).contains(line))
    }
  }

  @Test("tells of a damaged input what could be read, and where and why it is damaged")
  func damage() throws {
    let bytes = movie.file()
    let cut = try report(Array(bytes.dropLast(95)))
    #expect(cut.failure == nil)
    let whole = try object(cut)
    let faults = try list(whole["faults"])
    #expect(!faults.isEmpty)
    #expect(cut.faults.first?.rule.code == "isobmff.box-truncated")
    let streams = try list(whole["streams"])
    #expect(string(streams[0]["nb_frames"]) == "10")
    #expect(Int(string(streams[0]["nb_read_packets"])) ?? 10 < 10)
    let place = try #require(bytes.firstRange(of: B.code("moov"))?.lowerBound)
    let metadata = try report(Array(bytes[..<(place + 200)]))
    #expect(metadata.failure?.family == .needsMoreData)
    #expect(!metadata.isReadable)
    let none = try report([1, 2, 3])
    #expect(none.failure?.family == .unsupported)
    #expect(none.asset == nil)
    #expect(try object(none)["streams"] == nil)
  }

  @Test("of transport streams and Matroska files has their names", arguments: ["ts", "mkv"])
  func others(kind: String) throws {
    var bytes: [UInt8]
    if kind == "ts" {
      var stream = TransportStreamBuilder()
      stream.association([(1, 4096)])
      stream.map(pid: 4096, number: 1, [(0x0F, 257, [])])
      let frame: [UInt8] =
        [0xFF, 0xF1, 0x4C, 0x80, 2, 0xFF, 0xFC] + [UInt8](repeating: 5, count: 16)
      for i in 0..<10 {
        stream.pes(
          pid: 257, streamID: 0xC0, pts: 90_000 + Int64(i) * 3840, hasLength: true, frame + frame)
      }
      bytes = stream.bytes
    } else {
      var file = MatroskaBuilder()
      file.track(1, type: 1, codec: "V_VP9", [EBML.unsigned(0x23E383, 41_708_333)])
      file.cluster(time: 0, [MatroskaBuilder.simpleBlock(track: 1, time: 0, [1, 2])])
      bytes = file.bytes
    }
    let whole = try object(try report(bytes))
    let format = try #require(whole["format"] as? [String: Any])
    #expect(string(format["format_name"]) == (kind == "ts" ? "mpegts" : "matroska,webm"))
    let stream = try #require(try list(whole["streams"]).first)
    #expect(string(stream["codec_name"]) == (kind == "ts" ? "aac" : "vp9"))
    if kind == "mkv" { #expect(string(stream["avg_frame_rate"]) == "24000/1001") }
  }
}
