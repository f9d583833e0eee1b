internal import Foundation
internal import ReelCore
internal import ReelISOBMFF
internal import ReelTestSupport
internal import ReelVideoCore
internal import Testing

@testable internal import ReelHEVC

@Suite("The HEVC decoder")
struct DecoderTests {
  struct Stream {
    var configuration: [UInt8] = []
    var framing = NALUnitFraming.annexB
    var packets: [Packet] = []
  }

  /// A shipped clip as packets: whole samples of a file, single NAL units of a byte stream.
  static func stream(_ name: String) throws -> Stream {
    let bytes = [UInt8](try Data(contentsOf: Places.testVector("clips/\(name)")))
    var stream = Stream()
    guard name.hasSuffix(".mp4") else {
      stream.packets = NALUnits.annexB(bytes).map {
        Packet(trackIndex: 0, data: [0, 0, 1] + bytes[$0])
      }
      return stream
    }
    let demuxer = try ISOBMFFDemuxer(
      source: MemorySource(bytes), limits: .standard, strictness: .lenient)
    guard case .video(let format) = demuxer.tracks[0].formats[0] else { return stream }
    (stream.configuration, stream.framing) = (format.configuration, format.framing)
    let reader = try demuxer.makePacketReader(trackIndices: [0])
    while let packet = try reader.next() { stream.packets.append(packet) }
    return stream
  }

  /// The frames, and a line for each: a hash of its samples and what it says of itself.
  static func decode(
    _ stream: Stream, _ options: HEVCDecoderOptions = HEVCDecoderOptions()
  ) throws -> (decoder: HEVCDecoder, frames: [VideoFrame], lines: [String]) {
    let decoder = try HEVCDecoder(
      configuration: stream.configuration, framing: stream.framing, options: options)
    var frames: [VideoFrame] = []
    for packet in stream.packets { frames += (try? decoder.decode(packet)) ?? [] }
    frames += (try? decoder.flush()) ?? []
    return (decoder, frames, frames.map(line))
  }

  private static func line(_ frame: VideoFrame) -> String {
    let hash =
      switch frame.storage {
      case .depth8(let planes): sum(planes)
      case .depth16(let planes): sum(planes)
      }
    return "\(hash) \(frame.concealedBlockCount) \(frame.missingReferenceCount) "
      + "\(frame.isKeyFrame) \(frame.presentationTicks ?? -1)"
  }

  private static func sum<S: PictureSample>(_ planes: FramePlanes<S>) -> UInt64 {
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in 0..<3 {
      planes.withPlane(index) { plane in
        for y in 0..<plane.height {
          for x in 0..<plane.width {
            sum = (sum ^ UInt64(plane[y * plane.stride + x])) &* 0x100_0000_01B3
          }
        }
      }
    }
    return sum
  }

  @Test(
    "every picture has the hash that the encoder wrote into the stream",
    arguments: ["hevc.mp4", "hevc-hdr.265"], [1, 3])
  func hashes(name: String, threads: Int) throws {
    var options = HEVCDecoderOptions()
    options.checksPictureHashes = true
    options.threads = threads
    options.concealment = .fail
    let (decoder, frames, _) = try Self.decode(try Self.stream(name), options)
    #expect(frames.count == (name == "hevc.mp4" ? 30 : 15))
    #expect(decoder.matchingHashCount == frames.count)
    #expect(decoder.wrongHashCount == 0)
    #expect(decoder.faultCount == 0)
  }

  @Test("a wrong hash is told")
  func wrongHash() throws {
    var stream = try Self.stream("hevc-hdr.265")
    let index = try #require(stream.packets.firstIndex { $0.data[3] >> 1 == 40 })
    stream.packets[index].data[10] ^= 1
    var options = HEVCDecoderOptions()
    options.checksPictureHashes = true
    let (decoder, _, _) = try Self.decode(stream, options)
    #expect(decoder.wrongHashCount == 1)
  }

  @Test("a frame tells colour, light levels, crop and depth")
  func properties() throws {
    let frame = try #require(try Self.decode(try Self.stream("hevc-hdr.265")).frames.first)
    #expect(frame.crop == SampleRect(x: 0, y: 0, width: 200, height: 114))
    #expect(frame.lumaBitDepth == 10)
    #expect(frame.colour.primaries == 9 && frame.colour.transfer == 16)
    #expect(frame.sideData.masteringDisplay?.minimumLuminance == 1)
    #expect(frame.sideData.contentLightLevel?.maximumContentLight == 1000)
    #expect(frame.isKeyFrame)
  }

