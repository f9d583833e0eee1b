// What a container needs of an H.264 sequence parameter set. ISO/IEC 14496-10:2020 §7.3.2.1.1.

public import ReelCore

/// The part of a sequence parameter set that tells pictures apart and describes a track.
///
/// Decoders read the whole structure themselves; this is for the layers that only carry it.
public struct H264SequenceSummary: Sendable, Hashable {
  /// profile_idc.
  public let profileIDC: UInt8
  /// constraint_set0_flag in the highest bit, as in the stream and in `avcC`.
  public let constraintFlags: UInt8
  /// level_idc.
  public let levelIDC: UInt8
  /// seq_parameter_set_id, 0…31.
  public let id: Int
  /// chroma_format_idc, 0…3.
  public var chromaFormatIDC = 1
  /// Bits of a luma sample, 8…14.
  public var lumaBitDepth = 8
  /// Coded width less the cropping, in luma samples.
  public var width = 0
  /// Coded height less the cropping, in luma samples of a frame.
  public var height = 0
  /// Shape of a sample; ``Ratio/unknown`` when not told. Table E-1.
  public var pixelAspectRatio: Ratio = .unknown
  /// Colour description and range; nil when not told. §E.2.1.
  public var colour: ColourDescription?
  /// num_units_in_tick and time_scale, both > 0; nil when not told. A frame lasts two ticks. §E.2.1.
  public var tick: (units: UInt32, scale: UInt32)? {
    tickUnits > 0 && tickScale > 0 ? (tickUnits, tickScale) : nil
  }

  /// max_num_ref_frames.
  public var referenceFrameCount = 0
  /// max_num_reorder_frames; nil when not told.
  public var reorderFrameCount: Int?
  /// frame_mbs_only_flag: no picture is a field or has field macroblocks.
  public var hasOnlyFrames = true

  var tickUnits: UInt32 = 0
  var tickScale: UInt32 = 0
  var hasSeparateColourPlanes = false
  /// Bits of frame_num, 4…16.
  var frameNumBits = 4
  /// pic_order_cnt_type, 0…2.
  var pictureOrderCountType = 0
  /// Bits of pic_order_cnt_lsb, 4…16.
  var pictureOrderCountBits = 4
  var deltaPictureOrderIsZero = false

  /// Reads `unit`, a sequence parameter set NAL unit with its header and without emulation
  /// prevention; nil when a value is out of its range or the unit ends early.
  public init?(unescaped unit: [UInt8]) {
    guard unit.count >= 5, unit[0] & 0x80 == 0 else { return nil }
    (profileIDC, constraintFlags, levelIDC) = (unit[1], unit[2], unit[3])
    var bits = BitReader(unit, from: 32)
    let id = bits.readUE()
    guard id <= 31 else { return nil }
    self.id = Int(id)
    guard readChroma(&bits), readOrder(&bits), readSize(&bits), !bits.overrun else { return nil }
    // A damaged VUI only loses what it says: the pictures do not depend on it.
    if bits.readFlag() { readUsability(&bits) }
  }

  /// Profiles whose parameter sets tell the chroma format. §7.3.2.1.1.
  private static let highProfiles: [UInt8] = [
    100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135,
  ]

  private mutating func readChroma(_ bits: inout BitReader) -> Bool {
    guard Self.highProfiles.contains(profileIDC) else { return true }
    let format = bits.readUE()
    guard format <= 3 else { return false }
    chromaFormatIDC = Int(format)
    if format == 3 { hasSeparateColourPlanes = bits.readFlag() }
    let depth = bits.readUE()
    guard depth <= 6, bits.readUE() <= 6 else { return false }
    lumaBitDepth = 8 + Int(depth)
    bits.skip(1)
    guard bits.readFlag() else { return true }
    for list in 0..<(format == 3 ? 12 : 8) where bits.readFlag() {
      skipScalingList(&bits, count: list < 6 ? 16 : 64)
    }
    return true
  }

  /// §7.3.2.1.1.1.
  private func skipScalingList(_ bits: inout BitReader, count: Int) {
    var last: Int32 = 8
    for _ in 0..<count {
      let next = (last &+ bits.readSE()) & 0xFF
      if next == 0 { return }
      last = next
    }
  }

  private mutating func readOrder(_ bits: inout BitReader) -> Bool {
    let frameNum = bits.readUE()
    let type = bits.readUE()
    guard frameNum <= 12, type <= 2 else { return false }
    frameNumBits = Int(frameNum) + 4
    pictureOrderCountType = Int(type)
    if type == 0 {
      let lsb = bits.readUE()
      guard lsb <= 12 else { return false }
      pictureOrderCountBits = Int(lsb) + 4
    } else if type == 1 {
      deltaPictureOrderIsZero = bits.readFlag()
      _ = bits.readSE()
      _ = bits.readSE()
      let cycle = bits.readUE()
      guard cycle <= 255 else { return false }
      for _ in 0..<cycle { _ = bits.readSE() }
    }
    return true
  }

