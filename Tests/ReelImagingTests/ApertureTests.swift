internal import ReelCore
internal import Testing

@testable internal import ReelImaging

@Suite("Clean aperture")
struct ApertureTests {
  private func aperture(_ w: Int, _ h: Int, _ x: Rational = .zero, _ y: Rational = .zero)
    -> CleanAperture
  {
    CleanAperture(
      width: Rational(w), height: Rational(h), horizontalOffset: x, verticalOffset: y)
  }

  @Test("cuts around the centre and its offset, to whole chroma samples")
  func cut() throws {
    let frame = VideoFrame.noise(width: 40, height: 30, format: format(.yuv420), seed: 3)
    let middle = frame.cut(to: aperture(20, 10))
    #expect(middle.crop == SampleRect(x: 10, y: 10, width: 20, height: 10))
    let moved = frame.cut(to: aperture(20, 10, Rational(-5), Rational(3)))
    // 5 … 25 and 13 … 23 reach out to the chroma samples 4 … 26 and 12 … 24.
    #expect(moved.crop == SampleRect(x: 4, y: 12, width: 22, height: 12))
    let half = frame.cut(to: aperture(19, 9, Rational(1, 2)))
    #expect(half.crop == SampleRect(x: 10, y: 10, width: 20, height: 10))
    #expect(middle.samples(1)[0, 0] == frame.samples(1)[5, 5])
  }

  @Test("of nonsense changes nothing")
  func nonsense() {
    let frame = VideoFrame.noise(width: 40, height: 30, format: format(.yuv420), seed: 3)
    for bad in [
      aperture(0, 0), aperture(-4, 10), aperture(400, 10), aperture(10, 31),
      aperture(4, 4, Rational(1_000_000)), aperture(4, 4, .zero, Rational(-40)),
    ] {
      #expect(frame.cut(to: bad).crop == frame.crop)
    }
  }

  @Test("is cut before the picture is turned and sized, and tells the size of what comes out")
  func composed() throws {
    let frame = VideoFrame.scene(width: 40, height: 30, format: format(.yuv420))
    var composition = Composition()
    composition.aperture = aperture(20, 10)
    composition.orientation = Orientation(quarterTurns: 1)
    let result = try Compositor().compose(frame, composition)
    #expect(result.width == 10 && result.height == 20)
    #expect(composition.outputSize(of: frame) == PixelSize(width: 10, height: 20))
    // A turn clockwise brings the left column's bottom to the top left.
    #expect(result.samples(0)[0, 0] == frame.samples(0)[10, 19])
  }
}
