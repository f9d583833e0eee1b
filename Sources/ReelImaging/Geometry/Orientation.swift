// Turning and mirroring by right angles.

public import ReelCore

/// One of the eight ways a picture can stand.
///
/// The picture is first transposed (rows become columns) where `isTransposed` says so, then mirrored.
public struct Orientation: Sendable, Hashable {
  public var isTransposed = false
  public var isMirroredAcross = false
  public var isMirroredDown = false

  public init() {}
  public static let upright = Orientation()

  /// The orientation of a track's display matrix; nil where the matrix is not a turn by right angles.
  /// ISO/IEC 14496-12:2020 §6.2.2.
  public init?(matrix: [Int32]?) {
    guard let matrix else { return }
    guard matrix.count == 9 else { return nil }
    let (a, b, c, d) = (Int64(matrix[0]), Int64(matrix[1]), Int64(matrix[3]), Int64(matrix[4]))
    // What is 1,000 times smaller than the main entry is rounding of a writer.
    if min(a.magnitude, d.magnitude) > 1000 * max(b.magnitude, c.magnitude) {
      isMirroredAcross = a < 0
      isMirroredDown = d < 0
    } else if min(b.magnitude, c.magnitude) > 1000 * max(a.magnitude, d.magnitude) {
      isTransposed = true
      isMirroredAcross = c < 0
      isMirroredDown = b < 0
    } else {
      return nil
    }
  }

  /// A turn clockwise by `quarters` right angles.
  public init(quarterTurns quarters: Int) {
    switch quarters & 3 {
    case 1: (isTransposed, isMirroredAcross) = (true, true)
    case 2: (isMirroredAcross, isMirroredDown) = (true, true)
    case 3: (isTransposed, isMirroredDown) = (true, true)
    default: break
    }
  }

  public var isUpright: Bool { self == .upright }
}

extension VideoFrame {
  /// This frame turned; the same planes when it stands upright already.
  ///
  /// Chroma stays where it belongs: where the turned positions cannot be told by a location code,
  /// chroma is interpolated by half a sample. 4:2:2 becomes 4:4:4 when it is transposed.
  ///
  /// - Throws: `.unsupported` for a matrix or depth that is not built.
  public func oriented(_ orientation: Orientation) throws(MediaError) -> VideoFrame {
    if orientation.isUpright { return self }
    try checkPictureSize(width, height)
    if chromaFormat == .yuv422 && orientation.isTransposed {
      var target = format
      target.chromaFormat = .yuv444
      return try converted(to: target).oriented(orientation)
    }
    let resolved = try ResolvedFormat(format, width: width, height: height)
    let turn = FrameTurn(orientation, width: width, height: height, format: resolved)
    var frame = self
    switch storage {
    case .depth8(let planes): frame.storage = .depth8(turn.run(planes, crop: crop))
    case .depth16(let planes): frame.storage = .depth16(turn.run(planes, crop: crop))
    }
    frame.crop = SampleRect(x: 0, y: 0, width: turn.width, height: turn.height)
    if orientation.isTransposed {
      frame.pixelAspectRatio = Ratio(pixelAspectRatio.denominator, pixelAspectRatio.numerator)
    }
    if turn.format.format.chromaFormat == .yuv420 || turn.format.format.chromaFormat == .yuv422 {
      frame.colour.chromaLocation = turn.format.format.colour.chromaLocation
    }
    return frame
  }
}

/// Turns the planes of a frame.
private struct FrameTurn {
  let orientation: Orientation
  let source: ResolvedFormat
  /// The format with the chroma location after the turn.
  let format: ResolvedFormat
  let sourceWidth, sourceHeight: Int
  let width, height: Int

  init(
    _ orientation: Orientation, width: Int, height: Int, format: ResolvedFormat
  ) {
    self.orientation = orientation
    source = format
    (sourceWidth, sourceHeight) = (width, height)
    (self.width, self.height) = orientation.isTransposed ? (height, width) : (width, height)
    var (x, y) = (format.siting.x, format.siting.y)
    if orientation.isTransposed { (x, y) = (y, x) }
    if orientation.isMirroredAcross { x = 1 - x }
    if orientation.isMirroredDown && format.verticalShift == 1 { y = 1 - y }
    // No code says that chroma lies on the odd columns; the even ones are taken then.
    if x == 1 { x = 0 }
    var turned = format.format
    switch (x, y) {
    case (0, 0.5): turned.colour.chromaLocation = 0
    case (0.5, 0.5): turned.colour.chromaLocation = 1
    case (0, 0): turned.colour.chromaLocation = turned.chromaFormat == .yuv422 ? 0 : 2
    case (0.5, 0): turned.colour.chromaLocation = turned.chromaFormat == .yuv422 ? 1 : 3
    case (0, 1): turned.colour.chromaLocation = 4
    default: turned.colour.chromaLocation = 5
    }
    // Only the location changed, so that resolving cannot fail where it succeeded before.
    self.format = (try? ResolvedFormat(turned, width: width, height: height)) ?? format
  }

