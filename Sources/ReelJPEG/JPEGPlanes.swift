// A picture's planes as a JPEG file wants them: 8 bits, full range, BT.601, whole blocks of chroma.

internal import ReelCore

/// Three planes of 8-bit samples, rows without gaps, kept from picture to picture.
struct JPEGPlanes {
  private(set) var samples: [[UInt8]] = [[], [], []]
  /// Samples between rows, for each plane.
  private(set) var strides = [0, 0, 0]
  /// What chroma adds to a row of luma, one number a luma column.
  private var lumaMix: [Int32] = []

  /// Fills the planes with `frame` as `transform` changes it.
  mutating func fill(from frame: VideoFrame, by transform: ColourTransform) {
    switch frame.storage {
    case .depth8(let planes): fill(planes, frame.crop, transform)
    case .depth16(let planes): fill(planes, frame.crop, transform)
    }
  }

  private mutating func fill<Sample: PictureSample>(
    _ planes: FramePlanes<Sample>, _ crop: SampleRect, _ transform: ColourTransform
  ) {
    let format = planes.chromaFormat
    let (h, v) = (format.horizontalShift, format.verticalShift)
    let chromaWidth = format.hasChroma ? (crop.width + (1 << h) - 1) >> h : 0
    let chromaHeight = format.hasChroma ? (crop.height + (1 << v) - 1) >> v : 0
    // The library reads as many luma samples as the chroma samples cover.
    let lumaWidth = max(crop.width, chromaWidth << h)
    let lumaHeight = max(crop.height, chromaHeight << v)
    resize(0, lumaWidth, lumaHeight)
    resize(1, chromaWidth, chromaHeight)
    resize(2, chromaWidth, chromaHeight)
    if lumaMix.count < lumaWidth + 1 { lumaMix = [Int32](repeating: 0, count: lumaWidth + 1) }

    let mixes = format.hasChroma && !transform.isDiagonal
    for y in 0..<crop.height {
      if mixes && y & ((1 << v) - 1) == 0 {
        let row = (crop.y + y) >> v
        planes.cb.withSamples(at: row * planes.cb.stride + crop.x >> h, count: chromaWidth) { cb in
          planes.cr.withSamples(at: row * planes.cr.stride + crop.x >> h, count: chromaWidth) {
            cr in
            mix(cb, cr, transform, shift: h)
          }
        }
      }
      let source = (crop.y + y) * planes.y.stride + crop.x
      planes.y.withSamples(at: source, count: crop.width) { luma in
        Self.convertLuma(
          luma, into: &samples[0], at: y * strides[0], mix: mixes ? lumaMix : nil, transform)
      }
    }
    replicateLumaEdges(crop.width, crop.height, lumaWidth, lumaHeight)

    for y in 0..<chromaHeight {
      let row = (crop.y >> v) + y
      planes.cb.withSamples(at: row * planes.cb.stride + crop.x >> h, count: chromaWidth) { cb in
        planes.cr.withSamples(at: row * planes.cr.stride + crop.x >> h, count: chromaWidth) { cr in
          convertChroma(cb, cr, y, transform)
          guard transform.mixesFirstPlaneIntoChroma else { return }
          let source = (crop.y + y << v) * planes.y.stride + crop.x
          planes.y.withSamples(at: source, count: crop.width) { first in
            convertChroma(first, cb, cr, y, transform, shift: h)
          }
        }
      }
    }
  }

  private mutating func resize(_ plane: Int, _ width: Int, _ height: Int) {
    strides[plane] = width
    if samples[plane].count != width * height {
      samples[plane] = [UInt8](repeating: 0, count: width * height)
    }
  }

