// Frames for tests, and their samples as Doubles.

internal import Foundation
internal import ReelCore
internal import ReelTestSupport
internal import Testing

@testable internal import ReelImaging

extension VideoFrame {
  /// A frame of the given form whose samples `fill` tells, by plane, column and row.
  static func made(
    width: Int, height: Int, format: PictureFormat,
    fill: (_ plane: Int, _ x: Int, _ y: Int) -> Int
  ) -> VideoFrame {
    func write<S: PictureSample>(_: S.Type) -> FramePlanes<S> {
      let planes = FramePlanes<S>(
        width: width, height: height, chromaFormat: format.chromaFormat)
      for index in 0..<(format.chromaFormat.hasChroma ? 3 : 1) {
        planes.withPlane(index) { plane in
          for y in 0..<plane.height {
            for x in 0..<plane.width { plane[y * plane.stride + x] = S(fill(index, x, y)) }
          }
        }
      }
      return planes
    }
    let crop = SampleRect(x: 0, y: 0, width: width, height: height)
    let isDeep = format.lumaBitDepth > 8 || format.chromaBitDepth > 8
    var frame = VideoFrame(
      storage: isDeep ? .depth16(write(UInt16.self)) : .depth8(write(UInt8.self)),
      lumaBitDepth: format.lumaBitDepth, chromaBitDepth: format.chromaBitDepth, crop: crop)
    frame.colour = format.colour
    return frame
  }

  /// Random samples of the whole code range.
  static func noise(
    width: Int, height: Int, format: PictureFormat, seed: UInt64
  ) -> VideoFrame {
    var generator = SeededGenerator(seed: seed)
    return made(width: width, height: height, format: format) { plane, _, _ in
      generator.int(in: 0...(1 << (plane == 0 ? format.lumaBitDepth : format.chromaBitDepth)) - 1)
    }
  }

  /// A smooth picture with some edges, inside the studio range.
  static func scene(width: Int, height: Int, format: PictureFormat) -> VideoFrame {
    made(width: width, height: height, format: format) { plane, x, y in
      let depth = plane == 0 ? format.lumaBitDepth : format.chromaBitDepth
      let (h, v) =
        plane == 0
        ? (0, 0) : (format.chromaFormat.horizontalShift, format.chromaFormat.verticalShift)
      let (px, py) = (Double(x << h), Double(y << v))
      var value =
        0.5 + 0.3 * sin(px * 0.13 + Double(plane)) * cos(py * 0.07 - Double(plane) * 2)
      if (Int(px) / 24 + Int(py) / 16) % 3 == plane { value += 0.12 }
      let unit = Double(1 << (depth - 8))
      return Int((value * (plane == 0 ? 219 : 224) + 16) * unit)
    }
  }

  /// A plane's samples inside the crop.
  func samples(_ plane: Int) -> DoublePlane {
    func read<S: PictureSample>(_ planes: FramePlanes<S>) -> DoublePlane {
      let h = plane == 0 ? 0 : planes.chromaFormat.horizontalShift
      let v = plane == 0 ? 0 : planes.chromaFormat.verticalShift
      let columns = (width + (1 << h) - 1) >> h
      let rows = (height + (1 << v) - 1) >> v
      var result = DoublePlane(width: columns, height: rows)
      planes.withPlane(plane) { source in
        for y in 0..<rows {
          for x in 0..<columns {
            result[x, y] = Double(source[((crop.y >> v) + y) * source.stride + (crop.x >> h) + x])
          }
        }
      }
      return result
    }
    switch storage {
    case .depth8(let planes): return read(planes)
    case .depth16(let planes): return read(planes)
    }
  }

  var planeCount: Int { chromaFormat.hasChroma ? 3 : 1 }

  /// A hash of all samples, for comparing results.
  var fingerprint: UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for plane in 0..<planeCount {
      for value in samples(plane).values {
        hash = (hash ^ UInt64(value)) &* 0x100_0000_01b3
      }
    }
    return hash
  }
}

