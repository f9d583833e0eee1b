// What a stream says of a frame beyond its samples.

/// Two views in one frame. ISO/IEC 14496-10:2020 §D.2.26.
public struct FramePacking: Sendable, Hashable {
  /// frame_packing_arrangement_type: 0 checkerboard, 1 columns, 2 rows, 3 side by side,
  /// 4 top and bottom, 5 alternating frames, 6 no stereo, 7 tiles.
  public var arrangementType: Int
  /// quincunx_sampling_flag: each view has every second sample, offset from row to row.
  public var isQuincunx: Bool
  /// content_interpretation_type: 1: frame 0 is the left view, 2: the right view, 0: not told.
  public var contentInterpretation: Int
  /// For alternating frames: this frame is frame 0.
  public var isFrame0: Bool

  /// An arrangement by its fields.
  public init(
    arrangementType: Int, isQuincunx: Bool, contentInterpretation: Int, isFrame0: Bool
  ) {
    self.arrangementType = arrangementType
    self.isQuincunx = isQuincunx
    self.contentInterpretation = contentInterpretation
    self.isFrame0 = isFrame0
  }
}

/// How to turn a frame for display: flips first, then the rotation. ISO/IEC 14496-10:2020 §D.2.27.
public struct DisplayOrientation: Sendable, Hashable {
  /// hor_flip: left and right change places.
  public var isFlippedHorizontally: Bool
  /// ver_flip: top and bottom change places.
  public var isFlippedVertically: Bool
  /// Anticlockwise rotation in 1/65,536 of a full turn, 0…65,535.
  public var anticlockwiseRotation: Int

  /// An orientation by its fields.
  public init(
    isFlippedHorizontally: Bool, isFlippedVertically: Bool, anticlockwiseRotation: Int
  ) {
    self.isFlippedHorizontally = isFlippedHorizontally
    self.isFlippedVertically = isFlippedVertically
    self.anticlockwiseRotation = anticlockwiseRotation
  }
}

/// The display that the content was mastered on. ISO/IEC 14496-10:2020 §D.2.29, SMPTE ST 2086.
public struct MasteringDisplay: Sendable, Hashable {
  /// A chromaticity in units of 0.00002.
  public struct Point: Sendable, Hashable {
    /// CIE 1931 coordinates, 0…50,000.
    public var x, y: Int
    /// A chromaticity by its coordinates.
    public init(x: Int, y: Int) { (self.x, self.y) = (x, y) }
  }
  /// In the order of the stream: green, blue, red.
  public var primaries: [Point]
  /// Chromaticity of white.
  public var whitePoint: Point
  /// Units of 0.0001 candela per square metre.
  public var maximumLuminance, minimumLuminance: Int

  /// A display by its primaries, three in the order of the stream, white and range.
  public init(
    primaries: [Point], whitePoint: Point, maximumLuminance: Int, minimumLuminance: Int
  ) {
    self.primaries = primaries
    self.whitePoint = whitePoint
    self.maximumLuminance = maximumLuminance
    self.minimumLuminance = minimumLuminance
  }
}

/// Brightness of the content in candela per square metre. ISO/IEC 14496-10:2020 §D.2.31, CTA-861.3.
public struct ContentLightLevel: Sendable, Hashable {
  /// The brightest pixel (MaxCLL) and the brightest mean of a frame (MaxFALL); 0 when not told.
  public var maximumContentLight, maximumFrameAverageLight: Int
  /// Two levels in candela per square metre.
  public init(maximumContentLight: Int, maximumFrameAverageLight: Int) {
    self.maximumContentLight = maximumContentLight
    self.maximumFrameAverageLight = maximumFrameAverageLight
  }
}

/// Side data of one frame; what the stream does not tell is nil.
public struct FrameSideData: Sendable, Hashable {
  /// How two views share the frame.
  public var framePacking: FramePacking?
  /// How the stream wants the frame to be turned; a container's matrix is in ``Track/matrix``.
  public var displayOrientation: DisplayOrientation?
  /// What the content was graded on.
  public var masteringDisplay: MasteringDisplay?
  /// How bright the content is at most.
  public var contentLightLevel: ContentLightLevel?
  /// The part of the picture to show, where the container tells one.
  public var cleanAperture: CleanAperture?
  /// The stream asks for synthetic film grain. Reel tells and does not apply it.
  public var hasFilmGrain = false

  /// Nothing is told.
  public init() {}
}
