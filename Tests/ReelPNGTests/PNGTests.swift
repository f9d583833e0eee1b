internal import ReelCore
internal import ReelTestSupport
internal import Testing

@testable internal import ReelImaging
@testable internal import ReelPNG

/// Writes PNG files of any kind, without filters or compression.
private struct PNGBuilder {
  var width: Int
  var height: Int
  var depth: Int
  var colourType: Int
  var isInterlaced = false
  var palette: [UInt8] = []
  var transparency: [UInt8] = []

  /// `component(x, y, k)`: sample of a pixel, in `depth` bits.
  func file(_ component: (Int, Int, Int) -> Int) throws -> [UInt8] {
    let count = [1, 0, 3, 1, 2, 0, 4][colourType]
    let passes =
      isInterlaced
      ? [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
        (0, 1, 1, 2),
      ] : [(0, 0, 1, 1)]
    var rows: [UInt8] = []
    for (x0, y0, dx, dy) in passes where x0 < width && y0 < height {
      for y in stride(from: y0, to: height, by: dy) {
        rows.append(0)
        var (bits, filled) = (0, 0)
        for x in stride(from: x0, to: width, by: dx) {
          for k in 0..<count {
            bits = bits << depth | component(x, y, k)
            filled += depth
            while filled >= 8 {
              rows.append(UInt8(bits >> (filled - 8) & 0xFF))
              filled -= 8
            }
          }
        }
        if filled > 0 { rows.append(UInt8(bits << (8 - filled) & 0xFF)) }
      }
    }
    var file = PNGFormat.signature
    var header: [UInt8] = []
    PNGFormat.append(UInt32(width), to: &header)
    PNGFormat.append(UInt32(height), to: &header)
    header += [UInt8(depth), UInt8(colourType), 0, 0, isInterlaced ? 1 : 0]
    PNGFormat.append("IHDR", header, to: &file)
    if !palette.isEmpty { PNGFormat.append("PLTE", palette, to: &file) }
    if !transparency.isEmpty { PNGFormat.append("tRNS", transparency, to: &file) }
    // In two pieces, which belong together.
    let data = try Zlib.deflated(rows, level: 1)
    PNGFormat.append("IDAT", Array(data.prefix(7)), to: &file)
    PNGFormat.append("IDAT", Array(data.dropFirst(7)), to: &file)
    PNGFormat.append("IEND", [], to: &file)
    return file
  }
}

@Suite("PNG files")
struct PNGTests {
  private static func frame(_ width: Int, _ height: Int, seed: UInt64, deep: Bool = false)
    -> VideoFrame
  {
    var generator = SeededGenerator(seed: seed)
    func fill<S: PictureSample>(_: S.Type) -> FramePlanes<S> {
      let planes = FramePlanes<S>(width: width, height: height, chromaFormat: .yuv444)
      for index in 0..<3 {
        planes.withPlane(index) { plane in
          for y in 0..<height {
            for x in 0..<width {
              plane[y * plane.stride + x] = S(truncatingIfNeeded: generator.int(in: 0...65535))
            }
          }
        }
      }
      return planes
    }
    let crop = SampleRect(x: 0, y: 0, width: width, height: height)
    var frame = VideoFrame(
      storage: deep ? .depth16(fill(UInt16.self)) : .depth8(fill(UInt8.self)),
      lumaBitDepth: deep ? 16 : 8, chromaBitDepth: deep ? 16 : 8, crop: crop)
    frame.colour = PictureFormat.rgb().colour
    return frame
  }

  private static func sample(_ frame: VideoFrame, _ plane: Int, _ x: Int, _ y: Int) -> Int {
    switch frame.storage {
    case .depth8(let planes):
      planes.withPlane(plane) { Int($0[(frame.crop.y + y) * $0.stride + frame.crop.x + x]) }
    case .depth16(let planes):
      planes.withPlane(plane) { Int($0[(frame.crop.y + y) * $0.stride + frame.crop.x + x]) }
    }
  }

