// Where the codes of a picture would end before its colours do.

internal import ReelCore

extension CodeMap {
  /// What a picture may hold so that a map gives the colours of R′G′B′ limited to 0…1.
  ///
  /// Codes reach farther than 0…1, so that what leaves it is cut off where it is shown, as the limit would
  /// have. Where a code itself is cut that is not so: a bright yellow of less luma and all of its chroma is
  /// another yellow. Greys are an exception, which are white or black there in both ways.
  struct Limits: Sendable, Equatable {
    /// Codes of luma that become codes; nil when none does.
    let luma: ClosedRange<Int>?
    /// How far chroma may lie from its middle to stay in its codes, −1 when not even the middle does.
    let chroma: Int
    /// How far chroma may lie from its middle beside a luma that is cut: within the codes' room beyond
    /// 0…1 such a pixel is white or black. −1 when not even the middle may.
    let grey: Int
    let middle: Int

    init(luma: Row, blue: Row, red: Row, format: ResolvedFormat) {
      let coding = format.coding
      self.luma = Self.codes(luma, maximum: Double(coding.lumaMaximum))
      middle = Int(coding.chromaOffset.rounded())
      let (centre, top) = (coding.chromaOffset, Double(coding.chromaMaximum))
      let m = format.rgbFromCodes.m
      // Grey at the ends of the codes, and what a code of chroma adds to a colour at most.
      let shift = (m[1] + m[2]) * centre + m[3]
      let room = max(min(m[0] * Double(coding.lumaMaximum) + shift - 1, -shift), 0)
      let slope = max(
        m[1].magnitude + m[2].magnitude, m[5].magnitude + m[6].magnitude,
        m[9].magnitude + m[10].magnitude)
      let gain = max(
        blue.own.magnitude + blue.other.magnitude, red.own.magnitude + red.other.magnitude)
      let moved = max(
        ((blue.own + blue.other - 1) * centre + blue.offset).magnitude,
        ((red.own + red.other - 1) * centre + red.offset).magnitude)
      func distance(_ reach: Double) -> Int {
        let rest = reach - moved
        if rest < 0 { return -1 }
        return gain * top <= rest ? Int(top) : Int(rest / gain)
      }
      chroma = distance(min(centre, top - centre) + 0.5)
      // A code less or more is the error that a map has anyway.
      grey = distance(room / slope + 1)
    }

    /// The codes that a line takes to codes.
    private static func codes(_ row: Row, maximum: Double) -> ClosedRange<Int>? {
      if row.own == 0 {
        return row.offset >= -0.5 && row.offset <= maximum + 0.5 ? 0...Int(maximum) : nil
      }
      let ends = [(-0.5 - row.offset) / row.own, (maximum + 0.5 - row.offset) / row.own]
      let low = max(min(ends[0], ends[1]), 0).rounded(.up)
      let high = min(max(ends[0], ends[1]), maximum).rounded(.down)
      return low <= high ? Int(low)...Int(high) : nil
    }
  }

  /// A code of the picture would be cut where that shows.
  func cuts<S: PictureSample>(_ source: FramePlanes<S>, _ place: Place) -> Bool {
    // Planes of G, B and R are limited one by one in both ways.
    if isRGB { return false }
    if limits.chroma >= chromaMaximum && limits.luma == 0...lumaMaximum { return false }
    let crop = place.crop
    let (h, v) = (place.horizontalShift, place.verticalShift)
    let step = 64
    for y in place.chroma(0..<crop.height) {
      let line = (crop.y >> v + y) * source.cb.stride + crop.x >> h
      var x = 0
      while x < place.chromaWidth {
        let count = min(step, place.chromaWidth - x)
        let far = max(
          reach(source.cb, line + x, count), reach(source.cr, line + x, count))
        if far > limits.chroma { return true }
        if far > limits.grey {
          let columns = min(count << h, crop.width - x << h)
          for row in y << v..<min((y + 1) << v, crop.height) {
            let at = (crop.y + row) * source.y.stride + crop.x + x << h
            let (low, high) = Self.extent(source.y, at, columns)
            guard let codes = limits.luma, codes.lowerBound <= low, high <= codes.upperBound else {
              return true
            }
          }
        }
        x += count
      }
    }
    return false
  }

  /// The farthest that a sample lies from the middle of chroma.
  private func reach<S: PictureSample>(
    _ plane: borrowing SamplePlane<S>, _ at: Int, _ count: Int
  ) -> Int {
    let (low, high) = Self.extent(plane, at, count)
    return max(limits.middle - low, high - limits.middle)
  }

  /// The smallest and the largest of some samples, at least one.
  private static func extent<S: PictureSample>(
    _ plane: borrowing SamplePlane<S>, _ at: Int, _ count: Int
  ) -> (low: Int, high: Int) {
    plane.withSamples(at: at, count: count) { samples in
      var low = S.max
      var high = S.min
      for i in 0..<samples.count {
        low = min(low, samples[i])
        high = max(high, samples[i])
      }
      return (Int(low), Int(high))
    }
  }
}
