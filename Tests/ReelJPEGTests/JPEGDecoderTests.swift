internal import ReelCore
internal import ReelImaging
internal import ReelTestSupport
internal import Testing

@testable internal import ReelJPEG

@Suite("JPEG decoder")
struct JPEGDecoderTests {
  private static func file(_ rgb: [Double], width: Int = 34, height: Int = 30) throws -> [UInt8] {
    try JPEGEncoder(quality: 100).encode(
      JPEGEncoderTests.flat(
        rgb, .yuv444, matrix: 6, kr: 0.299, kb: 0.114, full: true, depth: 8, width: width,
        height: height))
  }

  @Test("gives the colours that were encoded, opaque")
  func colours() throws {
    for rgb in [[0.8, 0.2, 0.3], [0.1, 0.7, 0.2], [0.1, 0.2, 0.9], [1, 1, 1]] {
      let image = try JPEGDecoder.decode(try Self.file(rgb))
      #expect(image.width == 34 && image.height == 30)
      for i in 0..<4 {
        let want = i == 3 ? 255 : rgb[i] * 255
        #expect(abs(Double(image.pixels[4 * 100 + i]) - want) <= 2)
      }
    }
  }

  @Test("of damaged and cut files gives an error or a picture of the size they state")
  func damaged() throws {
    let file = try Self.file([0.2, 0.4, 0.6])
    #expect(JPEGDecoder.isJPEG(file) && !JPEGDecoder.isJPEG([0x89, 0x50]))
    #expect(throws: MediaError.self) { try JPEGDecoder.decode([]) }
    for length in stride(from: 0, to: file.count - 2, by: 7) {
      #expect(throws: MediaError.self) { try JPEGDecoder.decode(Array(file[..<length])) }
    }
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<500 {
      var bytes = file
      for _ in 0..<generator.int(in: 1...4) {
        bytes[generator.int(in: 2...bytes.count - 1)] = UInt8(generator.int(in: 0...255))
      }
      do throws(MediaError) { _ = try JPEGDecoder.decode(bytes) } catch {}
    }
  }

  @Test("sizes beyond the limit are refused before anything is made for them")
  func size() throws {
    var file = try Self.file([0, 0, 0])
    let at = try #require(
      (0..<file.count - 1).first { file[$0] == 0xFF && file[$0 + 1] == 0xC0 })
    for i in 5...8 { file[at + i] = 0xFF }
    #expect(throws: MediaError.self) { try JPEGDecoder.decode(file) }
    // Within the limit, and more than the file can hold: 11,900² pixels would be 570 MB.
    for i in [5, 7] { (file[at + i], file[at + i + 1]) = (0x2E, 0x7C) }
    let error = #expect(throws: MediaError.self) { try JPEGDecoder.decode(file) }
    #expect(error?.rule == .jpegData)
  }

  @Test("large pictures of one colour are read")
  func flat() throws {
    let image = try JPEGDecoder.decode(try Self.file([0.5, 0.5, 0.5], width: 2_048, height: 1_024))
    #expect(image.width == 2_048 && image.height == 1_024)
  }
}
