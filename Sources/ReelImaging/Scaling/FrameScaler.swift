// Draws a frame into an output of another size.

internal import ReelCore

/// Everything that stays the same from frame to frame when pictures of one form are scaled to one place.
struct FrameScaler: Sendable {
  /// What the tables depend on.
  struct Geometry: Sendable, Hashable {
    var fit: PictureFit
    var width, height: Int
    var outputWidth, outputHeight: Int
    var format: ResolvedFormat
    var filter: ScaleFilter
  }

  let geometry: Geometry
  let luma: PlaneScaler
  let chroma: PlaneScaler?

  init(_ geometry: Geometry) {
    self.geometry = geometry
    luma = Self.scaler(geometry, isChroma: false)
    chroma =
      geometry.format.format.chromaFormat.hasChroma
      ? Self.scaler(geometry, isChroma: true) : nil
  }

  private static func scaler(_ g: Geometry, isChroma: Bool) -> PlaneScaler {
    let h = isChroma ? g.format.horizontalShift : 0
    let v = isChroma ? g.format.verticalShift : 0
    let target = g.fit.target
    let across = SampleGrid.chroma(shift: h, site: g.format.siting.x)
    let down = SampleGrid.chroma(shift: v, site: g.format.siting.y)
    let columns = ScaleTable(
      sourceCount: (g.width + (1 << h) - 1) >> h, origin: g.fit.sourceX,
      length: g.fit.sourceWidth, outputCount: (target.width + (1 << h) - 1) >> h,
      outputLength: Double(target.width), source: h == 0 ? .luma : across,
      output: h == 0 ? .luma : across, filter: g.filter)
    let rows = ScaleTable(
      sourceCount: (g.height + (1 << v) - 1) >> v, origin: g.fit.sourceY,
      length: g.fit.sourceHeight, outputCount: (target.height + (1 << v) - 1) >> v,
      outputLength: Double(target.height), source: v == 0 ? .luma : down,
      output: v == 0 ? .luma : down, filter: g.filter)
    return PlaneScaler(columns: columns, rows: rows)
  }

  /// `frame` in its place; samples around it are those of `background`.
  func run(
    _ frame: VideoFrame, background: PlaneColour, pool: PlanePools, executor: any BandExecutor,
    kernels: KernelChoice = .vector
  ) -> VideoFrame {
    var result = frame
    let (width, height) = (geometry.outputWidth, geometry.outputHeight)
    switch frame.storage {
    case .depth8(let planes):
      let output = pool.planes8(
        width: width, height: height, chromaFormat: planes.chromaFormat)
      for index in 0..<planeCount {
        surround(output, index, background)
        scale(planes, into: output, index, frame.crop, executor, kernels)
      }
      result.storage = .depth8(output)
    case .depth16(let planes):
      let output = pool.planes16(
        width: width, height: height, chromaFormat: planes.chromaFormat)
      for index in 0..<planeCount {
        surround(output, index, background)
        scale(planes, into: output, index, frame.crop, executor)
      }
      result.storage = .depth16(output)
    }
    result.crop = SampleRect(x: 0, y: 0, width: width, height: height)
    result.pixelAspectRatio = .square
    return result
  }

  private var planeCount: Int { geometry.format.format.chromaFormat.hasChroma ? 3 : 1 }

  func placement(_ index: Int, _ crop: SampleRect) -> PlaneScaler.Placement {
    let h = index == 0 ? 0 : geometry.format.horizontalShift
    let v = index == 0 ? 0 : geometry.format.verticalShift
    return PlaneScaler.Placement(
      sourceX: crop.x >> h, sourceY: crop.y >> v, targetX: geometry.fit.target.x >> h,
      targetY: geometry.fit.target.y >> v)
  }

  private func scale(
    _ planes: FramePlanes<UInt8>, into output: FramePlanes<UInt8>, _ index: Int,
    _ crop: SampleRect, _ executor: any BandExecutor, _ kernels: KernelChoice
  ) {
    let scaler = index == 0 ? luma : chroma ?? luma
    let place = placement(index, crop)
    executor.forBands(rows: scaler.rows.outputCount, alignment: 1) { band in
      planes.withPlane(index) { source in
        output.withPlane(index) { target in
          scaler.run(source, into: target, at: place, band: band, kernels: kernels)
        }
      }
    }
  }

