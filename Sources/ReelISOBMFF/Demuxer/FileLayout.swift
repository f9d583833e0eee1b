// Finding and reading the boxes that describe a file, wherever they stand.

import ReelCore

/// What the top-level boxes of one or several sources tell: a file, or an initialization segment and
/// then media segments.
struct FileLayout {
  private var fileType: FileTypeBox?
  private var movie: MovieBox?
  private var collector: FragmentCollector?
  private var builder: TrackBuilder?
  /// Fragments were seen before any movie box.
  private var hasStrayFragments = false
  private var endOffset: Int64 = 0
  /// Boxes that counted against the limit up to the last fragment.
  private var paidBoxCount = 0
  /// A metadata box that is cut is read as far as it goes.
  private let acceptsLess: Bool

  init(acceptsLess: Bool = false) { self.acceptsLess = acceptsLess }

  /// Event messages between the fragments, in file order.
  private(set) var eventMessages: [EventMessage] = []

  /// Reads the metadata of a source. Media data is passed over.
  mutating func read(_ source: any ByteSource, _ context: inout BoxContext) throws(MediaError) {
    var walker = TopLevelWalker(source)
    var hasMedia = false
    while let box = try nextBox(&walker, &context) {
      switch box.type {
      case "ftyp" where fileType == nil:
        fileType = try parse(box, walker, &context) { (reader, _) throws(MediaError) in
          try FileTypeBox(parsing: &reader)
        }
      case "moov" where movie == nil:
        try take(parse(box, walker, &context, MovieBox.init(parsing:_:)), &context)
      case "moof":
        try readFragment(box, walker, &context)
      case "emsg":
        try readEvent(box, walker, &context)
      case "mdat":
        hasMedia = true
        try checkEnd(box, source, &context)
      default:
        break
      }
      // Nothing that follows the media of a file without fragments can change what it is.
      if hasMedia, let movie, !movie.isFragmented { break }
    }
    endOffset = walker.offset
  }

  /// The next box. What follows a complete movie may be anything; without one, a fault is the answer.
  private func nextBox(
    _ walker: inout TopLevelWalker, _ context: inout BoxContext
  ) throws(MediaError) -> TopLevelBox? {
    do {
      return try walker.next(&context)
    } catch {
      guard movie != nil, error.family == .damaged || error.family == .needsMoreData else {
        throw error
      }
      try context.note(error)
      return nil
    }
  }

  private mutating func take(_ movie: MovieBox, _ context: inout BoxContext) throws(MediaError) {
    var builder = TrackBuilder(movie: movie)
    for track in movie.tracks { try builder.append(track, &context) }
    collector = FragmentCollector(
      extends: movie.extends, trackIDs: builder.trackIDs, tables: builder.takeTables())
    self.builder = builder
    self.movie = movie
    paidBoxCount = context.boxCount
  }

  /// Reads a fragment. One that is damaged or cut costs its own samples, not those before it.
  private mutating func readFragment(
    _ box: TopLevelBox, _ walker: TopLevelWalker, _ context: inout BoxContext
  ) throws(MediaError) {
    // Taken out while it grows: nobody else may hold its tables, or they would be copied.
    guard var collector = collector.take() else {
      hasStrayFragments = true
      return
    }
    defer { self.collector = collector }
    let before = collector.sampleCount
    do {
      try parse(box, walker, &context) { (reader, context) throws(MediaError) in
        try collector.append(parsing: &reader, at: box.offset, &context)
      }
      let gained = collector.sampleCount - before
      if gained > 0 { context.excuseBoxes(since: paidBoxCount, forSamples: gained) }
      paidBoxCount = context.boxCount
    } catch {
      guard error.family == .damaged || error.family == .needsMoreData else { throw error }
      try context.note(error)
    }
  }

