// ID3v2 tags: their frames. ID3v2.2.0, ID3v2.3.0, ID3v2.4.0.

import ReelAudioCore
import ReelCore

/// The frames of a tag.
struct ID3v2Tag {
  /// Four characters; those of version 2.2 have three.
  typealias Identifier = String

  struct Frame {
    let id: Identifier
    let payload: [UInt8]
  }

  private(set) var frames: [Frame] = []
  private(set) var fault: MediaError?

  /// LIMIT: frames of a tag; each takes at least 6 bytes.
  private static let maximumFrames = 10_000

  /// Reads the frames of a tag from its bytes, the header included; `offset` is its place.
  init(_ bytes: [UInt8], _ header: ID3v2Header, offset: Int64) {
    guard (2...4).contains(header.majorVersion) else { return }
    var body = [UInt8](bytes.dropFirst(ID3v2Header.byteCount))
    let isUnsynchronised = header.flags & 0x80 != 0
    // Version 2.4 does it frame by frame.
    if isUnsynchronised, header.majorVersion < 4 { body = Self.resynchronised(body[...]) }
    // Bit 6 of 2.2 means a compression that was never defined.
    if header.majorVersion == 2, header.flags & 0x40 != 0 { return }
    var i = header.flags & 0x40 != 0 ? Self.extendedHeaderByteCount(body, header) : 0
    while let frame = Self.frameHeader(body, at: i, header.majorVersion) {
      guard frame.end <= body.count else {
        fault = MediaError(
          .damaged, .id3Tag, at: .offset(offset + Int64(i)),
          detail: "frame \(frame.id) of \(frame.end - frame.start) bytes")
        return
      }
      if let payload = Self.payload(body, frame, header) {
        frames.append(Frame(id: frame.id, payload: payload))
      }
      guard frames.count < Self.maximumFrames else { return }
      i = frame.end
    }
  }

  private struct FrameHeader {
    let id: Identifier
    let start: Int
    let end: Int
    let formatFlags: UInt8
  }

  /// §4: identifier, size and flags; nil at the padding.
  private static func frameHeader(_ body: [UInt8], at i: Int, _ version: UInt8) -> FrameHeader? {
    let idCount = version == 2 ? 3 : 4
    let headerCount = version == 2 ? 6 : 10
    guard i >= 0, i + headerCount <= body.count else { return nil }
    let idBytes = body[i..<i + idCount]
    guard idBytes.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }) else {
      return nil
    }
    let id = String(decoding: idBytes, as: UTF8.self)
    let sizeBytes = body[i + idCount..<i + 2 * idCount]
    let plain = sizeBytes.reduce(0) { $0 << 8 | Int($1) }
    var size = plain
    if version == 4, let safe = ID3v2Header.synchsafe(sizeBytes) {
      // Some writers of 2.4 store plain sizes: then the next frame is where the plain one says.
      let isPlain =
        safe != plain && !isFrame(body, at: i + 10 + safe) && isFrame(body, at: i + 10 + plain)
      size = isPlain ? plain : safe
    }
    let flags = version == 2 ? 0 : body[i + 9]
    return FrameHeader(
      id: id, start: i + headerCount, end: i + headerCount + size, formatFlags: flags)
  }

  /// A frame or the padding or the end is here.
  private static func isFrame(_ body: [UInt8], at i: Int) -> Bool {
    guard i < body.count else { return i == body.count }
    guard body[i] != 0 else { return true }
    return i + 4 <= body.count
      && body[i..<i + 4].allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
  }

  /// The frame's content; nil for compressed and encrypted frames. §4.1.2.
  private static func payload(
    _ body: [UInt8], _ frame: FrameHeader, _ header: ID3v2Header
  ) -> [UInt8]? {
    var content = body[frame.start..<frame.end]
    if header.majorVersion == 3 {
      if frame.formatFlags & 0xC0 != 0 { return nil }
      if frame.formatFlags & 0x20 != 0 { content = content.dropFirst() }
    } else if header.majorVersion == 4 {
      if frame.formatFlags & 0x0C != 0 { return nil }
      if frame.formatFlags & 0x40 != 0 { content = content.dropFirst() }
      if frame.formatFlags & 0x01 != 0 { content = content.dropFirst(4) }
      if frame.formatFlags & 0x02 != 0 || header.flags & 0x80 != 0 {
        return resynchronised(content)
      }
    }
    return [UInt8](content)
  }

  private static func extendedHeaderByteCount(_ body: [UInt8], _ header: ID3v2Header) -> Int {
    guard body.count >= 4 else { return body.count }
    if header.majorVersion == 4 { return ID3v2Header.synchsafe(body[..<4]) ?? body.count }
    return 4 + body[..<4].reduce(0) { $0 << 8 | Int($1) }
  }

  /// The bytes without the zeros that stand behind FF so that no sync appears. §6.1.
  private static func resynchronised(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var last: UInt8 = 0
    for byte in bytes {
      if last != 0xFF || byte != 0 { output.append(byte) }
      last = byte
    }
    return output
  }
}