  private func scale(
    _ planes: FramePlanes<UInt16>, into output: FramePlanes<UInt16>, _ index: Int,
    _ crop: SampleRect, _ executor: any BandExecutor
  ) {
    let scaler = index == 0 ? luma : chroma ?? luma
    let place = placement(index, crop)
    let coding = geometry.format.coding
    let maximum = index == 0 ? coding.lumaMaximum : coding.chromaMaximum
    executor.forBands(rows: scaler.rows.outputCount, alignment: 1) { band in
      planes.withPlane(index) { source in
        output.withPlane(index) { target in
          scaler.run(source, into: target, at: place, band: band, maximum: maximum)
        }
      }
    }
  }

  /// Fills what lies around the target with the background.
  func surround<S: PictureSample>(
    _ output: FramePlanes<S>, _ index: Int, _ background: PlaneColour
  ) {
    let h = index == 0 ? 0 : geometry.format.horizontalShift
    let v = index == 0 ? 0 : geometry.format.verticalShift
    let target = geometry.fit.target
    let (left, top) = (target.x >> h, target.y >> v)
    let right = left + (target.width + (1 << h) - 1) >> h
    let bottom = top + (target.height + (1 << v) - 1) >> v
    let value = S(truncatingIfNeeded: background[index])
    output.withPlane(index) { plane in
      for y in 0..<plane.height {
        let row = y * plane.stride
        if y < top || y >= bottom {
          plane.fill(at: row, count: plane.width, with: value)
        } else {
          plane.fill(at: row, count: left, with: value)
          plane.fill(at: row + right, count: max(plane.width - right, 0), with: value)
        }
      }
    }
  }
}

/// The codes of one colour in the planes of a format.
struct PlaneColour: Sendable, Hashable {
  private let codes: SIMD3<Int32>

  subscript(plane: Int) -> Int { Int(codes[plane]) }

  /// The nearest codes of `colour`, whose components are limited to 0…1 and whose alpha is not used.
  init(_ colour: RGBAColor, in format: ResolvedFormat) {
    func unit(_ x: Double) -> Double { x > 0 ? min(x, 1) : 0 }
    let map = format.codesFromRGB.m
    let (r, g, b) = (unit(colour.red), unit(colour.green), unit(colour.blue))
    var codes = SIMD3<Int32>()
    for plane in 0..<3 {
      let value =
        map[plane * 4] * r + map[plane * 4 + 1] * g + map[plane * 4 + 2] * b + map[plane * 4 + 3]
      let maximum = plane == 0 ? format.coding.lumaMaximum : format.coding.chromaMaximum
      codes[plane] = Int32(min(max(value.rounded(), 0), Double(maximum)))
    }
    self.codes = codes
  }
}

/// Pools that lend planes to the stages of a composition, one for each geometry in use.
final class PlanePools {
  private struct Key: Hashable {
    var width, height: Int
    var chromaFormat: ChromaFormat
  }

  private var pools8: [(key: Key, pool: FramePool<UInt8>)] = []
  private var pools16: [(key: Key, pool: FramePool<UInt16>)] = []
  /// A composition seldom needs more geometries at once; the oldest is given up.
  private static let limit = 6

  init() {}

  func planes8(width: Int, height: Int, chromaFormat: ChromaFormat) -> FramePlanes<UInt8> {
    let key = Key(width: width, height: height, chromaFormat: chromaFormat)
    if let found = pools8.first(where: { $0.key == key }) {
      return found.pool.planes(width: width, height: height, chromaFormat: chromaFormat)
    }
    if pools8.count >= Self.limit { pools8.removeFirst() }
    pools8.append((key, FramePool()))
    return pools8[pools8.count - 1].pool.planes(
      width: width, height: height, chromaFormat: chromaFormat)
  }

  func planes16(width: Int, height: Int, chromaFormat: ChromaFormat) -> FramePlanes<UInt16> {
    let key = Key(width: width, height: height, chromaFormat: chromaFormat)
    if let found = pools16.first(where: { $0.key == key }) {
      return found.pool.planes(width: width, height: height, chromaFormat: chromaFormat)
    }
    if pools16.count >= Self.limit { pools16.removeFirst() }
    pools16.append((key, FramePool()))
    return pools16[pools16.count - 1].pool.planes(
      width: width, height: height, chromaFormat: chromaFormat)
  }
}
