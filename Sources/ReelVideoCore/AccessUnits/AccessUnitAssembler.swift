// Cutting a byte stream with start codes into access units, streaming and in bounded memory.

public import ReelCore

extension Rule {
  /// An access unit longer than Limits.maximumPacketBytes.
  public static let accessUnitSize = Rule(
    "video.access-unit-size", "an access unit must fit Limits.maximumPacketBytes")
}

/// An access unit as it lies in the stream, start codes included.
public struct AccessUnit: Sendable {
  /// Its bytes; empty when the assembler keeps none.
  public var data: [UInt8]
  /// Bytes in the stream, whether they are kept or not.
  public var byteCount: Int
  /// Offset of the first byte in the byte stream.
  public var offset: Int64
  /// It begins with the zero byte that may stand before a start code.
  public var hasZeroByte: Bool
  /// Decoding can start here.
  public var isSync: Bool
  /// The picture is a single field.
  public var isField: Bool
  /// There is picture data, not only parameter sets and the like.
  public var hasPicture: Bool

  fileprivate init(
    data: [UInt8], byteCount: Int, offset: Int64, hasZeroByte: Bool, isSync: Bool, isField: Bool,
    hasPicture: Bool
  ) {
    (self.data, self.byteCount, self.offset) = (data, byteCount, offset)
    (self.hasZeroByte, self.isSync) = (hasZeroByte, isSync)
    (self.isField, self.hasPicture) = (isField, hasPicture)
  }
}

/// Cuts a byte stream into access units: bytes in, access units out.
///
/// The units joined give the stream from its first start code on; nothing is dropped.
/// ISO/IEC 14496-10:2020 Annex B for the start codes; the detector knows the rest.
public struct AccessUnitAssembler {
  private let detector: any AccessUnitDetector
  private let limit: Int
  /// Whether access units are given with their bytes, or only with what is known of them.
  private let keepsData: Bool
  private var buffer: [UInt8] = []
  /// Offset in the stream of `buffer[0]`. All positions below are such offsets.
  private var base: Int64
  /// Index in `buffer` where the scan for start codes goes on.
  private var scan = 0
  /// First byte of the access unit that is being gathered; nil before the first start code.
  private var unitStart: Int64?
  /// First byte behind the start code of the last unit.
  private var payload: Int64 = 0
  /// First byte of the start code of the last unit.
  private var prefix: Int64 = 0
  /// First of the leading units behind the last picture data.
  private var boundary: Int64?
  /// Whether `unitStart`, `prefix` and `boundary` are at a zero byte before a start code.
  private var zeroBytes = (unit: false, prefix: false, boundary: false)
  /// The first bytes of the last unit, as far as they have left `buffer` already.
  private var head: [UInt8] = []
  private var hasPicture = false
  private var isField = false
  private var isSync = false
  /// As `isSync`, of the units from `boundary` on.
  private var isLeadingSync = false
  private var isFinished = false

  /// An assembler for a stream whose first byte has `offset`.
  ///
  /// - Parameter keepsData: false for access units without their bytes, which costs no memory.
  public init(
    _ detector: any AccessUnitDetector, limits: Limits = .standard, offset: Int64 = 0,
    keepsData: Bool = true
  ) {
    self.detector = detector
    limit = limits.maximumPacketBytes
    base = offset
    self.keepsData = keepsData
  }

  /// Offset in the stream of the next byte to be appended.
  public var endOffset: Int64 { base + Int64(buffer.count) }

  /// A start code was found.
  public var hasStarted: Bool { unitStart != nil }

