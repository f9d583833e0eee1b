// The planes of one picture, and a pool that lends them again.

/// How chroma is sampled. ISO/IEC 14496-10 Table 6-1 (chroma_format_idc).
public enum ChromaFormat: Int, Sendable, Hashable, CaseIterable {
  /// Luma alone.
  case monochrome = 0
  /// Chroma of half the width and half the height.
  case yuv420 = 1
  /// Chroma of half the width and the whole height.
  case yuv422 = 2
  /// Chroma of the size of luma.
  case yuv444 = 3

  /// log2 of the luma-to-chroma ratio across.
  @inlinable public var horizontalShift: Int { self == .yuv420 || self == .yuv422 ? 1 : 0 }
  /// log2 of the luma-to-chroma ratio down.
  @inlinable public var verticalShift: Int { self == .yuv420 ? 1 : 0 }
  /// False for monochrome.
  @inlinable public var hasChroma: Bool { self != .monochrome }
}

/// The three planes of a picture with samples of one type. Chroma planes are empty for monochrome.
///
/// A class, because identity and pooling are the point. Written by one decoder, read-only once a
/// ``VideoFrame`` carries it; that order is what makes sharing it across threads sound.
public final class FramePlanes<Sample: PictureSample>: @unchecked Sendable {
  /// How large ``cb`` and ``cr`` are beside ``y``.
  public let chromaFormat: ChromaFormat
  /// Luma, or green where the matrix is the identity.
  public let y: SamplePlane<Sample>
  /// Blue difference, or blue where the matrix is the identity.
  public let cb: SamplePlane<Sample>
  /// Red difference, or red where the matrix is the identity.
  public let cr: SamplePlane<Sample>

  /// Zeroed planes for `width` × `height` luma samples (chroma rounded up).
  public init(width: Int, height: Int, chromaFormat: ChromaFormat) {
    self.chromaFormat = chromaFormat
    let h = chromaFormat.horizontalShift
    let v = chromaFormat.verticalShift
    let chromaWidth = chromaFormat.hasChroma ? (width + (1 << h) - 1) >> h : 0
    let chromaHeight = chromaFormat.hasChroma ? (height + (1 << v) - 1) >> v : 0
    y = SamplePlane(width: width, height: height)
    cb = SamplePlane(width: chromaWidth, height: chromaHeight)
    cr = SamplePlane(width: chromaWidth, height: chromaHeight)
  }

  /// Calls `body` with plane 0 (Y), 1 (Cb) or 2 (Cr); traps on another index.
  @inlinable
  public func withPlane<R, E: Error>(
    _ index: Int, _ body: (borrowing SamplePlane<Sample>) throws(E) -> R
  ) throws(E) -> R {
    switch index {
    case 0: return try body(y)
    case 1: return try body(cb)
    case 2: return try body(cr)
    default: preconditionFailure("a picture has planes 0, 1 and 2")
    }
  }
}

/// Lends planes of one geometry and takes them back when nobody else holds them.
public final class FramePool<Sample: PictureSample> {
  private var lent: [FramePlanes<Sample>] = []

  /// A pool that has lent nothing yet. It keeps planes of the last geometry only.
  public init() {}

  /// Planes of the asked geometry whose content is left over from an earlier picture, or zeros.
  public func planes(width: Int, height: Int, chromaFormat: ChromaFormat) -> FramePlanes<Sample> {
    if let first = lent.first,
      first.y.width != width || first.y.height != height || first.chromaFormat != chromaFormat
    {
      lent.removeAll()
    }
    for i in lent.indices where isKnownUniquelyReferenced(&lent[i]) { return lent[i] }
    let fresh = FramePlanes<Sample>(width: width, height: height, chromaFormat: chromaFormat)
    lent.append(fresh)
    return fresh
  }
}
