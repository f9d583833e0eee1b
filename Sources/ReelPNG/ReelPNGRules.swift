// The rules of PNG files that are checked.

public import ReelCore

extension Rule {
  public static let pngSignature = Rule(
    "png.signature", "a file begins with the PNG signature", clause: "ISO/IEC 15948:2004 §5.2")
  public static let pngChunk = Rule(
    "png.chunk", "a chunk lies within the file and has the CRC of its bytes",
    clause: "ISO/IEC 15948:2004 §5.3")
  public static let pngHeader = Rule(
    "png.header", "IHDR comes first and has an allowed combination of values",
    clause: "ISO/IEC 15948:2004 §11.2.2")
  public static let pngPalette = Rule(
    "png.palette", "a palette has 1 … 256 colours and all that are used",
    clause: "ISO/IEC 15948:2004 §11.2.3")
  public static let pngCritical = Rule(
    "png.critical-chunk", "critical chunks are known ones", clause: "ISO/IEC 15948:2004 §5.4")
  public static let pngData = Rule(
    "png.data", "the image data inflates to exactly the rows of the image",
    clause: "ISO/IEC 15948:2004 §10.1")
  public static let pngFilter = Rule(
    "png.filter", "a row has one of the filter types 0 … 4", clause: "ISO/IEC 15948:2004 §9.2")
  public static let pngSize = Rule(
    "png.size", "an image has no more pixels than a picture may have")
  public static let pngLibrary = Rule("png.library", "zlib compresses the image")
}
