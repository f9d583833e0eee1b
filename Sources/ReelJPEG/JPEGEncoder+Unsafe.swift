// JPEG through libjpeg-turbo, from planes of YCbCr.

internal import CTurboJPEG
public import ReelCore
public import ReelRendering

/// Makes JPEG files of pictures; the chroma subsampling of the video is kept.
///
/// Samples go to the library as they are when they are 8-bit, full-range BT.601 already; others are
/// brought to that, which is what the samples of a JPEG file mean. The same picture gives the same
/// bytes on every machine with the same version of libjpeg-turbo.
@safe public final class JPEGEncoder: ImageEncoder {
  private let handle: tjhandle?
  private let quality: CInt
  private var planes = JPEGPlanes()
  private var buffer: [UInt8] = []

  /// - Parameter quality: 1 (small) … 100 (fine), clamped; 90 is hard to tell from the video.
  public init(quality: Int = 90) {
    self.quality = CInt(min(max(quality, 1), 100))
    // SAFETY: the handle is ours until deinit; nil is told by encode.
    unsafe handle = tjInitCompress()
  }

  deinit {
    // SAFETY: created by init, destroyed once.
    if let handle = unsafe handle { _ = unsafe tjDestroy(handle) }
  }

  /// - Throws: `.unsupported` for pictures above 65,535 samples a side.
  public func encode(_ frame: VideoFrame) throws(MediaError) -> [UInt8] {
    guard frame.width <= 65535, frame.height <= 65535 else {
      throw MediaError(
        .unsupported, .jpegSize, at: .picture(frame.decodeIndex, macroblock: nil),
        detail: "\(frame.width)x\(frame.height)", advice: "write raw video or Y4M instead")
    }
    var colour = frame.colour
    if !frame.chromaFormat.hasChroma { colour.matrix = 6 }
    let depth =
      switch frame.storage {
      case .depth8: 8
      case .depth16: max(frame.lumaBitDepth, 8)
      }
    let transform = ColourTransform(
      colour, width: frame.width, height: frame.height, bitDepth: depth)
    if transform.isIdentity, case .depth8(let planes) = frame.storage,
      Self.isWholeInChroma(frame)
    {
      return try compress(frame, straightFrom: planes)
    }
    planes.fill(from: frame, by: transform)
    return try compressConverted(frame)
  }

  /// Every chroma sample has all of its luma samples inside of the picture.
  private static func isWholeInChroma(_ frame: VideoFrame) -> Bool {
    let (h, v) = (frame.chromaFormat.horizontalShift, frame.chromaFormat.verticalShift)
    return frame.width & ((1 << h) - 1) == 0 && frame.height & ((1 << v) - 1) == 0
  }

  private func compress(
    _ frame: VideoFrame, straightFrom planes: FramePlanes<UInt8>
  ) throws(MediaError) -> [UInt8] {
    let crop = frame.crop
    let (h, v) = (planes.chromaFormat.horizontalShift, planes.chromaFormat.verticalShift)
    precondition(crop.x >= 0 && crop.y >= 0)
    precondition(crop.x + crop.width <= planes.y.width && crop.y + crop.height <= planes.y.height)
    let luma = crop.y * planes.y.stride + crop.x
    let chroma = (crop.y >> v) * planes.cb.stride + crop.x >> h
    let strides = [planes.y.stride, planes.cb.stride, planes.cr.stride]
    // SAFETY: the crop lies inside of the planes, so the library reads rows that are there; the
    // pointers are used within the closures.
    return try unsafe planes.y.withUnsafeBytes { (y) throws(MediaError) in
      try unsafe planes.cb.withUnsafeBytes { (cb) throws(MediaError) in
        try unsafe planes.cr.withUnsafeBytes { (cr) throws(MediaError) in
          let starts = unsafe [
            y.baseAddress.map { unsafe $0 + luma }, cb.baseAddress.map { unsafe $0 + chroma },
            cr.baseAddress.map { unsafe $0 + chroma },
          ]
          return try unsafe compress(frame, starts, strides)
        }
      }
    }
  }

  private func compressConverted(_ frame: VideoFrame) throws(MediaError) -> [UInt8] {
    let strides = planes.strides
    let (luma, blue, red) = (planes.samples[0], planes.samples[1], planes.samples[2])
    // SAFETY: the planes hold what the library reads of this size; the pointers are used within the
    // closures.
    return try unsafe luma.span.withUnsafeBytes { (y) throws(MediaError) in
      try unsafe blue.span.withUnsafeBytes { (cb) throws(MediaError) in
        try unsafe red.span.withUnsafeBytes { (cr) throws(MediaError) in
          try unsafe compress(frame, [y.baseAddress, cb.baseAddress, cr.baseAddress], strides)
        }
      }
    }
  }

  /// Runs the library over planes that start at `starts`.
  @unsafe private func compress(
    _ frame: VideoFrame, _ starts: [UnsafeRawPointer?], _ strides: [Int]
  ) throws(MediaError) -> [UInt8] {
    let subsampling =
      switch frame.chromaFormat {
      case .monochrome: CInt(TJSAMP_GRAY.rawValue)
      case .yuv420: CInt(TJSAMP_420.rawValue)
      case .yuv422: CInt(TJSAMP_422.rawValue)
      case .yuv444: CInt(TJSAMP_444.rawValue)
      }
    let (width, height) = (CInt(frame.width), CInt(frame.height))
    let most = Int(tjBufSize(width, height, subsampling))
    if buffer.count < most { buffer = [UInt8](repeating: 0, count: most) }
    let cStrides = strides.map { CInt($0) }
    var length = UInt(buffer.count)
    // SAFETY: the pointers are read by the library only, while the caller keeps the planes valid.
    var pointers = unsafe starts.map { unsafe $0?.assumingMemoryBound(to: UInt8.self) }
    // SAFETY: the buffer holds the most that such a picture can take, and NOREALLOC keeps the library
    // from replacing it; the caller keeps the planes valid.
    let status = unsafe buffer.withUnsafeMutableBufferPointer { output in
      var start = output.baseAddress
      return unsafe tjCompressFromYUVPlanes(
        handle, &pointers, width, cStrides, height, subsampling, &start, &length, quality,
        TJFLAG_NOREALLOC | TJFLAG_ACCURATEDCT)
    }
    guard status == 0 else {
      // SAFETY: the library gives a string of its own, also for a nil handle.
      let text = unsafe tjGetErrorStr2(handle).map { unsafe String(cString: $0) } ?? "no memory"
      throw MediaError(
        .io, .jpegLibrary, at: .picture(frame.decodeIndex, macroblock: nil), detail: text)
    }
    return [UInt8](buffer[..<Int(length)])
  }
}