  private mutating func readSize(_ bits: inout BitReader) -> Bool {
    referenceFrameCount = Int(min(bits.readUE(), 16))
    bits.skip(1)
    let widthInMacroblocks = Int(bits.readUE()) + 1
    let heightInUnits = Int(bits.readUE()) + 1
    hasOnlyFrames = bits.readFlag()
    if !hasOnlyFrames { bits.skip(1) }
    bits.skip(1)
    // LIMIT: a level allows at most √(8 × MaxFS) < 1,056 macroblocks a side; 2¹⁴ leaves room for all.
    guard widthInMacroblocks <= 1 << 14, heightInUnits <= 1 << 14 else { return false }
    let linesPerUnit = hasOnlyFrames ? 16 : 32
    (width, height) = (widthInMacroblocks * 16, heightInUnits * linesPerUnit)
    guard bits.readFlag() else { return true }
    return readCropping(&bits)
  }

  /// Cropping in units of §7.4.2.1.1, Table 6-1.
  private mutating func readCropping(_ bits: inout BitReader) -> Bool {
    let array = hasSeparateColourPlanes ? 0 : chromaFormatIDC
    let unitX = array == 1 || array == 2 ? 2 : 1
    let unitY = (array == 1 ? 2 : 1) * (hasOnlyFrames ? 1 : 2)
    let horizontal = (Int(bits.readUE()) + Int(bits.readUE())) * unitX
    let vertical = (Int(bits.readUE()) + Int(bits.readUE())) * unitY
    guard horizontal < width, vertical < height else { return false }
    width -= horizontal
    height -= vertical
    return true
  }

  /// vui_parameters() up to the timing. §E.1.1.
  private mutating func readUsability(_ bits: inout BitReader) {
    var ratio = Ratio.unknown
    if bits.readFlag() {
      let code = Int(bits.read(8))
      ratio =
        code == 255
        ? Ratio(Int(bits.read(16)), Int(bits.read(16)))
        : SampleAspectRatios.ratio(code)
    }
    if bits.readFlag() { bits.skip(1) }
    let colour = readColour(&bits)
    guard !bits.overrun else { return }
    if ratio.numerator > 0, ratio.denominator > 0 { pixelAspectRatio = ratio }
    self.colour = colour
    if bits.readFlag() {
      let (units, scale) = (bits.read(32), bits.read(32))
      guard !bits.overrun else { return }
      (tickUnits, tickScale) = (units, scale)
      bits.skip(1)
    }
    readRestrictions(&bits)
  }

  /// The end of vui_parameters(), for the number of frames that are reordered. §E.1.1, §E.1.2.
  private mutating func readRestrictions(_ bits: inout BitReader) {
    var hasBuffer = false
    for _ in 0..<2 where bits.readFlag() {
      hasBuffer = true
      let count = bits.readUE()
      guard count <= 31 else { return }
      bits.skip(8)
      for _ in 0...count {
        _ = bits.readUE()
        _ = bits.readUE()
        bits.skip(1)
      }
      bits.skip(20)
    }
    bits.skip(hasBuffer ? 2 : 1)
    guard bits.readFlag() else { return }
    bits.skip(1)
    for _ in 0..<4 { _ = bits.readUE() }
    let count = bits.readUE()
    if count <= 16, !bits.overrun { reorderFrameCount = Int(count) }
  }

  private func readColour(_ bits: inout BitReader) -> ColourDescription? {
    var colour = ColourDescription()
    let hasSignalType = bits.readFlag()
    if hasSignalType {
      bits.skip(3)
      colour.isFullRange = bits.readFlag()
      if bits.readFlag() {
        colour.primaries = UInt8(bits.read(8))
        colour.transfer = UInt8(bits.read(8))
        colour.matrix = UInt8(bits.read(8))
      }
    }
    let hasLocation = bits.readFlag()
    if hasLocation {
      let top = bits.readUE()
      _ = bits.readUE()
      if top <= 5 { colour.chromaLocation = UInt8(top) }
    }
    return hasSignalType || hasLocation ? colour : nil
  }
}

/// Sample aspect ratios by aspect_ratio_idc. ISO/IEC 14496-10:2020 Table E-1.
enum SampleAspectRatios {
  private static let widths: [UInt8] = [
    0, 1, 12, 10, 16, 40, 24, 20, 32, 80, 18, 15, 64, 160, 4, 3, 2,
  ]
  private static let heights: [UInt8] = [
    0, 1, 11, 11, 11, 33, 11, 11, 11, 33, 11, 11, 33, 99, 3, 2, 1,
  ]

  /// The ratio of a code; unknown for 0 and reserved codes.
  static func ratio(_ code: Int) -> Ratio {
    guard widths.indices.contains(code) else { return .unknown }
    return Ratio(Int(widths[code]), Int(heights[code]))
  }
}
