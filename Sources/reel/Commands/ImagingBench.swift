// `reel bench --imaging`: filters, scaling and overlays.

import ReelCore
import ReelImaging
import ReelKit
import ReelRendering

/// Measures compositions on one 1080p picture.
enum ImagingBench {
  private static let count = 48

  static func run(
    _ path: String?, runs: Int, threads: Int
  ) throws(MediaError) -> [Measurement] {
    var frame = SyntheticPicture.frame(width: 1920, height: 1080)
    if let path, let first = try Asset.open(path: path).makeLinearFrameReader().next()?.frame {
      var whole = Composition()
      whole.size = PixelSize(width: 1920, height: 1080)
      frame = try Compositor().compose(first, whole)
    }
    var measurements: [Measurement] = []
    for (name, composition) in try compositions() {
      let compositor = Compositor(executor: ConcurrentExecutor(threadCount: threads))
      // What is kept from picture to picture is made before.
      _ = try compositor.compose(frame, composition)
      measurements.append(
        try .best(of: runs, name) { () throws(MediaError) in
          for _ in 0..<count { _ = try compositor.compose(frame, composition) }
          return count
        })
    }
    return measurements
  }

  private static func compositions() throws(MediaError) -> [(String, Composition)] {
    func filtered(_ filter: FilterDescription) -> Composition {
      var composition = Composition()
      composition.filters = [filter]
      return composition
    }
    var tone = Composition()
    (tone.brightness, tone.contrast) = (0.1, 1.2)
    var small = Composition()
    small.size = PixelSize(width: 1280, height: 720)
    var over = Composition()
    var sheet = ShapeDescription(
      path: ShapeDescription.rectangle(Rect(x: 0, y: 0, width: 1920, height: 1080)))
    sheet.fill = RGBAColor(red: 1, green: 0, blue: 0, alpha: 0.5)
    over.layers = [.shape(sheet)]
    var chain = small
    (chain.brightness, chain.contrast) = (0.1, 1.2)
    sheet.path = ShapeDescription.ellipse(in: Rect(x: 40, y: 40, width: 400, height: 200))
    chain.layers = [.shape(sheet)]
    return [
      ("brightness + contrast", tone), ("bicubic to 720p", small), ("overlay over all", over),
      ("scale + tone + overlay", chain),
      ("CIGaussianBlur 10", filtered(.init("CIGaussianBlur", ["inputRadius": 10]))),
      ("CIBoxBlur 10", filtered(.init("CIBoxBlur", ["inputRadius": 10]))),
      ("CIUnsharpMask 1", filtered(.init("CIUnsharpMask", ["inputRadius": 1]))),
      ("CISepiaTone", filtered(.init("CISepiaTone"))),
      ("CIHueAdjust", filtered(.init("CIHueAdjust", ["inputAngle": 0.5]))),
      ("CIColorCube 33", filtered(try cube().filter)),
    ]
  }

  /// A cube that dims blue.
  private static func cube() throws(MediaError) -> ColourCube {
    var values: [Float] = []
    for b in 0..<33 {
      for g in 0..<33 {
        for r in 0..<33 { values += [Float(r) / 32, Float(g) / 32, Float(b) / 40] }
      }
    }
    return try ColourCube(dimension: 33, values: values)
  }
}
