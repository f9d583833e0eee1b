// A JPEG file read back by the library itself.

internal import CTurboJPEG
internal import ReelCore

struct DecodedJPEG {
  var width, height: Int
  var chroma: ChromaFormat
  /// R, G, B of each pixel.
  var rgb: [UInt8]
}

struct JPEGUnreadable: Error {}

func decodeJPEG(_ bytes: [UInt8]) throws -> DecodedJPEG {
  let handle = unsafe tjInitDecompress()
  defer { _ = unsafe tjDestroy(handle) }
  var (width, height, subsampling, space): (CInt, CInt, CInt, CInt) = (0, 0, 0, 0)
  let formats: [CInt: ChromaFormat] = [
    CInt(TJSAMP_GRAY.rawValue): .monochrome, CInt(TJSAMP_420.rawValue): .yuv420,
    CInt(TJSAMP_422.rawValue): .yuv422, CInt(TJSAMP_444.rawValue): .yuv444,
  ]
  // SAFETY: test code; the library reads `bytes` and fills what the header's size asks for.
  guard
    unsafe tjDecompressHeader3(
      handle, bytes, UInt(bytes.count), &width, &height, &subsampling, &space) == 0,
    let chroma = formats[subsampling]
  else { throw JPEGUnreadable() }
  var rgb = [UInt8](repeating: 0, count: Int(width * height) * 3)
  guard
    unsafe tjDecompress2(
      handle, bytes, UInt(bytes.count), &rgb, width, 0, height, CInt(TJPF_RGB.rawValue),
      TJFLAG_ACCURATEDCT) == 0
  else { throw JPEGUnreadable() }
  return DecodedJPEG(width: Int(width), height: Int(height), chroma: chroma, rgb: rgb)
}
