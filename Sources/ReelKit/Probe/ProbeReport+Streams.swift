// Times, rates and counts of the tracks.

import ReelAssets
import ReelCore
import ReelISOBMFF

extension ProbeReport {
  mutating func describeStreams(_ asset: Asset) throws(MediaError) {
    var streams = asset.tracks.indices.map { ProbeStream(index: $0, track: asset.tracks[$0]) }
    let starts = try firstTimes(asset)
    for index in streams.indices {
      let track = streams[index].track
      streams[index].startTicks = starts[index].map { Self.start(track, firstTicks: $0) }
      streams[index].durationTicks = Self.durationTicks(track)
      streams[index].bitRate = Self.bitRate(track, streams[index].durationTicks)
      guard asset.demuxer.hasIndex else { continue }
      streams[index].readablePacketCount = try readablePackets(asset, index)
      if track.kind == .video {
        streams[index].presentedFrameCount = try presentedFrames(asset, index)
      }
    }
    setStreams(streams)
  }

  /// The earliest presentation time among the first packets of each track.
  private func firstTimes(_ asset: Asset) throws(MediaError) -> [Int64?] {
    if !asset.demuxer.hasIndex { return try firstTimesByReading(asset) }
    var starts: [Int64?] = []
    for index in asset.tracks.indices {
      let reader = try asset.demuxer.makePacketReader(trackIndices: [index])
      var first: Int64?
      // Reordering reaches no farther than a decoded picture buffer.
      for _ in 0..<64 {
        guard let header = try reader.nextHeader() else { break }
        guard let ticks = header.presentationTicks else { continue }
        first = min(first ?? ticks, ticks)
      }
      starts.append(first)
    }
    return starts
  }

  private func firstTimesByReading(_ asset: Asset) throws(MediaError) -> [Int64?] {
    var starts = [Int64?](repeating: nil, count: asset.tracks.count)
    let reader = try asset.demuxer.makePacketReader(trackIndices: Array(asset.tracks.indices))
    for _ in 0..<256 {
      guard let header = try? reader.nextHeader() else { break }
      guard let ticks = header.presentationTicks, starts.indices.contains(header.trackIndex)
      else { continue }
      starts[header.trackIndex] = min(starts[header.trackIndex] ?? ticks, ticks)
    }
    return starts
  }

  /// Where the presentation of a track begins: behind the leading empty edits, and behind the begin of
  /// the first edit as far as its first sample is.
  private static func start(_ track: Track, firstTicks: Int64) -> Int64 {
    var delay = Rational.zero
    for edit in track.edits {
      guard let mediaStart = edit.mediaStart else {
        delay += Rational(edit.duration) ?? .zero
        continue
      }
      let lead = max(firstTicks.subtractingReportingOverflow(mediaStart).partialValue, 0)
      let ticks = delay.ticks(timescale: track.timescale, rounding: .standard).value
      return ticks.addingReportingOverflow(lead).partialValue
    }
    return firstTicks
  }

  private static func durationTicks(_ track: Track) -> Int64? {
    let time = track.duration.convertScale(track.timescale)
    if time.isNumeric { return time.value }
    return track.mediaDuration
  }

  private static func bitRate(_ track: Track, _ durationTicks: Int64?) -> Int64? {
    guard let bytes = track.byteCount, bytes > 0,
      let ticks = track.mediaDuration ?? durationTicks, ticks > 0
    else { return nil }
    let bits = Rational(bytes, 1) * Rational(8 * Int(track.timescale)) / Rational(ticks, 1)
    return Int64(clamping: bits.floor)
  }

  /// Packets whose bytes are there. Counted one by one only where something is cut.
  private func readablePackets(_ asset: Asset, _ index: Int) throws(MediaError) -> Int? {
    let track = asset.tracks[index]
    guard let byteCount, asset.demuxer.warnings.contains(where: { $0.rule == .boxTruncated })
    else { return track.sampleCount }
    let reader = try asset.demuxer.makePacketReader(trackIndices: [index])
    var count = 0
    while let header = try reader.nextHeader() {
      let end = header.position.addingReportingOverflow(Int64(header.byteCount))
      if !end.overflow && end.partialValue <= byteCount { count += 1 }
    }
    return count
  }

  /// Frames that the edit list shows, counted from the packet headers.
  private func presentedFrames(_ asset: Asset, _ index: Int) throws(MediaError) -> Int? {
    let track = asset.tracks[index]
    if track.edits.isEmpty { return track.sampleCount }
    do {
      return try asset.presentedFrameCount(trackIndex: index)
    } catch {
      guard error.family == .limitExceeded else { throw error }
      return nil
    }
  }
}
