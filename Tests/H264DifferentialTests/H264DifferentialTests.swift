internal import Foundation
internal import ReelCore
internal import ReelH264
internal import ReelRendering
internal import ReelTestSupport
internal import Testing

@Suite("H.264 against x264")
struct H264DifferentialTests {
  /// Seeds to run: 50, or REEL_SEEDS=count or REEL_SEEDS=first-last.
  static let seeds: [UInt64] = {
    let text = ProcessInfo.processInfo.environment["REEL_SEEDS"] ?? "50"
    let ends = text.split(separator: "-").compactMap { UInt64($0) }
    if ends.count == 2, ends[0] <= ends[1] { return Array(ends[0]...ends[1]) }
    return Array(1...max(1, ends.first ?? 50))
  }()

  @Test("every picture equals the encoder's own reconstruction", arguments: seeds)
  func picturesEqualTheReconstruction(seed: UInt64) throws {
    let drawn = DifferentialCase(seed: seed)
    let encoded = try encode(drawn.scene, drawn.settings)
    // One seed in two on several threads.
    let decoded = try decode(encoded.accessUnits, threads: seed % 2 == 0 ? 3 : 1)
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

  private func decode(_ accessUnits: [[UInt8]], threads: Int) throws -> [VideoFrame] {
    var options = H264DecoderOptions()
    options.threads = threads
    let decoder = try H264Decoder(configuration: [], framing: .annexB, options: options)
    var frames: [VideoFrame] = []
    for (number, unit) in accessUnits.enumerated() {
      var packet = Packet(trackIndex: 0, data: unit)
      packet.number = number
      frames += try decoder.decode(packet)
    }
    return try frames + decoder.flush()
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
