// A caption with its time and place.

public import ReelCore

/// A piece of text that is shown from one time to another.
public struct Cue: Sendable, Hashable {
  /// Identifier in the file; may be empty.
  public var id = ""
  /// Shown from `start` on until before `end`, on the item's timeline.
  public var start, end: MediaTime
  /// Text with its marks.
  public var content: [CueNode]
  /// Text as the file has it, marks included.
  public var source = ""
  public var settings = CueSettings()
  /// The region that the cue is shown in.
  public var region: CueRegion?
  /// A place of its own, which goes before settings and region.
  public var box: CueBox?
  /// Several blanks are several; else they are one, and none at the ends of lines.
  public var keepsBlanks = false
  /// How the text before the time inside of it that was passed last looks, and that behind those to
  /// come: `::cue(:past)` and `::cue(:future)`. Without, it looks as the rest.
  public var pastStyle: TextStyle?
  public var futureStyle: TextStyle?

  public init(start: MediaTime, end: MediaTime, content: [CueNode]) {
    (self.start, self.end, self.content) = (start, end, content)
  }

  /// The text without marks.
  public var plainText: String { content.map(\.plainText).joined() }
}

/// Where and how a cue is laid out. WebVTT §3.1; percentages are of the picture.
public struct CueSettings: Sendable, Hashable {
  public enum WritingDirection: String, Sendable, Hashable {
    case horizontal = ""
    /// Lines from the top to the bottom, the next one to the left.
    case verticalGrowingLeft = "rl"
    /// Lines from the top to the bottom, the next one to the right.
    case verticalGrowingRight = "lr"
  }
  public enum Line: Sendable, Hashable {
    /// Below the other cues.
    case automatic
    /// A line of text counted from the top, or from the bottom when negative (−1 is the last).
    case number(Double)
    /// A distance from the top (or the side lines grow from).
    case percentage(Double)
  }
  public enum LineAlignment: String, Sendable, Hashable { case start, center, end }
  public enum PositionAlignment: String, Sendable, Hashable {
    case automatic = "auto"
    case lineLeft = "line-left"
    case center
    case lineRight = "line-right"
  }
  public enum TextAlignment: String, Sendable, Hashable { case start, center, end, left, right }

  public var writingDirection: WritingDirection = .horizontal
  public var line: Line = .automatic
  public var lineAlignment: LineAlignment = .start
  /// Where the box lies across the writing direction; nil: by the alignment of the text.
  public var position: Double?
  public var positionAlignment: PositionAlignment = .automatic
  /// Width of the box (height for vertical text).
  public var size = 100.0
  public var textAlignment: TextAlignment = .center

  public init() {}

  /// Lines are counted in lines of text.
  public var snapsToLines: Bool {
    if case .percentage = line { false } else { true }
  }
}

/// A part of the picture that cues scroll or stack in. WebVTT §3.2.
public struct CueRegion: Sendable, Hashable {
  public var id = ""
  /// Width in per cent of the picture.
  public var width = 100.0
  /// Height in lines of text.
  public var lines = 3
  /// Point of the region, in per cent of it, that lies on the viewport anchor.
  public var anchorX = 0.0, anchorY = 100.0
  /// Point of the picture, in per cent of it.
  public var viewportAnchorX = 0.0, viewportAnchorY = 100.0
  /// New lines push older ones up.
  public var scrollsUp = false
  public init() {}
}

/// A rectangle that text is laid out in, as timed text of 3GPP has it.
public struct CueBox: Sendable, Hashable {
  public enum Justification: Sendable, Hashable { case start, center, end }
  /// Fractions of the picture's width and height.
  public var x, y, width, height: Double
  /// Of lines: start is left.
  public var horizontal: Justification = .center
  /// Of the text: start is the top.
  public var vertical: Justification = .end
  /// Behind the whole box; nil for none.
  public var background: RGBAColor?
  public init(x: Double, y: Double, width: Double, height: Double) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }
}
