internal import Foundation
internal import ReelKit
internal import ReelTestSupport
internal import Testing

/// The clips that this project made.
enum Clips {
  static let names: [String] = {
    let folder = Places.testVector("clips").path
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
      .filter { !$0.hasPrefix(".") }.sorted()
  }()
}

@Suite("Golden dumps")
struct GoldenTests {
  @Test("there are clips")
  func clipsAreThere() { #expect(Clips.names.count >= 10) }

  @Test("a clip reads as it was recorded", arguments: Clips.names)
  func clipReadsAsRecorded(name: String) throws {
    let text = try dump(Places.testVector("clips").appendingPathComponent(name))
    let difference = try GoldenText.difference("clips/\(name).dump", text)
    #expect(difference == nil, "\(difference ?? "")")
  }

  @Test("FFmpeg decodes the whole clips to the same hashes", arguments: Clips.names)
  func ffmpegAgrees(name: String) throws {
    // What is made up in place of damage is everybody's own.
    guard let ffmpeg = findProgram("ffmpeg"), name != "damaged.mp4", name != "cut.264" else {
      return
    }
    let file = Places.testVector("clips").appendingPathComponent(name)
    let result = try runProgram(
      ffmpeg,
      [
        "-v", "error", "-noautorotate", "-i", file.path, "-fps_mode", "passthrough", "-f",
        "framemd5", "-",
      ])
    let theirs = result.outputText.split(separator: "\n").filter { !$0.hasPrefix("#") }
      .map { String($0.suffix(32)) }
    let reader = try Asset.open(path: file.path).makeLinearFrameReader()
    var ours: [String] = []
    while let frame = try reader.next() { ours.append("\(MD5.digest(of: frame.frame))") }
    #expect(ours == theirs)
  }
}

@Suite("Frame by number or time")
struct FrameExactnessTests {
  /// The clips here, and the one that the loop player ships, where it is at hand.
  static let files: [URL] = {
    var files = Clips.names.map { Places.testVector("clips").appendingPathComponent($0) }
    if let shared = Places.sharedVectors {
      let swipe =
        "isobmff/swiftuiux+swiftui-loop-videoPlayer/Tests/swiftui-loop-videoplayerTests/Resources/"
        + "swipe.mp4"
      files.append(shared.appendingPathComponent(swipe))
    } else {
      print("skipped: swipe.mp4 is not at hand")
    }
    return files
  }()

  @Test(
    "every frame equals that of a linear decode, backwards and in random order", arguments: files)
  func everyFrameIsExact(file: URL) throws {
    let asset = try Asset.open(path: file.path)
    let linear = try asset.makeLinearFrameReader()
    var expected: [(digest: Digest, start: Rational, end: Rational)] = []
    while let frame = try linear.next() {
      expected.append((MD5.digest(of: frame.frame), frame.start, frame.end))
    }
    // A small cache, so that going back means decoding again.
    var options = FrameReader.Options()
    options.cacheByteCount = 1 << 20
    let reader = try asset.makeFrameReader(options: options)
    #expect(try reader.frameCount == expected.count)
    var random = SeededGenerator(seed: 11)
    let orders = [Array(expected.indices.reversed()), expected.indices.shuffled(using: &random)]
    for number in orders.flatMap({ $0 }) {
      let frame = try #require(try reader.frame(number: number), "frame \(number)")
      #expect(MD5.digest(of: frame.frame) == expected[number].digest, "frame \(number)")
      #expect(frame.start == expected[number].start && frame.end == expected[number].end)
    }
    for number in expected.indices.shuffled(using: &random).prefix(40) {
      let middle = (expected[number].start + expected[number].end) / Rational(2)
      let frame = try #require(try reader.frame(at: middle), "at \(middle)")
      #expect(frame.number == number && MD5.digest(of: frame.frame) == expected[number].digest)
    }
  }
}
