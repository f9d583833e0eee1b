internal import Foundation
internal import ReelCore
internal import ReelH264
internal import ReelISOBMFF
internal import ReelTestSupport
internal import ReelVideoCore
internal import Testing

/// Decodes what the shipped clips become when bytes are lost, flipped or exchanged.
@Suite("Damaged H.264 streams")
struct DamagedStreamTests {
  /// The first packets of a clip and their format.
  private func packets(of name: String) throws -> (format: VideoFormat, packets: [Packet]) {
    let data = try Data(contentsOf: Places.testVector("clips/\(name)"))
    let demuxer = try ISOBMFFDemuxer(
      source: MemorySource([UInt8](data)), limits: .standard, strictness: .lenient)
    guard case .video(let format) = demuxer.tracks[0].formats[0] else { return (.init(), []) }
    let reader = try demuxer.makePacketReader(trackIndices: [0])
    var packets: [Packet] = []
    while packets.count < 25, let packet = try reader.next() { packets.append(packet) }
    return (format, packets)
  }

  /// What is left of the packets.
  private func damaged(
    _ packets: [Packet], using random: inout SeededGenerator
  ) -> [Packet] {
    var packets = packets
    for _ in 0..<random.int(in: 1...5) {
      let index = random.int(in: 0...packets.count - 1)
      let count = packets[index].data.count
      guard count > 8 else { continue }
      // Behind the first length and the NAL unit header, mostly.
      let at = random.int(in: random.one(in: 6) ? 0...count - 1 : 5...count - 1)
      switch random.int(in: 0...5) {
      case 0: packets[index].data.removeLast(count - at)
      case 1: packets[index].data.remove(at: at)
      case 2: packets.swapAt(index, random.int(in: 0...packets.count - 1))
      case 3 where packets.count > 4: packets.remove(at: index)
      default:
        for _ in 0..<random.int(in: 1...6) {
          packets[index].data[random.int(in: at...count - 1)] ^= 1 << UInt8(random.int(in: 0...7))
        }
      }
    }
    return packets
  }

  /// A line for each frame: a hash of its samples, and what it says of itself. `earlier` packets are
  /// decoded before, and forgotten by a reset.
  private func decode(
    _ packets: [Packet], _ format: VideoFormat, threads: Int, earlier: [Packet] = []
  ) throws -> [String] {
    var options = H264DecoderOptions()
    options.threads = threads
    options.limits.maximumPictureSamples = 1 << 20
    let decoder = try H264Decoder(
      configuration: format.configuration, framing: format.framing, options: options)
    for packet in earlier { _ = try decoder.decode(packet) }
    decoder.reset()
    var frames: [VideoFrame] = []
    for packet in packets { frames += (try? decoder.decode(packet)) ?? [] }
    frames += (try? decoder.flush()) ?? []
    return frames.map {
      "\(hash($0)) \($0.concealedBlockCount) \($0.missingReferenceCount)"
    }
  }

  /// FNV-1a of all samples.
  private func hash(_ frame: VideoFrame) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func add<Sample: PictureSample>(_ planes: FramePlanes<Sample>) {
      for index in 0..<3 {
        planes.withPlane(index) { plane in
          for y in 0..<plane.height {
            plane.withRow(y) { row in
              for x in row.indices { hash = (hash ^ UInt64(row[x])) &* 0x100_0000_01B3 }
            }
          }
        }
      }
    }
    switch frame.storage {
    case .depth8(let planes): add(planes)
    case .depth16(let planes): add(planes)
    }
    return hash
  }

  @Test(
    "decode to the same frames on any number of threads",
    arguments: ["interlaced.mp4", "baseline.mp4"], 0..<90)
  func threads(clip: String, seed: UInt64) throws {
    let (format, packets) = try packets(of: clip)
    var random = SeededGenerator(seed: seed)
    let left = damaged(packets, using: &random)
    let one = try decode(left, format, threads: 1)
    #expect(try decode(left, format, threads: 2) == one, "\(clip), seed \(seed)")
    #expect(try decode(left, format, threads: 4) == one, "\(clip), seed \(seed)")
  }

  @Test(
    "decode to the same frames whatever the decoder's memory held before",
    arguments: ["interlaced.mp4", "reorder.mp4", "baseline.mp4"], 0..<60)
  func memory(clip: String, seed: UInt64) throws {
    let (format, packets) = try packets(of: clip)
    var random = SeededGenerator(seed: seed)
    let left = damaged(packets, using: &random)
    let fresh = try decode(left, format, threads: 1)
    #expect(
      try decode(left, format, threads: 1, earlier: packets) == fresh, "\(clip), seed \(seed)")
  }

  @Test("are told by the frames that are not whole, and only by those", arguments: 0..<20)
  func honesty(seed: UInt64) throws {
    let (format, packets) = try packets(of: "baseline.mp4")
    let whole = try decode(packets, format, threads: 1)
    #expect(whole.allSatisfy { $0.hasSuffix(" 0 0") })
    // The last slice of a picture is cut: the picture is not whole, those before it are.
    var random = SeededGenerator(seed: seed)
    let index = random.int(in: 1...packets.count - 1)
    var cut = packets
    cut[index].data.removeLast(cut[index].data.count / 3)
    let left = try decode(cut, format, threads: 1)
    #expect(Array(left.prefix(index)) == Array(whole.prefix(index)), "seed \(seed)")
    if left.count == whole.count { #expect(!left[index].hasSuffix(" 0 0"), "seed \(seed)") }
  }
}
