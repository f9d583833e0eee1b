internal import Foundation
internal import ReelCore
internal import ReelRendering
internal import ReelTestSupport
internal import Testing

@testable internal import ReelJPEG

@Suite("JPEG encoder")
struct JPEGEncoderTests {
  /// A picture of one colour, given as R'G'B' 0…1, in the video's own terms.
  static func flat(
    _ rgb: [Double], _ chroma: ChromaFormat, matrix: UInt8, kr: Double, kb: Double, full: Bool,
    depth: Int, width: Int = 34, height: Int = 30
  ) -> VideoFrame {
    let kg = 1 - kr - kb
    let y = kr * rgb[0] + kg * rgb[1] + kb * rgb[2]
    let cb = (rgb[2] - y) / (2 * (1 - kb))
    let cr = (rgb[0] - y) / (2 * (1 - kr))
    let unit = Double(1 << (depth - 8))
    let top = Double(1 << depth - 1)
    let samples =
      full
      ? [y * top, cb * top + 128 * unit, cr * top + 128 * unit]
      : [(219 * y + 16) * unit, (224 * cb + 128) * unit, (224 * cr + 128) * unit]
    var frame = VideoFrame.noise(
      width: width, height: height, chroma: chroma, depth: depth, margin: 2)
    switch frame.storage {
    case .depth8(let planes):
      for i in 0..<3 {
        planes.withPlane(i) { $0.fill(at: 0, count: $0.count, with: UInt8(samples[i].rounded())) }
      }
    case .depth16(let planes):
      for i in 0..<3 {
        planes.withPlane(i) { $0.fill(at: 0, count: $0.count, with: UInt16(samples[i].rounded())) }
      }
    }
    frame.colour.matrix = matrix
    frame.colour.isFullRange = full
    return frame
  }

  @Test(
    "colours come out as they went in, whatever the video's matrix, range and depth",
    arguments: [
      (UInt8(1), 0.2126, 0.0722), (5, 0.299, 0.114), (6, 0.299, 0.114), (7, 0.212, 0.087),
      (9, 0.2627, 0.0593), (2, 0.299, 0.114), (4, 0.30, 0.11),
    ])
  func coloursArriveRight(matrix: UInt8, kr: Double, kb: Double) throws {
    let encoder = JPEGEncoder(quality: 100)
    for rgb in [
      [0.8, 0.2, 0.3], [0.1, 0.7, 0.2], [0.2, 0.3, 0.9], [1, 1, 1], [0, 0, 0], [0.5, 0.5, 0.5],
    ] {
      for (full, depth) in [(false, 8), (true, 8), (false, 10), (true, 12)] {
        for chroma in [ChromaFormat.yuv420, .yuv422, .yuv444] {
          let frame = Self.flat(
            rgb, chroma, matrix: matrix, kr: kr, kb: kb, full: full, depth: depth)
          let decoded = try decodeJPEG(encoder.encode(frame))
          #expect(decoded.width == 34 && decoded.height == 30)
          for i in 0..<3 {
            let difference = abs(Double(decoded.rgb[i]) - rgb[i] * 255)
            #expect(difference <= 2.5, "\(rgb) \(chroma) full \(full) depth \(depth) channel \(i)")
          }
        }
      }
    }
  }

  @Test("R'G'B' in three planes is understood")
  func planarRGB() throws {
    var frame = VideoFrame.noise(width: 16, height: 16, chroma: .yuv444)
    guard case .depth8(let planes) = frame.storage else { return }
    for (i, value) in [UInt8(200), 60, 90].enumerated() {
      planes.withPlane(i) { $0.fill(at: 0, count: $0.count, with: value) }
    }
    frame.colour.matrix = 0
    frame.colour.isFullRange = true
    let decoded = try decodeJPEG(JPEGEncoder(quality: 100).encode(frame))
    for (channel, value) in [90, 200, 60].enumerated() {
      #expect(abs(Int(decoded.rgb[channel]) - value) <= 2)
    }
  }

  @Test("full-range BT.601 goes to the library untouched, others keep grey exactly grey")
  func identityAndGrey() {
    var colour = ColourDescription()
    colour.matrix = 6
    colour.isFullRange = true
    #expect(ColourTransform(colour, width: 100, height: 100, bitDepth: 8).isIdentity)
    for matrix: UInt8 in [1, 2, 4, 5, 6, 7, 8, 9] {
      for (full, depth) in [(false, 8), (true, 8), (false, 10), (true, 10)] {
        colour.matrix = matrix
        colour.isFullRange = full
        let transform = ColourTransform(colour, width: 1920, height: 1080, bitDepth: depth)
        let grey = Int32(128 << (depth - 8))
        for luma: Int32 in [16, 100, 235] {
          let first = luma << Int32(depth - 8)
          for row in 1...2 {
            let m = transform.matrix
            let sum = first * m[row * 3] + grey * m[row * 3 + 1] + grey * m[row * 3 + 2]
            #expect((sum + transform.offset[row]) >> transform.shift == 128, "matrix \(matrix)")
          }
        }
      }
    }
  }

