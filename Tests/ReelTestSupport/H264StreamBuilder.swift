// H.264 byte streams made of parameter sets and slice heads, for tests of their division.

/// Writes NAL units behind start codes.
public struct H264StreamBuilder: Sendable {
  public var bytes: [UInt8] = []
  /// bottom_field_pic_order_in_frame_present_flag and redundant_pic_cnt_present_flag of the PPS.
  public var hasBottomOrder = false
  public var hasRedundantCount = false
  public var profile: UInt8 = 77
  /// time_scale and num_units_in_tick; nil for no VUI.
  public var timing: (scale: UInt32, units: UInt32)?
  public var isInterlaced = false

  public struct Slice: Sendable {
    public var type: UInt8 = 1
    public var referenceIDC: UInt8 = 2
    public var firstMacroblock: UInt32 = 0
    public var frameNum: UInt64 = 0
    public var isField = false
    public var isBottom = false
    public var idrPictureID: UInt32 = 0
    public var orderLSB: UInt64 = 0
    public var redundantCount: UInt32 = 0
    public var pictureSet: UInt32 = 0
    public var bottomDelta: Int32 = 0

    public init(
      type: UInt8 = 1, referenceIDC: UInt8 = 2, firstMacroblock: UInt32 = 0, frameNum: UInt64 = 0,
      isField: Bool = false, isBottom: Bool = false, idrPictureID: UInt32 = 0,
      redundantCount: UInt32 = 0, orderLSB: UInt64 = 0, pictureSet: UInt32 = 0,
      bottomDelta: Int32 = 0
    ) {
      (self.type, self.referenceIDC) = (type, referenceIDC)
      (self.firstMacroblock, self.frameNum) = (firstMacroblock, frameNum)
      (self.isField, self.isBottom) = (isField, isBottom)
      (self.idrPictureID, self.redundantCount) = (idrPictureID, redundantCount)
      self.orderLSB = orderLSB
      (self.pictureSet, self.bottomDelta) = (pictureSet, bottomDelta)
    }
  }

  public init() {}

  /// Adds a NAL unit, with emulation prevention, behind a start code of 3 or 4 bytes.
  public mutating func add(header: UInt8, _ payload: [UInt8], longStartCode: Bool = true) {
    bytes += longStartCode ? [0, 0, 0, 1, header] : [0, 0, 1, header]
    var zeros = 0
    for byte in payload {
      if zeros >= 2, byte <= 3 {
        bytes.append(3)
        zeros = 0
      }
      bytes.append(byte)
      zeros = byte == 0 ? zeros + 1 : 0
    }
  }

  public mutating func sequence() {
    var bits = BitWriter()
    bits.write(UInt64(profile), bits: 8)
    bits.write(0, bits: 8)
    bits.write(30, bits: 8)
    for value: UInt32 in [0, 0, 0, 0] { bits.writeUE(value) }  // id, frame_num, poc type, lsb
    bits.writeUE(1)
    bits.writeFlag(false)
    bits.writeUE(10)
    bits.writeUE(isInterlaced ? 4 : 8)
    bits.writeFlag(!isInterlaced)
    if isInterlaced { bits.writeFlag(false) }
    bits.writeFlag(true)
    bits.writeFlag(false)
    bits.writeFlag(timing != nil)
    if let timing {
      bits.write(0, bits: 4)
      bits.writeFlag(true)
      bits.write(UInt64(timing.units), bits: 32)
      bits.write(UInt64(timing.scale), bits: 32)
      bits.write(0, bits: 5)
    }
    bits.writeTrailingBits()
    add(header: 0x67, bits.bytes)
  }

  public mutating func picture(id: UInt32 = 0) {
    var bits = BitWriter()
    bits.writeUE(id)
    bits.writeUE(0)
    bits.writeFlag(false)
    bits.writeFlag(hasBottomOrder)
    for _ in 0..<3 { bits.writeUE(0) }
    bits.write(0, bits: 3)
    for _ in 0..<3 { bits.writeSE(0) }
    bits.write(0, bits: 2)
    bits.writeFlag(hasRedundantCount)
    bits.writeTrailingBits()
    add(header: 0x68, bits.bytes)
  }

  public mutating func slice(_ slice: Slice) {
    var bits = BitWriter()
    bits.writeUE(slice.firstMacroblock)
    bits.writeUE(7)
    bits.writeUE(slice.pictureSet)
    bits.write(slice.frameNum, bits: 4)
    if isInterlaced {
      bits.writeFlag(slice.isField)
      if slice.isField { bits.writeFlag(slice.isBottom) }
    }
    if slice.type == 5 { bits.writeUE(slice.idrPictureID) }
    bits.write(slice.orderLSB, bits: 4)
    if hasBottomOrder, !slice.isField { bits.writeSE(slice.bottomDelta) }
    if hasRedundantCount { bits.writeUE(slice.redundantCount) }
    bits.write(0x5A5A_5A5A, bits: 32)
    bits.writeTrailingBits()
    add(header: slice.referenceIDC << 5 | slice.type, bits.bytes, longStartCode: false)
  }

  /// A message of `type` with one byte of payload.
  public mutating func message(type: UInt8 = 5, payload: UInt8 = 0xFF) {
    add(header: 6, [type, 1, payload, 0x80])
  }

  public mutating func delimiter() { add(header: 9, [0xF0]) }

  /// Parameter sets, then `count` frames, every `interval`-th an IDR picture.
  public static func frames(_ count: Int, idrEvery interval: Int, timing: (UInt32, UInt32)? = nil)
    -> Self
  {
    var stream = Self()
    stream.timing = timing.map { (scale: $0.0, units: $0.1) }
    for i in 0..<count {
      if i % interval == 0 {
        stream.sequence()
        stream.picture()
      }
      var slice = Slice()
      slice.type = i % interval == 0 ? 5 : 1
      slice.idrPictureID = UInt32(i / interval & 1)
      slice.frameNum = UInt64(i % interval & 15)
      slice.orderLSB = UInt64(2 * (i % interval) & 15)
      stream.slice(slice)
    }
    return stream
  }
}
