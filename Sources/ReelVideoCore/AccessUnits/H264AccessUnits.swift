// Where access units of H.264 begin. ISO/IEC 14496-10:2020 §7.4.1.2.3, §7.4.1.2.4.

import ReelCore

/// Knows the parameter sets of an H.264 stream and where its frames begin: both fields of a frame are
/// taken together, though each is an access unit of its own.
public final class H264AccessUnitDetector: AccessUnitDetector {
  /// The last sequence parameter set of each identity.
  public private(set) var sequences = [H264SequenceSummary?](repeating: nil, count: 32)
  /// The sequence parameter set that the last picture uses; before the first picture the last read.
  public private(set) var activeSequence: H264SequenceSummary?
  public private(set) var lastUnitIsSync = false
  public var lastPictureIsField: Bool { lastSlice?.isField ?? false && !isPaired }

  private var pictures = [H264PictureSummary?](repeating: nil, count: 256)
  private var lastSlice: H264SliceSummary?
  /// The last slice is of the second field of a frame.
  private var isPaired = false
  /// A delimiter stands between the last slice and here.
  private var hasDelimiter = false

  /// A detector at the start of a stream.
  public init() {}

  public func role(
    of bytes: [UInt8], _ range: Range<Int>, hasLeading: Bool
  ) -> AccessUnitRole {
    guard let header = bytes[range].first else { return .neutral }
    lastUnitIsSync = false
    // Table 7-1.
    switch header & 31 {
    case 1, 2: return slice(bytes, range, hasLeading: hasLeading)
    case 5:
      lastUnitIsSync = true
      return slice(bytes, range, hasLeading: hasLeading)
    case 6:
      lastUnitIsSync = H264RecoveryPoint.isImmediate(NALUnits.unescape(bytes, clamped(range)))
      return .leading
    case 7:
      readSequence(bytes, range)
      return .leading
    case 8:
      readPicture(bytes, range)
      return .leading
    case 9:
      hasDelimiter = true
      return .leading
    case 14...18: return .leading
    default: return .neutral
    }
  }

  public func headByteCount(of first: UInt8) -> Int {
    switch first & 31 {
    case 1, 2, 5: Self.sliceHeadByteCount
    default: 1 << 16
    }
  }

  /// The fields of a slice that count lie in so many bytes, whatever their values.
  private static let sliceHeadByteCount = 80

  /// LIMIT: parameter sets and messages are read up to this many bytes; none of use is longer.
  private func clamped(_ range: Range<Int>, to count: Int = 1 << 16) -> Range<Int> {
    range.lowerBound..<min(range.upperBound, range.lowerBound + count)
  }

  private func readSequence(_ bytes: [UInt8], _ range: Range<Int>) {
    let unit = NALUnits.unescape(bytes, clamped(range))
    guard let sequence = H264SequenceSummary(unescaped: unit) else { return }
    sequences[sequence.id] = sequence
    if lastSlice == nil { activeSequence = sequence }
  }

  private func readPicture(_ bytes: [UInt8], _ range: Range<Int>) {
    let unit = NALUnits.unescape(bytes, clamped(range))
    guard let picture = H264PictureSummary(unescaped: unit) else { return }
    pictures[picture.id] = picture
  }

  private func slice(
    _ bytes: [UInt8], _ range: Range<Int>, hasLeading: Bool
  ) -> AccessUnitRole {
    let head = NALUnits.unescape(bytes, clamped(range, to: Self.sliceHeadByteCount))
    let slice = H264SliceSummary(head: head, pictures: pictures, sequences: sequences)
    // A redundant slice repeats a picture of its own access unit. §7.4.1.2.5.
    if slice.isRedundant, lastSlice != nil { return .picture(isFirst: false) }
    defer { note(slice) }
    guard let last = lastSlice, begins(slice, after: last, hasLeading: hasLeading) else {
      return .picture(isFirst: lastSlice == nil)
    }
    // The second field of a frame stays with the first, as it does in files: a sample is a frame.
    isPaired = !isPaired && slice.isSecondField(of: last)
    return .picture(isFirst: !isPaired)
  }

  private func note(_ slice: H264SliceSummary) {
    lastSlice = slice
    hasDelimiter = false
    guard pictures.indices.contains(slice.pictureID), let picture = pictures[slice.pictureID],
      let sequence = sequences[picture.sequenceID]
    else { return }
    activeSequence = sequence
  }

  private func begins(
    _ slice: H264SliceSummary, after last: H264SliceSummary, hasLeading: Bool
  ) -> Bool {
    if hasDelimiter || slice.beginsPicture(after: last) { return true }
    // SPEC: encoders that make every picture an IDR picture with the same idr_pic_id exist; what
    // tells their pictures apart is that slices start again from the top. Where slices may come in
    // any order only parameter sets or messages in between make that certain.
    if slice.allowsArbitraryOrder { return hasLeading && slice.firstMacroblock == 0 }
    return slice.colourPlane == last.colourPlane && slice.firstMacroblock <= last.firstMacroblock
  }
}

/// The recovery point message. ISO/IEC 14496-10:2020 §D.1.8, §D.2.8.
enum H264RecoveryPoint {
  /// The SEI NAL unit (without emulation prevention) says that decoding from here on gives right
  /// pictures at once: recovery_frame_cnt is 0 and the match is exact or nearly so.
  static func isImmediate(_ unit: [UInt8]) -> Bool {
    var i = 1
    while i + 1 < unit.count, unit[i] != 0x80 || i + 2 < unit.count {
      guard let type = readValue(unit, &i), let size = readValue(unit, &i),
        size <= unit.count - i
      else { return false }
      if type == 6 {
        var bits = BitReader(unit, from: i * 8, to: (i + size) * 8)
        return bits.readUE() == 0 && !bits.overrun
      }
      i += size
    }
    return false
  }

  /// payloadType or payloadSize: a sum of bytes that ends with one below 255. §7.3.2.3.1.
  private static func readValue(_ unit: [UInt8], _ i: inout Int) -> Int? {
    var value = 0
    while i < unit.count {
      let byte = unit[i]
      i += 1
      value += Int(byte)
      if byte != 255 { return value }
    }
    return nil
  }
}
