// Chapters: a text track that another track names. QuickTime File Format, "Chapter Lists".

public import ReelCore

extension ISOBMFFDemuxer {
  /// LIMIT: chapters beyond this many are not read.
  private static var maximumChapters: Int { 10_000 }

  /// The chapters of the file: the text track that a track names as its chapter list, or a list in the
  /// user data.
  ///
  /// - Throws: `io`; a chapter that cannot be read ends the list.
  public func chapters() throws(MediaError) -> [Chapter] {
    guard let index = chapterTrackIndex else { return listedChapters }
    let timescale = tracks[index].timescale
    let reader = try makePacketReader(trackIndices: [index])
    var chapters: [Chapter] = []
    while chapters.count < Self.maximumChapters, let packet = try nextPacket(reader) {
      let start = packet.presentationTicks ?? 0
      let end = start.addingReportingOverflow(packet.durationTicks ?? 0).partialValue
      chapters.append(
        Chapter(
          start: MediaTime(value: start, timescale: timescale),
          end: MediaTime(value: end, timescale: timescale), title: Self.text(packet.data)))
    }
    return chapters
  }

  private func nextPacket(_ reader: any PacketReader) throws(MediaError) -> Packet? {
    do {
      return try reader.next()
    } catch {
      guard error.family != .io else { throw error }
      return nil
    }
  }

  private var chapterTrackIndex: Int? {
    for track in tracks {
      for reference in track.references where reference.type == "chap" {
        let index = tracks.firstIndex {
          reference.trackIDs.contains($0.id) && $0.kind == .subtitle
        }
        if let index { return index }
      }
    }
    return nil
  }

  /// Text of a sample of a text track: a 16-bit length, then UTF-8, or UTF-16 behind a byte order mark.
  private static func text(_ data: [UInt8]) -> String {
    guard data.count >= 2 else { return "" }
    let length = Int(data[0]) << 8 | Int(data[1])
    let bytes = data.dropFirst(2).prefix(length)
    guard bytes.starts(with: [0xFE, 0xFF]) else { return String(decoding: bytes, as: UTF8.self) }
    let units = Array(bytes.dropFirst(2))
    return String(
      decoding: stride(from: 0, to: units.count & ~1, by: 2).map {
        UInt16(units[$0]) << 8 | UInt16(units[$0 + 1])
      }, as: UTF16.self)
  }
}
