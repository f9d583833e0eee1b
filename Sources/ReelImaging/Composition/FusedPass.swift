// Codes mapped, scaled and drawn over in one walk.

internal import ReelCore

/// The common chain (a map of codes, scaling, layers) over a few rows at a time, while they are in the cache.
///
/// The same bytes as one step after the other: source rows are mapped into a ring of rows, which the scaler
/// reads, and layers are blended into the scaled rows.
struct FusedPass: Sendable {
  let scaler: FrameScaler
  /// Of Y, Cb and Cr; nil: the plane's codes stay as they are.
  let lines: [CodeMapIntegers.Line?]
  let overlay: OverlayPlanes?

  /// Scaled rows at a time: with their source rows they take less than half a megabyte at 1080p.
  private static let step = 32

  /// nil when a plane is not scaled in integers.
  init?(_ scaler: FrameScaler, _ lines: [CodeMapIntegers.Line?], _ overlay: OverlayPlanes?) {
    guard let chroma = scaler.chroma, scaler.luma.isInteger, chroma.isInteger else { return nil }
    self.scaler = scaler
    self.lines = lines
    self.overlay = overlay
  }

  /// Draws the part `crop` of `source` into all of `output`, whose surroundings are of `background`.
  func run(
    _ source: FramePlanes<UInt8>, _ crop: SampleRect, into output: FramePlanes<UInt8>,
    background: PlaneColour, _ context: FilterContext
  ) {
    let kernels = context.kernels
    for index in 0..<3 {
      scaler.surround(output, index, background)
      let plane = index == 0 ? scaler.luma : scaler.chroma ?? scaler.luma
      let walk = Walk(
        scaler: plane, place: scaler.placement(index, crop), line: lines[index],
        layer: overlay?.planes[index], ringRows: plane.rows.longestWindow(of: Self.step))
      context.executor.forBands(rows: plane.rows.outputCount, alignment: 1) { band in
        source.withPlane(index) { from in
          output.withPlane(index) { walk.run(from, into: $0, band: band, step: Self.step, kernels) }
        }
      }
      output.withPlane(index) { walk.blendAround($0) }
    }
  }

  /// One plane's part.
  private struct Walk: Sendable {
    let scaler: PlaneScaler
    let place: PlaneScaler.Placement
    let line: CodeMapIntegers.Line?
    let layer: OverlayPlanes.Plane?
    let ringRows: Int

    func run(
      _ source: borrowing SamplePlane<UInt8>, into target: borrowing SamplePlane<UInt8>,
      band: Range<Int>, step: Int, _ kernels: KernelChoice
    ) {
      let rows = scaler.rows
      let width = scaler.columns.sourceCount
      let ring = SamplePlane<UInt8>(width: width, height: ringRows)
      let ringPlace = PlaneScaler.Placement(
        targetX: place.targetX, targetY: place.targetY, ringRows: ringRows)
      var next = rows.starts[band.lowerBound]
      for first in stride(from: band.lowerBound, to: band.upperBound, by: step) {
        let last = min(first + step, band.upperBound)
        next = max(next, rows.starts[first])
        while next < rows.starts[last - 1] + rows.tapCount {
          let from = (place.sourceY + next) * source.stride + place.sourceX
          let to = next % ringRows * ring.stride
          if let line {
            CodeMapIntegers.map(source, at: from, into: ring, at: to, count: width, line)
          } else {
            ring.copy(from: source, at: from, to: to, count: width)
          }
          next += 1
        }
        scaler.run(ring, into: target, at: ringPlace, band: first..<last, kernels: kernels)
        blend(into: target, place.targetY + first..<place.targetY + last)
      }
    }

    /// Blends the layer's part in the rows `rows` of the target.
    private func blend(into target: borrowing SamplePlane<UInt8>, _ rows: Range<Int>) {
      guard let layer else { return }
      let part = (rows.lowerBound - layer.y..<rows.upperBound - layer.y)
        .clamped(to: 0..<layer.height)
      if !part.isEmpty { layer.blend(into: target, rows: part) }
    }

    /// Blends the layer's parts above and below the scaled picture.
    func blendAround(_ target: borrowing SamplePlane<UInt8>) {
      let end = place.targetY + scaler.rows.outputCount
      blend(into: target, 0..<place.targetY)
      blend(into: target, end..<max(target.height, end))
    }
  }
}

extension ScaleTable {
  /// Most source samples that `count` output samples in a row are made of.
  func longestWindow(of count: Int) -> Int {
    starts.indices.reduce(tapCount) { longest, i in
      max(longest, starts[min(i + count, outputCount) - 1] + tapCount - starts[i])
    }
  }
}
