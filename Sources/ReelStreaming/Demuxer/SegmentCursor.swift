// A position in the packets of one playlist.

import ReelCore

/// Reads the packets of some tracks of a playlist, segment after segment.
struct SegmentCursor {
  private let playlist: SegmentedPlaylist
  /// Number of each playlist track in the demuxer, nil for tracks that are not read.
  private let outer: [Int?]
  private var segment = 0
  private var current: Current?
  /// Packets given so far, by track.
  private var numbers: [Int]
  /// Cues of this segment and of the one before: one that is shown over both stands in both.
  private var cues: (earlier: Set<CueIdentity>, own: Set<CueIdentity>) = ([], [])

  private struct CueIdentity: Hashable {
    let track: Int
    let start, duration: Int64?
    let data: [UInt8]
  }

  /// A segment being read.
  private struct Current {
    let reader: any PacketReader
    let section: SegmentedTrack.Section
    /// Playlist track by track of the segment.
    let roles: [Int?]
    /// Ticks to add, and times by how much ticks are multiplied, by playlist track.
    let clocks: [Clock]
  }

  /// From the ticks of a segment's track to those of the playlist's.
  private struct Clock {
    let from: Int32
    let to: Int32
    let offset: Int64

    func ticks(_ value: Int64) -> Int64 {
      let scaled =
        from == to
        ? value : Rational(value, from).ticks(timescale: to, rounding: .standard).value
      return scaled.addingReportingOverflow(offset).partialValue
    }

    func length(_ value: Int64) -> Int64 {
      from == to ? value : Rational(value, from).ticks(timescale: to, rounding: .standard).value
    }

    /// The segment's ticks at or before a time of the playlist.
    func inverse(_ value: Int64) -> Int64 {
      let own = value.subtractingReportingOverflow(offset).partialValue
      guard from != to else { return own }
      return Rational(own, to).ticks(timescale: from, rounding: .towardNegativeInfinity).value
    }
  }

  init(_ playlist: SegmentedPlaylist, outer: [Int?]) {
    self.playlist = playlist
    self.outer = outer
    numbers = [Int](repeating: 0, count: outer.count)
  }

  /// The next packet in the demuxer's terms; nil at the end of the playlist.
  mutating func next() throws(MediaError) -> Packet? {
    while true {
      if current == nil {
        guard try enterNextSegment() else { return nil }
      }
      guard let current else { return nil }
      if var packet = try read(current) {
        guard let track = current.roles[packet.trackIndex], let number = outer[track] else {
          continue
        }
        convert(&packet, track, current)
        if playlist.tracks[track].kind == .subtitle, isRepeated(packet, track) { continue }
        packet.number = numbers[track]
        numbers[track] += 1
        packet.trackIndex = number
        return packet
      }
      self.current = nil
      segment += 1
      cues = (cues.own, [])
    }
  }

  /// The next packet of the segment; one that ends inside a packet ends there.
  private func read(_ current: Current) throws(MediaError) -> Packet? {
    do {
      return try current.reader.next()
    } catch {
      guard error.family == .needsMoreData else { throw error }
      return nil
    }
  }

  private mutating func convert(_ packet: inout Packet, _ track: Int, _ current: Current) {
    let clock = current.clocks[track]
    packet.presentationTicks = packet.presentationTicks.map(clock.ticks)
    packet.decodeTicks = packet.decodeTicks.map(clock.ticks)
    packet.durationTicks = packet.durationTicks.map(clock.length)
    let key = SegmentedTrack.FormatKey(section: current.section, format: packet.formatIndex)
    packet.formatIndex = playlist.finders[track].formatIndices[key] ?? 0
  }

  /// Whether the segment before had this cue too.
  private mutating func isRepeated(_ packet: Packet, _ track: Int) -> Bool {
    let cue = CueIdentity(
      track: track, start: packet.presentationTicks, duration: packet.durationTicks,
      data: packet.data)
    cues.own.insert(cue)
    return cues.earlier.contains(cue)
  }

  /// Opens the segment at hand, or the first one after it that is there; false at the end.
  private mutating func enterNextSegment() throws(MediaError) -> Bool {
    while segment < playlist.segments.count {
      if playlist.segments.isLoadable(segment), let entered = try enter(segment) {
        current = entered
        return true
      }
      segment += 1
    }
    return false
  }

  /// Nil when the segment has none of the tracks.
  private func enter(_ index: Int) throws(MediaError) -> Current? {
    let opened = try playlist.segments.open(index)
    let offset = try playlist.segments.offset(ofSegment: index, opened, main: playlist.main)
    let inner = opened.demuxer.tracks
    var roles = [Int?](repeating: nil, count: inner.count)
    var clocks = [Clock](repeating: Clock(from: 1, to: 1, offset: 0), count: outer.count)
    // Packets of packed audio count from 0: their time is that of the tag.
    let base = opened.demuxer.transportTimestamp == nil ? Rational.zero : opened.mediaStart
    for track in outer.indices where outer[track] != nil {
      guard let place = playlist.finders[track].index(in: inner) else { continue }
      roles[place] = track
      let (from, to) = (inner[place].timescale, playlist.finders[track].timescale)
      let shift = offset + base - inner[place].editShift
      clocks[track] = Clock(
        from: from, to: to, offset: shift.ticks(timescale: to, rounding: .standard).value)
    }
    let selected = roles.indices.filter { roles[$0] != nil }
    guard !selected.isEmpty else { return nil }
    return Current(
      reader: try opened.demuxer.makePacketReader(trackIndices: selected),
      section: playlist.segments.section(ofSegment: index), roles: roles, clocks: clocks)
  }

  // MARK: Seeking

  /// Moves so that the next packet of a playlist track is its last sync sample at or before `ticks`,
  /// or its first one.
  mutating func seek(track: Int, toSyncAtOrBefore ticks: Int64) throws(MediaError) {
    cues = ([], [])
    let time = Rational(ticks, playlist.finders[track].timescale)
    let nominal = playlist.segments.timeline.segment(at: time)
    // Durations are rounded, and pictures of a segment may begin before it: the one after it too.
    for index in stride(
      from: min(nominal + 1, playlist.segments.count - 1), through: 0, by: -1)
    {
      if index > nominal, playlist.segments.timeline.start(index) - time > Rational(1) { continue }
      guard playlist.segments.isLoadable(index), let entered = try enter(index),
        let inner = entered.roles.firstIndex(of: track)
      else { continue }
      try entered.reader.seek(
        trackIndex: inner, toSyncAtOrBefore: entered.clocks[track].inverse(ticks))
      guard try starts(entered, inner, atOrBefore: ticks) else { continue }
      (segment, current) = (index, try enter(index))
      try current?.reader.seek(
        trackIndex: inner, toSyncAtOrBefore: entered.clocks[track].inverse(ticks))
      return
    }
    (segment, current) = (0, nil)
  }

  /// Whether what follows begins with a packet of the track that is not too late.
  private func starts(
    _ entered: Current, _ inner: Int, atOrBefore ticks: Int64
  ) throws(MediaError) -> Bool {
    for _ in 0..<1000 {
      guard let header = try entered.reader.nextHeader() else { return false }
      guard header.trackIndex == inner else { continue }
      guard let track = entered.roles[inner], let time = header.presentationTicks else {
        return true
      }
      return entered.clocks[track].ticks(time) <= ticks
    }
    return false
  }

  /// Moves to the segment that is shown at a time, for tracks that follow another one.
  mutating func seek(toSegmentAt time: Rational) {
    (segment, current) = (playlist.segments.timeline.segment(at: time), nil)
  }
}
