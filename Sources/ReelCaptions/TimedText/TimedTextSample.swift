// Timed text of 3GPP (tx3g). 3GPP TS 26.245 §5.16, §5.17.

public import ReelCore

/// What a `tx3g` sample entry says of all samples.
public struct TimedTextEntry: Sendable, Hashable {
  public var horizontal: CueBox.Justification = .center
  public var vertical: CueBox.Justification = .end
  public var background: RGBAColor?
  /// Box of the text in pixels of the text track: top, left, bottom, right.
  public var top = 0, left = 0, bottom = 0, right = 0
  /// How text looks that no record speaks of.
  public var style = TextStyle()
  public var isVertical = false
  /// Height in pixels that sizes of letters are measured against; 0 when unknown.
  var referenceHeight = 0

  public init() {}

  /// Reads the entry behind its data reference index (`displayFlags` first), or from the `SampleEntry` on
  /// when `hasEntryHeader`: six reserved bytes and the index come before.
  ///
  /// - Throws: `.needsMoreData` when fields are missing.
  public init(
    parsing bytes: [UInt8], hasEntryHeader: Bool = false, videoHeight: Int = 0
  ) throws(MediaError) {
    var reader = ByteReader(bytes.span)
    if hasEntryHeader { try reader.skip(8) }
    isVertical = try reader.read(UInt32.self) & 0x0002_0000 != 0
    horizontal = Self.justification(try reader.read(Int8.self))
    vertical = Self.justification(try reader.read(Int8.self))
    let color = try reader.readColor()
    background = color.alpha > 0 ? color : nil
    top = Int(try reader.read(Int16.self))
    left = Int(try reader.read(Int16.self))
    bottom = Int(try reader.read(Int16.self))
    right = Int(try reader.read(Int16.self))
    var styleReader = reader
    let own = try styleReader.readStyle(videoHeight: 0)
    referenceHeight = videoHeight
    if videoHeight > 0, right <= left || bottom <= top, case .pixels(let size)? = own.style.fontSize
    {
      // Without a box the text track has no size of its own, so that its pixels say nothing: the entry's
      // letters are a twentieth of the height, as those of other captions, and others go by them.
      referenceHeight = Int(size) * 20
    }
    style = try reader.readStyle(videoHeight: referenceHeight).style
  }

  /// 0 is left or top, 1 the middle, −1 right or bottom.
  private static func justification(_ value: Int8) -> CueBox.Justification {
    value == 1 ? .center : value == -1 ? .end : .start
  }
}

/// A style record: characters and how they look. 3GPP TS 26.245 §5.17.1.1.
private struct StyleRecord {
  var range: Range<Int>
  var style: TextStyle
}

extension ByteReader {
  fileprivate mutating func readColor() throws(MediaError) -> RGBAColor {
    let red = Double(try read(UInt8.self)) / 255
    let green = Double(try read(UInt8.self)) / 255
    let blue = Double(try read(UInt8.self)) / 255
    return RGBAColor(red: red, green: green, blue: blue, alpha: Double(try read(UInt8.self)) / 255)
  }

  fileprivate mutating func readStyle(videoHeight: Int) throws(MediaError) -> StyleRecord {
    let start = Int(try read(UInt16.self))
    let end = Int(try read(UInt16.self))
    try skip(2)
    let face = try read(UInt8.self)
    let size = try read(UInt8.self)
    var style = TextStyle()
    style.isBold = face & 1 != 0
    style.isItalic = face & 2 != 0
    style.isUnderlined = face & 4 != 0
    if size > 0 {
      // Pixels of the text track, which is as high as the video where nothing else is told.
      style.fontSize =
        videoHeight > 0 ? .ofHeight(Double(size) / Double(videoHeight)) : .pixels(Double(size))
    }
    style.color = try readColor()
    return StyleRecord(range: start..<max(start, end), style: style)
  }
}

