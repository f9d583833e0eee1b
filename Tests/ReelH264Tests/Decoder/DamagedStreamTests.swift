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

  private func hash(_ frame: VideoFrame) -> UInt64 { frame.sampleHash }

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

  // MARK: Lost pictures

  /// Frames by presentation time: a hash, and whether all samples are said to be right.
  private func told(
    _ packets: [Packet], _ format: VideoFormat, policy: ConcealmentPolicy = .conceal
  ) throws -> [Int64: (hash: UInt64, isWhole: Bool)] {
    var options = H264DecoderOptions()
    options.concealment = policy
    let decoder = try H264Decoder(
      configuration: format.configuration, framing: format.framing, options: options)
    var told: [Int64: (hash: UInt64, isWhole: Bool)] = [:]
    func add(_ frames: [VideoFrame]) {
      for frame in frames {
        guard let ticks = frame.presentationTicks else { continue }
        let isWhole = frame.concealedBlockCount == 0 && frame.missingReferenceCount == 0
        told[ticks] = (hash(frame), isWhole)
      }
    }
    for packet in packets { add((try? decoder.decode(packet)) ?? []) }
    while true {
      // Where damage is an error it may be thrown several times, once a picture.
      do {
        add(try decoder.flush())
        return told
      } catch {
        if policy == .conceal { return told }
      }
    }
  }

  @Test(
    "never hold a wrong frame that claims to be right when a picture is lost",
    arguments: ["interlaced.mp4", "baseline.mp4", "reorder.mp4"], 1..<25)
  func lostPicture(clip: String, index: Int) throws {
    let (format, packets) = try packets(of: clip)
    guard index < packets.count else { return }
    let right = try told(packets, format)
    var left = packets
    left.remove(at: index)
    let concealed = try told(left, format)
    #expect(concealed.count >= left.count - 1, "\(clip) without packet \(index)")
    for (ticks, frame) in concealed where frame.isWhole {
      #expect(frame.hash == right[ticks]?.hash, "\(clip) without packet \(index), at \(ticks)")
    }
    for (ticks, frame) in try told(left, format, policy: .fail) {
      #expect(frame.hash == right[ticks]?.hash, "\(clip) without packet \(index), at \(ticks)")
    }
  }

  @Test(
    "tell every frame up to the next IDR picture that comes from a lost one, and none behind it")
  func damageSpreads() throws {
    // Ten pictures between IDR pictures, each predicted from the one before.
    let (format, packets) = try packets(of: "baseline.mp4")
    var left = packets
    let lost = try #require(left[3].presentationTicks)
    left.remove(at: 3)
    let next = try #require(left.dropFirst(3).first { $0.isSync }?.presentationTicks)
    let frames = try told(left, format)
    #expect(frames.keys.contains { $0 > lost && $0 < next } && frames.keys.contains { $0 >= next })
    for (ticks, frame) in frames {
      #expect(frame.isWhole == (ticks < lost || ticks >= next), "at \(ticks)")
    }
  }
}
