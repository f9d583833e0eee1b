// From transport packets to samples.

import ReelCore

/// Takes transport packets and gives the samples of some tracks in the order in which they end.
///
/// A value with all that changes from packet to packet: the packets of a long stream pass through it.
struct TransportStreamCore {
  private let tracks: [TransportTrack]
  private(set) var scanner: TransportPacketScanner
  private var tables = ProgramTables()
  /// What a PID is for: −1 nothing, −2 tables, else an index into `streams`.
  private var roles = [Int32](repeating: -1, count: 8192)
  private(set) var streams: [PacketIdentifierStream]
  /// Track index by index of `streams`.
  private let trackIndices: [Int]
  /// PID by index of `streams`.
  private var pids: [Int]
  private var followedMaps = 0
  /// PIDs with tables that `roles` knows of.
  private var knownTablePIDs = 0
  /// A clock for each program, and which of them a stream uses.
  private var clocks: [TransportClock]
  private let clockIndices: [Int]
  private var queue: [ElementarySample] = []
  private var queueIndex = 0
  private var numbers: [Int]
  private var isAtEnd = false
  /// After a seek: what is known of the first sample of the sought track.
  private var expected: TransportSyncIndex.Entry?

  init(_ input: TransportInput, keepsData: Bool, from offset: Int64? = nil) {
    tracks = input.tracks
    scanner = TransportPacketScanner(input.source, layout: input.layout, from: offset)
    numbers = [Int](repeating: 0, count: tracks.count)
    trackIndices = tracks.indices.filter(input.selected.contains)
    pids = []
    streams = []
    var programs: [Int] = []
    var clockIndices: [Int] = []
    for index in trackIndices {
      let track = tracks[index]
      let clock = programs.firstIndex(of: track.programNumber) ?? programs.count
      if clock == programs.count { programs.append(track.programNumber) }
      clockIndices.append(clock)
      pids.append(track.pid)
      streams.append(
        PacketIdentifierStream(
          makeStream(
            track.kind.framing, kind: track.kind.kind, limits: input.limits, keepsData: keepsData),
          holdsSections: track.kind.framing == .sections))
    }
    self.clockIndices = clockIndices
    clocks = programs.map { _ in TransportClock() }
    assignRoles()
  }

  /// The next sample with its place in the input.
  mutating func next() throws(MediaError) -> ElementarySample? {
    while queueIndex >= queue.count {
      if queueIndex > 0 {
        queue.removeAll(keepingCapacity: true)
        queueIndex = 0
      }
      guard !isAtEnd else { return nil }
      if let index = try scanner.next() { try take(index) } else { try finish() }
    }
    defer { queueIndex += 1 }
    return queue[queueIndex]
  }

  private mutating func take(_ index: Int) throws(MediaError) {
    guard let packet = TransportPacket(scanner.bytes, at: index) else { return }
    let role = Int(roles[packet.pid])
    if role >= 0 {
      streams[role].take(
        packet, scanner.bytes, offset: scanner.offset(of: index),
        clock: &clocks[clockIndices[role]])
      try collect(role)
    } else if role == -2, !packet.hasError, !packet.isScrambled, let payload = packet.payload {
      let news = tables.take(
        pid: packet.pid, scanner.bytes[payload], startsUnit: packet.startsUnit)
      // The association may just have told where to look for maps.
      if tables.pidCount != knownTablePIDs { assignTables() }
      if news.mapsChanged { followMaps() }
    }
  }

  private mutating func collect(_ index: Int) throws(MediaError) {
    while let sample = try streams[index].stream.next() { enqueue(sample, index) }
  }

  private mutating func enqueue(_ sample: ElementarySample, _ index: Int) {
    var sample = sample
    let track = trackIndices[index]
    sample.header.trackIndex = track
    if let entry = expected, entry.trackIndex == track {
      entry.apply(to: &sample.header)
      numbers[track] = entry.number
      expected = nil
    }
    sample.header.number = numbers[track]
    numbers[track] += 1
    queue.append(sample)
  }

  private mutating func finish() throws(MediaError) {
    isAtEnd = true
    for index in streams.indices {
      streams[index].finish()
      while let sample = try streams[index].stream.finish() { enqueue(sample, index) }
    }
  }

  private mutating func assignTables() {
    for pid in tables.pids where roles[pid] == -1 { roles[pid] = -2 }
    knownTablePIDs = tables.pidCount
  }

  private mutating func assignRoles() {
    assignTables()
    for (index, pid) in pids.enumerated() { roles[pid] = Int32(index) }
  }

  /// A program's map has changed: a track whose PID is gone goes on with a new PID of its codec.
  /// Streams that are new are not taken up: the tracks of an opened input are fixed.
  private mutating func followMaps() {
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

  /// Goes on from where an entry of a track says, or from the start.
  mutating func restart(at entry: TransportSyncIndex.Entry?, _ input: TransportInput) {
    scanner = TransportPacketScanner(input.source, layout: input.layout, from: entry?.position)
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
