// What is found out about a transport stream when it is opened.

import ReelCore

/// Finds packets, programs, formats, the start and the length of a transport stream.
struct TransportStreamOpening {
  let layout: TransportPacketLayout
  private(set) var streams: [TransportTrack] = []
  private(set) var tracks: [Track] = []
  private(set) var programs: [TransportStreamDemuxer.Program] = []
  private(set) var warnings: [MediaError] = []
  private(set) var duration = MediaTime.indefinite
  private(set) var startTicks: Int64?
  private let source: any ByteSource
  private let limits: Limits

  /// LIMIT: programs and formats are looked for in this many bytes from the start.
  private static let openingByteCount: Int64 = 5_000_000
  /// The start is the smallest of this many times of a track: more than any reordering.
  private static let timesForStart = 20
  /// The end is looked for in so many bytes before the end of the input, until one has times.
  private static let endByteCounts: [Int64] = [250_000, 1_000_000, 4_000_000]

  init(_ source: any ByteSource, limits: Limits) throws(MediaError) {
    (self.source, self.limits) = (source, limits)
    let head = try source.readFully(at: 0, count: 1 << 16)
    guard let layout = TransportPacketLayout.detect(head) else {
      throw MediaError(
        head.count < TransportPacket.byteCount ? .needsMoreData : .damaged, .transportSync,
        at: .offset(0), detail: "\(head.count) bytes looked at")
    }
    self.layout = layout
    let tables = try readTables()
    try makeTracks(tables)
    try readFormats()
    try readEnd()
  }

  private func readTables() throws(MediaError) -> ProgramTables {
    var tables = ProgramTables()
    var scanner = TransportPacketScanner(source, layout: layout)
    while !tables.isComplete, scanner.nextOffset < Self.openingByteCount,
      let index = try scanner.next()
    {
      guard let packet = TransportPacket(scanner.bytes, at: index), !packet.hasError,
        !packet.isScrambled, let payload = packet.payload, tables.holds(packet.pid)
      else { continue }
      _ = tables.take(pid: packet.pid, scanner.bytes[payload], startsUnit: packet.startsUnit)
    }
    guard tables.programs.contains(where: { $0.map != nil }) else {
      throw MediaError(
        .damaged, .transportProgram, at: .offset(Int64(layout.start)),
        detail: tables.hasAssociation
          ? "no map of \(tables.programs.count) programs" : "no program association",
        advice: tables.damagedSectionCount > 0
          ? "\(tables.damagedSectionCount) tables were damaged" : "")
    }
    return tables
  }

  private mutating func makeTracks(_ tables: ProgramTables) throws(MediaError) {
    var trackOfPID: [Int: Int] = [:]
    for program in tables.programs {
      let names = tables.services.first { $0.number == program.number }?.tags ?? []
      var indices: [Int] = []
      for stream in program.map?.streams ?? [] where stream.pid != 0x1FFF {
        if let known = trackOfPID[stream.pid] {
          if !indices.contains(known) { indices.append(known) }
          continue
        }
        guard tracks.count < limits.maximumTracks else {
          throw MediaError(.limitExceeded, .transportTracks, detail: "\(limits.maximumTracks)")
        }
        let kind = StreamKind(stream, program: program.map?.descriptors ?? Descriptors([]))
        trackOfPID[stream.pid] = tracks.count
        indices.append(tracks.count)
        streams.append(TransportTrack(pid: stream.pid, programNumber: program.number, kind: kind))
        tracks.append(Self.track(stream, kind))
      }
      programs.append(.init(number: program.number, trackIndices: indices, tags: names))
    }
  }

  private static func track(_ stream: ProgramMap.Stream, _ kind: StreamKind) -> Track {
    var track = Track(
      id: stream.pid, kind: kind.kind, codec: kind.codec, timescale: 90_000,
      formats: [.other(sampleEntry: nil)])
    track.language = stream.descriptors.language
    return track
  }

  /// Reads from the start until the format and enough times of every track are known.
  private mutating func readFormats() throws(MediaError) {
    let reader = TransportStreamReader(input(Set(tracks.indices)))
    var counts = [Int](repeating: 0, count: tracks.count)
    var open = tracks.indices.count { isTimed($0) }
    while open > 0, reader.nextOffset < Self.openingByteCount {
      let packet: PacketHeader?
      do throws(MediaError) {
        packet = try reader.nextHeader()
      } catch  where error.family == .limitExceeded {
        warnings.append(error)
        break
      }
      guard let packet else { break }
      guard isTimed(packet.trackIndex), let time = packet.presentationTicks else { continue }
      startTicks = min(startTicks ?? time, time)
      counts[packet.trackIndex] += 1
      if counts[packet.trackIndex] == Self.timesForStart { open -= 1 }
    }
    for (index, state) in reader.streams.enumerated() {
      if let format = state.stream.format { tracks[index].formats = [format] }
      if let codec = state.stream.codec { tracks[index].codec = codec }
      note(state.faults, track: index)
    }
    if reader.skippedByteCount > 0 {
      warnings.append(
        MediaError(
          .damaged, .transportSync, detail: "\(reader.skippedByteCount) bytes were no packets"))
    }
  }

  private func input(_ selected: Set<Int>) -> TransportInput {
    TransportInput(
      source: source, layout: layout, tracks: streams, selected: selected, limits: limits)
  }

  /// Only picture and sound tell where a presentation begins and ends.
  private func isTimed(_ index: Int) -> Bool {
    let kind = streams[index].kind
    return kind.kind == .video || kind.kind == .audio
  }

  private mutating func note(_ faults: TransportFaults, track: Int) {
    let place = Place.named("PID \(tracks[track].id)")
    if faults.scrambledPackets > 0 {
      tracks[track].isProtected = true
      warnings.append(
        MediaError(
          .protected, .transportScrambled, at: place, detail: "\(faults.scrambledPackets) packets"))
    }
    if faults.lostPackets > 0 {
      warnings.append(
        MediaError(.damaged, .transportContinuity, at: place, detail: "\(faults.lostPackets) gaps"))
    }
    if faults.badHeaders > 0 {
      warnings.append(
        MediaError(.damaged, .transportPESHeader, at: place, detail: "\(faults.badHeaders) times"))
    }
  }

  /// The latest time near the end of the input, on the line that the start is on.
  private mutating func readEnd() throws(MediaError) {
    guard let start = startTicks, let total = source.byteCount else { return }
    for count in Self.endByteCounts {
      let from = max(total - count, Int64(layout.start))
      let end = try lastTime(from: from)
      if let end {
        // A stream is taken to be shorter than the 26½ hours after which times come again.
        let length = (end - start) & (1 << 33 - 1)
        setLength(length)
        return
      }
      if from == Int64(layout.start) { return }
    }
  }

  private func lastTime(from offset: Int64) throws(MediaError) -> Int64? {
    let timed = tracks.indices.filter { isTimed($0) }
    let reader = TransportStreamReader(input(Set(timed)), from: offset)
    var last: Int64?
    do throws(MediaError) {
      while let packet = try reader.nextHeader() {
        guard let time = packet.presentationTicks else { continue }
        last = max(last ?? .min, time + (packet.durationTicks ?? 0))
      }
    } catch  where error.family == .limitExceeded {
      return last
    }
    return last
  }

  private mutating func setLength(_ length: Int64) {
    duration = MediaTime(value: length, timescale: 90_000)
    for index in tracks.indices {
      tracks[index].duration = duration
      if isTimed(index) { tracks[index].mediaDuration = length }
    }
  }
}