  @Test("hold R′G′B′ without loss", arguments: [(1, 1), (7, 5), (33, 40)])
  func roundTrip(width: Int, height: Int) throws {
    for deep in [false, true] {
      let frame = Self.frame(width, height, seed: 3, deep: deep)
      let image = try PNGDecoder.decode(try PNGEncoder().encode(frame))
      #expect(image.width == width && image.height == height)
      for y in 0..<height {
        for x in 0..<width {
          for (k, plane) in [2, 0, 1].enumerated() {
            let value = Self.sample(frame, plane, x, y)
            let byte = deep ? (value * 255 + 32767) / 65535 : value
            #expect(Int(image.pixels[4 * (y * width + x) + k]) == byte)
          }
          #expect(image.pixels[4 * (y * width + x) + 3] == 255)
        }
      }
    }
  }

  @Test("show the cropped part, and alpha with the colours under it")
  func cropAndAlpha() throws {
    var frame = Self.frame(20, 16, seed: 8)
    frame.crop = SampleRect(x: 4, y: 2, width: 10, height: 8)
    let alpha = FramePlanes<UInt8>(width: 10, height: 8, chromaFormat: .monochrome)
    for y in 0..<8 {
      for x in 0..<10 { alpha.y[y * alpha.y.stride + x] = UInt8(x * 25) }
    }
    // Premultiply what lies under it.
    if case .depth8(let planes) = frame.storage {
      for index in 0..<3 {
        planes.withPlane(index) { plane in
          for y in 0..<8 {
            for x in 0..<10 {
              let at = (y + 2) * plane.stride + x + 4
              plane[at] = UInt8((Int(plane[at]) * x * 25 + 127) / 255)
            }
          }
        }
      }
    }
    frame.alpha = alpha
    let image = try PNGDecoder.decode(try PNGEncoder().encode(frame))
    for x in 0..<10 {
      #expect(Int(image.pixels[4 * (10 * 3 + x) + 3]) == x * 25)
      let colour = Int(image.pixels[4 * (10 * 3 + x)])
      let again = (colour * x * 25 + 127) / 255
      #expect(abs(again - Self.sample(frame, 2, x, 3)) <= 1)
    }
  }

  @Test("nothing is made for more bytes than a stream can hold")
  func shortStream() throws {
    // What deflate can at most: a stream of zeros comes near to its bound.
    let zeros = try Zlib.deflated([UInt8](repeating: 0, count: 4 << 20), level: 9)
    #expect(Zlib.inflated(zeros, count: 4 << 20)?.count == 4 << 20)
    let empty = try Zlib.deflated([], level: 9)
    #expect(Zlib.inflated(empty, count: 0) == [])
    // 2⁵⁰ bytes could not be made, so that asking for them would end the process.
    #expect(Zlib.inflated(zeros, count: 1 << 50) == nil)
    // 11,900² pixels of RGBA with 16 bits in 66 bytes.
    var file = PNGFormat.signature
    var header: [UInt8] = []
    for side in [11_900, 11_900] { PNGFormat.append(UInt32(side), to: &header) }
    PNGFormat.append("IHDR", header + [16, 6, 0, 0, 0], to: &file)
    PNGFormat.append("IDAT", Array(empty.prefix(9)), to: &file)
    PNGFormat.append("IEND", [], to: &file)
    let error = #expect(throws: MediaError.self) { try PNGDecoder.decode(file) }
    #expect(error?.rule == .pngData)
  }

