// Segments of a playlist, loaded, decrypted and opened.

import ReelAssets
import ReelCore
import ReelHLS
import Synchronization

/// A segment that is open.
struct OpenedSegment: Sendable {
  let demuxer: any Demuxer
  /// Earliest time of its picture and sound in its own clock, seconds.
  let mediaStart: Rational
  /// Its times have 33 bits of 90 kHz.
  let wraps: Bool
  /// Its times count from its own begin, and nothing tells where that lies.
  let hasOwnClock: Bool
  let byteCount: Int
}

/// Opens the segments of one playlist and keeps the last ones open. Shared by readers on any thread.
final class SegmentStore: Sendable {
  let playlist: MediaPlaylist
  let address: PlaylistAddress
  let timeline: SegmentTimeline
  /// The playlist's different initialization sections, in order of appearance.
  let sections: [InitializationSection]
  private let loader: any ResourceLoader
  private let registry: MediaRegistry
  private let options: StreamingOptions
  private let keys: KeyStore
  /// Opens a segment by another way when its own fails; nil where there is no other.
  private let detour: Detour?
  private let state = Mutex(State())

  /// Told of the segment and its own way.
  typealias Detour =
    @Sendable (_ index: Int, _ store: SegmentStore) throws(MediaError) -> OpenedSegment

  private struct State {
    /// The last used one at the end.
    var segments: [(index: Int, segment: OpenedSegment)] = []
    var sections: [(section: InitializationSection, bytes: [UInt8])] = []
  }

  /// LIMIT: initialization sections are opened one after the other when the playlist is.
  private static let maximumSections = 64

  init(
    playlist: MediaPlaylist, address: PlaylistAddress, loader: any ResourceLoader,
    registry: MediaRegistry, options: StreamingOptions, keys: KeyStore, detour: Detour? = nil
  ) throws(MediaError) {
    self.detour = detour
    (self.playlist, self.address, self.loader) = (playlist, address, loader)
    (self.registry, self.options, self.keys) = (registry, options, keys)
    timeline = try SegmentTimeline(playlist.segments)
    var sections: [InitializationSection] = []
    for segment in playlist.segments {
      guard let section = segment.initializationSection, section != sections.last,
        !sections.contains(section)
      else { continue }
      guard sections.count < Self.maximumSections else {
        throw MediaError(.limitExceeded, .streamingSections, at: .line(section.line.number))
      }
      sections.append(section)
    }
    self.sections = sections
  }

  // MARK: Segments

  /// Whether a segment is there to be loaded.
  func isLoadable(_ index: Int) -> Bool { !playlist.segments[index].isGap }

  /// Opens a segment.
  ///
  /// - Throws: what the loader throws; `damaged`, `unsupported`, `protected` at the segment.
  func open(_ index: Int) throws(MediaError) -> OpenedSegment {
    guard let detour else { return try openOwn(index) }
    return try detour(index, self)
  }

  /// The same, of this playlist alone.
  func openOwn(_ index: Int) throws(MediaError) -> OpenedSegment {
    if let known = recall(index) { return known }
    let segment = playlist.segments[index]
    let opened: OpenedSegment
    do {
      opened = try open(segment, number: playlist.mediaSequenceNumber(ofSegmentAt: index))
    } catch {
      throw located(error, segment)
    }
    remember(index, opened)
    return opened
  }

  private func located(_ error: MediaError, _ segment: Segment) -> MediaError {
    guard error.family == .damaged || error.family == .needsMoreData else { return error }
    let place = error.place.description
    return MediaError(
      .damaged, error.rule, at: .named("segment \(segment.uri)"),
      detail: [place, error.detail].filter { !$0.isEmpty }.joined(separator: ": "),
      advice: error.advice)
  }

  private func recall(_ index: Int) -> OpenedSegment? {
    state.withLock { state in
      guard let place = state.segments.firstIndex(where: { $0.index == index }) else { return nil }
      let entry = state.segments.remove(at: place)
      state.segments.append(entry)
      return entry.segment
    }
  }

  private func remember(_ index: Int, _ segment: OpenedSegment) {
    state.withLock { state in
      guard !state.segments.contains(where: { $0.index == index }) else { return }
      state.segments.append((index, segment))
      var total = state.segments.reduce(0) { $0 + $1.segment.byteCount }
      while state.segments.count > 2, total > options.cacheByteCount {
        total -= state.segments.removeFirst().segment.byteCount
      }
    }
  }

  private func open(_ segment: Segment, number: Int64) throws(MediaError) -> OpenedSegment {
    var bytes = try load(segment.uri, segment.byteRange)
    if let key = try segment.keys.wholeSegmentKey() {
      bytes = try decrypted(bytes, key, key.initializationVector(mediaSequenceNumber: number))
    }
    if let captions = try WebVTTSegment(bytes) { return captions.opened }
    if let section = segment.initializationSection { bytes = try self.bytes(of: section) + bytes }
    return try OpenedSegment(registry.open(MemorySource(bytes), options.open), bytes.count)
  }

