internal import Foundation
internal import ReelCore
internal import ReelH264
internal import ReelRendering
internal import ReelTestSupport
internal import Testing

@Suite("H.264 against x264")
struct H264DifferentialTests {
  /// Seeds to run: 50 and those that x264 gets wrong, or REEL_SEEDS=count or REEL_SEEDS=first-last.
  static let seeds: [UInt64] = {
    guard let text = ProcessInfo.processInfo.environment["REEL_SEEDS"] else {
      return Array(1...50) + KnownDisagreement.all.map(\.seed)
    }
    let ends = text.split(separator: "-").compactMap { UInt64($0) }
    if ends.count == 2, ends[0] <= ends[1] { return Array(ends[0]...ends[1]) }
    return Array(1...max(1, ends.first ?? 50))
  }()

  @Test("every picture equals the encoder's own reconstruction", arguments: seeds)
  func picturesEqualTheReconstruction(seed: UInt64) throws {
    let drawn = DifferentialCase(seed: seed)
    let encoded = try encode(drawn.scene, drawn.settings)
    // One seed in two on several threads.
    let (decoded, fault) = try decode(encoded.accessUnits, threads: seed % 2 == 0 ? 3 : 1)
    if let known = KnownDisagreement.of(seed: seed, stream: encoded.accessUnits) {
      check(known, decoded, fault, encoded)
      return
    }
    #expect(decoded.count == encoded.pictures.count, "\(drawn)")
    for (number, (frame, expected)) in zip(decoded, encoded.pictures).enumerated() {
      let isWhole = frame.concealedBlockCount == 0 && frame.missingReferenceCount == 0
      #expect(isWhole, "picture \(number) of \(drawn)")
      let difference = firstDifference(frame, expected, drawn.scene)
      if let difference {
        let kept = try keep(encoded, seed)
        Issue.record("picture \(number), \(difference), of \(drawn); the stream is \(kept)")
        return
      }
    }
  }

  /// What is known of a stream that x264 itself gets wrong.
  private func check(
    _ known: KnownDisagreement, _ decoded: [VideoFrame], _ fault: MediaError?,
    _ encoded: EncodedScene
  ) {
    #expect(decoded.count == encoded.pictures.count, "seed \(known.seed)")
    switch known.evidence {
    case .otherDecoders(let md5):
      var all = MD5()
      for frame in decoded { all.update(frame.bytes) }
      #expect("\(all.finalize())" == md5, "seed \(known.seed)")
      #expect(decoded.allSatisfy { $0.concealedBlockCount == 0 }, "seed \(known.seed)")
    case .impossibleMode(let picture, let macroblock):
      #expect(fault?.rule.code == "h264.intra-mode", "seed \(known.seed)")
      #expect(fault?.place == .picture(picture, macroblock: macroblock), "seed \(known.seed)")
      checkPictures(before: picture, decoded, encoded, known.seed)
      let damaged = decoded.first { $0.decodeIndex == picture }
      #expect(damaged.map { $0.concealedBlockCount > 0 } == true, "seed \(known.seed)")
    case .unstable(let picture): checkPictures(before: picture, decoded, encoded, known.seed)
    }
  }

  private func checkPictures(
    before picture: Int, _ decoded: [VideoFrame], _ encoded: EncodedScene, _ seed: UInt64
  ) {
    for (frame, expected) in zip(decoded, encoded.pictures) where frame.decodeIndex < picture {
      #expect(frame.bytes.starts(with: expected), "seed \(seed)")
    }
  }

  private func decode(
    _ accessUnits: [[UInt8]], threads: Int
  ) throws -> (frames: [VideoFrame], fault: MediaError?) {
    var options = H264DecoderOptions()
    options.threads = threads
    let decoder = try H264Decoder(configuration: [], framing: .annexB, options: options)
    var frames: [VideoFrame] = []
    for (number, unit) in accessUnits.enumerated() {
      var packet = Packet(trackIndex: 0, data: unit)
      packet.number = number
      frames += try decoder.decode(packet)
    }
    frames += try decoder.flush()
    return (frames, decoder.firstFault)
  }

  /// Keeps the stream and the reconstruction of a failed seed, to be looked at with other decoders.
  private func keep(_ encoded: EncodedScene, _ seed: UInt64) throws -> String {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("reel-seed-\(seed).264")
    try Data(encoded.accessUnits.flatMap { $0 }).write(to: file)
    try Data(encoded.pictures.flatMap { $0 }).write(
      to: file.deletingPathExtension().appendingPathExtension("yuv"))
    return file.path
  }

  /// Where the first sample differs: plane, place, macroblock and both values; nil when none does.
  private func firstDifference(
    _ frame: VideoFrame, _ expected: [UInt8], _ scene: SyntheticScene
  ) -> String? {
    guard frame.width == scene.width, frame.height == scene.height,
      frame.chromaFormat == scene.chroma
    else { return "size \(frame.width)x\(frame.height) \(frame.chromaFormat)" }
    let bytes = frame.bytes
    // The layout adds grey chroma to a picture that has none.
    guard !bytes.starts(with: expected) else { return nil }
    let at = zip(bytes, expected).enumerated().first { $1.0 != $1.1 }?.offset ?? 0
    var sample = at / scene.sampleByteCount
    for (index, plane) in scene.planes.enumerated() {
      if sample < plane.width * plane.height {
        let (y, x) = sample.quotientAndRemainder(dividingBy: plane.width)
        let luma = (
          index == 0 ? x : x << scene.chroma.horizontalShift,
          index == 0 ? y : y << scene.chroma.verticalShift
        )
        return "plane \(index) at (\(x), \(y)), macroblock (\(luma.0 / 16), \(luma.1 / 16)): "
          + "\(bytes[at]) for \(expected[at])"
      }
      sample -= plane.width * plane.height
    }
    return "length \(bytes.count)"
  }
}
