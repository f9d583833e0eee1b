// Images of PNG files.

public import ReelCore
public import ReelImaging

/// Reads PNG files into images: all colour types, depths and the interlacing of ISO/IEC 15948:2004.
public enum PNGDecoder {
  /// The image of a file, 8 bits a component.
  ///
  /// - Throws: `.damaged` and `.needsMoreData` with the offset, `.limitExceeded` for sizes beyond those
  ///   of pictures.
  public static func decode(_ file: [UInt8]) throws(MediaError) -> RGBAImage {
    guard file.starts(with: PNGFormat.signature) else { throw MediaError(.damaged, .pngSignature) }
    var content = PNGContent()
    var offset = PNGFormat.signature.count
    for _ in 0..<PNGFormat.mostChunks {
      let chunk = try PNGChunk(in: file, at: offset)
      if chunk.type == "IEND" { break }
      try content.take(chunk, file)
      offset = chunk.data.upperBound + 4
    }
    return try content.image()
  }

  /// True for files that begin as PNG files do.
  public static func isPNG(_ file: [UInt8]) -> Bool { file.starts(with: PNGFormat.signature) }
}

/// What the chunks of a file say.
private struct PNGContent {
  private var header: PNGHeader?
  private var palette: [UInt8] = []
  private var transparency: [UInt8] = []
  private var data: [UInt8] = []

  mutating func take(_ chunk: PNGChunk, _ file: [UInt8]) throws(MediaError) {
    let place = Place.offset(Int64(chunk.data.lowerBound))
    guard header != nil || chunk.type == "IHDR" else {
      throw MediaError(.damaged, .pngHeader, at: place, detail: "\(chunk.type) before it")
    }
    switch chunk.type {
    case "IHDR":
      guard header == nil else {
        throw MediaError(.damaged, .pngHeader, at: place, detail: "twice")
      }
      header = try PNGHeader(Array(file[chunk.data]), at: place)
    case "PLTE":
      guard chunk.data.count % 3 == 0, (3...768).contains(chunk.data.count), palette.isEmpty else {
        throw MediaError(.damaged, .pngPalette, at: place, detail: "\(chunk.data.count) bytes")
      }
      palette = Array(file[chunk.data])
    case "tRNS": transparency = Array(file[chunk.data].prefix(256))
    case "IDAT": data += file[chunk.data]
    default:
      guard chunk.isAncillary else {
        throw MediaError(.unsupported, .pngCritical, at: place, detail: "\(chunk.type)")
      }
    }
  }

  func image() throws(MediaError) -> RGBAImage {
    guard let header else { throw MediaError(.damaged, .pngHeader, detail: "none") }
    let passes = header.passes
    let count = passes.reduce(0) { $0 + $1.byteCount(header) }
    guard let rows = Zlib.inflated(data, count: count) else {
      throw MediaError(.damaged, .pngData, detail: "\(count) bytes needed")
    }
    if header.colourType == 3 && palette.isEmpty { throw MediaError(.damaged, .pngPalette) }
    var pixels = [UInt8](repeating: 0, count: 4 * header.width * header.height)
    var offset = 0
    for pass in passes {
      try decode(pass, header, rows, &offset, into: &pixels)
    }
    return try RGBAImage(width: header.width, height: header.height, pixels: pixels)
  }

  private func decode(
    _ pass: PNGPass, _ header: PNGHeader, _ rows: [UInt8], _ offset: inout Int,
    into pixels: inout [UInt8]
  ) throws(MediaError) {
    guard pass.width > 0, pass.height > 0 else { return }
    let length = header.rowByteCount(pass.width)
    var above = [UInt8](repeating: 0, count: length)
    let clear = clear(header)
    for y in 0..<pass.height {
      guard let filter = PNGFilter(rawValue: rows[offset]) else {
        throw MediaError(.damaged, .pngFilter, detail: "type \(rows[offset]) in row \(y)")
      }
      var row = Array(rows[offset + 1..<offset + 1 + length])
      offset += 1 + length
      filter.removed(from: &row, above: above, step: max(header.pixelBitCount / 8, 1))
      for x in 0..<pass.width {
        let pixel = try pixel(row, x, header, clear)
        let target = 4 * ((pass.y + y * pass.stepY) * header.width + pass.x + x * pass.stepX)
        for k in 0..<4 { pixels[target + k] = pixel[k] }
      }
      above = row
    }
  }

