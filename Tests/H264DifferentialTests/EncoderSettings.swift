// Parameters for the reference encoder, drawn from a seed.

internal import ReelCore
internal import ReelTestSupport

/// Parts of the standard that a drawn stream may use.
struct EncoderScope: OptionSet, Sendable {
  let rawValue: Int
  static let interlaced = EncoderScope(rawValue: 1)
  static let highDepth = EncoderScope(rawValue: 2)
  static let yuv422 = EncoderScope(rawValue: 4)
  static let yuv444 = EncoderScope(rawValue: 8)
  static let monochrome = EncoderScope(rawValue: 16)
  static let lossless = EncoderScope(rawValue: 32)
  static let everything: EncoderScope = [
    .interlaced, .highDepth, .yuv422, .yuv444, .monochrome, .lossless,
  ]
}

/// What the encoder is told: names and values as its command line has them.
struct EncoderSettings: CustomStringConvertible {
  var preset = "medium"
  /// x264's number of the chroma format.
  var colourSpace = 2
  var options: [(name: String, value: String)] = []

  var description: String {
    "--preset \(preset) --input-csp \(colourSpace) "
      + options.map { "--\($0.name) \($0.value)" }.joined(separator: " ")
  }

  /// The same with a constant quantiser that is higher; nil when the rate is told otherwise.
  func withHigherQP(by step: Int) -> EncoderSettings? {
    guard let index = options.firstIndex(where: { $0.name == "qp" }),
      let qp = Int(options[index].value)
    else { return nil }
    var settings = self
    settings.options[index].value = String(qp + step)
    return settings
  }

  fileprivate mutating func set(_ name: String, _ value: some CustomStringConvertible) {
    options.append((name, value.description))
  }
}

/// A scene and how to encode it, all from one seed.
struct DifferentialCase: CustomStringConvertible {
  let seed: UInt64
  let scene: SyntheticScene
  let settings: EncoderSettings

  var description: String {
    "seed \(seed): \(scene.width)x\(scene.height) \(scene.chroma) \(scene.bitDepth) bit, "
      + "\(scene.pictureCount) pictures, x264 \(settings)"
  }

  init(seed: UInt64, scope: EncoderScope = .everything) {
    self.seed = seed
    var random = SeededGenerator(seed: seed)
    var settings = EncoderSettings()
    settings.preset =
      ["ultrafast", "veryfast", "medium", "slow", "placebo"].randomElement(
        using: &random) ?? "medium"

    // Draws happen whether they are in scope or not, so that a seed means the same stream in every scope.
    let interlaced = random.one(in: 4)
    let isDeep = random.one(in: 5)
    let format = random.int(in: 0...11)
    var chroma = ChromaFormat.yuv420
    if format == 0 && scope.contains(.yuv422) { chroma = .yuv422 }
    if format == 1 && scope.contains(.yuv444) { chroma = .yuv444 }
    if format == 2 && scope.contains(.monochrome) { chroma = .monochrome }
    settings.colourSpace = [.monochrome: 1, .yuv420: 2, .yuv422: 6, .yuv444: 12][chroma] ?? 2
    let isInterlaced = interlaced && scope.contains(.interlaced)
    let bitDepth = isDeep && scope.contains(.highDepth) ? 10 : 8

    // Sizes that are no multiples of 16 as a rule; chroma and fields want even ones.
    let width = random.int(in: 8...90) * 2
    let height =
      random.int(in: 4...40) * 4 + (isInterlaced ? 0 : [0, 2].randomElement(using: &random) ?? 0)
    scene = SyntheticScene(
      width: width, height: height, chroma: chroma, bitDepth: bitDepth,
      pictureCount: random.int(in: 2...20), random: &random)

    Self.drawPrediction(&settings, &random, isInterlaced: isInterlaced)
    Self.drawResidual(&settings, &random, bitDepth: bitDepth, isLossless: scope.contains(.lossless))
    Self.drawStructure(&settings, &random, isMonochrome: chroma == .monochrome)
    self.settings = settings
  }