  /// Adds bytes to the end of the stream.
  public mutating func append(_ bytes: [UInt8]) { append(bytes[...]) }

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
      let offset = base + Int64(code)
      let unit = takeUnit(endingAt: offset)
      zeroBytes.prefix = code > 0 && buffer[code - 1] == 0 && offset > payload
      prefix = zeroBytes.prefix ? offset - 1 : offset
      payload = offset + 3
      scan = code + 3
      head.removeAll(keepingCapacity: true)
      if unitStart == nil { (unitStart, zeroBytes.unit) = (prefix, zeroBytes.prefix) }
      if let unit { return unit }
    }
    if let unitStart, endOffset - unitStart > Int64(limit) {
      throw MediaError(
        .limitExceeded, .accessUnitSize, at: .offset(unitStart), detail: "more than \(limit) bytes")
    }
    if !keepsData { discardScanned() }
    return nil
  }

  /// The access units that are left at the end of the stream, one a call; then nil.
  public mutating func finish() throws(MediaError) -> AccessUnit? {
    if let unit = try next() { return unit }
    guard let start = unitStart, !isFinished else { return nil }
    if let unit = takeUnit(endingAt: endOffset) {
      payload = endOffset
      return unit
    }
    isFinished = true
    return endOffset > start ? cut(at: endOffset, hasZeroByte: false) : nil
  }

  /// Forgets all bytes, keeping what the detector knows; the next byte has `offset`.
  public mutating func restart(offset: Int64) {
    buffer.removeAll(keepingCapacity: true)
    head.removeAll(keepingCapacity: true)
    (base, scan, payload, prefix) = (offset, 0, offset, offset)
    (unitStart, boundary) = (nil, nil)
    (hasPicture, isField, isSync, isLeadingSync, isFinished) = (false, false, false, false, false)
  }
}

// MARK: Units

extension AccessUnitAssembler {
  /// Judges the unit that ends at `end`; returns the access unit before it when that is complete.
  private mutating func takeUnit(endingAt end: Int64) -> AccessUnit? {
    guard unitStart != nil, payload < end else { return nil }
    let role = roleOfUnit(endingAt: end)
    let syncs = detector.lastUnitIsSync
    var done: AccessUnit?
    switch role {
    case .delimiter:
      if hasPicture { done = cutBeforeUnit() }
    case .leading:
      if hasPicture, boundary == nil { (boundary, zeroBytes.boundary) = (prefix, zeroBytes.prefix) }
    case .neutral: break
    case .picture(let isFirst):
      if hasPicture, isFirst { done = cutBeforeUnit() }
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

  private mutating func roleOfUnit(endingAt end: Int64) -> AccessUnitRole {
    let start = payload - base
    if start >= 0 {
      return detector.role(
        of: buffer, Int(start)..<Int(end - base), hasLeading: boundary != nil)
    }
    keepHead(upTo: Int(end - base))
    return detector.role(of: head, head.indices, hasLeading: boundary != nil)
  }

  private mutating func cutBeforeUnit() -> AccessUnit {
    if let boundary { return cut(at: boundary, hasZeroByte: zeroBytes.boundary) }
    return cut(at: prefix, hasZeroByte: zeroBytes.prefix)
  }

  /// Ends the access unit at `end`; what follows is the next one.
  private mutating func cut(at end: Int64, hasZeroByte: Bool) -> AccessUnit {
    let start = unitStart ?? end
    let data = keepsData ? [UInt8](buffer[Int(start - base)..<Int(end - base)]) : []
    let unit = AccessUnit(
      data: data, byteCount: Int(end - start), offset: start, hasZeroByte: zeroBytes.unit,
      isSync: isSync, isField: isField, hasPicture: hasPicture)
    (unitStart, zeroBytes.unit) = (end, hasZeroByte)
    isSync = isLeadingSync
    (isLeadingSync, hasPicture, isField, boundary) = (false, false, false, nil)
    return unit
  }
}

// MARK: Bytes

extension AccessUnitAssembler {
  /// The index of the next 00 00 01 at or behind `scan`; moves `scan` over what holds none.
  private mutating func findStartCode() -> Int? {
    let (index, isFound) = StartCodes.first(in: buffer.span, from: scan)
    scan = index
    return isFound ? index : nil
  }

  /// Drops the bytes that were handed out, and those before the first start code.
  private mutating func discardDone() {
    guard keepsData else { return }
    discard(unitStart.map { Int($0 - base) } ?? max(scan - 1, 0))
  }

  /// Drops the bytes that hold no start code, but for the start of the last unit and for those that a
  /// start code may begin with, and the zero byte before it.
  private mutating func discardScanned() {
    let done = max(scan - 1, 0)
    if unitStart != nil { keepHead(upTo: done) }
    discard(done)
  }

  /// Copies bytes of the last unit before index `end` to `head`, as many as its detector reads.
  private mutating func keepHead(upTo end: Int) {
    let from = max(Int(payload - base), 0)
    guard from < end else { return }
    let wanted = detector.headByteCount(of: head.first ?? buffer[from]) - head.count
    if wanted > 0 { head += buffer[from..<min(end, from + wanted)] }
  }

  private mutating func discard(_ done: Int) {
    guard done > 0 else { return }
    buffer.removeFirst(done)
    base += Int64(done)
    scan -= done
  }
}
