// Colour filters as steps of a pass.

internal import ReelCore

enum ColourFilters {
  /// Weights of the components in luma. Rec. ITU-R BT.709-6 §3.2.
  static let luma = (red: 0.2126, green: 0.7152, blue: 0.0722)

  /// The steps of a colour filter; nil when `name` is no colour filter.
  static func operations(
    _ p: FilterParameters, width: Int, height: Int
  ) throws(MediaError) -> [PointOperation]? {
    switch p.specification.name {
    case "CIColorControls":
      let saturated = saturation(p.number("inputSaturation"))
      return [
        .matrix(saturated),
        .matrix(
          brightness(p.number("inputBrightness"), contrast: p.number("inputContrast"))),
      ]
    case "CIExposureAdjust": return [.matrix(scale(ExactMath.exp2(p.number("inputEV"))))]
    case "CIGammaAdjust":
      let power = p.number("inputPower")
      return [.rootCurve(UnitTable { ExactMath.power($0, 4 * power) })]
    case "CIHueAdjust": return [.matrix(hueRotation(p.number("inputAngle")))]
    case "CIVibrance": return [.vibrance(Float(p.number("inputAmount")))]
    case "CITemperatureAndTint":
      return [
        .matrix(
          WhiteBalance.matrix(
            from: p.vector("inputNeutral"), to: p.vector("inputTargetNeutral")))
      ]
    case "CIColorMatrix": return [.matrix(try colourMatrix(p))]
    case "CIColorInvert":
      return [.matrix(AffineColour(m: [-1, 0, 0, 1, 0, -1, 0, 1, 0, 0, -1, 1]))]
    case "CIColorMonochrome":
      let c = p.colour("inputColor")
      let w = luma
      let shades = AffineColour(m: [
        c.red * w.red, c.red * w.green, c.red * w.blue, 0,
        c.green * w.red, c.green * w.green, c.green * w.blue, 0,
        c.blue * w.red, c.blue * w.green, c.blue * w.blue, 0,
      ])
      return [.matrix(mix(shades, p.number("inputIntensity")))]
    case "CISepiaTone": return [.matrix(mix(sepia, p.number("inputIntensity")))]
    case "CIColorPosterize": return [.posterize(Float(p.number("inputLevels").rounded()))]
    case "CIColorCube":
      let dimension = Int(p.number("inputCubeDimension"))
      return [.cube(try ColourCube(dimension: dimension, data: p.data("inputCubeData")))]
    case "CIVignette":
      return [
        .vignette(
          Vignette(
            width: width, height: height, radius: p.number("inputRadius"),
            intensity: p.number("inputIntensity")))
      ]
    default: return PhotoEffects.operations(p.specification.name)
    }
  }

  /// c′ = (c + brightness − ½) · contrast + ½.
  static func brightness(_ brightness: Double, contrast: Double) -> AffineColour {
    let offset = (brightness - 0.5) * contrast + 0.5
    return AffineColour(m: [
      contrast, 0, 0, offset, 0, contrast, 0, offset, 0, 0, contrast, offset,
    ])
  }

  static func scale(_ k: Double) -> AffineColour {
    AffineColour(m: [k, 0, 0, 0, 0, k, 0, 0, 0, 0, k, 0])
  }

  /// Distances from luma times `amount`.
  static func saturation(_ amount: Double) -> AffineColour {
    let w = luma
    let rest = 1 - amount
    return AffineColour(m: [
      rest * w.red + amount, rest * w.green, rest * w.blue, 0,
      rest * w.red, rest * w.green + amount, rest * w.blue, 0,
      rest * w.red, rest * w.green, rest * w.blue + amount, 0,
    ])
  }

  /// Between the identity (0) and `map` (1).
  static func mix(_ map: AffineColour, _ amount: Double) -> AffineColour {
    var result = map
    for i in 0..<12 {
      result.m[i] = AffineColour.identity.m[i] * (1 - amount) + map.m[i] * amount
    }
    return result
  }

  static let sepia = AffineColour(m: [
    0.393, 0.769, 0.189, 0, 0.349, 0.686, 0.168, 0, 0.272, 0.534, 0.131, 0,
  ])

