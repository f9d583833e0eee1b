// A cue with its place in the picture.

internal import ReelCore

/// A block of text at a place.
struct PlacedCue {
  let block: TextBlock
  /// The block's place in pixels; for vertical text its height is the length of lines.
  var x, y: Int
  /// Length of lines in pixels.
  let length: Int
  let direction: WritingDirection
  /// What is behind the whole box.
  var fill: (rect: SampleRect, color: RGBAColor)?
  /// Nothing is drawn outside of it.
  var clip: SampleRect?

  enum WritingDirection { case horizontal, growingLeft, growingRight }

  var isVertical: Bool { direction != .horizontal }

  /// The pixels of a line with the block at its place.
  func rect(_ line: BlockLine) -> SampleRect {
    switch direction {
    case .horizontal: SampleRect(x: x, y: y + line.top, width: length, height: line.height)
    case .growingRight: SampleRect(x: x + line.top, y: y, width: line.height, height: length)
    case .growingLeft:
      SampleRect(
        x: x + block.height - line.top - line.height, y: y, width: line.height, height: length)
    }
  }

  var lineRects: [SampleRect] { block.lines.map(rect) }

  var bounds: SampleRect {
    isVertical
      ? SampleRect(x: x, y: y, width: block.height, height: length)
      : SampleRect(x: x, y: y, width: length, height: block.height)
  }
}

extension SampleRect {
  func overlaps(_ other: SampleRect) -> Bool {
    x < other.x + other.width && other.x < x + width && y < other.y + other.height
      && other.y < y + height
  }

  func contains(_ other: SampleRect) -> Bool {
    other.x >= x && other.y >= y && other.x + other.width <= x + width
      && other.y + other.height <= y + height
  }

  func intersection(_ other: SampleRect) -> SampleRect {
    let (left, top) = (max(x, other.x), max(y, other.y))
    return SampleRect(
      x: left, y: top, width: max(min(x + width, other.x + other.width) - left, 0),
      height: max(min(y + height, other.y + other.height) - top, 0))
  }

  func moved(_ dx: Int, _ dy: Int) -> SampleRect {
    SampleRect(x: x + dx, y: y + dy, width: width, height: height)
  }
}
