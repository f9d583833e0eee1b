// The small pictures of a wide blur.

internal import ReelCore

/// A plane of half, a quarter, … of the size, its samples in 14 bits.
///
/// Sample i of a half lies between the samples 2i and 2i + 1 of the whole. All arithmetic is integers;
/// every result is rounded to the nearest, so that no bias builds up. The first half reaches over the
/// edges of the picture by a margin of repeated edge samples, so that a blur sees them as they are.
struct HalvedPlane: Sendable {
  /// Plane 0 holds the samples.
  let planes: FramePlanes<UInt16>
  let width, height: Int
  /// Codes are shifted by this much to have 14 bits; negative: to the right.
  let shift: Int

  private init(width: Int, height: Int, shift: Int, pools: PlanePools) {
    planes = pools.planes16(width: width, height: height, chromaFormat: .monochrome)
    self.width = width
    self.height = height
    self.shift = shift
  }

  // MARK: Halving

  /// Half of a plane of a picture with `margin` of its samples on all sides, an even number.
  static func halved<S: PictureSample>(
    _ source: FramePlanes<S>, _ info: PlaneInfo, margin: Int, pools: PlanePools,
    executor: any BandExecutor
  ) -> HalvedPlane {
    let bits = Int.bitWidth - info.maximum.leadingZeroBitCount
    let half = HalvedPlane(
      width: (info.width + 1) / 2 + margin, height: (info.height + 1) / 2 + margin,
      shift: 14 - bits, pools: pools)
    executor.forBands(rows: half.height, alignment: 1) { [half] band in
      source.withPlane(info.index) { plane in
        let rows = RowSource(
          origin: info.y * plane.stride + info.x, width: info.width, height: info.height,
          margin: margin)
        if S.bitWidth == 8 {
          // 8 bits times 8 times 8 are the 14 bits themselves.
          half.fill(from: plane, rows, band, UInt16.self, shift: 0)
        } else {
          half.fill(from: plane, rows, band, UInt32.self, shift: bits + 6 - 14)
        }
      }
    }
    return half
  }

  /// Half of this plane.
  func halved(pools: PlanePools, _ executor: any BandExecutor) -> HalvedPlane {
    let half = HalvedPlane(
      width: (width + 1) / 2, height: (height + 1) / 2, shift: shift, pools: pools)
    let rows = RowSource(origin: 0, width: width, height: height, margin: 0)
    executor.forBands(rows: half.height, alignment: 1) { [half, planes] band in
      half.fill(from: planes.y, rows, band, UInt32.self, shift: 6)
    }
    return half
  }

  /// Where the rows of a source lie.
  private struct RowSource {
    let origin, width, height, margin: Int

    /// Offset of the row that stands for row `y` of what is halved, margins included.
    func offset(_ y: Int, _ stride: Int) -> Int {
      origin + min(max(y - margin, 0), height - 1) * stride
    }
  }

  /// Rows `band` of this half; `T` holds 64 times a sample.
  private func fill<S: PictureSample, T: PictureAccumulator>(
    from plane: borrowing SamplePlane<S>, _ rows: RowSource, _ band: Range<Int>, _: T.Type,
    shift: Int
  ) {
    // One more sample on both sides, for the weights that reach over the edges.
    var sums = [T](repeating: 0, count: 2 * width + 2)
    let stride = plane.stride
    for y in band {
      plane.withSamples(at: rows.offset(2 * y - 1, stride), count: rows.width) { a in
        plane.withSamples(at: rows.offset(2 * y, stride), count: rows.width) { b in
          plane.withSamples(at: rows.offset(2 * y + 1, stride), count: rows.width) { c in
            plane.withSamples(at: rows.offset(2 * y + 2, stride), count: rows.width) { d in
              Self.sumColumns(a, b, c, d, into: &sums, from: 1 + rows.margin)
            }
          }
        }
      }
      let (first, last) = (1 + rows.margin, rows.margin + rows.width)
      for x in 0..<first { sums[x] = sums[first] }
      for x in last + 1..<sums.count { sums[x] = sums[last] }
      planes.y.withMutableSamples(at: y * planes.y.stride, count: width) {
        Self.halveRow(sums, into: &$0, shift: shift)
      }
    }
  }

  /// sums[x + first] ← a + 3b + 3c + d.
  private static func sumColumns<S: PictureSample, T: PictureAccumulator>(
    _ a: Span<S>, _ b: Span<S>, _ c: Span<S>, _ d: Span<S>, into array: inout [T],
    from first: Int
  ) {
    var sums = array.mutableSpan
    let n = a.count
    precondition(b.count >= n && c.count >= n && d.count >= n && sums.count >= n + first)
    for x in 0..<n {
      let outer = T(truncatingIfNeeded: a[x]) &+ T(truncatingIfNeeded: d[x])
      let inner = T(truncatingIfNeeded: b[x]) &+ T(truncatingIfNeeded: c[x])
      sums[x &+ first] = outer &+ inner &* 3
    }
  }

