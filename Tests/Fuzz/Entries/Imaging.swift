// Drawings, images and lookup tables that overlays and filters are made of.

import ReelCore
import ReelImaging
import ReelPNG
import ReelText

extension FuzzEntry {
  /// SVG documents, drawn over a small picture.
  public static let svg = FuzzEntry("SVG") { bytes in
    // Without the font packages text is not drawn.
    let outliner = (try? FontBook()).map { FontOutliner($0) }
    guard let drawing = try? SVGImage(bytes, outliner: outliner) else { return }
    var composition = Composition()
    composition.layers = [drawing.layer(in: Rect(x: -3, y: 2, width: 60, height: 40))]
    let planes = FramePlanes<UInt8>(width: 48, height: 32, chromaFormat: .yuv420)
    let frame = VideoFrame(
      storage: .depth8(planes), lumaBitDepth: 8, chromaBitDepth: 8,
      crop: SampleRect(x: 0, y: 0, width: 48, height: 32))
    _ = try? Compositor().compose(frame, composition)
  }

  /// PNG files and .cube files. The first byte says which.
  public static let images = FuzzEntry("Images") { bytes in
    guard let kind = bytes.first else { return }
    if kind & 1 == 0 {
      _ = try? PNGDecoder.decode([UInt8](bytes.dropFirst()))
    } else {
      _ = try? ColourCube(cubeFile: [UInt8](bytes.dropFirst()))
    }
  }
}