  /// Reads an event message. A damaged one costs only itself.
  private mutating func readEvent(
    _ box: TopLevelBox, _ walker: TopLevelWalker, _ context: inout BoxContext
  ) throws(MediaError) {
    // LIMIT: messages beyond this many are not kept.
    guard eventMessages.count < 10_000 else { return }
    do {
      eventMessages.append(
        try parse(box, walker, &context, EventMessageBox.init(parsing:_:)).message)
    } catch {
      guard error.family == .damaged || error.family == .needsMoreData else { throw error }
      try context.note(error)
    }
  }

  /// Reads a top-level box of metadata.
  private func parse<Box>(
    _ box: TopLevelBox, _ walker: TopLevelWalker, _ context: inout BoxContext,
    _ body: (inout ByteReader, inout BoxContext) throws(MediaError) -> Box
  ) throws(MediaError) -> Box {
    let bytes = try walker.payload(of: box, limits: context.limits, acceptsLess: acceptsLess)
    if let stated = box.byteCount, bytes.count < stated - Int64(box.headerByteCount) {
      try context.note(walker.truncation(box, there: Int64(bytes.count)))
    }
    var reader = ByteReader(bytes.span, base: box.payloadOffset)
    try context.enter(box.type, at: box.offset)
    do {
      let parsed = try body(&reader, &context)
      context.leave(to: 0)
      return parsed
    } catch {
      let located = context.located(error)
      context.leave(to: 0)
      throw located
    }
  }

  /// Notes a media box that reaches past the end of the file.
  private func checkEnd(
    _ box: TopLevelBox, _ source: any ByteSource, _ context: inout BoxContext
  ) throws(MediaError) {
    guard let length = source.byteCount, let stated = box.byteCount,
      stated > length - box.offset
    else { return }
    try context.note(
      MediaError(
        .needsMoreData, .boxTruncated, at: .box(path: "\(box.type)", offset: box.offset),
        detail: "\(stated) bytes stated, \(length - box.offset) there"))
  }

  // MARK: Results

  var fragmentCount: Int { collector?.fragmentCount ?? 0 }

  /// The tracks with all their samples.
  ///
  /// - Throws: `damaged` when there was no movie box.
  mutating func finish(_ context: inout BoxContext) throws(MediaError) -> TrackBuilder {
    guard var builder, let collector else {
      throw MediaError(
        .damaged, .movieMissing, at: .offset(endOffset),
        detail: hasStrayFragments
          ? "there are fragments, but no movie" : "the file ends without one",
        advice: hasStrayFragments
          ? "a media segment is read together with its initialization segment"
          : "a file whose recording was interrupted has none")
    }
    try builder.finish(collector.finish(), &context)
    return builder
  }

  /// Tags of the file, named as FFmpeg names them.
  var tags: [Tag] {
    var tags: [Tag] = []
    if let fileType {
      tags += [
        Tag("major_brand", "\(fileType.majorBrand)"),
        Tag("minor_version", "\(fileType.minorVersion)"),
        Tag("compatible_brands", fileType.compatibleBrands.map(\.description).joined()),
      ]
    }
    if let time = CalendarTime(secondsSince1904: movie?.header?.creationTime ?? 0) {
      tags.append(Tag("creation_time", time.description))
    }
    return tags + (movie?.userData?.tags ?? []) + (movie?.metadata?.tags ?? [])
  }

  var artwork: [Artwork] { (movie?.userData?.artwork ?? []) + (movie?.metadata?.artwork ?? []) }

  /// Chapters of a list in the user data: each lasts until the next one begins.
  func listedChapters(until end: MediaTime) -> [Chapter] {
    let list = movie?.userData?.chapters ?? []
    return list.indices.map { index in
      let start = MediaTime(value: list[index].start, timescale: 10_000_000)
      let next =
        index + 1 < list.count
        ? MediaTime(value: list[index + 1].start, timescale: 10_000_000) : end
      return Chapter(start: start, end: max(next, start), title: list[index].title)
    }
  }
}