  private static func halveRow<T: PictureAccumulator>(
    _ array: [T], into row: inout MutableSpan<UInt16>, shift: Int
  ) {
    let sums = array.span
    let n = row.count
    precondition(sums.count >= 2 * n + 2 && shift >= 0 && shift < T.bitWidth)
    let round = shift == 0 ? 0 : T(1) << (shift - 1)
    for i in 0..<n {
      let outer = sums[2 &* i] &+ sums[2 &* i &+ 3]
      let inner = sums[2 &* i &+ 1] &+ sums[2 &* i &+ 2]
      row[i] = UInt16(
        truncatingIfNeeded: (outer &+ inner &* 3 &+ round) &>> T(truncatingIfNeeded: shift))
    }
  }

  // MARK: The small picture

  func convolved(_ blur: GaussianBlur, _ context: FilterContext) -> HalvedPlane {
    let result = HalvedPlane(width: width, height: height, shift: shift, pools: context.pools)
    let convolution = SymmetricConvolution(
      across: blur.columnWeights, down: blur.rowWeights, bits: 14, maximum: 16_383)
    let part = SymmetricConvolution.Part(x: 0, y: 0, width: width, height: height)
    context.executor.forBands(rows: height, alignment: 1) { [planes, result] band in
      convolution.run(planes.y, part, into: result.planes.y, band: band)
    }
    return result
  }

  // MARK: Doubling

  /// Twice this plane, in the size of `size`.
  func doubled(
    to size: HalvedPlane, pools: PlanePools, _ executor: any BandExecutor
  ) -> HalvedPlane {
    let result = HalvedPlane(width: size.width, height: size.height, shift: shift, pools: pools)
    executor.forBands(rows: size.height, alignment: 1) { [self, result] band in
      double(into: result.planes.y, width: result.width, band: band, shift: 2, margin: 0)
    }
    return result
  }

  /// Twice this plane without the margin it was halved with, as samples of a picture.
  func doubled<S: PictureSample>(
    into output: FramePlanes<S>, _ info: PlaneInfo, margin: Int, _ executor: any BandExecutor
  ) {
    executor.forBands(rows: info.height, alignment: 1) { [self] band in
      output.withPlane(info.index) { target in
        // A doubled sample has 16 bits; a code has 14 − `shift`.
        double(into: target, width: info.width, band: band, shift: 2 + shift, margin: margin / 2)
      }
    }
  }

  /// `margin`: samples of this plane before the first that is wanted.
  private func double<S: PictureSample>(
    into target: borrowing SamplePlane<S>, width: Int, band: Range<Int>, shift: Int, margin: Int
  ) {
    let count = (width + 1) / 2
    var sums = [UInt16](repeating: 0, count: count + 2)
    let stride = planes.y.stride
    // With a margin both neighbours of every sample are there; without, the edges are repeated.
    let first = max(margin - 1, 0)
    let last = min(margin + count, self.width - 1)
    let lead = 1 - (margin - first)
    for y in band {
      let near = margin + y >> 1
      let far = min(max(y & 1 == 0 ? near - 1 : near + 1, 0), height - 1)
      planes.y.withSamples(at: near * stride + first, count: last - first + 1) { near in
        planes.y.withSamples(at: far * stride + first, count: last - first + 1) { far in
          Self.mixRows(near, far, into: &sums, from: lead)
        }
      }
      if lead > 0 { sums[0] = sums[1] }
      if margin + count > last { sums[count + 1] = sums[count] }
      target.withMutableSamples(at: y * target.stride, count: width) {
        Self.doubleRow(sums, into: &$0, shift: shift)
      }
    }
  }

  /// sums[x + first] ← ¾ near + ¼ far, rounded.
  private static func mixRows(
    _ near: Span<UInt16>, _ far: Span<UInt16>, into array: inout [UInt16], from first: Int
  ) {
    var sums = array.mutableSpan
    let n = near.count
    precondition(far.count >= n && sums.count >= n + first)
    // 14 bits times 4 fill the 16, with 3 to spare for rounding.
    for x in 0..<n { sums[x &+ first] = (near[x] &* 3 &+ far[x] &+ 2) &>> 2 }
  }

  /// Four times the samples between the sums, without the lowest `shift` bits.
  private static func doubleRow<S: PictureSample>(
    _ array: [UInt16], into row: inout MutableSpan<S>, shift: Int
  ) {
    let sums = array.span
    let n = row.count
    precondition(sums.count >= (n + 1) / 2 + 2 && shift >= 0 && shift < 16)
    let first = UInt16(truncatingIfNeeded: max(shift - 1, 0))
    let second: UInt16 = shift == 0 ? 0 : 1
    for i in 0..<n / 2 {
      let middle = sums[i &+ 1] &* 3
      let left = (middle &+ sums[i]) &>> first &+ second
      let right = (middle &+ sums[i &+ 2]) &>> first &+ second
      row[2 &* i] = S(truncatingIfNeeded: left &>> second)
      row[2 &* i &+ 1] = S(truncatingIfNeeded: right &>> second)
    }
    if n & 1 == 1 {
      let left = (sums[n / 2 + 1] &* 3 &+ sums[n / 2]) &>> first &+ second
      row[n - 1] = S(truncatingIfNeeded: left &>> second)
    }
  }
}

/// A type that sums of samples are made in.
protocol PictureAccumulator: FixedWidthInteger, UnsignedInteger {}
extension UInt16: PictureAccumulator {}
extension UInt32: PictureAccumulator {}
