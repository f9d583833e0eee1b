// The channels of an AAC stream that no channelConfiguration names. ISO/IEC 14496-3:2019 Table 4.2.

import ReelCore

/// program_config_element().
struct ProgramConfigElement {
  private(set) var channelCount = 0
  /// Where byte_alignment() stands, and the end, as positions of the reader.
  private var alignment = 0
  private var end = 0
  private var start = 0
  private var bytes: [UInt8] = []

  /// Reads an element and leaves `bits` behind it. Check `bits.overrun`.
  init(_ bits: inout BitReader) {
    start = bits.position
    bits.skip(4 + 2 + 4)
    let (front, side, back) = (Int(bits.read(4)), Int(bits.read(4)), Int(bits.read(4)))
    let (low, data, coupling) = (Int(bits.read(2)), Int(bits.read(3)), Int(bits.read(4)))
    if bits.readFlag() { bits.skip(4) }
    if bits.readFlag() { bits.skip(4) }
    if bits.readFlag() { bits.skip(3) }
    channelCount = low
    for _ in 0..<(front + side + back) {
      channelCount += bits.readFlag() ? 2 : 1
      bits.skip(4)
    }
    bits.skip(4 * low + 4 * data + 5 * coupling)
    alignment = bits.position
    bits.alignToByte()
    bits.skip(8 * Int(bits.read(8)))
    end = bits.position
  }

  /// The element that a raw_data_block() begins with; nil when it begins with another.
  init?(rawDataBlock bytes: [UInt8]) {
    var bits = BitReader(bytes)
    guard bits.read(3) == 5 else { return nil }
    self.init(&bits)
    guard !bits.overrun else { return nil }
    self.bytes = bytes
  }

  /// The two bytes of an AudioSpecificConfig without channels, and this element behind them, aligned
  /// anew.
  func specificConfig(_ head: [UInt8]) -> [UInt8] {
    var bits = BitReader(bytes, from: start)
    var config = head + bits.readBits(alignment - start)
    bits.alignToByte()
    config += bits.readBits(end - bits.position)
    return config
  }
}
