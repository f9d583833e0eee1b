// The chunks of a WAVE file. RIFF MCI 1.0 §2, §3; EBU Tech 3306 v1.1 (RF64).

import ReelAudioCore
import ReelCore

/// What the chunks of a WAVE file say.
struct WaveChunks {
  private(set) var format: WaveFormat?
  /// Offsets of the first byte of the data and of the first behind it.
  private(set) var data: Range<Int64>?
  private(set) var list = TagList()
  private(set) var faults: [MediaError] = []
  private var isBigEndian = false
  /// Sizes of 64 bits that stand in place of 0xFFFFFFFF.
  private var largeDataByteCount: Int64?

  /// LIMIT: bytes of a chunk of metadata that are read.
  private static let maximumChunkByteCount: Int64 = 1 << 24

  /// Whether the first bytes of an input are of a WAVE file.
  static func probe(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 12 else { return false }
    let isWave = bytes[8..<12].elementsEqual("WAVE".utf8)
    return isWave && ["RIFF", "RIFX", "RF64", "BW64"].contains { bytes.starts(with: $0.utf8) }
  }

  init(_ source: any ByteSource, limits: Limits) throws(MediaError) {
    let head = try source.readFully(at: 0, count: 12)
    guard Self.probe(head) else {
      throw MediaError(
        head.count < 12 ? .needsMoreData : .damaged, .waveHeader, at: .offset(0))
    }
    isBigEndian = head.starts(with: "RIFX".utf8)
    var offset: Int64 = 12
    for count in 0... {
      guard count < limits.maximumBoxes else {
        throw MediaError(.limitExceeded, .waveChunks, at: .offset(offset))
      }
      let header = try source.readFully(at: offset, count: 8)
      guard header.count == 8 else { return }
      guard let next = try take(header, at: offset, source) else { return }
      offset = next
    }
  }

  /// Reads a chunk; the offset of the next, or nil when there is none to be found.
  private mutating func take(
    _ header: [UInt8], at offset: Int64, _ source: any ByteSource
  ) throws(MediaError) -> Int64? {
    let size = integer(header, at: 4)
    let start = offset + 8
    switch FourCC(rawValue: header[..<4].reduce(0) { $0 << 8 | UInt32($1) }) {
    case "fmt ":
      let bytes = try source.readFully(at: start, count: Int(min(size, 4096)))
      format = WaveFormat(bytes, isBigEndian: isBigEndian)
      guard format != nil else { throw MediaError(.damaged, .waveFormat, at: .offset(offset)) }
    case "ds64":
      let bytes = try source.readFully(at: start, count: Int(min(size, 24)))
      if bytes.count >= 16 { largeDataByteCount = Int64(clamping: longInteger(bytes, at: 8)) }
    case "data" where data == nil:
      return takeData(size, at: start, source)
    case "LIST" where size >= 4 && size <= Self.maximumChunkByteCount:
      addInformation(try source.readFully(at: start, count: Int(size)))
    case "id3 ", "ID3 ":
      guard size <= Self.maximumChunkByteCount else { break }
      let bytes = try source.readFully(at: start, count: Int(size))
      if let header = ID3v2Header(bytes[...]) { list.add(ID3v2Tag(bytes, header, offset: start)) }
    default: break
    }
    // Chunks begin at even offsets.
    return start + size + size % 2
  }

  private mutating func takeData(
    _ size: Int64, at start: Int64, _ source: any ByteSource
  ) -> Int64? {
    // Writers that could not seek back left 0 or 0xFFFFFFFF: then the data goes on to the end.
    var length = size == Int64(UInt32.max) ? largeDataByteCount ?? .max : size == 0 ? .max : size
    if let total = source.byteCount, length > total - start {
      if length != .max {
        faults.append(
          MediaError(
            .damaged, .waveData, at: .offset(start - 8),
            detail: "\(length) bytes told, \(total - start) there"))
      }
      length = max(total - start, 0)
    }
    let (end, overflow) = start.addingReportingOverflow(length)
    data = start..<(overflow ? .max : end)
    return overflow || end == .max ? nil : end + length % 2
  }

  private func integer(_ bytes: [UInt8], at i: Int) -> Int64 {
    let part = bytes[i..<i + 4]
    return isBigEndian
      ? part.reduce(0) { $0 << 8 | Int64($1) } : part.reversed().reduce(0) { $0 << 8 | Int64($1) }
  }

  private func longInteger(_ bytes: [UInt8], at i: Int) -> UInt64 {
    bytes[i..<i + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The INFO list: chunks of text.
  private mutating func addInformation(_ bytes: [UInt8]) {
    guard bytes.starts(with: "INFO".utf8) else { return }
    var i = 4
    while i + 8 <= bytes.count {
      let size = Int(integer(bytes, at: i + 4))
      let end = min(i + 8 + size, bytes.count)
      let id = TagText.latin1(bytes[i..<i + 4])
      list.add(Self.names[id] ?? id, TagText.utf8(bytes[i + 8..<end]))
      i += 8 + size + size % 2
    }
  }

  /// FFmpeg's names of INFO chunks.
  private static let names: [String: String] = [
    "IART": "artist", "ICMT": "comment", "ICOP": "copyright", "ICRD": "date", "IGNR": "genre",
    "ILNG": "language", "INAM": "title", "IPRD": "album", "IPRT": "track", "ITRK": "track",
    "ISFT": "encoder", "ISMP": "timecode", "ITCH": "encoded_by",
  ]
}
