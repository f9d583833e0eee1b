// Streams that the tests of this target share.

import ReelTestSupport

enum Samples {
  static let videoPID = 256
  static let audioPID = 257

  /// An access unit of a stream of one slice a picture; an IDR picture brings its parameter sets.
  static func picture(_ number: Int, isIDR: Bool, byteCount: Int = 300) -> [UInt8] {
    var stream = H264StreamBuilder()
    stream.timing = (50, 1)
    stream.delimiter()
    if isIDR {
      stream.sequence()
      stream.picture()
    }
    stream.slice(
      .init(type: isIDR ? 5 : 1, frameNum: UInt64(number & 15), orderLSB: UInt64(number * 2 & 15)))
    stream.bytes += (0..<byteCount).map { UInt8(($0 * 7 + number) & 127 | 64) }
    return stream.bytes
  }

  /// An ADTS frame of AAC LC, stereo, 48 kHz.
  static func adts(_ payload: [UInt8]) -> [UInt8] {
    let length = payload.count + 7
    return [
      0xFF, 0xF1, 0x4C, 0x80 | UInt8(length >> 11), UInt8(length >> 3 & 255),
      UInt8(length & 7) << 5 | 0x1F, 0xFC,
    ] + payload
  }

  /// A payload of AAC that is no header.
  static func sound(_ number: Int) -> [UInt8] { (0..<40).map { UInt8(($0 * 3 + number) & 127) } }

  /// `count` pictures at 25 Hz, an IDR picture each second but one of 12, with four AAC frames to
  /// each PES packet; times begin at `start`.
  static func program(pictures count: Int, start: Int64 = 90_000) -> TransportStreamBuilder {
    var stream = TransportStreamBuilder()
    let wrap: Int64 = 1 << 33 - 1
    var sounds = 0
    for i in 0..<count {
      if i % 12 == 0 {
        stream.association([(1, 4096)])
        stream.map(
          pid: 4096, number: 1,
          [(0x1B, videoPID, []), (0x0F, audioPID, [0x0A, 4, 0x66, 0x72, 0x61, 0])])
      }
      let time = start + Int64(i) * 3600
      stream.pes(
        pid: videoPID, pts: (time + 7200) & wrap, dts: time & wrap,
        picture(i, isIDR: i % 12 == 0))
      guard i % 2 == 0 else { continue }
      stream.pes(
        pid: audioPID, streamID: 0xC0, pts: (start + Int64(sounds) * 1920) & wrap, hasLength: true,
        (0..<4).flatMap { adts(sound(sounds + $0)) })
      sounds += 4
    }
    return stream
  }
}
