import Foundation
import ReelKit
import ReelRendering
import ReelTestSupport
import Testing

/// A scenario with pictures: whole, twice, and in parts.
@Suite struct ScenarioRenderTests {
  private static let script = """
    0     loop
    1.3   speed 0.3
    2     seek 1.5 play
    2.7   rate -1
    4.1   pause
    4.6   speed 1.75
    6     loopDelay 0.25
    8     unloop
    """

  /// The MD5 of each picture at 25 Hz from a host time on, and the log up to there.
  private func render(from: Rational, duration: Rational) throws -> (
    hashes: [String], log: [String]
  ) {
    let clip = Places.testVector("clips/demo.mp4")
    let asset = try Asset.open(path: clip.path)
    var options = OfflineRenderer.Options()
    options.sampling = .rate(25)
    options.from = from
    options.duration = duration
    let renderer = try OfflineRenderer(
      inputs: [try RenderInput(name: "demo.mp4", asset: asset)],
      script: try Script(parsing: Self.script), options: options)
    var log: [String] = []
    renderer.onLog = { (entry) throws(MediaError) in log.append(entry.json) }
    let output = MemoryOutput()
    try renderer.render(to: FrameMD5Sink(output))
    let hashes = output.text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
      String($0.split(separator: ",").last ?? "").trimmingCharacters(in: .whitespaces)
    }
    return (hashes, log)
  }

  @Test("a scenario twice, and in seven parts at any pictures, gives the same pictures and log")
  func sevenParts() throws {
    let whole = try render(from: 0, duration: 10)
    #expect(whole.hashes.count == 250 && Set(whole.hashes).count > 20)
    let again = try render(from: 0, duration: 10)
    #expect(again == whole)
    var random = SeededGenerator(seed: 7)
    let cuts = [0] + (0..<6).map { _ in random.int(in: 1...249) }.sorted() + [250]
    var hashes: [String] = []
    for (begin, end) in zip(cuts, cuts.dropFirst()) where end > begin {
      let part = try render(from: Rational(begin, 25), duration: Rational(end - begin, 25))
      hashes += part.hashes
      #expect(whole.log.starts(with: part.log), "the log up to \(end)")
    }
    #expect(hashes == whole.hashes, "cuts \(cuts)")
  }

  @Test("without pictures the log is the same, and nothing is decoded")
  func logWithoutPictures() throws {
    let asset = try Asset.open(path: Places.testVector("clips/demo.mp4").path)
    var options = OfflineRenderer.Options()
    options.sampling = .rate(25)
    options.duration = 10
    let renderer = try OfflineRenderer(
      inputs: [try RenderInput(name: "demo.mp4", asset: asset)],
      script: try Script(parsing: Self.script), options: options)
    var log: [String] = []
    renderer.onLog = { (entry) throws(MediaError) in log.append(entry.json) }
    try renderer.render(to: NullSink(needsPictures: false))
    #expect(log == (try render(from: 0, duration: 10)).log && !log.isEmpty)
    #expect(renderer.summary.decodedCount == 0 && renderer.summary.pictureCount == 250)
  }
}
