// Settings of cues and regions. WebVTT §6.2, §6.3.

internal import ReelCore

extension CueSettings {
  /// Takes the settings in the rest of a line of times; what is not understood is passed over.
  ///
  /// - Returns: the name of a region, where one is named.
  mutating func take(_ line: ArraySlice<UInt8>) -> String? {
    var region: String?
    for word in line.words {
      guard let (name, value) = word.split(at: 0x3A), !name.isEmpty, !value.isEmpty else {
        continue
      }
      switch name.text {
      case "region": region = value.text
      case "vertical":
        if let direction = WritingDirection(rawValue: value.text), direction != .horizontal {
          writingDirection = direction
        }
      case "line": takeLine(value)
      case "position": takePosition(value)
      case "size": if let number = value.percentage { size = number }
      case "align": takeAlignment(value.text)
      default: break
      }
    }
    return region
  }

  private mutating func takeLine(_ value: ArraySlice<UInt8>) {
    var position = value
    var alignment: LineAlignment?
    if let (first, second) = value.split(at: 0x2C) {
      position = first
      switch second.text {
      case "start": alignment = .start
      // `middle` is what drafts and many files have for `center`.
      case "center", "middle": alignment = .center
      case "end": alignment = .end
      default: return
      }
    }
    if position.last == 0x25 {
      guard let number = position.percentage else { return }
      line = .percentage(number)
    } else {
      let isNegative = position.first == 0x2D
      guard let number = (isNegative ? position.dropFirst() : position).decimal else { return }
      line = .number(isNegative ? -number : number)
    }
    if let alignment { lineAlignment = alignment }
  }

  private mutating func takePosition(_ value: ArraySlice<UInt8>) {
    var number = value
    var alignment: PositionAlignment?
    if let (first, second) = value.split(at: 0x2C) {
      number = first
      switch second.text {
      // Of drafts and older files: start, middle, end.
      case "line-left", "start": alignment = .lineLeft
      case "center", "middle": alignment = .center
      case "line-right", "end": alignment = .lineRight
      default: return
      }
    }
    guard let percentage = number.percentage else { return }
    position = percentage
    if let alignment { positionAlignment = alignment }
  }

  private mutating func takeAlignment(_ text: String) {
    if let alignment = TextAlignment(rawValue: text) {
      textAlignment = alignment
    } else if text == "middle" {
      textAlignment = .center
    }
  }
}

extension CueRegion {
  /// Takes the settings of a region: `name:value` in blocks, `name=value` in headers of drafts.
  mutating func take(_ line: ArraySlice<UInt8>, separator: UInt8) {
    for word in line.words {
      guard let (name, value) = word.split(at: separator), !name.isEmpty, !value.isEmpty else {
        continue
      }
      switch name.text {
      case "id": id = value.text
      case "width": if let number = value.percentage { width = number }
      case "lines":
        if value.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(value.text) {
          // LIMIT: more lines than a picture has rows are as many as it has.
          lines = min(number, 10_000)
        }
      case "regionanchor": if let point = Self.point(value) { (anchorX, anchorY) = point }
      case "viewportanchor":
        if let point = Self.point(value) { (viewportAnchorX, viewportAnchorY) = point }
      case "scroll": if value.text == "up" { scrollsUp = true }
      default: break
      }
    }
  }

  private static func point(_ value: ArraySlice<UInt8>) -> (Double, Double)? {
    guard let (x, y) = value.split(at: 0x2C), let first = x.percentage, let second = y.percentage
    else { return nil }
    return (first, second)
  }
}
