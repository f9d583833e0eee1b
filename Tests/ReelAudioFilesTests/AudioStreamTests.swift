internal import ReelAudioFiles
internal import ReelCore
internal import ReelTestSupport
internal import Testing

@Suite("Audio streams")
struct AudioStreamTests {
  private func trace(_ bytes: [UInt8]) -> DemuxerTrace {
    DemuxerTrace { () throws(MediaError) in try AudioStreamDemuxer(source: MemorySource(bytes)) }
  }

  private func open(_ bytes: [UInt8]) throws -> AudioStreamDemuxer {
    try AudioStreamDemuxer(source: MemorySource(bytes))
  }

  /// A header frame with these counts, and delay and padding where `encoder` is a name.
  private func header(
    _ name: String, frames: Int, bytes: Int, encoder: String = "", delay: Int = 0, padding: Int = 0
  ) -> [UInt8] {
    var frame = [0xFF, 0xFB, 0x90, 0x64] + [UInt8](repeating: 0, count: 413)
    var body = Array(name.utf8) + [0, 0, 0, 3]
    for value in [frames, bytes] { body += (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) } }
    body += Array(encoder.utf8) + [UInt8](repeating: 0, count: 21 - encoder.utf8.count)
    let both = delay << 12 | padding
    body += [UInt8(both >> 16), UInt8(both >> 8 & 255), UInt8(both & 255)]
    frame.replaceSubrange(36..<36 + body.count, with: body)
    return frame
  }

  @Test("leave out the header frame, and present the sound without delay and padding")
  func encoderDelay() throws {
    let sound = AudioSamples.mp3s(10)
    let head = header(
      "Info", frames: 10, bytes: sound.count + 417, encoder: "LAME3.100", delay: 576, padding: 1000)
    let demuxer = try open(head + sound)
    let track = demuxer.tracks[0]
    #expect(try Array(demuxer).map(\.data) == (0..<10).map { AudioSamples.mp3($0) })
    #expect(track.sampleCount == 10 && track.mediaDuration == 11_520)
    let length = MediaTime(value: 11_520 - 1105 - 471, timescale: 44_100)
    #expect(track.edits == [TimelineEdit(duration: length, mediaStart: 1105)])
    #expect(demuxer.duration == length)
    #expect(demuxer.tags == [Tag("encoder", "LAME3.100")])
  }

  @Test("do not believe a header frame that tells more than there is")
  func cutOff() throws {
    let sound = AudioSamples.mp3s(10)
    let head = header(
      "Xing", frames: 5000, bytes: 2_000_000, encoder: "LAME3.100", delay: 576, padding: 1000)
    let track = try open(head + sound).tracks[0]
    #expect(track.mediaDuration == 11_520 && track.edits.isEmpty)
  }

  @Test("time frames by their samples, and count them where the rate varies")
  func times() throws {
    let bytes = AudioSamples.mp3s(5)
    let entries = trace(bytes).entries
    let times = (0..<5).map { (i: Int64) -> [Int64?] in [i * 1152, i * 1152, 1152] }
    #expect(entries.map(\.times) == times)
    #expect(entries.map(\.position) == (0..<5).map { $0 * 417 })
    let demuxer = try open(bytes)
    #expect(demuxer.duration == MediaTime(value: 5760, timescale: 44_100))
    #expect(demuxer.tracks[0].timescale == 44_100 && demuxer.formatName == "mp3")
  }

  @Test("read the same through every faulty source", arguments: FaultyByteSource.Faults.all)
  func faultySource(faults: FaultyByteSource.Faults) {
    let bytes = AudioSamples.id3([("TIT2", [0, 0x41])]) + AudioSamples.mp3s(200)
    let source = FaultyByteSource(bytes, faults, seed: 3)
    let faulty = DemuxerTrace { () throws(MediaError) in try AudioStreamDemuxer(source: source) }
    #expect(faulty == trace(bytes))
    #expect(faulty.entries.count == 200)
  }

  @Test("are refused or read on every prefix")
  func prefixes() {
    let bytes =
      AudioSamples.id3([("TIT2", [0, 0x41])]) + AudioSamples.mp3s(4)
      + AudioSamples.id3v1(title: "A", track: 1, genre: 0)
    let whole = trace(bytes).entries
    #expect(whole.count == 4)
    for count in 0..<bytes.count {
      let trace = trace(Array(bytes[..<count]))
      #expect(trace.fault == nil || trace.fault?.rule == .audioFrames, "\(count)")
      #expect(trace.entries == Array(whole.prefix(trace.entries.count)), "\(count)")
      _ = AudioStreamDemuxer.probe(Array(bytes[..<count]))
    }
  }

  @Test("are not seen in other bytes")
  func otherBytes() {
    let zeros = [UInt8](repeating: 0, count: 5000)
    let inputs: [[UInt8]] = [
      [], [0xFF], [UInt8](repeating: 0xFF, count: 5000), zeros,
      [0, 0, 0, 0x20] + Array("ftypisom".utf8) + zeros,
    ]
    for bytes in inputs {
      #expect(!AudioStreamDemuxer.probe(bytes))
      #expect(trace(bytes).fault?.rule == .audioFrames)
    }
  }

  @Test("survive damage of any kind", arguments: 0..<400)
  func damage(seed: UInt64) throws {
    let good =
      AudioSamples.id3([("TIT2", [0, 0x41]), ("APIC", [0, 0x61, 0, 3, 0, 1, 2, 3])])
      + header("Info", frames: 10, bytes: 4587, encoder: "LAME3.100", delay: 576, padding: 100)
      + AudioSamples.mp3s(10)
      + AudioSamples.ape([("Title", "D"), ("Year", "1999")], hasHeader: true)
      + AudioSamples.id3v1(title: "A", track: 1, genre: 0)
    let bytes = Damage.apply(to: good, seed: seed)
    let trace = trace(bytes)
    #expect(trace.fault == nil || trace.fault?.family == .damaged, "seed \(seed)")
    #expect(trace.entries.reduce(0) { $0 + $1.data.count } <= bytes.count, "seed \(seed)")
    _ = AudioStreamDemuxer.probe(bytes)
    guard let demuxer = try? open(bytes) else { return }
    let reader = try demuxer.makePacketReader(trackIndices: [0])
    for ticks: Int64 in [5000, 0, .max, 2000] {
      try reader.seek(trackIndex: 0, toSyncAtOrBefore: ticks)
      _ = try reader.next()
    }
  }
}