  /// What chroma adds to the luma samples above it; each chroma sample counts for all it covers.
  private mutating func mix<Sample: PictureSample>(
    _ cb: Span<Sample>, _ cr: Span<Sample>, _ transform: ColourTransform, shift: Int
  ) {
    let (b, c) = (transform.matrix[1], transform.matrix[2])
    var out = lumaMix.mutableSpan
    precondition(cb.count == cr.count && cb.count << shift <= out.count)
    if shift == 0 {
      for x in cb.indices {
        out[x] = Int32(truncatingIfNeeded: cb[x]) &* b &+ Int32(truncatingIfNeeded: cr[x]) &* c
      }
    } else {
      for x in cb.indices {
        let sum = Int32(truncatingIfNeeded: cb[x]) &* b &+ Int32(truncatingIfNeeded: cr[x]) &* c
        out[2 &* x] = sum
        out[2 &* x &+ 1] = sum
      }
    }
  }

  private static func convertLuma<Sample: PictureSample>(
    _ luma: Span<Sample>, into samples: inout [UInt8], at start: Int, mix: [Int32]?,
    _ transform: ColourTransform
  ) {
    let (a, offset, shift) = (transform.matrix[0], transform.offset[0], transform.shift)
    var out = samples.mutableSpan
    precondition(start >= 0 && start + luma.count <= out.count)
    if let mix {
      let mix = mix.span
      precondition(luma.count <= mix.count)
      for x in luma.indices {
        let sum = Int32(truncatingIfNeeded: luma[x]) &* a &+ mix[x] &+ offset
        out[start &+ x] = UInt8(truncatingIfNeeded: min(max(sum &>> shift, 0), 255))
      }
    } else {
      for x in luma.indices {
        let sum = Int32(truncatingIfNeeded: luma[x]) &* a &+ offset
        out[start &+ x] = UInt8(truncatingIfNeeded: min(max(sum &>> shift, 0), 255))
      }
    }
  }

  private mutating func convertChroma<Sample: PictureSample>(
    _ cb: Span<Sample>, _ cr: Span<Sample>, _ y: Int, _ transform: ColourTransform
  ) {
    for plane in 1...2 {
      let (b, c) = (transform.matrix[plane * 3 + 1], transform.matrix[plane * 3 + 2])
      let (offset, shift) = (transform.offset[plane], transform.shift)
      let start = y * strides[plane]
      var out = samples[plane].mutableSpan
      precondition(start >= 0 && start + cb.count <= out.count && cr.count == cb.count)
      for x in cb.indices {
        let sum =
          Int32(truncatingIfNeeded: cb[x]) &* b &+ Int32(truncatingIfNeeded: cr[x]) &* c &+ offset
        out[start &+ x] = UInt8(truncatingIfNeeded: min(max(sum &>> shift, 0), 255))
      }
    }
  }

  /// The form for R'G'B' planes, where chroma depends on all three.
  private mutating func convertChroma<Sample: PictureSample>(
    _ first: Span<Sample>, _ cb: Span<Sample>, _ cr: Span<Sample>, _ y: Int,
    _ transform: ColourTransform, shift chromaShift: Int
  ) {
    for plane in 1...2 {
      let row = plane * 3
      let (a, b, c) = (transform.matrix[row], transform.matrix[row + 1], transform.matrix[row + 2])
      let start = y * strides[plane]
      for x in cb.indices {
        let sum =
          Int32(truncatingIfNeeded: first[min(x << chromaShift, first.count - 1)]) &* a
          &+ Int32(truncatingIfNeeded: cb[x]) &* b &+ Int32(truncatingIfNeeded: cr[x]) &* c
          &+ transform.offset[plane]
        samples[plane][start + x] = UInt8(
          truncatingIfNeeded: min(max(sum &>> transform.shift, 0), 255))
      }
    }
  }

  /// An odd size has half a chroma sample's worth of luma more: the last sample once more.
  private mutating func replicateLumaEdges(
    _ width: Int, _ height: Int, _ fullWidth: Int, _ fullHeight: Int
  ) {
    if width < fullWidth {
      for y in 0..<height {
        for x in width..<fullWidth {
          samples[0][y * fullWidth + x] = samples[0][y * fullWidth + width - 1]
        }
      }
    }
    for y in height..<max(height, fullHeight) {
      for x in 0..<fullWidth {
        samples[0][y * fullWidth + x] = samples[0][(height - 1) * fullWidth + x]
      }
    }
  }
}