/// Samples in double precision, for references.
struct DoublePlane {
  let width, height: Int
  var values: [Double]

  init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    values = [Double](repeating: 0, count: width * height)
  }

  init(width: Int, height: Int, _ value: (Int, Int) -> Double) {
    self.init(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width { self[x, y] = value(x, y) }
    }
  }

  subscript(x: Int, y: Int) -> Double {
    get { values[y * width + x] }
    set { values[y * width + x] = newValue }
  }

  /// The nearest sample inside.
  func clamped(_ x: Int, _ y: Int) -> Double {
    self[min(max(x, 0), width - 1), min(max(y, 0), height - 1)]
  }

  func map(_ body: (Double) -> Double) -> DoublePlane {
    var copy = self
    for i in values.indices { copy.values[i] = body(values[i]) }
    return copy
  }
}

/// Largest difference of two planes, the second limited to codes.
func largestDifference(_ a: DoublePlane, _ b: DoublePlane, maximum: Double) -> Double {
  precondition(a.width == b.width && a.height == b.height)
  var largest = 0.0
  for i in a.values.indices {
    largest = max(largest, abs(a.values[i] - min(max(b.values[i], 0), maximum)))
  }
  return largest
}

/// Colour arithmetic as the standards write it, in double precision with the system's functions.
struct ColourReference {
  let format: PictureFormat
  let kr, kb: Double
  var isRGB: Bool { format.colour.matrix == 0 }

  init(_ format: PictureFormat) {
    self.format = format
    switch format.colour.matrix {
    case 1: (kr, kb) = (0.2126, 0.0722)
    case 9: (kr, kb) = (0.2627, 0.0593)
    case 7: (kr, kb) = (0.212, 0.087)
    default: (kr, kb) = (0.299, 0.114)
    }
  }

  func value(_ code: Double, plane: Int) -> Double {
    let depth = plane == 0 ? format.lumaBitDepth : format.chromaBitDepth
    let top = Double(1 << depth - 1)
    let unit = Double(1 << (depth - 8))
    if plane == 0 || isRGB {
      return format.colour.isFullRange ? code / top : (code / unit - 16) / 219
    }
    return format.colour.isFullRange
      ? (code - 128 * unit) / top : (code / unit - 128) / 224
  }

  func code(_ value: Double, plane: Int) -> Double {
    let depth = plane == 0 ? format.lumaBitDepth : format.chromaBitDepth
    let top = Double(1 << depth - 1)
    let unit = Double(1 << (depth - 8))
    if plane == 0 || isRGB {
      return format.colour.isFullRange ? value * top : (value * 219 + 16) * unit
    }
    return format.colour.isFullRange ? value * top + 128 * unit : (value * 224 + 128) * unit
  }

  func rgb(_ y: Double, _ cb: Double, _ cr: Double) -> (Double, Double, Double) {
    if isRGB { return (cr, y, cb) }
    let r = y + 2 * (1 - kr) * cr
    let b = y + 2 * (1 - kb) * cb
    return (r, (y - kr * r - kb * b) / (1 - kr - kb), b)
  }

  func ycc(_ r: Double, _ g: Double, _ b: Double) -> (Double, Double, Double) {
    if isRGB { return (g, b, r) }
    let y = kr * r + (1 - kr - kb) * g + kb * b
    return (y, (b - y) / (2 * (1 - kb)), (r - y) / (2 * (1 - kr)))
  }

  var siting: (x: Double, y: Double) {
    let s = ChromaSiting(code: format.colour.chromaLocation, chromaFormat: format.chromaFormat)
    return (s.x, s.y)
  }

