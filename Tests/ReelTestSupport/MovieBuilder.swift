// A whole file of one or several tracks, made of plain values.

/// A track of a file to build.
public struct MovieTrack: Sendable {
  /// `vide`, `soun`, `text` …
  public var handler = "vide"
  public var sampleEntry = "avc1"
  public var timescale: UInt32 = 1000
  /// Bytes of each sample.
  public var samples: [[UInt8]]
  /// Ticks from each sample to the next.
  public var durations: [UInt32]
  /// Presentation less decoding time of each sample; empty for none.
  public var offsets: [Int32] = []
  /// Numbers of the sync samples from 0; nil when all are.
  public var syncSamples: [Int]?
  /// Length in movie ticks (1/1000), media time, rate in 16.16.
  public var edits: [(duration: UInt64, mediaTime: Int64, rate: Int32)] = []
  public var samplesPerChunk = 1
  /// The whole sample entry; nil for a plain one of `sampleEntry`.
  public var entry: [UInt8]?
  /// Display matrix; nil for one that changes nothing.
  public var matrix: [Int32]?
  /// Boxes to put into `trak`, `mdia` and `stbl`.
  public var trackBoxes: [UInt8] = []
  public var mediaBoxes: [UInt8] = []
  public var tableBoxes: [UInt8] = []

  public init(samples: [[UInt8]], duration: UInt32 = 40) {
    self.samples = samples
    durations = [UInt32](repeating: duration, count: samples.count)
  }
}

/// Puts tracks into a file in one of its many shapes.
public struct MovieBuilder: Sendable {
  public var tracks: [MovieTrack]
  /// The movie box stands before the media.
  public var isFastStart = true
  public var usesLargeOffsets = false
  /// 4, 8 or 16: sizes in a compact table; nil for the usual one.
  public var compactSizeBits: Int?
  /// Boxes of version 1 where there is one.
  public var usesVersion1 = false
  public var mediaBox: @Sendable (String, [UInt8]) -> [UInt8] = { BoxBuilder.box($0, $1) }
  /// Boxes to put into `moov` behind the tracks.
  public var movieBoxes: [UInt8] = []
  /// Boxes to put between the others.
  public var extraBoxes: [UInt8] = []

  public init(_ tracks: [MovieTrack]) { self.tracks = tracks }

  /// The file: chunks of the tracks in turns.
  public func file() -> [UInt8] {
    typealias B = BoxBuilder
    let head = B.box("ftyp", B.code("isom"), B.u32(512), B.code("isom"), B.code("mp42"))
    let (media, relative) = layOut()
    let probe = mediaBox("mdat", media)
    let mediaHeader = probe.count - media.count
    // The size of the movie box does not depend on the offsets in it.
    let movieSize = movie(relative.map { $0.map { _ in 0 } }).count
    let start =
      head.count + extraBoxes.count + mediaHeader + (isFastStart ? movieSize : 0)
    let moov = movie(relative.map { $0.map { $0 + start } })
    let front = head + extraBoxes
    return isFastStart ? front + moov + probe : front + probe + moov
  }

  /// Media data, and the chunk offsets of each track in it.
  private func layOut() -> (media: [UInt8], offsets: [[Int]]) {
    var media: [UInt8] = []
    var offsets = [[Int]](repeating: [], count: tracks.count)
    var next = [Int](repeating: 0, count: tracks.count)
    while true {
      var hasMore = false
      for (index, track) in tracks.enumerated() where next[index] < track.samples.count {
        hasMore = true
        offsets[index].append(media.count)
        let end = min(next[index] + track.samplesPerChunk, track.samples.count)
        for sample in next[index]..<end { media += track.samples[sample] }
        next[index] = end
      }
      if !hasMore { return (media, offsets) }
    }
  }

  private func movie(_ offsets: [[Int]]) -> [UInt8] {
    typealias B = BoxBuilder
    let traks = tracks.indices.flatMap { trak($0, offsets[$0]) }
    return B.box("moov", header("mvhd", timescale: 1000, tail: B.zeros(80)), traks, movieBoxes)
  }

  /// Creation and modification time, timescale, duration, and the rest.
  private func header(_ type: String, timescale: UInt32, tail: [UInt8]) -> [UInt8] {
    typealias B = BoxBuilder
    return usesVersion1
      ? B.fullBox(type, version: 1, B.u64(0), B.u64(0), B.u32(timescale), B.u64(0), tail)
      : B.fullBox(type, B.u32(0), B.u32(0), B.u32(timescale), B.u32(0), tail)
  }

  private func trak(_ index: Int, _ offsets: [Int]) -> [UInt8] {
    typealias B = BoxBuilder
    let track = tracks[index]
    let matrix = track.matrix ?? [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000]
    let tail = B.zeros(16) + matrix.flatMap { B.i32($0) } + B.u32(320 << 16) + B.u32(180 << 16)
    let id = B.u32(UInt32(index + 1)) + B.zeros(4)
    let tkhd =
      usesVersion1
      ? B.fullBox("tkhd", version: 1, flags: 3, B.zeros(16), id, B.u64(0), tail)
      : B.fullBox("tkhd", flags: 3, B.zeros(8), id, B.u32(0), tail)
    let mdia = B.box(
      "mdia", header("mdhd", timescale: track.timescale, tail: B.u16(0x55C4) + B.u16(0)),
      B.fullBox(
        "hdlr", B.zeros(4), B.code(track.handler), B.zeros(12), B.code("handler"), [0]),
      track.mediaBoxes,
      B.box(
        "minf", B.box("dinf", B.fullBox("dref", B.u32(1), B.fullBox("url ", flags: 1))),
        stbl(track, offsets)))
    return B.box("trak", tkhd, edts(track), track.trackBoxes, mdia)
  }

