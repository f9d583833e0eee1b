// What a container needs of an HEVC sequence parameter set. ISO/IEC 23008-2:2020 §7.3.2.2.

public import ReelCore

/// The part of a sequence parameter set that describes a track.
public struct HEVCSequenceSummary: Sendable, Hashable {
  /// general_profile_idc
  public private(set) var profileIDC = 0
  /// general_level_idc, 30 times the level.
  public private(set) var levelIDC = 0
  /// chroma_format_idc, 0…3.
  public private(set) var chromaFormatIDC = 1
  /// Bits of a luma sample, 8…16.
  public private(set) var lumaBitDepth = 8
  /// Width less the conformance window, in luma samples.
  public private(set) var width = 0
  /// Height less the conformance window, in luma samples.
  public private(set) var height = 0
  /// Shape of a pixel; unknown when not told.
  public internal(set) var pixelAspectRatio: Ratio = .unknown
  /// Colour as the stream tells it; nil when it does not.
  public internal(set) var colour: ColourDescription?
  /// vui_num_units_in_tick and vui_time_scale, both > 0; nil when not told. A picture lasts one tick.
  public var tick: (units: UInt32, scale: UInt32)? {
    tickUnits > 0 && tickScale > 0 ? (tickUnits, tickScale) : nil
  }
  /// sps_max_num_reorder_pics of the highest sub-layer.
  public internal(set) var reorderFrameCount = 0
  /// sps_max_dec_pic_buffering_minus1 of the highest sub-layer.
  public internal(set) var bufferedFrameCount = 0

  var tickUnits: UInt32 = 0
  var tickScale: UInt32 = 0

  /// Reads a sequence parameter set NAL unit with its header and without emulation prevention; nil
  /// when a value is out of its range or the unit ends early.
  public init?(unescaped unit: [UInt8]) {
    var bits = BitReader(unit, from: 16)
    bits.skip(4)
    let subLayers = Int(bits.read(3))
    bits.skip(1)
    readProfile(&bits, subLayers: subLayers)
    _ = bits.readUE()
    let format = bits.readUE()
    guard format <= 3 else { return nil }
    chromaFormatIDC = Int(format)
    let separate = format == 3 && bits.readFlag()
    (width, height) = (Int(bits.readUE()), Int(bits.readUE()))
    // LIMIT: level 6.2 allows 16,888 samples a side.
    guard (1...1 << 15).contains(width), (1...1 << 15).contains(height) else { return nil }
    if bits.readFlag() {
      let unitX = !separate && (format == 1 || format == 2) ? 2 : 1
      let unitY = !separate && format == 1 ? 2 : 1
      width -= (Int(bits.readUE()) + Int(bits.readUE())) * unitX
      height -= (Int(bits.readUE()) + Int(bits.readUE())) * unitY
    }
    let depth = bits.readUE()
    guard width > 0, height > 0, depth <= 8, !bits.overrun else { return nil }
    lumaBitDepth = 8 + Int(depth)
    _ = bits.readUE()
    // Damage further on only loses what is told there: the description does not depend on it.
    readRest(&bits, subLayers: subLayers)
  }

  /// profile_tier_level(1, `subLayers`). §7.3.3.
  private mutating func readProfile(_ bits: inout BitReader, subLayers: Int) {
    bits.skip(3)
    profileIDC = Int(bits.read(5))
    bits.skip(80)
    levelIDC = Int(bits.read(8))
    guard subLayers > 0 else { return }
    let present = (0..<subLayers).map { _ in (bits.readFlag(), bits.readFlag()) }
    bits.skip(2 * (8 - subLayers))
    for (hasProfile, hasLevel) in present {
      bits.skip((hasProfile ? 88 : 0) + (hasLevel ? 8 : 0))
    }
  }
}
