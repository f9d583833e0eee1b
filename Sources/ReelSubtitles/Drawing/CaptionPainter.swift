// The captions of an instant as layers.

public import ReelCaptions
public import ReelCore
public import ReelImaging
public import ReelText

/// What captions show at an instant: equal values look the same in pictures of one size.
public struct CaptionMoment: Sendable, Hashable {
  /// Numbers of the cues in their track.
  public var cues: [Int]
  /// How many of the times inside of each cue have passed.
  public var passed: [Int]
}

/// Draws the captions of tracks. Keeps fonts, masks of letters and what was drawn last. Owned by one
/// thread at a time.
public final class CaptionPainter {
  private let book: FontBook
  private let cache: GlyphCache
  private let style: CaptionStyle

  private struct Size: Hashable { var width, height: Int }
  private struct PlaceKey: Hashable {
    var cue: Int
    var passed: Int
    var size: Size
  }
  private struct DrawnKey: Hashable {
    var moment: CaptionMoment
    var size: Size
  }
  /// Of the track that was drawn last; an entry that is nil finds no place.
  private var places: [PlaceKey: PlacedCue?] = [:]
  private var drawn: [(key: DrawnKey, layers: [OverlayLayer])] = []
  private var trackID: Int?

  /// LIMIT: cues at once; more would hide the picture.
  private static let mostCues = 64
  /// LIMIT: cues that began one inside the other, whose places depend on each other.
  private static let mostDepth = 64
  private static let mostPlaces = 1_024
  private static let mostDrawn = 8

  public init(book: FontBook, style: CaptionStyle = CaptionStyle()) {
    self.book = book
    self.style = style
    cache = GlyphCache(book)
  }

  /// Scalars that no font had a glyph for.
  public var missing: [Unicode.Scalar] { book.missing }

  /// What is shown at `time`, or right before it; nil for nothing.
  public static func moment(
    of track: CaptionTrack, at time: MediaTime, isBefore: Bool = false
  ) -> CaptionMoment? {
    let cues = Array(track.indices(at: time, isBefore: isBefore).prefix(mostCues))
    guard !cues.isEmpty else { return nil }
    return CaptionMoment(cues: cues, passed: cues.map { Self.passed(track.cues[$0], at: time) })
  }

  private static func passed(_ cue: Cue, at time: MediaTime) -> Int {
    // Cues without a style for it look the same before and after.
    guard cue.pastStyle != nil || cue.futureStyle != nil else { return 0 }
    return cue.timestamps.filter { $0 <= time }.count
  }

  /// The layers of a moment, over a picture of a size.
  ///
  /// - Parameter trackID: tells tracks apart; numbers of cues are kept for one track at a time.
  /// - Throws: `notFound` when a font that is needed is not there.
  public func layers(
    _ moment: CaptionMoment, of track: CaptionTrack, trackID: Int, width: Int, height: Int
  ) throws(MediaError) -> [OverlayLayer] {
    if self.trackID != trackID {
      self.trackID = trackID
      places = [:]
      drawn = []
    }
    let key = DrawnKey(moment: moment, size: Size(width: width, height: height))
    if let found = drawn.first(where: { $0.key == key }) { return found.layers }
    let layers = try draw(moment, track, key.size)
    if drawn.count >= Self.mostDrawn { drawn.removeFirst() }
    drawn.append((key, layers))
    return layers
  }

  private func draw(
    _ moment: CaptionMoment, _ track: CaptionTrack, _ size: Size
  ) throws(MediaError) -> [OverlayLayer] {
    let layout = CueLayout(width: size.width, height: size.height, user: style, book: book)
    var drawing = CueDrawing(width: size.width, height: size.height, cache: cache)
    var regions: [CueRegion: [PlacedCue]] = [:]
    var regionOrder: [CueRegion] = []
    for (index, passed) in zip(moment.cues, moment.passed) where track.cues.indices.contains(index)
    {
      guard let placed = try place(index, passed, track, layout, size, depth: 0) else { continue }
      let cue = track.cues[index]
      if let region = cue.region, cue.box == nil {
        if regions[region] == nil { regionOrder.append(region) }
        // Those before it move up.
        regions[region] =
          (regions[region] ?? []).map { above in
            var moved = above
            moved.y -= placed.block.height
            return moved
          } + [placed]
      } else {
        try drawing.draw(placed)
      }
    }
    for region in regionOrder {
      for placed in regions[region] ?? [] { try drawing.draw(placed) }
    }
    return drawing.layers
  }

  /// The place of a cue: it avoids those that were there when it began, and stays there when they go.
  private func place(
    _ index: Int, _ passed: Int, _ track: CaptionTrack, _ layout: CueLayout, _ size: Size,
    depth: Int
  ) throws(MediaError) -> PlacedCue? {
    let key = PlaceKey(cue: index, passed: passed, size: size)
    if let found = places[key] { return found }
    let cue = track.cues[index]
    var obstacles: [SampleRect] = []
    if cue.box == nil && cue.region == nil && depth < Self.mostDepth {
      for other in track.indices(at: cue.start).filter({ $0 < index }).prefix(Self.mostCues) {
        let before = track.cues[other]
        guard before.box == nil, before.region == nil else { continue }
        if let placed = try place(other, 0, track, layout, size, depth: depth + 1) {
          obstacles += placed.lineRects
        }
      }
    }
    let placed = try layout.place(cue, at: Self.time(of: cue, passed: passed), avoiding: obstacles)
    if places.count >= Self.mostPlaces { places = [:] }
    places[key] = .some(placed)
    return placed
  }

  /// A time at which so many of the times inside of a cue have passed.
  private static func time(of cue: Cue, passed: Int) -> MediaTime {
    let times = cue.timestamps.sorted()
    return passed > 0 && passed <= times.count ? max(times[passed - 1], cue.start) : cue.start
  }
}