  private func edts(_ track: MovieTrack) -> [UInt8] {
    typealias B = BoxBuilder
    guard !track.edits.isEmpty else { return [] }
    let entries = track.edits.flatMap { edit in
      usesVersion1
        ? B.u64(edit.duration) + B.u64(UInt64(bitPattern: edit.mediaTime)) + B.i32(edit.rate)
        : B.u32(UInt32(edit.duration)) + B.i32(Int32(edit.mediaTime)) + B.i32(edit.rate)
    }
    return B.box(
      "edts",
      B.fullBox(
        "elst", version: usesVersion1 ? 1 : 0, B.u32(UInt32(track.edits.count)), entries))
  }

  private func stbl(_ track: MovieTrack, _ offsets: [Int]) -> [UInt8] {
    typealias B = BoxBuilder
    var boxes = Self.stsd(track) + Self.runs("stts", track.durations.map { Int64($0) })
    if !track.offsets.isEmpty {
      let hasNegative = track.offsets.contains { $0 < 0 }
      boxes += Self.runs(
        "ctts", version: hasNegative ? 1 : 0, track.offsets.map { Int64($0) })
    }
    if let sync = track.syncSamples {
      boxes += B.fullBox(
        "stss", B.u32(UInt32(sync.count)), sync.flatMap { B.u32(UInt32($0 + 1)) })
    }
    boxes += stsc(track, offsets) + sizes(track)
    let count = B.u32(UInt32(offsets.count))
    boxes +=
      usesLargeOffsets
      ? B.fullBox("co64", count, offsets.flatMap { B.u64(UInt64($0)) })
      : B.fullBox("stco", count, offsets.flatMap { B.u32(UInt32($0)) })
    return B.box("stbl", boxes, track.tableBoxes)
  }

  /// A sample description that has just what a demuxer needs.
  public static func stsd(_ track: MovieTrack) -> [UInt8] {
    typealias B = BoxBuilder
    if let entry = track.entry { return B.fullBox("stsd", B.u32(1), entry) }
    let head = B.zeros(6) + B.u16(1)
    let entry: [UInt8]
    switch track.handler {
    case "vide":
      let record: [UInt8] = [1, 66, 0, 30, 0xFF, 0xE0, 0]
      entry = B.box(
        track.sampleEntry, head, B.zeros(16), B.u16(320), B.u16(180), B.zeros(50),
        track.sampleEntry == "avc1" ? B.box("avcC", record) : [])
    case "soun":
      entry = B.box(
        track.sampleEntry, head, B.zeros(8), B.u16(2), B.u16(16), B.zeros(4),
        B.u32(48_000 << 16))
    default:
      entry = B.box(track.sampleEntry, head)
    }
    return B.fullBox("stsd", B.u32(1), entry)
  }

  /// A table of runs: count and value.
  static func runs(_ type: String, version: UInt8 = 0, _ values: [Int64]) -> [UInt8] {
    typealias B = BoxBuilder
    var runs: [(count: UInt32, value: Int64)] = []
    for value in values {
      if let last = runs.last, last.value == value {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((1, value))
      }
    }
    return B.fullBox(
      type, version: version, B.u32(UInt32(runs.count)),
      runs.flatMap { B.u32($0.count) + B.u32(UInt32(truncatingIfNeeded: $0.value)) })
  }

  private func stsc(_ track: MovieTrack, _ offsets: [Int]) -> [UInt8] {
    typealias B = BoxBuilder
    let rest = track.samples.count % track.samplesPerChunk
    var entries = B.u32(1) + B.u32(UInt32(track.samplesPerChunk)) + B.u32(1)
    var count: UInt32 = 1
    if rest > 0 && offsets.count > 1 {
      entries += B.u32(UInt32(offsets.count)) + B.u32(UInt32(rest)) + B.u32(1)
      count = 2
    } else if rest > 0 {
      entries = B.u32(1) + B.u32(UInt32(rest)) + B.u32(1)
    }
    return B.fullBox("stsc", B.u32(count), entries)
  }

  private func sizes(_ track: MovieTrack) -> [UInt8] {
    typealias B = BoxBuilder
    let count = B.u32(UInt32(track.samples.count))
    guard let bits = compactSizeBits else {
      return B.fullBox(
        "stsz", B.u32(0), count, track.samples.flatMap { B.u32(UInt32($0.count)) })
    }
    var fields: [UInt8] = []
    for (index, sample) in track.samples.enumerated() {
      switch bits {
      case 4:
        if index % 2 == 0 {
          fields.append(UInt8(sample.count) << 4)
        } else {
          fields[fields.count - 1] |= UInt8(sample.count)
        }
      case 8: fields.append(UInt8(sample.count))
      default: fields += B.u16(UInt16(sample.count))
      }
    }
    return B.fullBox("stz2", B.zeros(3), [UInt8(bits)], count, fields)
  }
}
