// The filters that are built, with their parameters.

public import ReelCore

/// What a parameter takes, and what it is when it is not given.
public enum FilterParameterKind: Sendable, Hashable {
  /// A number, limited to the range.
  case number(default: Double, range: ClosedRange<Double>)
  /// As many numbers as the default has, each limited to the range.
  case vector(default: [Double], range: ClosedRange<Double>)
  /// A colour, its components limited to 0…1.
  case colour(default: RGBAColor)
  /// Bytes; required.
  case data
}

/// A filter's name under Core Image and its parameters.
public struct FilterSpecification: Sendable, Hashable {
  public struct Parameter: Sendable, Hashable {
    /// Name under Core Image, such as `inputRadius`.
    public let key: String
    public let kind: FilterParameterKind
  }

  public let name: String
  public let parameters: [Parameter]
  /// What it does, as a sentence without a full stop.
  public let summary: String

  fileprivate init(
    _ name: String, _ summary: String, _ parameters: KeyValuePairs<String, FilterParameterKind>
  ) {
    self.name = name
    self.summary = summary
    self.parameters = parameters.map { Parameter(key: $0.key, kind: $0.value) }
  }
}

/// All filters. Components are R′G′B′ 0…1 as coded (or linear light where the composition says so);
/// lengths are pixels of the source picture; positions are Core Image's, with the origin at the bottom
/// left and y up.
public enum FilterCatalog {
  private static let unbounded = -1e6...1e6
  private static let point = -1e6...1e6

  public static let all: [FilterSpecification] = colour + effects + spatial

  /// The filter of this name, or nil.
  public static func specification(named name: String) -> FilterSpecification? {
    all.first { $0.name == name }
  }

  private static let colour: [FilterSpecification] = [
    .init(
      "CIColorControls", "saturation, then brightness, then contrast around the middle",
      [
        "inputSaturation": .number(default: 1, range: 0...2),
        "inputBrightness": .number(default: 0, range: -1...1),
        "inputContrast": .number(default: 1, range: 0...4),
      ]),
    .init(
      "CIExposureAdjust", "components times 2 to the power of the exposure value",
      ["inputEV": .number(default: 0, range: -10...10)]),
    .init(
      "CIGammaAdjust", "components to a power",
      ["inputPower": .number(default: 1, range: 0.1...10)]),
    .init(
      "CIHueAdjust", "turns hues around the grey axis by an angle in radians",
      ["inputAngle": .number(default: 0, range: -1000...1000)]),
    .init(
      "CIVibrance", "saturation, more where there is little of it",
      ["inputAmount": .number(default: 0, range: -1...1)]),
    .init(
      "CITemperatureAndTint", "adapts from one white (kelvin, tint) to another",
      [
        "inputNeutral": .vector(default: [6500, 0], range: -500...25000),
        "inputTargetNeutral": .vector(default: [6500, 0], range: -500...25000),
      ]),
    .init(
      "CIColorMatrix", "a matrix over red, green, blue and alpha, and a bias",
      [
        "inputRVector": .vector(default: [1, 0, 0, 0], range: -100...100),
        "inputGVector": .vector(default: [0, 1, 0, 0], range: -100...100),
        "inputBVector": .vector(default: [0, 0, 1, 0], range: -100...100),
        "inputAVector": .vector(default: [0, 0, 0, 1], range: -100...100),
        "inputBiasVector": .vector(default: [0, 0, 0, 0], range: -100...100),
      ]),
    .init("CIColorInvert", "one minus each component", [:]),
    .init(
      "CIColorMonochrome", "shades of one colour",
      [
        "inputColor": .colour(default: RGBAColor(red: 0.6, green: 0.45, blue: 0.3)),
        "inputIntensity": .number(default: 1, range: 0...1),
      ]),
    .init(
      "CISepiaTone", "shades of reddish brown",
      ["inputIntensity": .number(default: 1, range: 0...1)]),
    .init(
      "CIColorPosterize", "each component in a few levels",
      ["inputLevels": .number(default: 6, range: 2...256)]),
    .init(
      "CIColorCube", "a table of colours, interpolated along all three axes",
      [
        "inputCubeDimension": .number(default: 2, range: 2...129),
        "inputCubeData": .data,
      ]),
  ]

  private static let effects: [FilterSpecification] = [
    .init("CIPhotoEffectMono", "black and white with low contrast", [:]),
    .init("CIPhotoEffectNoir", "black and white with exaggerated contrast", [:]),
    .init("CIPhotoEffectTonal", "black and white without much change of contrast", [:]),
    .init("CIPhotoEffectChrome", "vintage film with exaggerated colour", [:]),
    .init("CIPhotoEffectFade", "vintage film with diminished colour", [:]),
    .init("CIPhotoEffectInstant", "vintage film with distorted colours", [:]),
    .init("CIPhotoEffectProcess", "vintage film with emphasized cool colours", [:]),
    .init("CIPhotoEffectTransfer", "vintage film with emphasized warm colours", [:]),
  ]

  private static let spatial: [FilterSpecification] = [
    .init(
      "CIGaussianBlur", "a Gaussian of this standard deviation; edge pixels go on outside",
      ["inputRadius": .number(default: 10, range: 0...500)]),
    .init(
      "CIBoxBlur", "the mean of the square that reaches this far to each side",
      ["inputRadius": .number(default: 10, range: 0...500)]),
    .init(
      "CIMotionBlur", "the mean along a line that reaches this far both ways",
      [
        "inputRadius": .number(default: 20, range: 0...200),
        "inputAngle": .number(default: 0, range: -1000...1000),
      ]),
    .init(
      "CISharpenLuminance", "adds detail to luma alone",
      [
        "inputSharpness": .number(default: 0.4, range: 0...4),
        "inputRadius": .number(default: 1.69, range: 0...100),
      ]),
    .init(
      "CIUnsharpMask", "adds what a Gaussian takes away",
      [
        "inputRadius": .number(default: 2.5, range: 0...100),
        "inputIntensity": .number(default: 0.5, range: 0...10),
      ]),
    .init(
      "CIVignette", "darkens towards the corners",
      [
        "inputRadius": .number(default: 1, range: 0...2),
        "inputIntensity": .number(default: 0, range: -1...1),
      ]),
    .init(
      "CIPixellate", "squares of one colour each",
      [
        "inputCenter": .vector(default: [150, 150], range: point),
        "inputScale": .number(default: 8, range: 1...1000),
      ]),
    .init(
      "CIBloom", "a glow around bright parts",
      [
        "inputRadius": .number(default: 10, range: 0...500),
        "inputIntensity": .number(default: 0.5, range: 0...1),
      ]),
    .init(
      "CIEdges", "edges as the length of the gradient",
      ["inputIntensity": .number(default: 1, range: 0...100)]),
    .init(
      "CICrop", "black outside of a rectangle (x, y, width, height)",
      ["inputRectangle": .vector(default: [0, 0, 1e6, 1e6], range: unbounded)]),
    .init(
      "CIAffineTransform", "moves the picture by a matrix (a, b, c, d, tx, ty); black around it",
      ["inputTransform": .vector(default: [1, 0, 0, 1, 0, 0], range: unbounded)]),
  ]
}
