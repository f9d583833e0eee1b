// The clean aperture. ISO/IEC 14496-12:2020 §12.1.4.2.

public import ReelCore

extension VideoFrame {
  /// This frame without what lies outside of an aperture; the planes are shared.
  ///
  /// The aperture's sides move outwards to whole chroma samples; an aperture that leaves nothing of the
  /// picture or lies outside of it changes nothing.
  func cut(to aperture: CleanAperture) -> VideoFrame {
    let (h, v) = (chromaFormat.horizontalShift, chromaFormat.verticalShift)
    guard
      let across = Self.side(
        crop.x, crop.width, aperture.width, aperture.horizontalOffset, shift: h),
      let down = Self.side(crop.y, crop.height, aperture.height, aperture.verticalOffset, shift: v)
    else { return self }
    var frame = self
    frame.crop = SampleRect(
      x: across.start, y: down.start, width: across.length, height: down.length)
    return frame
  }

  private static func side(
    _ origin: Int, _ length: Int, _ size: Rational, _ offset: Rational, shift: Int
  ) -> (start: Int, length: Int)? {
    let whole = Rational(length)
    guard size > .zero, size <= whole, offset > -whole, offset < whole else { return nil }
    // The centre of the aperture is `offset` from the picture's, whose first sample counts as 0.
    let first = Rational(origin) + (whole - size) / Rational(2) + offset
    let unit = 1 << shift
    let low = max(Int(clamping: first.floor), origin)
    let high = min(-Int(clamping: (-(first + size)).floor), origin + length)
    let start = max((low >> shift) << shift, (origin >> shift) << shift)
    let end = min(((high + unit - 1) >> shift) << shift, origin + length)
    guard end > start else { return nil }
    return (start, end - start)
  }
}

extension Composition {
  /// The size of what comes out for a frame.
  public func outputSize(of frame: VideoFrame) -> PixelSize {
    if let size { return size }
    let shown = aperture.map(frame.cut(to:)) ?? frame
    return orientation.isTransposed
      ? PixelSize(width: shown.height, height: shown.width)
      : PixelSize(width: shown.width, height: shown.height)
  }
}