  /// A chroma plane at luma size, by linear interpolation where the samples lie.
  func upsampled(_ plane: DoublePlane, width: Int, height: Int) -> DoublePlane {
    let (h, v) = (format.chromaFormat.horizontalShift, format.chromaFormat.verticalShift)
    let s = siting
    return DoublePlane(width: width, height: height) { x, y in
      let u = h == 0 ? Double(x) : (Double(x) - s.x) / 2
      let w = v == 0 ? Double(y) : (Double(y) - s.y) / 2
      let (u0, w0) = (floor(u), floor(w))
      let (fu, fw) = (u - u0, w - w0)
      let (ix, iy) = (Int(u0), Int(w0))
      return (plane.clamped(ix, iy) * (1 - fu) + plane.clamped(ix + 1, iy) * fu) * (1 - fw)
        + (plane.clamped(ix, iy + 1) * (1 - fu) + plane.clamped(ix + 1, iy + 1) * fu) * fw
    }
  }

  /// A plane at chroma size: the mean of two, or ¼ ½ ¼ where chroma lies on a luma sample.
  func downsampled(_ plane: DoublePlane) -> DoublePlane {
    let (h, v) = (format.chromaFormat.horizontalShift, format.chromaFormat.verticalShift)
    let s = siting
    func taps(_ shift: Int, _ site: Double) -> [(Int, Double)] {
      if shift == 0 { return [(0, 1)] }
      if site == 0.5 { return [(0, 0.5), (1, 0.5)] }
      let c = Int(site)
      return [(c - 1, 0.25), (c, 0.5), (c + 1, 0.25)]
    }
    return DoublePlane(
      width: (plane.width + (1 << h) - 1) >> h, height: (plane.height + (1 << v) - 1) >> v
    ) { x, y in
      var sum = 0.0
      for (dx, wx) in taps(h, s.x) {
        for (dy, wy) in taps(v, s.y) {
          sum += plane.clamped((x << h) + dx, (y << v) + dy) * wx * wy
        }
      }
      return sum
    }
  }

  /// R′, G′, B′ planes of a frame.
  func rgbPlanes(_ frame: VideoFrame) -> [DoublePlane] {
    let (w, h) = (frame.width, frame.height)
    var planes = (0..<frame.planeCount).map { index in
      frame.samples(index).map { value($0, plane: index) }
    }
    if planes.count == 1 {
      let zero = DoublePlane(width: w, height: h)
      planes = isRGB ? [planes[0], planes[0], planes[0]] : [planes[0], zero, zero]
    } else {
      planes[1] = upsampled(planes[1], width: w, height: h)
      planes[2] = upsampled(planes[2], width: w, height: h)
    }
    var result = planes
    for i in planes[0].values.indices {
      let (r, g, b) = rgb(planes[0].values[i], planes[1].values[i], planes[2].values[i])
      result[0].values[i] = r
      result[1].values[i] = g
      result[2].values[i] = b
    }
    return result
  }

  /// Codes of this format's planes of R′, G′, B′ planes.
  func codes(_ rgb: [DoublePlane]) -> [DoublePlane] {
    var planes = rgb
    for i in rgb[0].values.indices {
      let (y, cb, cr) = ycc(rgb[0].values[i], rgb[1].values[i], rgb[2].values[i])
      planes[0].values[i] = y
      planes[1].values[i] = cb
      planes[2].values[i] = cr
    }
    if !format.chromaFormat.hasChroma { return [planes[0].map { code($0, plane: 0) }] }
    return planes.indices.map { index in
      (index == 0 ? planes[0] : downsampled(planes[index])).map { code($0, plane: index) }
    }
  }
}

/// A format for tests.
func format(
  _ chroma: ChromaFormat, _ depth: Int = 8, matrix: UInt8 = 1, full: Bool = false,
  location: UInt8? = nil, primaries: UInt8 = 1, transfer: UInt8 = 1
) -> PictureFormat {
  var colour = ColourDescription()
  colour.matrix = matrix
  colour.isFullRange = full
  colour.chromaLocation = location
  colour.primaries = primaries
  colour.transfer = transfer
  return PictureFormat(chromaFormat: chroma, bitDepth: depth, colour: colour)
}
