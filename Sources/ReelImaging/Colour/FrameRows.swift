// Rows of a frame as R′G′B′ floats, and back.

internal import ReelCore

/// How chroma meets luma when rows are read as R′G′B′ and written back.
enum ChromaMode: Sendable {
  /// A chroma sample stands for the luma samples it covers, and is written as the mean of theirs.
  /// Reading and writing then changes nothing: used where a filter works on points.
  case covering
  /// Interpolated and averaged where the samples lie: used where the chroma format changes.
  case sited
}

/// Reads luma rows with their chroma as R′G′B′.
struct FrameRowReader<Sample: PictureSample> {
  let planes: FramePlanes<Sample>
  let crop: SampleRect
  let format: ResolvedFormat
  let mode: ChromaMode
  private let map: AffineColour
  private var near: [Float]
  private var far: [Float]
  private let chromaCount: Int

  init(
    _ planes: FramePlanes<Sample>, crop: SampleRect, format: ResolvedFormat, mode: ChromaMode
  ) {
    self.planes = planes
    self.crop = crop
    self.format = format
    self.mode = mode
    map = format.rgbFromCodes
    let shift = format.horizontalShift
    chromaCount = (crop.width + (1 << shift) - 1) >> shift
    near = [Float](repeating: 0, count: chromaCount)
    far = near
  }

  /// Codes of row `y` (of the crop) of all three planes at full width, not yet R′G′B′.
  mutating func readCodes(_ y: Int, into rows: inout RGBRows) {
    planes.y.withSamples(at: (crop.y + y) * planes.y.stride + crop.x, count: crop.width) {
      RowKernels.load($0, into: &rows.r)
    }
    switch format.format.chromaFormat {
    case .monochrome:
      let middle = Float(format.coding.chromaOffset)
      for i in 0..<rows.count {
        rows.g[i] = middle
        rows.b[i] = middle
      }
    case .yuv444:
      loadChroma(1, y, into: &rows.g)
      loadChroma(2, y, into: &rows.b)
    case .yuv420, .yuv422:
      readSubsampled(1, y, into: &rows.g)
      readSubsampled(2, y, into: &rows.b)
    }
  }

  /// Row `y` of the crop as R′G′B′.
  mutating func read(_ y: Int, into rows: inout RGBRows) {
    readCodes(y, into: &rows)
    if format.matrix.isRGB && format.format.chromaFormat == .monochrome {
      rows.g = rows.r
      rows.b = rows.r
    }
    RowKernels.affine(&rows.r, &rows.g, &rows.b, map)
  }

  private borrowing func loadChroma(_ plane: Int, _ row: Int, into target: inout [Float]) {
    let x = crop.x >> format.horizontalShift
    let y = (crop.y >> format.verticalShift) + row
    let count = chromaCount
    planes.withPlane(plane) { plane in
      plane.withSamples(at: y * plane.stride + x, count: count) {
        RowKernels.load($0, into: &target)
      }
    }
  }

  private mutating func readSubsampled(_ plane: Int, _ y: Int, into target: inout [Float]) {
    let vertical = format.verticalShift
    if vertical == 0 || mode == .covering {
      loadChroma(plane, y >> vertical, into: &near)
    } else {
      // Position of the luma row among the chroma rows.
      let position = (Double(y) - format.siting.y) / 2
      let lower = position.rounded(.down)
      let weight = Float(position - lower)
      let last = (crop.height + 1) / 2 - 1
      let first = min(max(Int(lower), 0), last)
      let second = min(max(Int(lower) + 1, 0), last)
      loadChroma(plane, first, into: &near)
      if weight > 0 && first != second {
        loadChroma(plane, second, into: &far)
        RowKernels.mix(&near, far, weight: weight)
      }
    }
    switch mode {
    case .covering: RowKernels.repeatAcross(near, into: &target)
    case .sited where format.siting.x == 0: RowKernels.interpolateCosited(near, into: &target)
    case .sited: RowKernels.interpolateCentred(near, into: &target)
    }
  }
}

/// Writes rows of codes at full width into the planes of a frame without cropping.
///
/// Takes the rows of one band in order, and besides them `rowsBefore` rows above and `rowsAfter` rows
/// below it where the picture has them, because a chroma row is the mean of several.
struct FrameRowWriter<Sample: PictureSample> {
  let planes: FramePlanes<Sample>
  let format: ResolvedFormat
  let mode: ChromaMode
  let width: Int
  let height: Int
  let band: Range<Int>
  private let chromaCount: Int
  /// The last four rows of both chroma planes, halved across.
  private var halved: [[Float]]
  private var sum: [Float]
  private var nextChromaRow: Int

