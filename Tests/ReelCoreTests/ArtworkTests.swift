internal import ReelCore
internal import Testing

@Suite("Pictures of inputs")
struct ArtworkTests {
  @Test(
    "tell their codec by their first bytes",
    arguments: [
      ([0xFF, 0xD8, 0xFF, 0xE0, 0], "mjpeg"), ([0x89, 0x50, 0x4E, 0x47, 0x0D], "png"),
      ([0x42, 0x4D, 0, 0], "bmp"), ([0x47, 0x49, 0x46, 0x38], nil), ([0xFF, 0xD8], nil),
      ([0x89, 0x50, 0x4E], nil), ([], nil),
    ] as [([UInt8], String?)])
  func codec(file: [UInt8], name: String?) {
    #expect(Artwork.codec(of: file)?.rawValue == name)
  }
}
