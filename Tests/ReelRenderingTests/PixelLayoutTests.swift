internal import ReelCore
internal import ReelRendering
internal import ReelTestSupport
internal import Testing

@Suite("Pixel layout")
struct PixelLayoutTests {
  @Test(
    "is named as FFmpeg names it",
    arguments: [
      (ChromaFormat.yuv420, 8, "yuv420p"), (.yuv422, 8, "yuv422p"), (.yuv444, 8, "yuv444p"),
      (.monochrome, 8, "yuv420p"), (.yuv420, 10, "yuv420p10le"), (.yuv422, 12, "yuv422p12le"),
      (.monochrome, 14, "yuv420p14le"),
    ])
  func names(chroma: ChromaFormat, depth: Int, name: String) {
    let frame = VideoFrame.noise(width: 16, height: 16, chroma: chroma, depth: depth)
    #expect(PixelLayout(frame).pixelFormatName == name)
  }

  @Test("lays samples out plane after plane, cropped, low byte first", arguments: [8, 9, 16])
  func bytesFollowThePlanes(depth: Int) {
    for chroma in [ChromaFormat.yuv420, .yuv422, .yuv444] {
      let frame = VideoFrame.noise(width: 7, height: 5, chroma: chroma, depth: depth, margin: 2)
      let layout = PixelLayout(frame)
      var expected: [UInt8] = []
      for plane in 0..<3 {
        let width = plane == 0 ? 7 : layout.chromaWidth
        for y in 0..<(plane == 0 ? 5 : layout.chromaHeight) {
          for x in 0..<width {
            let sample = frame.sample(plane: plane, x: x, y: y)
            expected.append(UInt8(sample & 255))
            if depth > 8 { expected.append(UInt8(sample >> 8)) }
          }
        }
      }
      #expect(frame.bytes == expected)
      #expect(layout.byteCount == expected.count)
    }
  }

  @Test("a picture without chroma gets mid-grey chroma", arguments: [(8, [128]), (10, [0, 2])])
  func monochrome(depth: Int, grey: [UInt8]) {
    let frame = VideoFrame.noise(width: 7, height: 5, chroma: .monochrome, depth: depth)
    let bytes = frame.bytes
    let lumaCount = 7 * 5 * grey.count
    #expect(bytes.count == lumaCount + 2 * 4 * 3 * grey.count)
    let chroma = Array(bytes[lumaCount...])
    #expect(chroma == Array(repeating: grey, count: 24).flatMap { $0 })
  }
}
