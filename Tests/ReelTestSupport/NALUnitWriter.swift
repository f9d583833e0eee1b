// Putting NAL units into byte streams and samples.

/// Wraps NAL units (header byte and payload) as ISO/IEC 14496-10:2020 Annex B and 14496-15 want.
public enum NALUnitWriter {
  /// The unit with emulation prevention bytes. §7.4.1.1.
  public static func escaped(_ unit: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    var zeros = 0
    for byte in unit {
      if zeros >= 2 && byte <= 3 {
        output.append(3)
        zeros = 0
      }
      output.append(byte)
      zeros = byte == 0 ? zeros + 1 : 0
    }
    if output.last == 0 { output.append(3) }
    return output
  }

  /// A byte stream of the units.
  public static func annexB(_ units: [[UInt8]]) -> [UInt8] {
    units.flatMap { [0, 0, 0, 1] + escaped($0) }
  }

  /// A sample of the units, each behind its length.
  public static func lengthPrefixed(_ units: [[UInt8]], lengthBytes: Int = 4) -> [UInt8] {
    units.flatMap { unit in
      let bytes = escaped(unit)
      let length = (0..<lengthBytes).reversed().map {
        UInt8(truncatingIfNeeded: bytes.count >> ($0 * 8))
      }
      return length + bytes
    }
  }
}