  /// The hue rotation of SVG's feColorMatrix, which keeps luma.
  static func hueRotation(_ angle: Double) -> AffineColour {
    let (s, c) = ExactMath.sineAndCosine(angle)
    return AffineColour(m: [
      0.213 + c * 0.787 - s * 0.213, 0.715 - c * 0.715 - s * 0.715, 0.072 - c * 0.072 + s * 0.928,
      0,
      0.213 - c * 0.213 + s * 0.143, 0.715 + c * 0.285 + s * 0.140, 0.072 - c * 0.072 - s * 0.283,
      0,
      0.213 - c * 0.213 - s * 0.787, 0.715 - c * 0.715 + s * 0.715, 0.072 + c * 0.928 + s * 0.072,
      0,
    ])
  }

  /// Core Image multiplies by the rows and adds the bias; alpha is 1 before, and what it becomes dims the
  /// picture over black.
  private static func colourMatrix(_ p: FilterParameters) throws(MediaError) -> AffineColour {
    let bias = p.vector("inputBiasVector")
    let alpha = p.vector("inputAVector")
    guard alpha[0] == 0, alpha[1] == 0, alpha[2] == 0 else {
      throw MediaError(
        .unsupported, .filterValue, at: .named("CIColorMatrix"),
        detail: "inputAVector that makes alpha of colours",
        advice: "only its last number may differ from 0")
    }
    let opacity = min(max(alpha[3] + bias[3], 0), 1)
    var map = AffineColour.identity
    for (row, key) in ["inputRVector", "inputGVector", "inputBVector"].enumerated() {
      let v = p.vector(key)
      for column in 0..<3 { map.m[row * 4 + column] = v[column] * opacity }
      map.m[row * 4 + 3] = (v[3] + bias[row]) * opacity
    }
    return map
  }
}

/// Adaptation between whites.
enum WhiteBalance {
  /// The Bradford matrix, from CIE XYZ to sharpened cone responses.
  private static let bradford = Matrix3([
    0.8951, 0.2664, -0.1614, -0.7502, 1.7135, 0.0367, 0.0389, -0.0685, 1.0296,
  ])

  /// The map that shows what was neutral under `source` as neutral under `target`; each is a colour
  /// temperature in kelvin and a tint in thousandths of CIE 1960 uv across the locus.
  static func matrix(from source: [Double], to target: [Double]) -> AffineColour {
    let before = bradford.applyTo(white(temperature: source[0], tint: source[1]))
    let after = bradford.applyTo(white(temperature: target[0], tint: target[1]))
    let scale = Matrix3(
      diagonal: after.0 / before.0, after.1 / before.1, after.2 / before.2)
    let toXYZ = ColourPrimaries(code: 1).toXYZ
    let m = toXYZ.inverse * bradford.inverse * scale * bradford * toXYZ
    return AffineColour(m: [
      m[0, 0], m[0, 1], m[0, 2], 0, m[1, 0], m[1, 1], m[1, 2], 0, m[2, 0], m[2, 1], m[2, 2], 0,
    ])
  }

  /// X, Y, Z of a white with Y = 1.
  static func white(temperature: Double, tint: Double) -> (Double, Double, Double) {
    var (u, v) = locus(temperature)
    // Across the locus: perpendicular to its direction.
    let (u2, v2) = locus(temperature * 1.01)
    let (du, dv) = (u2 - u, v2 - v)
    let length = (du * du + dv * dv).squareRoot()
    if length > 0 {
      u += dv / length * tint / 3000
      v -= du / length * tint / 3000
    }
    let denominator = 2 * u - 8 * v + 4
    let (x, y) = (3 * u / denominator, 2 * v / denominator)
    return (x / y, 1, (1 - x - y) / y)
  }

  /// CIE 1960 (u, v) of a black body, 1,000…15,000 K, after M. Krystek (1985).
  private static func locus(_ kelvin: Double) -> (Double, Double) {
    let t = min(max(kelvin, 1000), 15000)
    let t2 = t * t
    let u =
      (0.860117757 + 1.54118254e-4 * t + 1.28641212e-7 * t2)
      / (1 + 8.42420235e-4 * t + 7.08145163e-7 * t2)
    let v =
      (0.317398726 + 4.22806245e-5 * t + 4.20481691e-8 * t2)
      / (1 - 2.89741816e-5 * t + 1.61456053e-7 * t2)
    return (u, v)
  }
}

extension Matrix3 {
  fileprivate func applyTo(_ v: (Double, Double, Double)) -> (Double, Double, Double) {
    apply(v.0, v.1, v.2)
  }
}