  private static func drawPrediction(
    _ settings: inout EncoderSettings, _ random: inout SeededGenerator, isInterlaced: Bool
  ) {
    if isInterlaced {
      settings.set(random.one(in: 2) ? "tff" : "bff", "1")
    }
    let bFrames = [0, 0, 1, 2, 3, 5, 8].randomElement(using: &random) ?? 0
    settings.set("bframes", bFrames)
    settings.set("b-adapt", random.int(in: 0...2))
    settings.set("b-pyramid", ["none", "strict", "normal"].randomElement(using: &random) ?? "none")
    settings.set("ref", random.int(in: 1...16))
    settings.set("weightp", random.int(in: 0...2))
    settings.set("weightb", random.int(in: 0...1))
    settings.set(
      "direct", ["none", "spatial", "temporal", "auto"].randomElement(using: &random) ?? "auto")
    let partitions = ["p8x8", "p4x4", "b8x8", "i8x8", "i4x4"].filter { _ in random.one(in: 2) }
    settings.set(
      "partitions",
      random.one(in: 3) ? "all" : partitions.isEmpty ? "none" : partitions.joined(separator: ","))
    settings.set("me", ["dia", "hex", "umh"].randomElement(using: &random) ?? "hex")
    settings.set("subme", random.int(in: 0...10))
    settings.set("merange", random.int(in: 4...32))
    settings.set("mixed-refs", random.int(in: 0...1))
    if random.one(in: 4) { settings.set("no-chroma-me", "1") }
    if random.one(in: 4) { settings.set("no-fast-pskip", "1") }
    if random.one(in: 5) { settings.set("constrained-intra", "1") }
    if random.one(in: 8) { settings.set("mvrange", random.int(in: 32...128)) }
  }

  private static func drawResidual(
    _ settings: inout EncoderSettings, _ random: inout SeededGenerator, bitDepth: Int,
    isLossless: Bool
  ) {
    settings.set("cabac", random.int(in: 0...1))
    settings.set("8x8dct", random.int(in: 0...1))
    settings.set("trellis", random.int(in: 0...2))
    settings.set("aq-mode", random.int(in: 0...3))
    settings.set("psy-rd", "\(random.int(in: 0...2)):\(random.int(in: 0...1))")
    settings.set("chroma-qp-offset", random.int(in: -12...12))
    let lowest = isLossless ? 0 : 1
    switch random.int(in: 0...3) {
    case 0: settings.set("qp", max(lowest, random.int(in: 0...51 + 6 * (bitDepth - 8))))
    case 1: settings.set("crf", random.int(in: 1...45))
    case 2: settings.set("bitrate", random.int(in: 10...2000))
    default:
      settings.set("crf", random.int(in: 1...45))
      settings.set("qpmin", random.int(in: 1...20))
      settings.set("qpmax", random.int(in: 30...51))
    }
    switch random.int(in: 0...4) {
    case 0: settings.set("cqm", "jvt")
    case 1:
      for list in ["cqm4i", "cqm4p", "cqm8i", "cqm8p"] where !random.one(in: 3) {
        let count = list.hasPrefix("cqm4") ? 16 : 64
        let values = (0..<count).map { _ in String(random.int(in: 4...80)) }
        settings.set(list, values.joined(separator: ","))
      }
    default: break
    }
    if random.one(in: 5) {
      settings.set("no-deblock", "1")
    } else {
      settings.set("deblock", "\(random.int(in: -6...6)):\(random.int(in: -6...6))")
    }
    if random.one(in: 6) { settings.set("nr", random.int(in: 1...1000)) }
  }

  private static func drawStructure(
    _ settings: inout EncoderSettings, _ random: inout SeededGenerator, isMonochrome: Bool
  ) {
    settings.set("keyint", [1, 2, 5, 12, 250].randomElement(using: &random) ?? 250)
    settings.set("min-keyint", 1)
    settings.set("scenecut", random.one(in: 2) ? 40 : 0)
    settings.set("rc-lookahead", random.int(in: 0...12))
    if random.one(in: 4) { settings.set("open-gop", "1") }
    // x264 0.164 follows a null pointer when it refreshes columns of a picture without chroma.
    if random.one(in: 6) && !isMonochrome { settings.set("intra-refresh", "1") }
    switch random.int(in: 0...5) {
    case 0: settings.set("slices", random.int(in: 2...6))
    case 1: settings.set("slice-max-mbs", random.int(in: 1...30))
    case 2: settings.set("slice-max-size", random.int(in: 100...1500))
    default: break
    }
    if random.one(in: 4) { settings.set("aud", "1") }
    if random.one(in: 6) { settings.set("pic-struct", "1") }
    settings.set("sps-id", random.int(in: 0...31))
  }
}
