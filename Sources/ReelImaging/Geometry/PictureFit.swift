// How a picture fits bounds: the three gravities.

internal import ReelCore

/// A part of the source picture and the place in the output it is drawn to.
struct PictureFit: Sendable, Hashable {
  /// Part of the source in its luma samples, not rounded.
  var sourceX, sourceY, sourceWidth, sourceHeight: Double
  /// Place in the output, on multiples of the chroma subsampling.
  var target: SampleRect

  /// - Parameters:
  ///   - width, height: of the source, > 0.
  ///   - pixelAspect: shape of the source's pixels; unknown counts as square.
  ///   - bounds: of the output, whose pixels are square.
  ///   - alignment: log2 of the grid that the target lies on, across and down.
  init(
    width: Int, height: Int, pixelAspect: Ratio, in bounds: (width: Int, height: Int),
    gravity: Gravity, alignment: (x: Int, y: Int)
  ) {
    let isKnown = pixelAspect.numerator > 0 && pixelAspect.denominator > 0
    let aspectAcross = Int128(isKnown ? pixelAspect.numerator : 1)
    let aspectDown = Int128(isKnown ? pixelAspect.denominator : 1)
    // The source is wider than the bounds where `across` > `down`; both are exact.
    let across = Int128(width) * aspectAcross * Int128(bounds.height)
    let down = Int128(height) * aspectDown * Int128(bounds.width)
    (sourceX, sourceY) = (0, 0)
    (sourceWidth, sourceHeight) = (Double(width), Double(height))
    target = SampleRect(x: 0, y: 0, width: bounds.width, height: bounds.height)
    switch gravity {
    case .resize: break
    case .resizeAspectFill:
      if across > down {
        sourceWidth = Double(width) * (Double(down) / Double(across))
        sourceX = (Double(width) - sourceWidth) / 2
      } else if down > across {
        sourceHeight = Double(height) * (Double(across) / Double(down))
        sourceY = (Double(height) - sourceHeight) / 2
      }
    case .resizeAspect:
      if across > down {
        let exact = Double(bounds.height) * (Double(down) / Double(across))
        (target.y, target.height) = Self.centred(exact, in: bounds.height, shift: alignment.y)
      } else if down > across {
        let exact = Double(bounds.width) * (Double(across) / Double(down))
        (target.x, target.width) = Self.centred(exact, in: bounds.width, shift: alignment.x)
      }
    }
  }

  /// Start and length of `exact` samples in the middle of `whole`, both multiples of 2^`shift`.
  private static func centred(_ exact: Double, in whole: Int, shift: Int) -> (Int, Int) {
    let unit = Double(1 << shift)
    let length = min(max(Int((exact / unit).rounded()) << shift, 1 << shift), whole)
    return (((whole - length) >> (shift + 1)) << shift, length)
  }

  /// The whole source goes to the whole output, sample by sample.
  func isIdentity(width: Int, height: Int, output: (width: Int, height: Int)) -> Bool {
    sourceX == 0 && sourceY == 0 && sourceWidth == Double(width)
      && sourceHeight == Double(height)
      && target == SampleRect(x: 0, y: 0, width: output.width, height: output.height)
      && width == output.width && height == output.height
  }
}
