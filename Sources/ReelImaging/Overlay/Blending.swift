// Overlays and insets into the planes of a frame.

internal import ReelCore

extension OverlayPlanes {
  /// Blends all planes into a frame whose planes nobody else holds, in bands of the overlay's rows.
  func blend(into frame: VideoFrame, executor: any BandExecutor) {
    if let coverage = frame.alpha { alpha.blend(into: coverage.y, rows: 0..<alpha.height) }
    switch frame.storage {
    case .depth8(let target):
      for (index, plane) in planes.enumerated() {
        plane.forBands(executor) { band in
          target.withPlane(index) { plane.blend(into: $0, rows: band) }
        }
      }
    case .depth16(let target):
      for (index, plane) in planes.enumerated() {
        plane.forBands(executor) { band in
          target.withPlane(index) { plane.blend(into: $0, rows: band) }
        }
      }
    }
  }
}

extension OverlayPlanes.Plane {
  /// Samples for which threads take longer to start than the blending of all of them does.
  private static let fewSamples = 32_768

  fileprivate func forBands(_ executor: any BandExecutor, _ body: @Sendable (Range<Int>) -> Void) {
    if width * height <= Self.fewSamples { return body(0..<height) }
    executor.forBands(rows: height, alignment: 1, body)
  }
}

/// A picture into another through a mask.
struct MaskedCopy {
  /// 0…255 for each pixel of the place.
  let mask: [UInt8]
  let place: SampleRect
  let format: ResolvedFormat

  func run(_ source: VideoFrame, into target: VideoFrame) {
    switch (source.storage, target.storage) {
    case (.depth8(let from), .depth8(let to)): copy(from, into: to)
    case (.depth16(let from), .depth16(let to)): copy(from, into: to)
    default: break  // Both have the picture's depth.
    }
    guard let alpha = target.alpha else { return }
    for y in 0..<place.height {
      for x in 0..<place.width {
        let at = (place.y + y) * alpha.y.stride + place.x + x
        let (old, m) = (UInt32(alpha.y[at]), UInt32(mask[y * place.width + x]))
        alpha.y[at] = UInt8((255 * m + old * (255 - m) + 127) / 255)
      }
    }
  }

  private func copy<S: PictureSample>(_ source: FramePlanes<S>, into target: FramePlanes<S>) {
    for index in 0..<(source.chromaFormat.hasChroma ? 3 : 1) {
      let h = index == 0 ? 0 : format.horizontalShift
      let v = index == 0 ? 0 : format.verticalShift
      source.withPlane(index) { from in
        target.withPlane(index) { to in
          for y in 0..<min(from.height, to.height - place.y >> v) {
            for x in 0..<min(from.width, to.width - place.x >> h) {
              let m = coverage(x, y, h, v)
              let at = ((place.y >> v) + y) * to.stride + (place.x >> h) + x
              let (new, old) = (UInt64(from[y * from.stride + x]), UInt64(to[at]))
              to[at] = S((new * m + old * (65_280 - m) + 32_640) / 65_280)
            }
          }
        }
      }
    }
  }

  /// The mean of the mask over a sample's pixels, 0…65,280.
  private func coverage(_ x: Int, _ y: Int, _ h: Int, _ v: Int) -> UInt64 {
    var sum: UInt64 = 0
    for dy in 0..<(1 << v) {
      for dx in 0..<(1 << h) {
        let px = min((x << h) + dx, place.width - 1)
        let py = min((y << v) + dy, place.height - 1)
        sum += UInt64(mask[py * place.width + px])
      }
    }
    return sum << UInt64(8 - h - v)
  }
}

extension VideoFrame {
  /// A frame of one colour.
  static func filled(
    width: Int, height: Int, format: PictureFormat, colour: PlaneColour
  ) -> VideoFrame {
    func planes<S: PictureSample>(_: S.Type) -> FramePlanes<S> {
      let planes = FramePlanes<S>(
        width: width, height: height, chromaFormat: format.chromaFormat)
      for index in 0..<(format.chromaFormat.hasChroma ? 3 : 1) {
        planes.withPlane(index) { plane in
          for y in 0..<plane.height {
            plane.fill(
              at: y * plane.stride, count: plane.width,
              with: S(truncatingIfNeeded: colour[index]))
          }
        }
      }
      return planes
    }
    var frame = VideoFrame(
      storage: format.isDeep ? .depth16(planes(UInt16.self)) : .depth8(planes(UInt8.self)),
      lumaBitDepth: format.lumaBitDepth, chromaBitDepth: format.chromaBitDepth,
      crop: SampleRect(x: 0, y: 0, width: width, height: height))
    frame.colour = format.colour
    frame.pixelAspectRatio = .square
    return frame
  }

  /// What is known of this frame, with the planes and the shape of another.
  func withPlanes(of other: VideoFrame) -> VideoFrame {
    var frame = self
    frame.storage = other.storage
    frame.crop = other.crop
    frame.pixelAspectRatio = other.pixelAspectRatio
    frame.colour = other.colour
    frame.alpha = other.alpha
    return frame
  }
}