  @Test(
    "the quick planes equal the formula, sample by sample", arguments: ChromaFormat.allCases,
    [8, 10])
  func planesFollowTheFormula(chroma: ChromaFormat, depth: Int) {
    for (width, height) in [(33, 17), (64, 16), (1, 1)] {
      var frame = VideoFrame.noise(
        width: width, height: height, chroma: chroma, depth: depth, margin: 2, seed: 9)
      frame.colour.matrix = 1
      let transform = ColourTransform(frame.colour, width: 1920, height: 1080, bitDepth: depth)
      var planes = JPEGPlanes()
      planes.fill(from: frame, by: transform)
      let (h, v) = (chroma.horizontalShift, chroma.verticalShift)
      func expected(_ row: Int, _ inputs: [Int]) -> Int {
        var sum = Int(transform.offset[row])
        for i in 0..<3 { sum += inputs[i] * Int(transform.matrix[row * 3 + i]) }
        return min(max(sum >> Int(transform.shift), 0), 255)
      }
      guard chroma.hasChroma else { continue }
      for y in 0..<height {
        for x in 0..<width {
          let inputs = [
            frame.sample(plane: 0, x: x, y: y), frame.sample(plane: 1, x: x >> h, y: y >> v),
            frame.sample(plane: 2, x: x >> h, y: y >> v),
          ]
          #expect(Int(planes.samples[0][y * planes.strides[0] + x]) == expected(0, inputs))
          let at = (y >> v) * planes.strides[1] + x >> h
          #expect(Int(planes.samples[1][at]) == expected(1, inputs))
          #expect(Int(planes.samples[2][at]) == expected(2, inputs))
        }
      }
    }
  }

  @Test("keeps the size and the subsampling", arguments: ChromaFormat.allCases)
  func sizeAndSubsampling(chroma: ChromaFormat) throws {
    for (width, height) in [(64, 48), (33, 31), (1, 1), (2, 17)] {
      for full in [false, true] {
        var frame = VideoFrame.noise(width: width, height: height, chroma: chroma, margin: 4)
        frame.colour.matrix = 6
        frame.colour.isFullRange = full
        let decoded = try decodeJPEG(JPEGEncoder().encode(frame))
        #expect(decoded.width == width && decoded.height == height)
        #expect(decoded.chroma == chroma)
      }
    }
  }

  @Test("a smaller quality makes a smaller file, and the same picture the same bytes")
  func qualityAndRepetition() throws {
    let frame = VideoFrame.noise(width: 64, height: 64)
    let sizes = try [10, 50, 90, 100].map { try JPEGEncoder(quality: $0).encode(frame).count }
    #expect(sizes == sizes.sorted() && Set(sizes).count == 4)
    let encoder = JPEGEncoder()
    let first = try encoder.encode(frame)
    _ = try encoder.encode(.noise(width: 640, height: 480, seed: 4))
    #expect(try encoder.encode(frame) == first)
  }

  @Test("numbered files repeat a picture by copying, unless the file was changed")
  func sequence() throws {
    let folder = try TemporaryFolder()
    let files = try NumberedFiles(pattern: folder.path("%03d.jpg"))
    let sink = ImageSequenceSink(files, encoder: JPEGEncoder())
    let frame = VideoFrame.noise(width: 32, height: 32)
    let timing = PictureTiming(ticks: 0, duration: 1)
    let key = CompositionKey(picture: 0)
    #expect(try !sink.writeAgain(key, timing: timing))
    try sink.write(frame, key: key, timing: timing)
    #expect(try sink.writeAgain(key, timing: timing))
    #expect(folder.names == ["001.jpg", "002.jpg"])
    #expect(folder.bytes("001.jpg") == folder.bytes("002.jpg"))
    var changed = folder.bytes("001.jpg")
    changed[changed.count / 2] ^= 1
    try Data(changed).write(to: folder.url.appendingPathComponent("001.jpg"))
    #expect(try !sink.writeAgain(key, timing: timing))
    try Data(changed + [0]).write(to: folder.url.appendingPathComponent("001.jpg"))
    #expect(try !sink.writeAgain(key, timing: timing))
    #expect(sink.pictureCount == 2)
  }
}