  @Test("frames come in presentation order")
  func order() throws {
    let frames = try Self.decode(try Self.stream("hevc.mp4")).frames
    let times = frames.compactMap(\.presentationTicks)
    #expect(times.count == frames.count)
    #expect(times == times.sorted())
    #expect(frames.map(\.decodeIndex) != frames.map(\.decodeIndex).sorted())
  }

  @Test("started at a clean random access picture, its skipped leading pictures are left out")
  func leadingPictures() throws {
    var stream = try Self.stream("hevc.mp4")
    let all = try Self.decode(stream)
    // CRA_NUT behind the length of the first slice.
    let start = try #require(stream.packets.indices.dropFirst().first { stream.packets[$0].isSync })
    let time = try #require(stream.packets[start].presentationTicks)
    stream.packets.removeFirst(start)
    let rest = try Self.decode(stream)
    let expected = zip(all.frames, all.lines).filter { ($0.0.presentationTicks ?? 0) >= time }
    #expect(rest.lines == expected.map(\.1))
    #expect(rest.frames.count < stream.packets.count)
  }

  @Test("a lost picture spoils those that refer to it, up to the next start, and they say so")
  func lostPicture() throws {
    var stream = try Self.stream("hevc.mp4")
    let whole = try Self.decode(stream)
    stream.packets.remove(at: 2)
    let damaged = try Self.decode(stream)
    var wrong = 0
    for (frame, line) in zip(damaged.frames, damaged.lines) where !whole.lines.contains(line) {
      wrong += 1
      #expect(frame.missingReferenceCount > 0 || frame.concealedBlockCount > 0)
    }
    #expect(damaged.decoder.faultCount > 0)
    #expect(wrong > 0)
    #expect(damaged.lines.suffix(5) == whole.lines.suffix(5))
  }

  @Test("under .fail no frame that may be wrong comes out", arguments: 0..<20)
  func fails(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var stream = try Self.stream("hevc.mp4")
    let whole = try Self.decode(stream)
    Self.damage(&stream, &random)
    var options = HEVCDecoderOptions()
    options.concealment = .fail
    options.checksPictureHashes = true
    let (decoder, _, lines) = try Self.decode(stream, options)
    // What is out is whole, unless flipped bits decode to other samples without breaking a rule: then
    // the stream's own hash tells.
    let strange = lines.filter { !whole.lines.contains($0) }
    #expect(strange.isEmpty || decoder.wrongHashCount > 0, "seed \(seed)")
  }

  private static func damage(_ stream: inout Stream, _ random: inout SeededGenerator) {
    for _ in 0..<random.int(in: 1...4) {
      let index = random.int(in: 0...stream.packets.count - 1)
      let count = stream.packets[index].data.count
      guard count > 12 else { continue }
      let at = random.int(in: random.one(in: 5) ? 0...count - 1 : 6...count - 1)
      switch random.int(in: 0...4) {
      case 0: stream.packets[index].data.removeLast(count - at)
      case 1: stream.packets.swapAt(index, random.int(in: 0...stream.packets.count - 1))
      case 2 where stream.packets.count > 4: stream.packets.remove(at: index)
      default:
        for _ in 0..<random.int(in: 1...5) {
          let place = random.int(in: at...count - 1)
          stream.packets[index].data[place] ^= 1 << UInt8(random.int(in: 0...7))
        }
      }
    }
  }

  @Test("damaged streams give the same frames on any number of threads", arguments: 0..<30)
  func damagedThreads(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed) + 1000)
    for name in ["hevc.mp4", "hevc-hdr.265"] {
      var stream = try Self.stream(name)
      Self.damage(&stream, &random)
      let once = try Self.decode(stream).lines
      var options = HEVCDecoderOptions()
      options.threads = 3
      let threaded = try Self.decode(stream, options).lines
      #expect(threaded == once, "seed \(seed)")
    }
  }

  @Test("every prefix of a stream gives frames or an error")
  func prefixes() throws {
    let bytes = [UInt8](try Data(contentsOf: Places.testVector("clips/hevc-hdr.265")))
    for count in stride(from: 0, to: bytes.count, by: 7) {
      var stream = Stream()
      stream.packets = [Packet(trackIndex: 0, data: Array(bytes.prefix(count)))]
      _ = try Self.decode(stream)
    }
  }

  @Test("a reset forgets pictures and keeps parameter sets")
  func reset() throws {
    let stream = try Self.stream("hevc.mp4")
    let decoder = try HEVCDecoder(
      configuration: stream.configuration, framing: stream.framing)
    for packet in stream.packets.prefix(7) { _ = try decoder.decode(packet) }
    decoder.reset()
    var frames: [VideoFrame] = []
    for packet in stream.packets { frames += try decoder.decode(packet) }
    frames += try decoder.flush()
    let expected = try Self.decode(stream).lines
    #expect(frames.map(Self.line) == expected)
  }
}
