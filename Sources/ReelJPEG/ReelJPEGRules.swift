// What JPEG cannot hold.

internal import ReelCore

extension Rule {
  static let jpegSize = Rule(
    "output.jpeg-size", "a JPEG picture has at most 65,535 columns and rows",
    clause: "ISO/IEC 10918-1:1994 §B.2.2")
  static let jpegData = Rule(
    "output.jpeg-data", "a JPEG picture has at most 1,024 pixels for each byte of its file",
    clause: "ISO/IEC 10918-1:1994 §A.2.3, §F.1.2")
  static let jpegLibrary = Rule("output.jpeg-library", "the JPEG library refused the picture")
}
