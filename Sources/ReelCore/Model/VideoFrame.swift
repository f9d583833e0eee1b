// A decoded picture and what is known of it.

/// Colour primaries, transfer and matrix as code points of ITU-T H.273; 2 is "unspecified".
public struct ColourDescription: Sendable, Hashable {
  /// colour_primaries, such as 1 for BT.709 and 9 for BT.2020.
  public var primaries: UInt8 = 2
  /// transfer_characteristics, such as 1 for BT.709, 16 for PQ and 18 for HLG.
  public var transfer: UInt8 = 2
  /// matrix_coefficients, such as 0 for RGB, 1 for BT.709 and 6 for BT.601.
  public var matrix: UInt8 = 2
  /// Samples use the whole range (0…255 at 8 bit) rather than the studio range (16…235).
  public var isFullRange = false
  /// Chroma sample location of 4:2:0, H.273 chroma_sample_loc_type 0…5; nil when not told.
  public var chromaLocation: UInt8?

  /// Nothing but the studio range is told.
  public init() {}
  /// Nothing but the studio range is told.
  public static let unspecified = ColourDescription()
}

/// A positive ratio, such as a pixel aspect ratio. 0:0 when unknown.
public struct Ratio: Sendable, Hashable, CustomStringConvertible {
  /// > 0; 0 when unknown.
  public var numerator: Int
  /// > 0; 0 when unknown.
  public var denominator: Int
  /// A ratio as it is, not in lowest terms.
  public init(_ numerator: Int, _ denominator: Int) {
    self.numerator = numerator
    self.denominator = denominator
  }
  /// 1:1.
  public static let square = Ratio(1, 1)
  /// 0:0.
  public static let unknown = Ratio(0, 0)
  public var description: String { "\(numerator):\(denominator)" }
}

/// A rectangle of luma samples.
public struct SampleRect: Sendable, Hashable {
  /// The left column, the top row, and how many of both.
  public var x, y, width, height: Int
  /// A rectangle by its corner and size.
  public init(x: Int, y: Int, width: Int, height: Int) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }
}

/// How the lines of a frame belong together in time.
public enum FieldOrder: Sendable, Hashable {
  /// All lines are of one time.
  case progressive
  /// Lines 0, 2, 4 … are earlier than the others.
  case topFieldFirst
  /// Lines 1, 3, 5 … are earlier than the others.
  case bottomFieldFirst
}

/// One picture as a decoder puts it out: woven frame, cropping told, native format and depth.
public struct VideoFrame: Sendable {
  /// The planes, by how a sample is stored.
  public enum Storage: Sendable {
    /// 8-bit samples.
    case depth8(FramePlanes<UInt8>)
    /// 9- to 16-bit samples in the low bits.
    case depth16(FramePlanes<UInt16>)
  }

  /// The planes, which nobody writes to any more.
  public var storage: Storage
  /// Bits of a luma sample, 8…16.
  public var lumaBitDepth: Int
  /// Bits of a chroma sample, 8…16.
  public var chromaBitDepth: Int
  /// The part to show, in luma samples of the planes; offsets fit the chroma subsampling.
  public var crop: SampleRect
  /// Width of a pixel to its height.
  public var pixelAspectRatio: Ratio = .unknown
  /// What is known of the colours.
  public var colour: ColourDescription = .unspecified
  /// Which lines are earlier.
  public var fieldOrder: FieldOrder = .progressive
  /// Fields this picture is shown for beyond its own two (pic_struct): 0, 1 (repeat a field), 2, 4.
  public var repeatedFieldCount = 0
  /// Presentation time of the packet that held the picture, in the track's ticks; nil when unknown.
  public var presentationTicks: Int64?
  /// Duration in the track's ticks; nil when unknown.
  public var durationTicks: Int64?
  /// The picture can be decoded without any earlier one.
  public var isKeyFrame = false
  /// Macroblocks (or coding blocks) that were not decoded, or not all of them, but made up.
  public var concealedBlockCount = 0
  /// Reference pictures that were missing, or not whole themselves, so that samples may be wrong though
  /// every block decoded. With `concealedBlockCount` 0 as well, every sample is right.
  public var missingReferenceCount = 0
  /// Number of the picture in decoding order, from 0.
  public var decodeIndex = 0
  /// ITU-T T.35 user data (A/53 captions) in the order it came, raw payloads.
  public var registeredUserData: [[UInt8]] = []
  /// How much of each pixel is covered, 0…255, from the first sample of the luma plane on, in the size
  /// of `crop`; nil where all of it is. Colours have it multiplied in: they lie over black.
  public var alpha: FramePlanes<UInt8>?
  /// Frame packing, orientation, mastering and the like.
  public var sideData = FrameSideData()

  /// A frame of which no more is known. `crop` must lie in the planes.
  public init(
    storage: Storage, lumaBitDepth: Int, chromaBitDepth: Int, crop: SampleRect
  ) {
    self.storage = storage
    self.lumaBitDepth = lumaBitDepth
    self.chromaBitDepth = chromaBitDepth
    self.crop = crop
  }

  /// How chroma is sampled.
  public var chromaFormat: ChromaFormat {
    switch storage {
    case .depth8(let planes): planes.chromaFormat
    case .depth16(let planes): planes.chromaFormat
    }
  }

  /// Luma samples to show, across.
  public var width: Int { crop.width }
  /// Luma samples to show, down.
  public var height: Int { crop.height }
}
