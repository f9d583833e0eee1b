// A piece of a playlist's text.

/// Bytes of UTF-8 text that share the playlist they were read from.
///
/// A playlist of 200,000 segments keeps its text once and sixteen bytes for each address or title
/// instead of a string on the heap. Equality is by content.
struct TextSlice: Sendable, Hashable, ExpressibleByStringLiteral {
  private let text: [UInt8]
  private let offset: UInt32
  private let length: UInt32

  static let empty = TextSlice([])

  /// The bytes of `text` in `range`, which lies within it; text beyond 4 GiB is copied.
  init(_ text: [UInt8], _ range: Range<Int>) {
    let fits = range.upperBound <= Int(UInt32.max)
    self.text = fits ? text : [UInt8](text[range].prefix(Int(UInt32.max)))
    offset = fits ? UInt32(range.lowerBound) : 0
    length = UInt32(clamping: range.count)
  }

  /// All of `text`.
  init(_ text: [UInt8]) {
    self.text = text
    offset = 0
    length = UInt32(clamping: text.count)
  }

  init(_ string: String) { self.init([UInt8](string.utf8)) }
  init(stringLiteral value: String) { self.init(value) }

  var isEmpty: Bool { length == 0 }
  var bytes: ArraySlice<UInt8> { text[Int(offset)..<Int(offset) + Int(length)] }
  var string: String { String(decoding: bytes, as: UTF8.self) }

  static func == (a: TextSlice, b: TextSlice) -> Bool {
    a.length == b.length && a.bytes.elementsEqual(b.bytes)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(length)
    for byte in bytes { hasher.combine(byte) }
  }
}

/// Where in the text a thing stood: told in messages, no part of what the thing is.
public struct SourceLine: Sendable, Hashable, ExpressibleByIntegerLiteral {
  /// From 1; 0 for a value that was not parsed.
  public let number: Int
  public init(_ number: Int) { self.number = number }
  public init(integerLiteral value: Int) { number = value }
  public static func == (a: SourceLine, b: SourceLine) -> Bool { true }
  public func hash(into hasher: inout Hasher) {}
}
