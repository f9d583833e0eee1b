// Pictures made in code.

public import ReelCore

extension VideoFrame {
  /// A picture of seeded noise in coded planes that are larger than the part to show.
  ///
  /// - Parameter margin: Samples that the crop leaves out on every side; even.
  public static func noise(
    width: Int, height: Int, chroma: ChromaFormat = .yuv420, depth: Int = 8, margin: Int = 0,
    seed: UInt64 = 1
  ) -> VideoFrame {
    let crop = SampleRect(x: margin, y: margin, width: width, height: height)
    let (codedWidth, codedHeight) = (width + 2 * margin, height + 2 * margin)
    func frame(_ storage: Storage) -> VideoFrame {
      VideoFrame(storage: storage, lumaBitDepth: depth, chromaBitDepth: depth, crop: crop)
    }
    if depth == 8 {
      let planes = FramePlanes<UInt8>(
        width: codedWidth, height: codedHeight, chromaFormat: chroma)
      planes.fillWithNoise(maximum: 255, seed: seed)
      return frame(.depth8(planes))
    }
    let planes = FramePlanes<UInt16>(width: codedWidth, height: codedHeight, chromaFormat: chroma)
    planes.fillWithNoise(maximum: .max >> UInt16(16 - depth), seed: seed)
    return frame(.depth16(planes))
  }

  /// The sample at (`x`, `y`) of plane 0 (Y), 1 (Cb) or 2 (Cr), counted from the crop's corner.
  public func sample(plane: Int, x: Int, y: Int) -> Int {
    let h = plane == 0 ? 0 : chromaFormat.horizontalShift
    let v = plane == 0 ? 0 : chromaFormat.verticalShift
    let (x, y) = ((crop.x >> h) + x, (crop.y >> v) + y)
    return switch storage {
    case .depth8(let planes): planes.withPlane(plane) { Int($0[y * $0.stride + x]) }
    case .depth16(let planes): planes.withPlane(plane) { Int($0[y * $0.stride + x]) }
    }
  }
}

extension FramePlanes {
  /// Fills all planes with numbers 0…`maximum` that depend on `seed` alone.
  public func fillWithNoise(maximum: Sample, seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for index in 0..<3 {
      withPlane(index) { plane in
        for y in 0..<plane.height {
          for x in 0..<plane.width {
            plane[y * plane.stride + x] = .random(in: 0...maximum, using: &random)
          }
        }
      }
    }
  }
}