  @Test("of every colour type, depth and interlacing are read")
  func kinds() throws {
    var generator = SeededGenerator(seed: 15)
    for (colourType, depths) in [
      (0, [1, 2, 4, 8, 16]), (2, [8, 16]), (3, [1, 2, 4, 8]), (4, [8, 16]), (6, [8, 16]),
    ] {
      for depth in depths {
        for isInterlaced in [false, true] {
          for (width, height) in [(1, 1), (3, 9), (17, 11)] {
            let palette = (0..<(3 << min(depth, 8))).map { _ in
              UInt8(generator.int(in: 0...255))
            }
            let count = [1, 0, 3, 1, 2, 0, 4][colourType]
            var values = (0..<width * height * count).map { _ in
              generator.int(in: 0...(1 << depth - 1))
            }
            if colourType == 3 { values = values.map { $0 % (palette.count / 3) } }
            var builder = PNGBuilder(
              width: width, height: height, depth: depth, colourType: colourType)
            builder.isInterlaced = isInterlaced
            if colourType == 3 {
              builder.palette = palette
              builder.transparency = [0, 128]
            }
            let file = try builder.file { values[($1 * width + $0) * count + $2] }
            let image = try PNGDecoder.decode(file)
            func byte(_ v: Int) -> Int {
              let top = 1 << depth - 1
              return (v * 255 + top / 2) / top
            }
            for i in 0..<width * height {
              let c = (0..<count).map { values[i * count + $0] }
              let want: [Int]
              switch colourType {
              case 0: want = [byte(c[0]), byte(c[0]), byte(c[0]), 255]
              case 2: want = [byte(c[0]), byte(c[1]), byte(c[2]), 255]
              case 3:
                want =
                  (0..<3).map { Int(palette[3 * c[0] + $0]) }
                  + [c[0] == 0 ? 0 : c[0] == 1 ? 128 : 255]
              case 4: want = [byte(c[0]), byte(c[0]), byte(c[0]), byte(c[1])]
              default: want = c.map(byte)
              }
              #expect((0..<4).map { Int(image.pixels[4 * i + $0]) } == want)
            }
          }
        }
      }
    }
  }

  @Test("with damage anywhere give an error or an image, never a trap")
  func damage() throws {
    var generator = SeededGenerator(seed: 99)
    let builder = PNGBuilder(
      width: 9, height: 9, depth: 4, colourType: 3, isInterlaced: true,
      palette: (0..<30).map { UInt8($0) })
    let file = try builder.file { x, y, _ in (x + y) % 10 }
    for length in 0..<file.count {
      #expect(throws: MediaError.self) { _ = try PNGDecoder.decode(Array(file.prefix(length))) }
    }
    for _ in 0..<3000 {
      var damaged = file
      let at = generator.int(in: 0...damaged.count - 1)
      damaged[at] = UInt8(generator.int(in: 0...255))
      _ = try? PNGDecoder.decode(damaged)
    }
    // The same with right checksums, so that the values themselves are met.
    for _ in 0..<3000 {
      var damaged = PNGFormat.signature
      var header: [UInt8] = []
      PNGFormat.append(UInt32(generator.int(in: 0...40)), to: &header)
      PNGFormat.append(UInt32(generator.int(in: 0...40)), to: &header)
      header += (0..<5).map { _ in
        UInt8([0, 1, 2, 3, 4, 6, 8, 16].randomElement(using: &generator) ?? 0)
      }
      PNGFormat.append("IHDR", header, to: &damaged)
      let noise = (0..<generator.int(in: 0...400)).map { _ in UInt8(generator.int(in: 0...5)) }
      if generator.one(in: 2) {
        PNGFormat.append("PLTE", Array(noise.prefix(noise.count / 3 * 3)), to: &damaged)
      }
      PNGFormat.append("IDAT", try Zlib.deflated(noise, level: 1), to: &damaged)
      PNGFormat.append("IEND", [], to: &damaged)
      _ = try? PNGDecoder.decode(damaged)
    }
  }

  @Test("that claim a huge size are refused before anything is made")
  func hugeSize() {
    var file = PNGFormat.signature
    PNGFormat.append("IHDR", [0x7F, 255, 255, 255, 0x7F, 255, 255, 255, 16, 6, 0, 0, 1], to: &file)
    #expect(throws: MediaError.self) { _ = try PNGDecoder.decode(file) }
  }
}