/// Samples of timed text.
public enum TimedTextSample {
  /// The cue of a sample; nil for one without text, which shows nothing.
  ///
  /// - Parameters:
  ///   - width, height: of the video, in pixels; they make fractions of the box. 0 when unknown.
  /// - Throws: `.needsMoreData` when the text is longer than the sample. Damaged records behind the text
  ///   are passed over.
  public static func cue(
    parsing bytes: [UInt8], entry: TimedTextEntry, start: MediaTime, end: MediaTime,
    width: Int = 0, height: Int = 0
  ) throws(MediaError) -> Cue? {
    var reader = ByteReader(bytes.span)
    guard !reader.isAtEnd else { return nil }
    let length = Int(try reader.read(UInt16.self))
    let raw = try reader.readBytes(length)
    let text = Self.text(raw)
    guard !text.isEmpty else { return nil }
    var records: [StyleRecord] = []
    var box = (entry.top, entry.left, entry.bottom, entry.right)
    while reader.remaining >= 8 {
      guard let size = try? reader.read(UInt32.self), let type = try? reader.read(UInt32.self),
        size >= 8, let content = try? reader.readBytes(Int(size) - 8)
      else { break }
      var inner = ByteReader(content.span)
      switch FourCC(rawValue: type) {
      case "styl":
        guard let count = try? inner.read(UInt16.self) else { break }
        for _ in 0..<count {
          guard
            let record = try? inner.readStyle(
              videoHeight: entry.referenceHeight > 0 ? entry.referenceHeight : height)
          else { break }
          records.append(record)
        }
      case "tbox":
        if let top = try? inner.read(Int16.self), let left = try? inner.read(Int16.self),
          let bottom = try? inner.read(Int16.self), let right = try? inner.read(Int16.self)
        {
          box = (Int(top), Int(left), Int(bottom), Int(right))
        }
      default: break
      }
    }
    var cue = Cue(start: start, end: end, content: styled(text, records, entry.style))
    cue.source = cue.plainText
    cue.keepsBlanks = true
    if entry.isVertical { cue.settings.writingDirection = .verticalGrowingLeft }
    cue.box = Self.box(box, entry, width, height)
    return cue
  }

  /// The text as it is stored: offsets of records count its line ends as they are.
  private static func text(_ raw: [UInt8]) -> String {
    let utf8: [UInt8] =
      raw.starts(with: [0xFE, 0xFF])
      ? CaptionText.utf16(raw, isBigEndian: true)
      : raw.starts(with: [0xFF, 0xFE]) ? CaptionText.utf16(raw, isBigEndian: false) : raw
    return String(decoding: utf8, as: UTF8.self)
  }

  private static func box(
    _ box: (top: Int, left: Int, bottom: Int, right: Int), _ entry: TimedTextEntry, _ width: Int,
    _ height: Int
  ) -> CueBox {
    var result = CueBox(x: 0, y: 0, width: 1, height: 1)
    if width > 0, height > 0, box.right > box.left, box.bottom > box.top {
      result = CueBox(
        x: Double(box.left) / Double(width), y: Double(box.top) / Double(height),
        width: Double(box.right - box.left) / Double(width),
        height: Double(box.bottom - box.top) / Double(height))
    }
    result.horizontal = entry.horizontal
    result.vertical = entry.vertical
    result.background = entry.background
    return result
  }

  /// The text in pieces of one style each. Records count characters, and go over the entry's style.
  private static func styled(
    _ text: String, _ records: [StyleRecord], _ style: TextStyle
  ) -> [CueNode] {
    let characters = Array(text.unicodeScalars)
    // LIMIT: a sample has as many records as characters at most.
    let used = Array(records.prefix(characters.count))
    let owners = owners(of: characters.count, used.map(\.range))
    var nodes: [CueNode] = []
    var from = 0
    while from < characters.count {
      let to = owners[from...].firstIndex { $0 != owners[from] } ?? characters.count
      let piece = folded(characters, from..<to)
      if !piece.isEmpty {
        var element = CueElement(.span, children: [.text(piece)])
        element.style = owners[from].map { used[$0].style } ?? style
        nodes.append(.element(element))
      }
      from = to
    }
    return nodes
  }

  /// The last of the ranges that holds each of `count` places; nil where there is none.
  ///
  /// Laid from the last to the first: a place is taken once, and those that are taken are jumped over.
  private static func owners(of count: Int, _ ranges: [Range<Int>]) -> [Int?] {
    var owners = [Int?](repeating: nil, count: count)
    // A free place at or behind each place, or one on the way to it.
    var free = Array(0...count)
    func nextFree(_ place: Int) -> Int {
      var place = place
      while free[place] != place {
        free[place] = free[free[place]]
        place = free[place]
      }
      return place
    }
    for (number, range) in ranges.enumerated().reversed() {
      var place = nextFree(min(range.lowerBound, count))
      while place < min(range.upperBound, count) {
        owners[place] = number
        free[place] = place + 1
        place = nextFree(place + 1)
      }
    }
    return owners
  }

  /// A part of the text with line ends of one kind: CR LF and CR are LF. One that is cut belongs to its CR.
  private static func folded(_ characters: [Unicode.Scalar], _ range: Range<Int>) -> String {
    var piece = String.UnicodeScalarView()
    for i in range {
      if characters[i] == "\n", i > 0, characters[i - 1] == "\r" { continue }
      piece.append(characters[i] == "\r" ? "\n" : characters[i])
    }
    return String(piece)
  }
}
