// Overlays in the form of a picture, ready to be blended.

internal import ReelCore

/// An overlay as planes of codes with alpha multiplied in, and what they leave of the picture.
///
/// A picture's sample d becomes p + d · rest, where p = α · code and rest = 1 − α.
struct OverlayPlanes: Sendable {
  /// One plane's part of the overlay.
  struct Plane: Sendable {
    /// Place in the plane.
    let x, y, width, height: Int
    /// α · code and 65,535 · (1 − α), row by row. The former has 8 more fractional bits for 8-bit planes.
    fileprivate(set) var codes: [UInt16]
    fileprivate(set) var rest: [UInt16]
    /// First and last sample of each row with something in it; empty where there is nothing.
    fileprivate(set) var spans: [Range<Int>]
    let maximum: Int
  }

  /// Y, Cb, Cr, and the alpha plane of a frame that has one (its "code" is 255).
  let planes: [Plane]
  let alpha: Plane

  /// nil when there is nothing to see. `alphaScale`: what full coverage counts in the frame's alpha.
  init?(
    _ canvas: Canvas, format: ResolvedFormat, width: Int, height: Int, alphaScale: Float = 1
  ) {
    guard let used = canvas.usedBounds else { return nil }
    let map = format.codesFromRGB.m
    planes = (0..<(format.format.chromaFormat.hasChroma ? 3 : 1)).map { index in
      let h = index == 0 ? 0 : format.horizontalShift
      let v = index == 0 ? 0 : format.verticalShift
      let row = index * 4
      let weights = SIMD4<Float>(
        Float(map[row]), Float(map[row + 1]), Float(map[row + 2]), Float(map[row + 3]))
      let maximum = index == 0 ? format.coding.lumaMaximum : format.coding.chromaMaximum
      return Self.plane(
        canvas, used, weights, h, v, (width, height), maximum: maximum)
    }
    alpha = Self.plane(
      canvas, used, SIMD4(0, 0, 0, 255 * alphaScale), 0, 0, (width, height), maximum: 255)
  }

  /// `weights`: of red, green, blue and alpha in a code; alpha carries the offset.
  private static func plane(
    _ canvas: Canvas, _ used: SampleRect, _ weights: SIMD4<Float>, _ h: Int, _ v: Int,
    _ size: (width: Int, height: Int), maximum: Int
  ) -> Plane {
    let (left, top) = (used.x >> h, used.y >> v)
    let right = min((used.x + used.width + (1 << h) - 1) >> h, (size.width + (1 << h) - 1) >> h)
    let bottom = min((used.y + used.height + (1 << v) - 1) >> v, (size.height + (1 << v) - 1) >> v)
    let count = (right - left) * (bottom - top)
    var plane = Plane(
      x: left, y: top, width: right - left, height: bottom - top,
      codes: [UInt16](repeating: 0, count: count), rest: [UInt16](repeating: .max, count: count),
      spans: [], maximum: maximum)
    let unit: Float = maximum < 256 ? 256 : 1
    let limit: Float = maximum < 256 ? 65_280 : Float(maximum)
    let share = 1 / Float(1 << (h + v))
    for y in 0..<plane.height {
      var (first, last) = (plane.width, -1)
      for x in 0..<plane.width {
        // The mean of the pixels that the sample covers; those outside of the picture count as the edge.
        var sum = SIMD4<Float>.zero
        for dy in 0..<(1 << v) {
          for dx in 0..<(1 << h) {
            let px = min(((left + x) << h) + dx, size.width - 1)
            let py = min(((top + y) << v) + dy, size.height - 1)
            let inside =
              px >= used.x && py >= used.y && px < used.x + used.width && py < used.y + used.height
            if inside { sum += canvas[px, py] }
          }
        }
        guard sum != .zero else { continue }
        let mean = sum * share
        let code = (mean * weights).sum() * unit + 0.5
        let rest = (1 - mean.w) * 65_535 + 0.5
        plane.codes[y * plane.width + x] = UInt16(min(max(code, 0), limit))
        plane.rest[y * plane.width + x] = UInt16(min(max(rest, 0), 65_535))
        first = min(first, x)
        last = x
      }
      plane.spans.append(last < 0 ? 0..<0 : first..<last + 1)
    }
    return plane
  }
}

extension OverlayPlanes.Plane {
  /// Blends some of the overlay's rows into `target`, which starts at the picture's first sample.
  func blend(into target: borrowing SamplePlane<UInt8>, rows: Range<Int>) {
    blend(into: target, rows) { d, code, rest in
      // d · 2⁸ · rest ÷ 2¹⁶ has 8 fractional bits, as the codes have; 65,535 leaves d as it is.
      let kept = UInt16(truncatingIfNeeded: (UInt32(UInt16(d) &<< 8) &* UInt32(rest)) >> 16)
      let sum = UInt16(truncatingIfNeeded: min(UInt32(code) &+ UInt32(kept), 65_407))
      return UInt8(truncatingIfNeeded: (sum &+ 128) >> 8)
    }
  }

  func blend(into target: borrowing SamplePlane<UInt16>, rows: Range<Int>) {
    let limit = UInt32(maximum)
    blend(into: target, rows) { d, code, rest in
      let product = UInt32(d) &* UInt32(rest)
      // Rounded division by 65,535.
      let kept = (product &+ 32_768 &+ (product &+ 32_768) >> 16) >> 16
      return UInt16(truncatingIfNeeded: min(UInt32(code) &+ kept, limit))
    }
  }

  /// `over`: a sample with a code over it. Inlined into its callers, or it would be called for each sample.
  @inline(__always)
  private func blend<S: PictureSample>(
    into target: borrowing SamplePlane<S>, _ rows: Range<Int>,
    _ over: (_ sample: S, _ code: UInt16, _ rest: UInt16) -> S
  ) {
    for row in rows {
      let span = spans[row]
      guard !span.isEmpty else { continue }
      let from = row * width + span.lowerBound
      let codes = codes.span.extracting(from..<from + span.count)
      let rest = rest.span.extracting(from..<from + span.count)
      let offset = (y + row) * target.stride + x + span.lowerBound
      target.withMutableSamples(at: offset, count: span.count) { samples in
        let n = samples.count
        precondition(codes.count >= n && rest.count >= n)
        for i in 0..<n { samples[i] = over(samples[i], codes[i], rest[i]) }
      }
    }
  }
}
