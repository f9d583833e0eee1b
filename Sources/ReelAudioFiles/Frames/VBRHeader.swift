// What encoders tell in the first frame of an MPEG layer III file: Xing, Info, LAME, VBRI.

import ReelAudioCore
import ReelCore

/// The frame of silence that tells the length of a file and what its encoder added.
///
/// No standard has these headers; Xing published the first, LAME and Fraunhofer what they write.
struct VBRHeader: Sendable, Hashable {
  /// Frames of sound, this one not counted; nil when not told.
  private(set) var frameCount: Int?
  /// Bytes of the sound; nil when not told.
  private(set) var byteCount: Int64?
  /// PCM frames that the encoder put before and behind the sound; nil when not told.
  private(set) var encoderDelay: Int?
  private(set) var encoderPadding: Int?
  /// The encoder's name, such as `LAME3.100`.
  private(set) var encoder = ""

  /// PCM frames by which every layer III decoder's output is late: what its filter banks take.
  static let decoderDelay = 529

  /// Reads the header from the bytes of a frame; nil when it is an ordinary frame.
  init?(_ frame: [UInt8], _ header: MPEGAudioHeader) {
    guard header.layer == 3 else { return nil }
    let start = 4 + header.sideInformationByteCount
    if Self.holds(frame, ["Xing", "Info"], at: start) {
      readXing(frame, at: start + 4)
    } else if header.hasChecksum, Self.holds(frame, ["Xing", "Info"], at: start + 2) {
      readXing(frame, at: start + 6)
    } else if Self.holds(frame, ["VBRI"], at: 36) {
      byteCount = Self.integer(frame, at: 46).map(Int64.init)
      frameCount = Self.integer(frame, at: 50)
    } else {
      return nil
    }
    if frameCount == 0 { frameCount = nil }
    if byteCount == 0 { byteCount = nil }
  }

  private static func holds(_ frame: [UInt8], _ names: [String], at i: Int) -> Bool {
    guard i + 4 <= frame.count else { return false }
    return names.contains { frame[i..<i + 4].elementsEqual($0.utf8) }
  }

  private static func integer(_ frame: [UInt8], at i: Int) -> Int? {
    guard i + 4 <= frame.count else { return nil }
    return frame[i..<i + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  /// Flags, then the fields they announce: frames, bytes, a table of 100 bytes, the quality.
  private mutating func readXing(_ frame: [UInt8], at start: Int) {
    guard let flags = Self.integer(frame, at: start) else { return }
    var i = start + 4
    if flags & 1 != 0 {
      frameCount = Self.integer(frame, at: i)
      i += 4
    }
    if flags & 2 != 0 {
      byteCount = Self.integer(frame, at: i).map(Int64.init)
      i += 4
    }
    if flags & 4 != 0 { i += 100 }
    if flags & 8 != 0 { i += 4 }
    readEncoder(frame, at: i)
  }

  /// LAME's extension: the name in 9 bytes, and 12 bits each of delay and padding at byte 21.
  private mutating func readEncoder(_ frame: [UInt8], at i: Int) {
    guard i + 24 <= frame.count else { return }
    let name = TagText.latin1(frame[i..<i + 9])
    guard ["LAME", "Lavf", "Lavc", "L3.9"].contains(where: name.hasPrefix) else { return }
    encoder = name
    let value = Int(frame[i + 21]) << 16 | Int(frame[i + 22]) << 8 | Int(frame[i + 23])
    (encoderDelay, encoderPadding) = (value >> 12, value & 0xFFF)
  }
}
