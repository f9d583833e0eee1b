internal import ReelCore
internal import ReelTestSupport
internal import Testing

@testable internal import ReelImaging

@Suite("Mapping, scaling and layers in one walk")
struct FusedPassTests {
  private static var layers: [OverlayLayer] {
    var disc = ShapeDescription(
      path: ShapeDescription.ellipse(in: Rect(x: -4, y: 3, width: 50, height: 300)))
    disc.fill = RGBAColor(red: 1, green: 0.2, blue: 0, alpha: 0.6)
    return [.shape(disc)]
  }

  /// Both steps by themselves: neither is a chain.
  private static func apart(
    _ frame: VideoFrame, _ composition: Composition, _ compositor: Compositor
  ) throws -> VideoFrame {
    var (first, second) = (Composition(), composition)
    (first.brightness, first.contrast) = (composition.brightness, composition.contrast)
    first.filters = composition.filters
    (second.brightness, second.contrast, second.filters) = (0, 1, [])
    return try compositor.compose(compositor.compose(frame, first), second)
  }

  @Test(
    "gives the bytes of one step after the other", arguments: [(50, 64), (210, 120), (96, 34)])
  func equal(width: Int, height: Int) throws {
    for form in [format(.yuv420), format(.yuv422, matrix: 6, full: true), format(.yuv444)] {
      // No code is cut, so that the walk is taken.
      var generator = SeededGenerator(seed: 3)
      var frame = VideoFrame.made(width: 100, height: 92, format: form) { _, _, _ in
        generator.int(in: 80...170)
      }
      frame.crop = SampleRect(x: 4, y: 2, width: 90, height: 86)
      for filter in [ScaleFilter.bilinear, .bicubic, .lanczos3] {
        for gravity in Gravity.allCases {
          for contrast in [0.6, 1.3] {
            for bands in 1...3 {
              var composition = Composition()
              composition.size = PixelSize(width: width, height: height)
              (composition.scaleFilter, composition.gravity) = (filter, gravity)
              (composition.brightness, composition.contrast) = (0.1, contrast)
              composition.background = RGBAColor(red: 0.2, green: 0.4, blue: 0.6)
              composition.layers = bands == 3 ? [] : Self.layers
              let compositor = Compositor(
                executor: SerialExecutor(width: bands), kernels: bands == 2 ? .plain : .vector)
              let fused = try compositor.compose(frame, composition)
              #expect(compositor.fusedPictures == 1, "\(form.chromaFormat) \(filter) \(gravity)")
              let steps = try Self.apart(frame, composition, compositor)
              #expect(compositor.fusedPictures == 1)
              #expect(
                fused.fingerprint == steps.fingerprint,
                "\(form.chromaFormat) \(filter) \(gravity) \(contrast) \(bands)")
              #expect(fused.colour == steps.colour)
              #expect(fused.pixelAspectRatio == steps.pixelAspectRatio)
            }
          }
        }
      }
    }
  }

  @Test("is not taken where more happens, or less")
  func elsewhere() throws {
    let frame = VideoFrame.scene(width: 64, height: 48, format: format(.yuv420))
    var chain = Composition()
    (chain.brightness, chain.contrast) = (0.05, 0.9)
    chain.size = PixelSize(width: 40, height: 30)
    func isTaken(_ change: (inout Composition) -> Void) throws -> Bool {
      var composition = chain
      change(&composition)
      let compositor = Compositor()
      _ = try compositor.compose(frame, composition)
      return compositor.fusedPictures == 1
    }
    #expect(try isTaken { _ in })
    #expect(try !isTaken { $0.size = nil })
    #expect(try !isTaken { $0.size = PixelSize(width: 64, height: 48) })
    #expect(try !isTaken { ($0.brightness, $0.contrast) = (0, 1) })
    #expect(try !isTaken { $0.contrast = 3 }, "codes are cut")
    #expect(try !isTaken { $0.cornerRadius = 4 })
    #expect(try !isTaken { $0.inset = Inset() })
    #expect(try !isTaken { $0.background.alpha = 0.5 })
    #expect(try !isTaken { $0.filters = [.init("CISepiaTone")] })
    #expect(try !isTaken { $0.filters = [.init("CIGaussianBlur")] })
    #expect(try !isTaken { $0.usesLinearLight = true })
    #expect(try !isTaken { $0.scaleFilter = .nearest })
  }
}
