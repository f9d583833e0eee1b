// Reading elements of metadata that are in memory.

import ReelCore

/// Counts what reading metadata costs, and holds what was wrong.
struct EBMLContext {
  let limits: Limits
  private(set) var elementCount = 0
  private(set) var faults: [MediaError] = []

  init(limits: Limits) { self.limits = limits }

  /// Notes what was wrong but could be read past; of many only the first are kept.
  mutating func note(_ fault: MediaError) { if faults.count < 100 { faults.append(fault) } }

  /// - Throws: `limitExceeded` for more elements than `Limits.maximumBoxes`, or deeper ones than
  ///   `Limits.maximumNesting`.
  mutating func count(depth: Int, at offset: Int64) throws(MediaError) {
    elementCount += 1
    guard elementCount <= limits.maximumBoxes else {
      throw MediaError(.limitExceeded, .ebmlElements, at: .offset(offset))
    }
    guard depth <= limits.maximumNesting else {
      throw MediaError(.limitExceeded, .ebmlNesting, at: .offset(offset))
    }
  }
}

/// The content of an element in memory.
struct EBMLElement {
  /// All bytes that were read, of which the content is a part.
  private let bytes: [UInt8]
  private let range: Range<Int>
  /// Offset in the input of `bytes[0]`.
  private let base: Int64
  private let depth: Int

  /// The content of an element of the Segment.
  init(_ bytes: [UInt8], base: Int64) {
    (self.bytes, range, self.base, depth) = (bytes, bytes.indices, base, 2)
  }

  private init(_ bytes: [UInt8], _ range: Range<Int>, base: Int64, depth: Int) {
    (self.bytes, self.range, self.base, self.depth) = (bytes, range, base, depth)
  }

  var content: ArraySlice<UInt8> { bytes[range] }
  private var offset: Int64 { base + Int64(range.lowerBound) }

  /// Calls `body` for each child. A child that reaches past this element is cut there, and noted.
  ///
  /// - Throws: `limitExceeded`, and what `body` throws. A child that is no element ends the list.
  func forEachChild(
    _ context: inout EBMLContext,
    _ body: (UInt32, EBMLElement, inout EBMLContext) throws(MediaError) -> Void
  ) throws(MediaError) {
    var index = range.lowerBound
    while index < range.upperBound {
      let place = base + Int64(index)
      try context.count(depth: depth, at: place)
      let header: ElementHeader
      do throws(MediaError) {
        header = try ElementHeader(bytes[index..<range.upperBound])
      } catch {
        context.note(error.at(.offset(place)))
        return
      }
      let start = index + header.byteCount
      let left = Int64(range.upperBound - start)
      let size = header.size ?? left
      if size > left {
        context.note(
          MediaError(
            .damaged, .ebmlElement, at: .offset(place), detail: "size \(size), \(left) there"))
      }
      let end = start + Int(min(size, left))
      let child = EBMLElement(bytes, start..<end, base: base, depth: depth + 1)
      if header.id != ElementID.void, header.id != ElementID.crc32 {
        try body(header.id, child, &context)
      }
      index = end
    }
  }

  /// An unsigned integer of 0…8 bytes. RFC 8794 §7.2.
  func unsigned() throws(MediaError) -> UInt64 {
    guard range.count <= 8 else { throw fault() }
    return content.reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// An unsigned integer that fits an Int; larger ones become the largest.
  func integer() throws(MediaError) -> Int { Int(clamping: try unsigned()) }

  /// A signed integer of 0…8 bytes. RFC 8794 §7.1.
  func signed() throws(MediaError) -> Int64 {
    guard range.count <= 8 else { throw fault() }
    guard let first = content.first else { return 0 }
    let start: Int64 = first & 0x80 == 0 ? 0 : -1
    return content.reduce(start) { $0 << 8 | Int64($1) }
  }

  /// A number of 0, 4 or 8 bytes; not finite ones are 0. RFC 8794 §7.3.
  func float() throws(MediaError) -> Double {
    let value: Double
    switch range.count {
    case 0: value = 0
    case 4: value = Double(Float(bitPattern: UInt32(truncatingIfNeeded: try unsigned())))
    case 8: value = Double(bitPattern: try unsigned())
    default: throw fault()
    }
    return value.isFinite ? value : 0
  }

  /// Text up to the first zero byte. RFC 8794 §7.4, §7.5.
  func text() -> String {
    // LIMIT: of a longer text the beginning is kept.
    String(decoding: content.prefix(1 << 16).prefix { $0 != 0 }, as: UTF8.self)
  }

  private func fault() -> MediaError {
    MediaError(.damaged, .ebmlValue, at: .offset(offset), detail: "\(range.count) bytes")
  }
}