  func run<S: PictureSample>(_ planes: FramePlanes<S>, crop: SampleRect) -> FramePlanes<S> {
    let result = FramePlanes<S>(
      width: width, height: height, chromaFormat: format.format.chromaFormat)
    turn(planes.y, x: crop.x, y: crop.y, into: result.y)
    guard planes.chromaFormat.hasChroma else { return result }
    for index in 1...2 {
      planes.withPlane(index) { plane in
        result.withPlane(index) { target in turnChroma(plane, crop: crop, into: target) }
      }
    }
    return result
  }

  private func turnChroma<S: PictureSample>(
    _ plane: borrowing SamplePlane<S>, crop: SampleRect, into target: borrowing SamplePlane<S>
  ) {
    let (x, y) = (crop.x >> source.horizontalShift, crop.y >> source.verticalShift)
    let across = grids(isAcross: true)
    let down = grids(isAcross: false)
    if across.turned == across.wanted && down.turned == down.wanted {
      turn(plane, x: x, y: y, into: target)
      return
    }
    let turned = SamplePlane<S>(width: target.width, height: target.height)
    turn(plane, x: x, y: y, into: turned)
    shift(turned, into: target, across, down)
  }

  /// Where chroma lies after the turn and where it should lie.
  private func grids(isAcross: Bool) -> (turned: SampleGrid, wanted: SampleGrid) {
    let shift = isAcross ? format.horizontalShift : format.verticalShift
    guard shift == 1 else { return (.luma, .luma) }
    let site = isAcross ? format.siting.x : format.siting.y
    let wanted = SampleGrid.chroma(shift: 1, site: site)
    let isAlongRows = isAcross != orientation.isTransposed
    let sourceSite = isAlongRows ? source.siting.x : source.siting.y
    var turned = SampleGrid.chroma(shift: 1, site: sourceSite)
    if isAcross ? orientation.isMirroredAcross : orientation.isMirroredDown {
      let length = isAcross ? width : height
      let count = (length + 1) / 2
      turned.first = Double(length) - (turned.first + 2 * Double(count - 1))
    }
    return (turned, wanted)
  }

  private func shift<S: PictureSample>(
    _ plane: borrowing SamplePlane<S>, into target: borrowing SamplePlane<S>,
    _ across: (turned: SampleGrid, wanted: SampleGrid),
    _ down: (turned: SampleGrid, wanted: SampleGrid)
  ) {
    func table(_ count: Int, _ grids: (turned: SampleGrid, wanted: SampleGrid)) -> ScaleTable {
      ScaleTable(
        sourceCount: count, origin: 0, length: 1, outputCount: count, outputLength: 1,
        source: grids.turned, output: grids.wanted, filter: .bilinear)
    }
    let scaler = PlaneScaler(
      columns: table(target.width, across), rows: table(target.height, down))
    scaler.runFloats(
      plane, into: target, at: .init(), band: 0..<target.height,
      maximum: source.coding.chromaMaximum)
  }

  /// Moves every sample of a plane to its turned place.
  private func turn<S: PictureSample>(
    _ source: borrowing SamplePlane<S>, x: Int, y: Int, into target: borrowing SamplePlane<S>
  ) {
    let (columns, rows) = (target.width, target.height)
    let origin = y * source.stride + x
    if !orientation.isTransposed {
      for row in 0..<rows {
        let from = origin + (orientation.isMirroredDown ? rows - 1 - row : row) * source.stride
        let to = row * target.stride
        if orientation.isMirroredAcross {
          for column in 0..<columns {
            target[to &+ column] = source[from &+ columns &- 1 &- column]
          }
        } else {
          target.copy(from: source, at: from, to: to, count: columns)
        }
      }
      return
    }
    // Blocks keep both the rows read and the rows written in the cache.
    let block = 32
    for top in stride(from: 0, to: rows, by: block) {
      for left in stride(from: 0, to: columns, by: block) {
        for row in top..<min(top + block, rows) {
          let sourceX = orientation.isMirroredDown ? rows - 1 - row : row
          for column in left..<min(left + block, columns) {
            let sourceY = orientation.isMirroredAcross ? columns - 1 - column : column
            target[row &* target.stride &+ column] =
              source[origin &+ sourceY &* source.stride &+ sourceX]
          }
        }
      }
    }
  }
}
