// Reading the samples of a transport stream, from the start and from sync samples.

import ReelCore

/// A stream that is a track, as the program map first told it.
struct TransportTrack: Sendable {
  let pid: Int
  let programNumber: Int
  let kind: StreamKind
}

/// Gives the samples of some tracks in the order in which they end in the input.
final class TransportStreamReader: PacketReader {
  private let source: any ByteSource
  private let layout: TransportPacketLayout
  private let limits: Limits
  private let tracks: [TransportTrack]
  private let selected: Set<Int>
  private var scanner: TransportPacketScanner
  private var tables = ProgramTables()
  /// What a PID is for: −1 nothing, −2 tables, else an index into `streams`.
  private var roles = [Int32](repeating: -1, count: 8192)
  private(set) var streams: [PacketIdentifierStream]
  /// Track index by index of `streams`.
  private let trackIndices: [Int]
  /// PID by index of `streams`.
  private var pids: [Int]
  private var followedMaps = 0
  /// A clock for each program, and which of them a stream uses.
  private var clocks: [TransportClock]
  private let clockIndices: [Int]
  private var queue: [ElementarySample] = []
  private var queueIndex = 0
  private var numbers: [Int]
  private var isAtEnd = false
  private var indexers: [Int: TransportSyncIndex] = [:]
  /// After a seek: what is known of the first sample of the sought track.
  private var expected: TransportSyncIndex.Entry?

  init(
    source: any ByteSource, layout: TransportPacketLayout, tracks: [TransportTrack],
    selected: [Int], limits: Limits, from offset: Int64? = nil
  ) {
    (self.source, self.layout, self.tracks, self.limits) = (source, layout, tracks, limits)
    self.selected = Set(selected)
    scanner = TransportPacketScanner(source, layout: layout, from: offset)
    numbers = [Int](repeating: 0, count: tracks.count)
    trackIndices = tracks.indices.filter(self.selected.contains)
    pids = trackIndices.map { tracks[$0].pid }
    var programs: [Int] = []
    for index in trackIndices where !programs.contains(tracks[index].programNumber) {
      programs.append(tracks[index].programNumber)
    }
    clockIndices = trackIndices.map { index in
      programs.firstIndex(of: tracks[index].programNumber) ?? 0
    }
    clocks = programs.map { _ in TransportClock() }
    streams = trackIndices.map { index in
      let kind = tracks[index].kind
      return PacketIdentifierStream(
        makeStream(kind.framing, kind: kind.kind, limits: limits),
        holdsSections: kind.framing == .sections)
    }
    assignRoles()
  }

  /// Offset in the input of the next packet to be read.
  var nextOffset: Int64 { scanner.nextOffset }
  /// Bytes that were no packets.
  var skippedByteCount: Int64 { scanner.skippedByteCount }

  func next() throws(MediaError) -> Packet? { try nextSample()?.packet }

  /// The next sample with its place in the input.
  func nextSample() throws(MediaError) -> ElementarySample? {
    while true {
      if queueIndex < queue.count {
        defer { queueIndex += 1 }
        return queue[queueIndex]
      }
      if queueIndex > 0 {
        queue.removeAll(keepingCapacity: true)
        queueIndex = 0
      }
      guard !isAtEnd else { return nil }
      if let index = try scanner.next() { try take(index) } else { try finish() }
    }
  }

  private func take(_ index: Int) throws(MediaError) {
    guard let packet = TransportPacket(scanner.bytes, at: index) else { return }
    let role = Int(roles[packet.pid])
    if role >= 0 {
      streams[role].take(
        packet, scanner.bytes, offset: scanner.offset(of: index),
        clock: &clocks[clockIndices[role]])
      try collect(role)
    } else if role == -2, !packet.hasError, !packet.isScrambled, let payload = packet.payload {
      let changed = tables.take(
        pid: packet.pid, scanner.bytes[payload], startsUnit: packet.startsUnit)
      // The association may just have told where to look for maps.
      for pid in tables.pids where roles[pid] == -1 { roles[pid] = -2 }
      if changed { followMaps() }
    }
  }

  private func collect(_ index: Int) throws(MediaError) {
    while let sample = try streams[index].stream.next() { enqueue(sample, index) }
  }

  private func enqueue(_ sample: ElementarySample, _ index: Int) {
    var sample = sample
    let track = trackIndices[index]
    sample.packet.trackIndex = track
    if let entry = expected, entry.trackIndex == track {
      entry.apply(to: &sample.packet)
      numbers[track] = entry.number
      expected = nil
    }
    sample.packet.number = numbers[track]
    numbers[track] += 1
    queue.append(sample)
  }

  private func finish() throws(MediaError) {
    isAtEnd = true
    for index in streams.indices {
      streams[index].finish()
      while let sample = try streams[index].stream.finish() { enqueue(sample, index) }
    }
  }

  private func assignRoles() {
    for pid in tables.pids { roles[pid] = -2 }
    for (index, track) in trackIndices.enumerated() {
      roles[tracks[track].pid] = Int32(index)
    }
  }

  /// A program's map has changed: a track whose PID is gone goes on with a new PID of its codec.
  /// Streams that are new are not taken up: the tracks of an opened input are fixed.
  private func followMaps() {
    // LIMIT: maps that change without end are an attack; broadcasts change a few times an hour.
    followedMaps += 1
    guard followedMaps <= 1000 else { return }
    for program in tables.programs {
      guard let map = program.map else { continue }
      let present = Set(map.streams.map(\.pid))
      for (index, track) in trackIndices.enumerated()
      where tracks[track].programNumber == program.number && !present.contains(pids[index]) {
        let heir = map.streams.first { stream in
          roles[stream.pid] == -1
            && StreamKind(stream, program: map.descriptors) == tracks[track].kind
        }
        guard let heir else { continue }
        roles[pids[index]] = -1
        pids[index] = heir.pid
        roles[heir.pid] = Int32(index)
      }
    }
  }

  /// Moves to the last sync sample at or before `ticks`, which are 90 kHz as the packets have them.
  ///
  /// A transport stream has no index: the track is read up to that time once, and remembered.
  func seek(trackIndex: Int, toSyncAtOrBefore ticks: Int64) throws(MediaError) {
    guard selected.contains(trackIndex) else {
      throw MediaError(.usage, .transportTrackIndex, detail: "\(trackIndex)")
    }
    let index = indexers[trackIndex] ?? makeIndex(trackIndex)
    indexers[trackIndex] = index
    restart(at: try index.entry(atOrBefore: ticks))
  }

  private func makeIndex(_ trackIndex: Int) -> TransportSyncIndex {
    let reader = TransportStreamReader(
      source: source, layout: layout, tracks: tracks, selected: [trackIndex], limits: limits)
    return TransportSyncIndex(reader, trackIndex: trackIndex, limits: limits)
  }

  private func restart(at entry: TransportSyncIndex.Entry?) {
    scanner = TransportPacketScanner(source, layout: layout, from: entry?.position)
    tables.restart()
    for index in streams.indices { streams[index].restart() }
    for index in clocks.indices { clocks[index] = TransportClock() }
    queue.removeAll()
    (queueIndex, isAtEnd, expected) = (0, false, entry)
    numbers = [Int](repeating: 0, count: tracks.count)
    guard let entry, let index = trackIndices.firstIndex(of: entry.trackIndex) else { return }
    clocks[clockIndices[index]] = entry.clock
    streams[index].skip(entry.skip)
  }
}
