// Writing ISO base media files in code, so that tests need no hexadecimal.

/// Bytes of boxes and of the numbers in them, big-endian.
public enum BoxBuilder {
  public static func box(_ type: String, _ payload: [UInt8]...) -> [UInt8] {
    let body = payload.flatMap { $0 }
    return u32(UInt32(body.count + 8)) + code(type) + body
  }

  /// A box with version and flags.
  public static func fullBox(
    _ type: String, version: UInt8 = 0, flags: UInt32 = 0, _ payload: [UInt8]...
  ) -> [UInt8] {
    box(type, [version], Array(u32(flags)[1...]), payload.flatMap { $0 })
  }

  /// A box with a 64-bit size.
  public static func largeBox(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    u32(1) + code(type) + u64(UInt64(payload.count + 16)) + payload
  }

  /// A box that goes to the end of the file.
  public static func endlessBox(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    u32(0) + code(type) + payload
  }

  /// Four characters, © as one byte.
  public static func code(_ type: String) -> [UInt8] {
    type.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
  }

  public static func u16(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 255)] }
  public static func u32(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> UInt32(24 - 8 * $0)) }
  }
  public static func i32(_ value: Int32) -> [UInt8] { u32(UInt32(bitPattern: value)) }
  public static func u64(_ value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> UInt64(56 - 8 * $0)) }
  }
  public static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
}
