internal import ReelAssets
internal import ReelCore
internal import ReelImaging
internal import ReelPlayback
internal import ReelTestSupport
internal import Testing

@testable internal import ReelRendering

/// Counts the samples of a luma value in each picture it is given.
private final class LumaSink: Sink {
  let value: UInt8
  var counts: [Int] = []
  var sizes: [PixelSize] = []
  init(counting value: UInt8) { self.value = value }
  func begin(_ timing: OutputTiming) {}
  func write(_ frame: VideoFrame, key: CompositionKey?, timing: PictureTiming) {
    guard case .depth8(let planes) = frame.storage else { return }
    var count = 0
    for y in 0..<frame.height {
      for x in 0..<frame.width
      where planes.y[(frame.crop.y + y) * planes.y.stride + frame.crop.x + x] == value {
        count += 1
      }
    }
    counts.append(count)
    sizes.append(PixelSize(width: frame.width, height: frame.height))
  }
  func writeAgain(_ key: CompositionKey, timing: PictureTiming) -> Bool { false }
  func finish() {}
  func abandon() {}
}

/// A bar over the left half of the bounds, told what they are.
private struct HalfBar: ShapeLayerBuilderProtocol {
  let id = "half"
  func build(with geometry: (frame: Rect, bounds: Rect)) -> ShapeLayer {
    let size = geometry.bounds.size
    return ShapeDescription(
      path: ShapeDescription.rectangle(
        Rect(x: 0, y: 0, width: size.width / 2, height: size.height)), fill: .white)
  }
}

@Suite("Presentations composed")
struct PresentationComposerTests {
  private static func render(
    base: Composition = Composition(), overlays: [any OverlayBuilder] = [], inset: Inset = Inset(),
    script: String = "", count: Int = 4
  ) throws -> LumaSink {
    let input = try RenderInput.stills(
      StillDemuxer(durations: [Int64](repeating: 10, count: count)))
    let composer = try PresentationComposer(base: base, overlays: overlays, inset: inset)
    let renderer = try OfflineRenderer(
      inputs: [input], script: Script(parsing: script), composer: composer)
    let sink = LumaSink(counting: 235)
    try renderer.render(to: sink)
    return sink
  }

  /// Noise holds some samples of every value.
  private static let most = 16 * 16

  @Test("builders are asked for the bounds that the output has")
  func bounds() throws {
    let plain = try Self.render(overlays: [ShapeOverlay(HalfBar())])
    #expect(plain.sizes.allSatisfy { $0 == PixelSize(width: 16, height: 16) })
    #expect(plain.counts.allSatisfy { $0 >= 128 && $0 < 140 })
    var base = Composition()
    base.size = PixelSize(width: 64, height: 32)
    base.background = .black
    let sized = try Self.render(base: base, overlays: [ShapeOverlay(HalfBar())])
    #expect(sized.sizes.allSatisfy { $0 == PixelSize(width: 64, height: 32) })
    #expect(sized.counts.allSatisfy { $0 >= 1024 && $0 < 1060 })
  }

  @Test("vectors of a script appear and go at their times")
  func script() throws {
    let sink = try Self.render(
      script: """
        0.1 addVector a rect=0,0,16,16 fill=#ffffff
        0.2 addVector b rect=0,0,0.5,1 fill=#000000 units=fraction
        0.3 removeAllVectors
        """)
    #expect(sink.counts.count == 4)
    #expect(sink.counts[0] < 16 && sink.counts[1] == Self.most)
    #expect(sink.counts[2] == Self.most / 2 && sink.counts[3] < 16)
  }

  @Test("the inset comes with startPiP and goes with stopPiP")
  func inset() throws {
    var base = Composition()
    base.background = .white
    var inset = Inset()
    inset.scale = 0.5
    inset.cornerRadius = 0
    let sink = try Self.render(
      base: base, inset: inset, script: "0.1 startPiP\n0.3 stopPiP")
    #expect(sink.counts[0] < 16 && sink.counts[3] < 16)
    for number in 1...2 { #expect((192...210).contains(sink.counts[number])) }
  }

  @Test("a large backdrop is not looked at again for each picture")
  func largeBackdrop() throws {
    let side = 3_000
    var inset = Inset()
    inset.backdrop = try RGBAImage(
      width: side, height: side, pixels: [UInt8](repeating: 255, count: 4 * side * side))
    let clock = ContinuousClock()
    let begin = clock.now
    // Hashing 36 MB a picture would take a minute.
    let sink = try Self.render(
      inset: inset, script: "0 startPiP\n50 brightness 0.1\n80 brightness 0", count: 10_000)
    #expect(clock.now - begin < .seconds(20))
    #expect(sink.counts.count >= 9_000 && sink.counts.allSatisfy { $0 > 100 })
  }

  @Test("equal values have one number; past the limit all are forgotten, and no number comes again")
  func numbers() {
    var values = NumberedValues<String>(limit: 3)
    #expect(["a", "b", "a", "c"].map { values.number(of: $0) } == [1, 2, 1, 3])
    #expect(values[2] == "b" && values[0] == nil && values[4] == nil)
    #expect(values.number(of: "d") == 4 && values.count == 1)
    #expect(values[1] == nil && values[4] == "d")
    #expect(values.number(of: "a") == 5 && values.number(of: "d") == 4)
  }

  @Test("images are equal when all of their pixels are, and hash by some of them")
  func images() throws {
    var pixels = [UInt8](repeating: 7, count: 4 * 100)
    let one = try RGBAImage(width: 10, height: 10, pixels: pixels)
    pixels[3] = 7
    let same = try RGBAImage(width: 10, height: 10, pixels: pixels)
    #expect(one == same && one.hashValue == same.hashValue)
    for index in pixels.indices {
      var other = pixels
      other[index] = 8
      #expect(try RGBAImage(width: 10, height: 10, pixels: other) != one)
    }
    #expect(try RGBAImage(width: 20, height: 5, pixels: pixels) != one)
  }

  @Test("drawings and images lie where their place says")
  func places() {
    let bounds = Rect(x: 0, y: 0, width: 200, height: 100)
    let size = Size(width: 40, height: 20)
    #expect(OverlayPlace().frame(of: size, in: bounds) == Rect(x: 0, y: 0, width: 40, height: 20))
    #expect(
      OverlayPlace(x: .pixels(-10), y: .part(0.5), width: .part(0.5)).frame(of: size, in: bounds)
        == Rect(x: 90, y: 50, width: 100, height: 50))
    #expect(
      OverlayPlace(x: .pixels(-0.0), y: .pixels(-0.0), height: .pixels(10))
        .frame(of: size, in: bounds) == Rect(x: 180, y: 90, width: 20, height: 10))
    #expect(OverlayPlace(width: .pixels(9)).frame(of: .zero, in: bounds).size.height == 0)
  }

  @Test("a matrix that neither turns nor mirrors is an error that names the input")
  func matrix() throws {
    #expect(Orientation(matrix: [60_000, 30_000, 0, -30_000, 60_000, 0, 0, 0, 1 << 30]) == nil)
  }
}