  /// `band`: rows to write; starts at an even row.
  init(
    _ planes: FramePlanes<Sample>, width: Int, height: Int, format: ResolvedFormat,
    mode: ChromaMode, band: Range<Int>
  ) {
    self.planes = planes
    self.format = format
    self.mode = mode
    self.width = width
    self.height = height
    self.band = band
    chromaCount = (width + (1 << format.horizontalShift) - 1) >> format.horizontalShift
    sum = [Float](repeating: 0, count: chromaCount)
    halved = [[Float]](repeating: sum, count: 8)
    nextChromaRow = band.lowerBound >> format.verticalShift
  }

  /// Chroma lies on the rows 2j (top) or 2j + 1 (bottom) rather than between them.
  private var isVerticallyCosited: Bool {
    mode == .sited && format.verticalShift == 1 && format.siting.y != 0.5
  }
  /// Rows above the band that its chroma needs.
  var rowsBefore: Int { isVerticallyCosited && format.siting.y == 0 ? 1 : 0 }
  /// Rows below the band that its chroma needs.
  var rowsAfter: Int { isVerticallyCosited && format.siting.y == 1 ? 1 : 0 }
  /// All rows to hand in.
  var neededRows: Range<Int> {
    max(band.lowerBound - rowsBefore, 0)..<min(band.upperBound + rowsAfter, height)
  }

  /// Takes the codes of row `y`.
  mutating func write(_ y: Int, _ rows: borrowing RGBRows) {
    if band.contains(y) {
      let luma = rows.r
      let maximum = format.coding.lumaMaximum
      planes.y.withMutableSamples(at: y * planes.y.stride, count: width) { target in
        RowKernels.store(luma, into: &target, maximum: maximum)
      }
    }
    switch format.format.chromaFormat {
    case .monochrome: break
    case .yuv444:
      if band.contains(y) {
        storeChroma(1, y, rows.g)
        storeChroma(2, y, rows.b)
      }
    case .yuv422, .yuv420:
      halve(rows.g, into: (y & 3) * 2)
      halve(rows.b, into: (y & 3) * 2 + 1)
      if format.verticalShift == 0 {
        if band.contains(y) {
          for plane in 1...2 { storeChroma(plane, y, halved[(y & 3) * 2 + plane - 1]) }
        }
      } else {
        emitChroma(upTo: y)
      }
    }
  }

  private mutating func halve(_ full: [Float], into slot: Int) {
    if mode == .sited && format.siting.x == 0 {
      RowKernels.averageCosited(full, into: &halved[slot])
    } else {
      RowKernels.averagePairs(full, into: &halved[slot])
    }
  }

  private func storeChroma(_ plane: Int, _ row: Int, _ samples: [Float]) {
    let count = chromaCount
    let maximum = format.coding.chromaMaximum
    planes.withPlane(plane) { plane in
      plane.withMutableSamples(at: row * plane.stride, count: count) { target in
        RowKernels.store(samples, into: &target, maximum: maximum)
      }
    }
  }

  /// Stores the chroma rows of 4:2:0 for which all luma rows have come.
  private mutating func emitChroma(upTo y: Int) {
    let last = height - 1
    while nextChromaRow < (band.upperBound + 1) >> 1 {
      let j = nextChromaRow
      let centre = isVerticallyCosited ? 2 * j + (format.siting.y == 1 ? 1 : 0) : 2 * j
      guard min(centre + 1, last) <= y else { return }
      for plane in 1...2 {
        if isVerticallyCosited {
          addRow(max(centre - 1, 0), plane, weight: 0.25, isFirst: true)
          addRow(min(centre, last), plane, weight: 0.5, isFirst: false)
          addRow(min(centre + 1, last), plane, weight: 0.25, isFirst: false)
        } else {
          addRow(centre, plane, weight: 0.5, isFirst: true)
          addRow(min(centre + 1, last), plane, weight: 0.5, isFirst: false)
        }
        storeChroma(plane, j, sum)
      }
      nextChromaRow += 1
    }
  }

  private mutating func addRow(_ y: Int, _ plane: Int, weight: Float, isFirst: Bool) {
    RowKernels.accumulate(
      halved[(y & 3) * 2 + plane - 1], into: &sum, weight: weight, isFirst: isFirst)
  }
}
