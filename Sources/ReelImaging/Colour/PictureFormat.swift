// What the samples of a frame mean.

public import ReelCore

/// Where 4:2:0 and 4:2:2 chroma samples lie, in luma samples from the first luma sample of their group.
/// Rec. ITU-T H.273 §8.7.
struct ChromaSiting: Sendable, Hashable {
  /// 0 or ½ across, 0, ½ or 1 down.
  let x, y: Double

  /// `code` 0…5; anything else is 0, the default of the video codecs.
  init(code: UInt8?, chromaFormat: ChromaFormat) {
    switch chromaFormat {
    case .yuv420:
      switch code {
      case 1: (x, y) = (0.5, 0.5)
      case 2: (x, y) = (0, 0)
      case 3: (x, y) = (0.5, 0)
      case 4: (x, y) = (0, 1)
      case 5: (x, y) = (0.5, 1)
      default: (x, y) = (0, 0.5)
      }
    case .yuv422: (x, y) = (code == 1 || code == 3 || code == 5 ? 0.5 : 0, 0)
    case .yuv444, .monochrome: (x, y) = (0, 0)
    }
  }
}

/// The form of a frame's samples: chroma format, depths, colour.
public struct PictureFormat: Sendable, Hashable {
  public var chromaFormat: ChromaFormat
  /// Bits of a sample, 8…16.
  public var lumaBitDepth, chromaBitDepth: Int
  public var colour: ColourDescription

  public init(chromaFormat: ChromaFormat, bitDepth: Int = 8, colour: ColourDescription) {
    self.chromaFormat = chromaFormat
    lumaBitDepth = bitDepth
    chromaBitDepth = bitDepth
    self.colour = colour
  }

  /// Planes G, B, R of 4:4:4, full range, sRGB.
  public static func rgb(bitDepth: Int = 8) -> PictureFormat {
    var colour = ColourDescription()
    (colour.primaries, colour.transfer, colour.matrix, colour.isFullRange) = (1, 13, 0, true)
    return PictureFormat(chromaFormat: .yuv444, bitDepth: bitDepth, colour: colour)
  }

  /// Samples of more than 8 bits lie in 16.
  var isDeep: Bool { lumaBitDepth > 8 || chromaBitDepth > 8 }
}

extension VideoFrame {
  /// The form of this frame's samples.
  public var format: PictureFormat {
    var format = PictureFormat(
      chromaFormat: chromaFormat, bitDepth: lumaBitDepth, colour: colour)
    format.chromaBitDepth = chromaFormat.hasChroma ? chromaBitDepth : lumaBitDepth
    return format
  }
}

/// A format with everything resolved that arithmetic needs.
struct ResolvedFormat: Sendable, Hashable {
  let format: PictureFormat
  let matrix: ColourMatrix
  let coding: SampleCoding
  let siting: ChromaSiting

  /// `width`, `height`: of the picture, they tell what an unspecified matrix is.
  init(_ format: PictureFormat, width: Int, height: Int) throws(MediaError) {
    guard (8...16).contains(format.lumaBitDepth), (8...16).contains(format.chromaBitDepth) else {
      throw MediaError(
        .unsupported, .bitDepth,
        detail: "\(format.lumaBitDepth) and \(format.chromaBitDepth) bits")
    }
    self.format = format
    matrix = try ColourMatrix(code: format.colour.matrix, width: width, height: height)
    if matrix.isRGB && format.chromaFormat != .yuv444 && format.chromaFormat != .monochrome {
      throw MediaError(
        .unsupported, .colourMatrix, detail: "matrix coefficients 0 with subsampled planes")
    }
    coding = SampleCoding(
      isFullRange: format.colour.isFullRange, lumaDepth: format.lumaBitDepth,
      chromaDepth: format.chromaBitDepth, isRGB: matrix.isRGB)
    siting = ChromaSiting(
      code: format.colour.chromaLocation, chromaFormat: format.chromaFormat)
  }

  var horizontalShift: Int { format.chromaFormat.horizontalShift }
  var verticalShift: Int { format.chromaFormat.verticalShift }

  /// (R′, G′, B′) = matrix · codes + offsets, of the three planes' codes.
  var rgbFromCodes: AffineColour {
    let m = matrix.toRGB
    let c = coding
    var result = AffineColour.identity
    for row in 0..<3 {
      result.m[row * 4] = m[row, 0] / c.lumaScale
      result.m[row * 4 + 1] = m[row, 1] / c.chromaScale
      result.m[row * 4 + 2] = m[row, 2] / c.chromaScale
      result.m[row * 4 + 3] =
        -m[row, 0] * c.lumaOffset / c.lumaScale
        - (m[row, 1] + m[row, 2]) * c.chromaOffset / c.chromaScale
    }
    return result
  }

  /// Codes of the three planes = matrix · (R′, G′, B′) + offsets.
  var codesFromRGB: AffineColour {
    let m = matrix.fromRGB
    let c = coding
    var result = AffineColour.identity
    for row in 0..<3 {
      let scale = row == 0 ? c.lumaScale : c.chromaScale
      for column in 0..<3 { result.m[row * 4 + column] = m[row, column] * scale }
      result.m[row * 4 + 3] = row == 0 ? c.lumaOffset : c.chromaOffset
    }
    return result
  }
}

/// An affine map of three components, rows of four.
struct AffineColour: Sendable {
  var m: InlineArray<12, Double>

  static let identity = AffineColour(m: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0])

  /// The map that does this one first and `next` after it.
  func concatenating(_ next: AffineColour) -> AffineColour {
    var result = AffineColour.identity
    for row in 0..<3 {
      for column in 0..<4 {
        var sum = column == 3 ? next.m[row * 4 + 3] : 0
        for k in 0..<3 { sum += next.m[row * 4 + k] * m[k * 4 + column] }
        result.m[row * 4 + column] = sum
      }
    }
    return result
  }

  var isIdentity: Bool {
    for i in 0..<12 where m[i] != (i % 5 == 0 ? 1 : 0) { return false }
    return true
  }
}