  /// Loads a segment without opening it: bytes, and the microseconds that took.
  func transfer(_ index: Int) throws(MediaError) -> (byteCount: Int64, duration: Int64) {
    let segment = playlist.segments[index]
    guard !DataAddress.isOne(segment.uri) else { return (0, 0) }
    let resource = try loader.load(request(segment.uri, segment.byteRange))
    let (seconds, rest) = resource.transferTime.components
    let duration = Int128(seconds) * 1_000_000 + Int128(rest / 1_000_000_000_000)
    return (Int64(resource.bytes.count), Int64(clamping: duration))
  }

  private func request(_ uri: String, _ range: ByteRange?) throws(MediaError) -> ResourceRequest {
    ResourceRequest(
      try address.resolve(uri).address, namedBy: address.address,
      range: range.map { $0.offset..<$0.end }, maximumByteCount: options.maximumSegmentBytes)
  }

  private func load(_ uri: String, _ range: ByteRange?) throws(MediaError) -> [UInt8] {
    if DataAddress.isOne(uri) {
      let bytes = try DataAddress.bytes(uri)
      guard let range else { return bytes }
      return try MemorySource(bytes).readExactly(at: range.offset, count: Int(range.length))
    }
    return try loader.load(request(uri, range)).bytes
  }

  private func decrypted(
    _ bytes: [UInt8], _ key: Key, _ vector: [UInt8]
  ) throws(MediaError) -> [UInt8] {
    guard let decrypt = options.decrypt else {
      throw MediaError(.unsupported, .streamingCipher, at: .line(key.line.number))
    }
    return try decrypt(bytes, keys.bytes(key, in: address), vector)
  }

  /// The bytes of an initialization section, decrypted.
  private func bytes(of section: InitializationSection) throws(MediaError) -> [UInt8] {
    let known = state.withLock { $0.sections.first { $0.section == section }?.bytes }
    if let known { return known }
    var bytes = try load(section.uri, section.byteRange)
    if let key = try section.keys.wholeSegmentKey() {
      guard let vector = key.initializationVector else {
        throw MediaError(.damaged, .streamingSectionVector, at: .line(section.line.number))
      }
      bytes = try decrypted(bytes, key, vector)
    }
    state.withLock { state in
      state.sections.append((section, bytes))
      if state.sections.count > 8 { state.sections.removeFirst() }
    }
    return bytes
  }
}

extension OpenedSegment {
  fileprivate init(_ demuxer: any Demuxer, _ byteCount: Int) throws(MediaError) {
    self.demuxer = demuxer
    self.byteCount = byteCount
    if let stamp = demuxer.transportTimestamp {
      // Packets of packed audio count from 0; the tag tells the time of the first one.
      (mediaStart, wraps, hasOwnClock) = (Rational(stamp, 90_000), true, false)
    } else if demuxer.hasIndex {
      (mediaStart, wraps, hasOwnClock) = (try Self.earliestTime(demuxer), false, false)
    } else {
      mediaStart = Rational(demuxer.presentationOrigin) ?? .zero
      wraps = demuxer.formatName == "mpegts"
      hasOwnClock = !wraps
    }
  }

  init(demuxer: any Demuxer, mediaStart: Rational, byteCount: Int) {
    (self.demuxer, self.mediaStart, self.byteCount) = (demuxer, mediaStart, byteCount)
    (wraps, hasOwnClock) = (true, false)
  }

  /// The earliest presentation time of picture and sound, edits counted: those of the first packets of
  /// each track, which come in decoding order.
  private static func earliestTime(_ demuxer: any Demuxer) throws(MediaError) -> Rational {
    var earliest: Rational?
    for (index, track) in demuxer.tracks.enumerated()
    where track.kind == .video || track.kind == .audio {
      let reader = try demuxer.makePacketReader(trackIndices: [index])
      for _ in 0..<34 {
        guard let ticks = try reader.nextHeader()?.presentationTicks else { break }
        let time = Rational(ticks, track.timescale) - track.editShift
        earliest = min(earliest ?? time, time)
      }
    }
    return earliest ?? .zero
  }
}

extension Track {
  /// Seconds of media before what the first edit shows, less the empty edits before it.
  /// ISO/IEC 14496-12:2020 §8.6.6.
  var editShift: Rational {
    var empty = Rational.zero
    for edit in edits {
      guard let start = edit.mediaStart else {
        empty += Rational(edit.duration) ?? .zero
        continue
      }
      return Rational(start, timescale) - empty
    }
    return .zero
  }
}
