internal import Foundation
internal import ReelCore
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

  @Test("FFmpeg decodes what the harness says", arguments: seeds)
  func harness(seed: UInt64) throws {
    let drawn = DifferentialCase(seed: seed)
    let encoded = try encode(drawn.scene, drawn.settings)
    guard let ffmpeg = findProgram("ffmpeg") else { return }
    let folder = try TemporaryFolder()
    try Data(encoded.accessUnits.flatMap { $0 }).write(
      to: folder.url.appendingPathComponent("a.264"))
    let result = try runProgram(
      ffmpeg,
      [
        "-v", "error", "-i", folder.path("a.264"), "-vsync", "passthrough", "-f", "rawvideo", "-",
      ])
    let expected = encoded.pictures.flatMap { $0 }
    let agrees = result.output == expected
    #expect(agrees, "\(result.output.count) \(expected.count) \(drawn) \(result.errorText)")
  }
}
