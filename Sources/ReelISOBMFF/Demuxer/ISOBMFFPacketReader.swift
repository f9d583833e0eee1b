// Reading packets in file order.

import ReelCore

/// Packets of some tracks of an ISO base media file, by their position in the file.
final class ISOBMFFPacketReader: PacketReader {
  private let source: any ByteSource
  private let limits: Limits
  private let trackIndices: [Int]
  private let timescales: [Int32]
  private var cursors: [SampleCursor]
  /// Index into `cursors` of the track that is being read.
  private var current: Int?
  /// Sample of that track up to which packets follow one another in the file.
  private var currentEnd = 0

  init(_ demuxer: ISOBMFFDemuxer, trackIndices: [Int]) {
    source = demuxer.source
    limits = demuxer.limits
    self.trackIndices = trackIndices
    timescales = trackIndices.map { demuxer.tracks[$0].timescale }
    cursors = trackIndices.map { SampleCursor(demuxer.tables[$0]) }
  }

  func next() throws(MediaError) -> Packet? {
    guard let index = track() else { return nil }
    let before = cursors[index].position
    guard let header = step(index) else { return nil }
    do {
      return Packet(header, data: try data(of: header, cursors[index].table))
    } catch {
      // The position moves on only when the bytes are there: a read that failed may be tried again.
      cursors[index].position = before
      throw error
    }
  }

  func nextHeader() throws(MediaError) -> PacketHeader? {
    track().flatMap(step)
  }

  /// Index into `cursors` of the track whose packet is next; nil at the end.
  private func track() -> Int? {
    if let current, cursors[current].number < currentEnd { return current }
    chooseTrack()
    return current
  }

  /// The header of a track's next packet, and moves behind it.
  private func step(_ index: Int) -> PacketHeader? {
    let number = cursors[index].number
    guard let record = cursors[index].next() else { return nil }
    var header = PacketHeader(
      trackIndex: trackIndices[index], byteCount: Int(record.byteCount))
    header.formatIndex = record.descriptionIndex
    header.number = number
    header.presentationTicks = record.presentationTicks
    header.decodeTicks = record.decodeTicks
    header.durationTicks = record.durationTicks
    header.isSync = record.isSync
    header.position = record.position
    return header
  }

  /// Takes the track whose next chunk lies first in the file. Samples of a chunk stay together.
  private func chooseTrack() {
    current = nil
    for (index, cursor) in cursors.enumerated() where !cursor.isAtEnd {
      if let best = current, cursors[best].position.offset <= cursor.position.offset { continue }
      current = index
    }
    if let current { currentEnd = cursors[current].position.chunkEnd }
  }

  private func data(
    of header: PacketHeader, _ table: SampleTable
  ) throws(MediaError) -> [UInt8] {
    let byteCount = header.byteCount
    let place = Place.box(
      path: "track \(header.trackIndex) sample \(header.number)", offset: header.position)
    guard !table.externalDescriptions.contains(header.formatIndex) else {
      throw MediaError(
        .unsupported, .externalData, at: place,
        advice: "make the movie self-contained")
    }
    guard byteCount <= limits.maximumPacketBytes else {
      throw MediaError(
        .limitExceeded, .packetBytes, at: place, detail: "\(byteCount) bytes",
        advice: "raise Limits.maximumPacketBytes if the file is trusted")
    }
    if byteCount == 0 { return [] }
    let (end, overflow) = header.position.addingReportingOverflow(Int64(byteCount))
    if overflow || header.position < 0 || end > source.byteCount ?? .max {
      throw MediaError(
        .needsMoreData, .samplePosition, at: place,
        detail: "\(byteCount) bytes needed, the file has \(source.byteCount ?? 0)")
    }
    let bytes = try source.readFully(at: header.position, count: byteCount)
    guard bytes.count == byteCount else {
      throw MediaError(
        .needsMoreData, .samplePosition, at: place,
        detail: "\(byteCount) bytes needed, \(bytes.count) there")
    }
    return bytes
  }

  func seek(trackIndex: Int, toSyncAtOrBefore ticks: Int64) throws(MediaError) {
    guard let index = trackIndices.firstIndex(of: trackIndex) else {
      throw MediaError(.usage, .noSuchTrack, detail: "index \(trackIndex) is not read")
    }
    guard let number = cursors[index].table.syncSample(presentedAtOrBefore: ticks) else { return }
    cursors[index].move(to: number)
    current = nil
    let time = MediaTime(
      value: cursors[index].table.presentationTicks(number), timescale: timescales[index])
    for other in cursors.indices where other != index {
      let ticks = time.convertScale(timescales[other], method: .towardNegativeInfinity).value
      cursors[other].move(to: cursors[other].table.lastSample(decodedAtOrBefore: ticks) ?? 0)
    }
  }
}
