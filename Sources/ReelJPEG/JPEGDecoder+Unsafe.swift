// Images of JPEG files, through libjpeg-turbo.

internal import CTurboJPEG
public import ReelCore
public import ReelImaging

/// Reads JPEG files into images; for overlays. The same file gives the same pixels on every machine with
/// the same version of libjpeg-turbo.
@safe public enum JPEGDecoder {
  /// True for files that begin as JPEG files do.
  public static func isJPEG(_ file: [UInt8]) -> Bool { file.starts(with: [0xFF, 0xD8, 0xFF]) }

  /// The image of a file, opaque. An orientation that the file notes beside the picture is not used.
  ///
  /// - Throws: `.damaged` for files that the library refuses, `.limitExceeded` for sizes beyond those of
  ///   pictures.
  public static func decode(_ file: [UInt8]) throws(MediaError) -> RGBAImage {
    // SAFETY: the handle is ours and destroyed below, on every way out.
    guard let handle = unsafe tjInitDecompress() else {
      throw MediaError(.io, .jpegLibrary, detail: "no memory")
    }
    defer {
      // SAFETY: created above, destroyed once.
      _ = unsafe tjDestroy(handle)
    }
    return try unsafe decode(file, handle)
  }

  @unsafe private static func decode(
    _ file: [UInt8], _ handle: tjhandle
  ) throws(MediaError) -> RGBAImage {
    var (width, height, subsampling, colour): (CInt, CInt, CInt, CInt) = (0, 0, 0, 0)
    // SAFETY: the library reads the file's bytes during the call only.
    let status = unsafe file.withUnsafeBufferPointer { bytes in
      unsafe tjDecompressHeader3(
        handle, bytes.baseAddress, UInt(bytes.count), &width, &height, &subsampling, &colour)
    }
    guard status == 0, width > 0, height > 0 else { throw unsafe fault(handle) }
    // LIMIT: as for every other picture, before anything is sized by it.
    guard width <= 32_768, height <= 32_768,
      Int(width) * Int(height) <= 4 * Limits.standard.maximumPictureSamples
    else {
      throw MediaError(.limitExceeded, .jpegSize, detail: "\(width)x\(height)")
    }
    // LIMIT: nothing is made for a picture that the file cannot hold in Huffman codes. The largest unit of 32 × 32 pixels has eight
    // blocks or more of one bit or more each. ISO/IEC 10918-1 §A.2.3, §F.1.2.
    guard Int(width) * Int(height) <= 1_024 * file.count else {
      throw MediaError(
        .limitExceeded, .jpegData, detail: "\(width)x\(height) in \(file.count) bytes")
    }
    var pixels = [UInt8](repeating: 0, count: 4 * Int(width) * Int(height))
    // SAFETY: the array holds the picture's pixels, four bytes each; both are valid during the call.
    let result = unsafe pixels.withUnsafeMutableBufferPointer { target in
      unsafe file.withUnsafeBufferPointer { bytes in
        unsafe tjDecompress2(
          handle, bytes.baseAddress, UInt(bytes.count), target.baseAddress, width, 4 * width,
          height,
          CInt(TJPF_RGBA.rawValue), TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS | TJFLAG_STOPONWARNING)
      }
    }
    // SAFETY: the handle is alive.
    guard result == 0 else { throw unsafe fault(handle) }
    return try RGBAImage(width: Int(width), height: Int(height), pixels: pixels)
  }

  @unsafe private static func fault(_ handle: tjhandle) -> MediaError {
    // SAFETY: the library gives a string of its own.
    let text = unsafe tjGetErrorStr2(handle).map { unsafe String(cString: $0) } ?? "unknown"
    return MediaError(.damaged, .jpegLibrary, detail: text)
  }
}
