// Reading the frames of a segment's blocks, from the start and from sync samples.

import ReelCore

/// What reading needs to know of an opened file.
struct MatroskaLayout: Sendable {
  let source: any ByteSource
  let limits: Limits
  let info: SegmentInfo
  let tracks: [MatroskaTrack]
  let cues: Cues
  /// Offset of the Segment's first byte, and of the first behind it where that is known.
  let segmentStart: Int64
  let segmentEnd: Int64?
  /// Offset of the first cluster, or of where one is to be looked for.
  let firstCluster: Int64

  func walker(from position: Int64) -> ClusterWalker {
    ClusterWalker(source, from: position, end: segmentEnd, limits: limits)
  }
}

/// A frame of a block: what its packet will say, and where its bytes are.
private struct Frame {
  var header: PacketHeader
  let offset: Int64
  let storedByteCount: Int
}

/// Gives the frames of some tracks in the order in which they lie in the file.
final class MatroskaReader: PacketReader {
  private let layout: MatroskaLayout
  private let selected: Set<Int>
  /// Track index by track number.
  private let indices: [Int: Int]
  private var walker: ClusterWalker
  private var frames: [Frame] = []
  private var frameIndex = 0
  private var numbers: [Int]
  private var syncIndices: [Int: MatroskaSyncIndex] = [:]
  private var isAtEnd = false

  init(_ layout: MatroskaLayout, selected: [Int]) {
    self.layout = layout
    self.selected = Set(selected)
    walker = layout.walker(from: layout.firstCluster)
    numbers = [Int](repeating: 0, count: layout.tracks.count)
    var indices: [Int: Int] = [:]
    // Of tracks with one number only the first can have blocks.
    for index in layout.tracks.indices.reversed() { indices[layout.tracks[index].number] = index }
    self.indices = indices
  }

  func nextHeader() throws(MediaError) -> PacketHeader? {
    guard let frame = try nextFrame() else { return nil }
    if let total = layout.source.byteCount, frame.offset + Int64(frame.storedByteCount) > total {
      isAtEnd = true
      return nil
    }
    pass(frame)
    return frame.header
  }

  func next() throws(MediaError) -> Packet? {
    guard let frame = try nextFrame() else { return nil }
    let bytes = try layout.source.readFully(at: frame.offset, count: frame.storedByteCount)
    // A frame that is cut off ends the input.
    guard bytes.count == frame.storedByteCount else {
      isAtEnd = true
      return nil
    }
    pass(frame)
    let header = frame.header
    let stripped = layout.tracks[header.trackIndex].strippedHeader
    var packet = Packet(
      trackIndex: header.trackIndex, data: stripped.isEmpty ? bytes : stripped + bytes)
    packet.number = header.number
    packet.presentationTicks = header.presentationTicks
    packet.durationTicks = header.durationTicks
    packet.isSync = header.isSync
    packet.position = header.position
    return packet
  }

  private func pass(_ frame: Frame) {
    numbers[frame.header.trackIndex] += 1
    frameIndex += 1
  }

  /// The next frame, without moving beyond it.
  private func nextFrame() throws(MediaError) -> Frame? {
    while frameIndex >= frames.count {
      guard !isAtEnd else { return nil }
      let before = walker
      guard let block = try walker.next() else {
        isAtEnd = true
        return nil
      }
      (frames, frameIndex) = ([], 0)
      do throws(MediaError) {
        frames = try expand(block)
      } catch {
        // A damaged block is gone over; what the source failed to give may be asked for again.
        guard error.family == .damaged else {
          walker = before
          throw error
        }
      }
    }
    var frame = frames[frameIndex]
    frame.header.number = numbers[frame.header.trackIndex]
    return frame
  }

  /// The frames of a block; none when its track is not read.
  private func expand(_ block: BlockPlace) throws(MediaError) -> [Frame] {
    guard let index = indices[block.trackNumber], selected.contains(index) else { return [] }
    let track = layout.tracks[index]
    guard !track.isCompressed else { return [] }
    let ranges = try ranges(of: block)
    let times = FrameTimes(block, frameCount: ranges.count, track, layout.info)
    return ranges.enumerated().map { number, range in
      var header = PacketHeader(
        trackIndex: index, byteCount: range.count + track.strippedHeader.count)
      header.presentationTicks = times.presentation(number)
      header.durationTicks = times.duration
      header.isSync = block.isSync
      header.position = block.payload + Int64(range.lowerBound)
      return Frame(header: header, offset: header.position, storedByteCount: range.count)
    }
  }

  private func ranges(of block: BlockPlace) throws(MediaError) -> [Range<Int>] {
    guard block.lacing != .none else { return [0..<block.byteCount] }
    let count = min(block.byteCount, Lacing.maximumByteCount)
    let head = try layout.source.readFully(at: block.payload, count: count)
    return try Lacing.frames(block.lacing, head: head[...], count: block.byteCount)
  }

  /// Moves to the last sync sample at or before `ticks`: near a cue of the track where there is one,
  /// else by what was read so far.
  func seek(trackIndex: Int, toSyncAtOrBefore ticks: Int64) throws(MediaError) {
    guard selected.contains(trackIndex) else {
      throw MediaError(.usage, .matroskaTrackIndex, detail: "\(trackIndex)")
    }
    let index = syncIndices[trackIndex] ?? MatroskaSyncIndex(layout, trackIndex: trackIndex)
    syncIndices[trackIndex] = index
    let block = try index.block(atOrBefore: ticks)
    var walker = layout.walker(from: layout.firstCluster)
    if let block { try walker.enter(block) }
    self.walker = walker
    (frames, frameIndex, isAtEnd) = ([], 0, false)
    numbers = [Int](repeating: 0, count: layout.tracks.count)
    guard let block, block.lacing != .none else { return }
    try skipLaces(until: ticks, trackIndex)
  }

  /// Goes over the frames of a laced block that are followed by another at or before `ticks`.
  private func skipLaces(until ticks: Int64, _ trackIndex: Int) throws(MediaError) {
    guard try nextFrame() != nil else { return }
    while frameIndex + 1 < frames.count,
      let time = frames[frameIndex + 1].header.presentationTicks, time <= ticks
    {
      frameIndex += 1
    }
  }
}

/// Times of the frames of a block, in the track's ticks.
struct FrameTimes {
  private let start: Int64
  private let nanoseconds: Int64?
  private let info: SegmentInfo
  let duration: Int64?

  init(_ block: BlockPlace, frameCount: Int, _ track: MatroskaTrack, _ info: SegmentInfo) {
    (start, self.info) = (block.time, info)
    if let total = block.duration, frameCount > 0 {
      // A duration of the block is shared by its frames.
      let (product, overflow) = total.multipliedReportingOverflow(by: info.timestampScale)
      nanoseconds = overflow ? nil : product / Int64(frameCount)
    } else {
      nanoseconds = track.frameNanoseconds
    }
    duration =
      frameCount == 1 && block.duration != nil
      ? block.duration.flatMap { info.ticks($0) } : nanoseconds.map { info.ticks(nanoseconds: $0) }
  }

  /// The time of a frame; nil when only its decoder can tell.
  func presentation(_ index: Int) -> Int64? {
    guard let ticks = info.ticks(start) else { return nil }
    guard index > 0 else { return ticks }
    guard let nanoseconds else { return nil }
    let (offset, overflow) = nanoseconds.multipliedReportingOverflow(by: Int64(index))
    return overflow ? nil : ticks.saturatingAdd(info.ticks(nanoseconds: offset))
  }
}