  /// Red, green, blue, alpha of a pixel of a row. `clear`: the colour that is transparent.
  private func pixel(
    _ row: [UInt8], _ x: Int, _ header: PNGHeader, _ clear: SIMD3<Int>?
  ) throws(MediaError) -> SIMD4<UInt8> {
    let depth = header.bitDepth
    func sample(_ index: Int) -> Int {
      switch depth {
      case 16: Int(row[2 * index]) << 8 | Int(row[2 * index + 1])
      case 8: Int(row[index])
      default:
        Int(row[index * depth / 8]) >> (8 - depth - index * depth % 8) & (1 << depth - 1)
      }
    }
    // Rounded to 8 bits.
    func byte(_ value: Int) -> UInt8 {
      let top = 1 << depth - 1
      return UInt8((value * 255 + top / 2) / top)
    }
    let first = x * header.componentCount
    switch header.colourType {
    case 0:
      let grey = sample(first)
      let alpha: UInt8 = grey == clear?.x ? 0 : 255
      return SIMD4(byte(grey), byte(grey), byte(grey), alpha)
    case 2:
      let c = SIMD3(sample(first), sample(first + 1), sample(first + 2))
      return SIMD4(byte(c.x), byte(c.y), byte(c.z), c == clear ? 0 : 255)
    case 3:
      let index = sample(first)
      guard 3 * index + 2 < palette.count else {
        throw MediaError(.damaged, .pngPalette, detail: "colour \(index)")
      }
      return SIMD4(
        palette[3 * index], palette[3 * index + 1], palette[3 * index + 2],
        index < transparency.count ? transparency[index] : 255)
    case 4:
      let grey = byte(sample(first))
      return SIMD4(grey, grey, grey, byte(sample(first + 1)))
    default:
      return SIMD4(
        byte(sample(first)), byte(sample(first + 1)), byte(sample(first + 2)),
        byte(sample(first + 3)))
    }
  }

  /// The one colour that tRNS makes transparent, of grey three times the same; nil without one.
  private func clear(_ header: PNGHeader) -> SIMD3<Int>? {
    func word(_ at: Int) -> Int { Int(transparency[at]) << 8 | Int(transparency[at + 1]) }
    switch header.colourType {
    case 0 where transparency.count >= 2: return SIMD3(repeating: word(0))
    case 2 where transparency.count >= 6: return SIMD3(word(0), word(2), word(4))
    default: return nil
    }
  }
}

/// IHDR. ISO/IEC 15948:2004 §11.2.2.
private struct PNGHeader {
  let width, height: Int
  let bitDepth: Int
  let colourType: Int
  let isInterlaced: Bool

  init(_ data: [UInt8], at place: Place) throws(MediaError) {
    guard data.count == 13 else {
      throw MediaError(.damaged, .pngHeader, at: place, detail: "\(data.count) bytes")
    }
    func word(_ at: Int) -> Int { data[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    (width, height) = (word(0), word(4))
    (bitDepth, colourType) = (Int(data[8]), Int(data[9]))
    isInterlaced = data[12] == 1
    let depths: [Int]
    switch colourType {
    case 0: depths = [1, 2, 4, 8, 16]
    case 3: depths = [1, 2, 4, 8]
    case 2, 4, 6: depths = [8, 16]
    default: depths = []
    }
    guard depths.contains(bitDepth), data[10] == 0, data[11] == 0, data[12] <= 1, width > 0,
      height > 0
    else {
      throw MediaError(
        .damaged, .pngHeader, at: place, detail: "colour type \(colourType), \(bitDepth) bits")
    }
    // LIMIT: as for pictures, before anything is sized by it.
    guard width <= 32_768, height <= 32_768,
      width * height <= 4 * Limits.standard.maximumPictureSamples
    else { throw MediaError(.limitExceeded, .pngSize, detail: "\(width) × \(height)") }
  }

  /// ISO/IEC 15948:2004 §6.1.
  var componentCount: Int {
    switch colourType {
    case 2: 3
    case 4: 2
    case 6: 4
    default: 1
    }
  }
  var pixelBitCount: Int { componentCount * bitDepth }
  func rowByteCount(_ width: Int) -> Int { (width * pixelBitCount + 7) / 8 }

  /// The whole image, or the seven passes of Adam7. ISO/IEC 15948:2004 §8.2.
  var passes: [PNGPass] {
    guard isInterlaced else {
      return [PNGPass(x: 0, y: 0, stepX: 1, stepY: 1, header: self)]
    }
    return [
      (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
      (0, 1, 1, 2),
    ].map { PNGPass(x: $0.0, y: $0.1, stepX: $0.2, stepY: $0.3, header: self) }
  }
}

/// The pixels of an image that one pass has.
private struct PNGPass {
  let x, y, stepX, stepY: Int
  let width, height: Int

  init(x: Int, y: Int, stepX: Int, stepY: Int, header: PNGHeader) {
    (self.x, self.y, self.stepX, self.stepY) = (x, y, stepX, stepY)
    width = (header.width - x + stepX - 1) / stepX
    height = (header.height - y + stepY - 1) / stepY
  }

  func byteCount(_ header: PNGHeader) -> Int {
    width <= 0 || height <= 0 ? 0 : height * (1 + header.rowByteCount(width))
  }
}
