// How transport packets lie in a file: alone, behind a time code, or before a checksum.

/// Bytes from one sync byte to the next, and where the first one is.
struct TransportPacketLayout: Hashable {
  /// 188; 192 with the arrival time code of Blu-ray and AVCHD before each; 204 with the
  /// Reed-Solomon bytes of broadcasts behind each.
  let stride: Int
  /// Offset of the first sync byte.
  let start: Int
  /// The most sync bytes in a row that are where they belong.
  let run: Int
  /// Places where they belong.
  let places: Int

  private static let strides = [188, 192, 204]
  /// So many in a row are no accident.
  private static let certainRun = 5

  /// The layout with the longest run of packets in `bytes`, the first bytes of an input; nil when no
  /// run is long enough. Packets may begin anywhere, and others may lie between.
  static func detect(_ bytes: [UInt8]) -> TransportPacketLayout? {
    var best: TransportPacketLayout?
    for stride in strides {
      for start in 0..<stride where start + TransportPacket.byteCount <= bytes.count {
        let layout = count(bytes, stride: stride, start: start)
        guard layout.run > 0, layout.run >= min(certainRun, layout.places) else { continue }
        if best.map({ layout.run > $0.run }) ?? true { best = layout }
      }
    }
    return best
  }

  private static func count(_ bytes: [UInt8], stride: Int, start: Int) -> Self {
    var (run, longest, places) = (0, 0, 0)
    var index = start
    while index + TransportPacket.byteCount <= bytes.count {
      // A sync byte with a reserved adaptation_field_control is a chance hit.
      let isHit = bytes[index] == TransportPacket.syncByte && bytes[index + 3] & 0x30 != 0
      run = isHit ? run + 1 : 0
      longest = max(longest, run)
      places += 1
      index += stride
    }
    return Self(stride: stride, start: start, run: longest, places: places)
  }

  /// Whether the first bytes of an input are surely a transport stream.
  static func probe(_ bytes: [UInt8]) -> Bool {
    guard let layout = detect(bytes) else { return false }
    if layout.run >= certainRun { return true }
    // Short inputs: every packet has to be there, from the start, and GIF begins with the same byte.
    let isWhole = layout.run == layout.places && layout.start <= 4
    return isWhole && bytes[layout.start + 1] & 0x80 == 0
      && !bytes.starts(with: [0x47, 0x49, 0x46])
  }
}
