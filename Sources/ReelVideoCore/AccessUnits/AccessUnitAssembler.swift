// Cutting a byte stream with start codes into access units, streaming and in bounded memory.

public import ReelCore

extension Rule {
  public static let accessUnitSize = Rule(
    "video.access-unit-size", "an access unit must fit Limits.maximumPacketBytes")
}

/// An access unit as it lies in the stream, start codes included.
public struct AccessUnit: Sendable {
  public var data: [UInt8]
  /// Offset of the first byte in the byte stream.
  public var offset: Int64
  /// Decoding can start here.
  public var isSync: Bool
  /// The picture is a single field.
  public var isField: Bool
  /// There is picture data, not only parameter sets and the like.
  public var hasPicture: Bool
}

/// Cuts a byte stream into access units: bytes in, access units out.
///
/// The units joined give the stream from its first start code on; nothing is dropped.
/// ISO/IEC 14496-10:2020 Annex B for the start codes; the detector knows the rest.
public struct AccessUnitAssembler<Detector: AccessUnitDetector>: Sendable {
  public private(set) var detector: Detector
  private let limit: Int
  private var buffer: [UInt8] = []
  /// Offset in the stream of `buffer[0]`.
  private var base: Int64
  /// Where the scan for start codes goes on.
  private var scan = 0
  /// First byte of the access unit that is being gathered; nil before the first start code.
  private var unitStart: Int?
  /// First byte behind the start code of the last unit.
  private var payload = 0
  /// First byte of the start code of the last unit.
  private var prefix = 0
  /// First of the leading units behind the last picture data.
  private var boundary: Int?
  private var hasPicture = false
  private var isField = false
  private var isSync = false
  /// As `isSync`, of the units from `boundary` on.
  private var isLeadingSync = false
  private var isFinished = false

  /// An assembler for a stream whose first byte has `offset`.
  public init(_ detector: Detector, limits: Limits = .standard, offset: Int64 = 0) {
    self.detector = detector
    limit = limits.maximumPacketBytes
    base = offset
  }

  /// Offset in the stream of the next byte to be appended.
  public var endOffset: Int64 { base + Int64(buffer.count) }

  /// A start code was found.
  public var hasStarted: Bool { unitStart != nil }

  /// Adds bytes to the end of the stream.
  public mutating func append(_ bytes: [UInt8]) {
    discardDone()
    buffer += bytes
  }

  /// Adds part of `bytes` to the end of the stream.
  public mutating func append(_ bytes: ArraySlice<UInt8>) {
    discardDone()
    buffer += bytes
  }

  /// The next access unit that is known to be complete, or nil when more bytes are needed.
  ///
  /// - Throws: `limitExceeded` when an access unit outgrows `Limits.maximumPacketBytes`.
  public mutating func next() throws(MediaError) -> AccessUnit? {
    while let code = findStartCode() {
      let unit = takeUnit(endingAt: code)
      prefix = code > 0 && buffer[code - 1] == 0 && code - 1 >= payload ? code - 1 : code
      payload = code + 3
      scan = payload
      if unitStart == nil { unitStart = prefix }
      if let unit { return unit }
    }
    if let unitStart, buffer.count - unitStart > limit {
      throw MediaError(
        .limitExceeded, .accessUnitSize, at: .offset(base + Int64(unitStart)),
        detail: "more than \(limit) bytes")
    }
    return nil
  }

  /// The access units that are left at the end of the stream, one a call; then nil.
  public mutating func finish() throws(MediaError) -> AccessUnit? {
    if let unit = try next() { return unit }
    guard let start = unitStart, !isFinished else { return nil }
    let unit = takeUnit(endingAt: buffer.count)
    if let unit {
      payload = buffer.count
      return unit
    }
    isFinished = true
    guard buffer.count > start else { return nil }
    return cut(at: buffer.count)
  }

  /// Forgets all bytes, keeping what the detector knows; the next byte has `offset`.
  public mutating func restart(offset: Int64) {
    buffer.removeAll(keepingCapacity: true)
    (base, scan, payload, prefix) = (offset, 0, 0, 0)
    (unitStart, boundary) = (nil, nil)
    (hasPicture, isField, isSync, isLeadingSync, isFinished) = (false, false, false, false, false)
  }

  /// Judges the unit that ends at `end`; returns the access unit before it when that is complete.
  private mutating func takeUnit(endingAt end: Int) -> AccessUnit? {
    guard unitStart != nil, payload < end else { return nil }
    let role = detector.role(of: buffer, payload..<end, hasLeading: boundary != nil)
    let syncs = detector.lastUnitIsSync
    var done: AccessUnit?
    switch role {
    case .delimiter:
      if hasPicture { done = cut(at: boundary ?? prefix) }
    case .leading:
      if hasPicture, boundary == nil { boundary = prefix }
    case .neutral: break
    case .picture(let isFirst):
      if hasPicture, isFirst { done = cut(at: boundary ?? prefix) }
      isSync = isSync || isLeadingSync
      (hasPicture, boundary, isLeadingSync) = (true, nil, false)
      isField = detector.lastPictureIsField
    }
    if boundary != nil {
      isLeadingSync = isLeadingSync || syncs
    } else {
      isSync = isSync || syncs
    }
    return done
  }

  /// Ends the access unit at `end`; what follows is the next one.
  private mutating func cut(at end: Int) -> AccessUnit {
    let start = unitStart ?? end
    let unit = AccessUnit(
      data: [UInt8](buffer[start..<end]), offset: base + Int64(start), isSync: isSync,
      isField: isField, hasPicture: hasPicture)
    unitStart = end
    isSync = isLeadingSync
    (isLeadingSync, hasPicture, isField, boundary) = (false, false, false, nil)
    return unit
  }

  /// The index of the next 00 00 01 at or behind `scan`; moves `scan` over what holds none.
  private mutating func findStartCode() -> Int? {
    let (index, isFound) = Self.startCode(in: buffer.span, from: scan)
    scan = max(scan, index)
    return isFound ? index : nil
  }

  /// The index of the first 00 00 01 from `start` on, or where to go on once there are more bytes.
  private static func startCode(
    in bytes: Span<UInt8>, from start: Int
  ) -> (index: Int, isFound: Bool) {
    let end = bytes.count
    var i = start
    while i &+ 2 < end {
      // Looking at the third byte first lets the scan move by three over ordinary data.
      let third = bytes[i &+ 2]
      if third > 1 {
        i &+= 3
      } else if third == 1 && bytes[i] == 0 && bytes[i &+ 1] == 0 {
        return (i, true)
      } else {
        i &+= 1
      }
    }
    return (min(i, end), false)
  }

  /// Drops the bytes that were handed out, and those before the first start code.
  private mutating func discardDone() {
    let done = unitStart ?? max(scan - 1, 0)
    guard done > 0 else { return }
    buffer.removeFirst(done)
    base += Int64(done)
    scan -= done
    payload -= done
    prefix -= done
    if unitStart != nil { unitStart = 0 }
    if let boundary { self.boundary = boundary - done }
  }
}
