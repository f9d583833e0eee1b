// PNG files of pictures.

public import ReelCore
internal import ReelImaging
public import ReelRendering

/// Makes PNG files of pictures: R′G′B′ without loss, grey of monochrome ones, 16 bits a component of
/// pictures with more than 8.
///
/// Components are the video's own, brought to the full range; high dynamic range is not mapped. The same
/// picture gives the same pixels on every machine, and the same bytes with the same version of zlib.
public final class PNGEncoder: ImageEncoder {
  private let level: Int

  /// - Parameter compression: 0 (fast) … 9 (small), clamped.
  public init(compression: Int = 4) { level = min(max(compression, 0), 9) }

  /// - Throws: `.unsupported` for colour that cannot be converted.
  public func encode(_ frame: VideoFrame) throws(MediaError) -> [UInt8] {
    let rows = try PNGRows(frame)
    var file = PNGFormat.signature
    PNGFormat.append("IHDR", rows.header, to: &file)
    let aspect = frame.pixelAspectRatio
    if let across = UInt32(exactly: aspect.denominator), across > 0,
      let down = UInt32(exactly: aspect.numerator), down > 0, across != down
    {
      // Pixels a unit: a wide pixel has fewer across. ISO/IEC 15948:2004 §11.3.5.3.
      var data: [UInt8] = []
      PNGFormat.append(across, to: &data)
      PNGFormat.append(down, to: &data)
      PNGFormat.append("pHYs", data + [0], to: &file)
    }
    PNGFormat.append("IDAT", try Zlib.deflated(rows.filtered(), level: level), to: &file)
    PNGFormat.append("IEND", [], to: &file)
    return file
  }
}

/// The rows of a picture as PNG has them.
private struct PNGRows {
  private let frame: VideoFrame
  /// Planes in the order of a pixel's components: R, G, B or grey, and alpha.
  private let order: [Int]
  private let isDeep: Bool
  private let alpha: FramePlanes<UInt8>?

  init(_ frame: VideoFrame) throws(MediaError) {
    isDeep = frame.lumaBitDepth > 8 || frame.chromaBitDepth > 8
    alpha = frame.alpha
    let depth = isDeep ? 16 : 8
    if frame.chromaFormat == .monochrome && frame.colour.matrix != 0 {
      var grey = frame.colour
      grey.isFullRange = true
      self.frame = try frame.converted(
        to: PictureFormat(chromaFormat: .monochrome, bitDepth: depth, colour: grey))
      order = [0]
    } else {
      var format = PictureFormat.rgb(bitDepth: depth)
      (format.colour.primaries, format.colour.transfer) = (
        frame.colour.primaries, frame.colour.transfer
      )
      self.frame = try frame.converted(to: format)
      order = [2, 0, 1]
    }
  }

  private var componentCount: Int { order.count + (alpha == nil ? 0 : 1) }
  private var pixelByteCount: Int { componentCount * (isDeep ? 2 : 1) }

  var header: [UInt8] {
    var data: [UInt8] = []
    PNGFormat.append(UInt32(frame.width), to: &data)
    PNGFormat.append(UInt32(frame.height), to: &data)
    let colourType: UInt8 = (order.count == 3 ? 2 : 0) + (alpha == nil ? 0 : 4)
    return data + [isDeep ? 16 : 8, colourType, 0, 0, 0]
  }

  /// All rows, each behind its filter type: the one whose bytes are smallest.
  func filtered() -> [UInt8] {
    let rowLength = frame.width * pixelByteCount
    var bytes: [UInt8] = []
    bytes.reserveCapacity((rowLength + 1) * frame.height)
    var row = [UInt8](repeating: 0, count: rowLength)
    var above = row
    var (candidate, best) = (row, row)
    for y in 0..<frame.height {
      fill(&row, y)
      var lowest = Int.max
      var chosen = PNGFilter.none
      for filter in [PNGFilter.up, .sub, .paeth] {
        filter.filtered(row, above: above, step: pixelByteCount, into: &candidate)
        let cost = PNGFilter.cost(candidate)
        if cost < lowest {
          (lowest, chosen) = (cost, filter)
          swap(&candidate, &best)
        }
      }
      bytes.append(chosen.rawValue)
      bytes += best
      swap(&row, &above)
    }
    return bytes
  }

  private func fill(_ row: inout [UInt8], _ y: Int) {
    for (component, plane) in order.enumerated() {
      switch frame.storage {
      case .depth8(let planes):
        planes.withPlane(plane) { plane in
          plane.withSamples(at: offset(plane.stride, y), count: frame.width) {
            Self.spread($0, into: &row, first: component, step: componentCount)
          }
        }
      case .depth16(let planes):
        planes.withPlane(plane) { plane in
          plane.withSamples(at: offset(plane.stride, y), count: frame.width) {
            Self.spreadPairs($0, into: &row, first: component, step: componentCount)
          }
        }
      }
    }
    guard let alpha else { return }
    alpha.y.withSamples(at: y * alpha.y.stride, count: frame.width) {
      if isDeep {
        for x in 0..<frame.width {
          let at = 2 * (x * componentCount + componentCount - 1)
          (row[at], row[at + 1]) = ($0[x], $0[x])
        }
      } else {
        Self.spread($0, into: &row, first: componentCount - 1, step: componentCount)
      }
    }
    unmultiply(&row)
  }

  private func offset(_ stride: Int, _ y: Int) -> Int {
    (frame.crop.y + y) * stride + frame.crop.x
  }

  private static func spread(
    _ samples: Span<UInt8>, into row: inout [UInt8], first: Int, step: Int
  ) {
    var out = row.mutableSpan
    let n = samples.count
    precondition(out.count >= n * step && first < step)
    for x in 0..<n { out[x &* step &+ first] = samples[x] }
  }

  private static func spreadPairs(
    _ samples: Span<UInt16>, into row: inout [UInt8], first: Int, step: Int
  ) {
    var out = row.mutableSpan
    let n = samples.count
    precondition(out.count >= 2 * n * step && first < step)
    for x in 0..<n {
      let at = 2 &* (x &* step &+ first)
      out[at] = UInt8(truncatingIfNeeded: samples[x] >> 8)
      out[at &+ 1] = UInt8(truncatingIfNeeded: samples[x])
    }
  }

  /// A frame's colours have alpha multiplied in; PNG's have not. ISO/IEC 15948:2004 §4.3.4.
  private func unmultiply(_ row: inout [UInt8]) {
    let count = componentCount
    for x in 0..<frame.width {
      let at = x * pixelByteCount
      let a = UInt32(row[at + (count - 1) * (isDeep ? 2 : 1)])
      guard a < 255 else { continue }
      for k in 0..<count - 1 {
        if isDeep {
          let value = UInt32(row[at + 2 * k]) << 8 | UInt32(row[at + 2 * k + 1])
          let straight = a == 0 ? 0 : min((value * 255 + a / 2) / a, 65535)
          row[at + 2 * k] = UInt8(straight >> 8)
          row[at + 2 * k + 1] = UInt8(straight & 0xFF)
        } else {
          row[at + k] = a == 0 ? 0 : UInt8(min((UInt32(row[at + k]) * 255 + a / 2) / a, 255))
        }
      }
    }
  }
}
