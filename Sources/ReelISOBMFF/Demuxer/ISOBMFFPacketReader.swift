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
    if current == nil || cursors[current ?? 0].number >= currentEnd { chooseTrack() }
    guard let index = current else { return nil }
    // The position moves on only when the bytes are there: a read that failed may be tried again.
    var cursor = cursors[index]
    let number = cursor.number
    guard let record = cursor.next() else { return nil }
    var packet = Packet(
      trackIndex: trackIndices[index], data: try data(of: record, number, trackIndices[index]))
    packet.formatIndex = record.descriptionIndex
    packet.number = number
    packet.presentationTicks = record.presentationTicks
    packet.decodeTicks = record.decodeTicks
    packet.durationTicks = record.durationTicks
    packet.isSync = record.isSync
    packet.position = record.position
    cursors[index] = cursor
    return packet
  }

  /// Takes the track whose next chunk lies first in the file. Samples of a chunk stay together.
  private func chooseTrack() {
    current = nil
    for (index, cursor) in cursors.enumerated() where !cursor.isAtEnd {
      if let best = current, cursors[best].nextPosition <= cursor.nextPosition { continue }
      current = index
    }
    if let current { currentEnd = cursors[current].endOfChunk }
  }

  private func data(
    of record: SampleRecord, _ number: Int, _ trackIndex: Int
  ) throws(MediaError) -> [UInt8] {
    let place = Place.box(path: "track \(trackIndex) sample \(number)", offset: record.position)
    let byteCount = Int(record.byteCount)
    guard byteCount <= limits.maximumPacketBytes else {
      throw MediaError(
        .limitExceeded, .packetBytes, at: place, detail: "\(byteCount) bytes",
        advice: "raise Limits.maximumPacketBytes if the file is trusted")
    }
    if byteCount == 0 { return [] }
    let (end, overflow) = record.position.addingReportingOverflow(Int64(byteCount))
    if overflow || record.position < 0 || end > source.byteCount ?? .max {
      throw MediaError(
        .needsMoreData, .samplePosition, at: place,
        detail: "\(byteCount) bytes needed, the file has \(source.byteCount ?? 0)")
    }
    let bytes = try source.readFully(at: record.position, count: byteCount)
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
