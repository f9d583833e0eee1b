// Numerical addresses of the internet protocol, and which of them lie in the public network.

/// An address of version 4 or 6.
public struct IPAddress: Sendable, Hashable, CustomStringConvertible {
  /// 4 or 16 bytes in network order.
  public let bytes: [UInt8]

  /// - Returns: nil unless there are 4 or 16 bytes.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// `1.2.3.4` in decimal, or `2001:db8::1`, without brackets or zone.
  public init?(_ text: some StringProtocol) {
    guard text.utf8.count <= 45,
      let bytes = text.utf8.contains(UInt8(ascii: ":"))
        ? Self.version6(String(text)) : Self.version4(String(text))
    else { return nil }
    self.bytes = bytes
  }

  private static func version4(_ text: String) -> [UInt8]? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var bytes: [UInt8] = []
    for part in parts {
      // A leading zero means octal to some systems: such an address means two things.
      guard part.count == 1 || part.first != "0",
        part.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
        let byte = UInt8(part)
      else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  private static func version6(_ text: String) -> [UInt8]? {
    var head: [UInt8] = []
    var tail: [UInt8] = []
    var sawGap = false
    var rest = text[...]
    if rest.hasPrefix("::") {
      sawGap = true
      rest = rest.dropFirst(2)
    }
    while !rest.isEmpty {
      let part = rest.prefix { $0 != ":" }
      rest = rest[part.endIndex...]
      var group: [UInt8]
      if part.contains(".") {
        guard rest.isEmpty, let inner = version4(String(part)) else { return nil }
        group = inner
      } else {
        guard (1...4).contains(part.utf8.count), part.first != "+", part.first != "-",
          let value = UInt16(part, radix: 16)
        else { return nil }
        group = [UInt8(value >> 8), UInt8(value & 255)]
      }
      if sawGap { tail += group } else { head += group }
      if rest.hasPrefix("::") {
        guard !sawGap else { return nil }
        sawGap = true
        rest = rest.dropFirst(2)
      } else if rest.hasPrefix(":") {
        rest = rest.dropFirst()
        guard !rest.isEmpty else { return nil }
      }
      guard head.count + tail.count <= 16 else { return nil }
    }
    let missing = 16 - head.count - tail.count
    guard sawGap ? missing >= 2 : missing == 0 else { return nil }
    return head + [UInt8](repeating: 0, count: missing) + tail
  }

  public var description: String {
    if bytes.count == 4 { return bytes.map { "\($0)" }.joined(separator: ".") }
    return stride(from: 0, to: 16, by: 2).map {
      String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16)
    }.joined(separator: ":")
  }

  /// What kind of network the address belongs to when it is not the public one; nil for a public
  /// address. After the special-purpose registries of RFC 6890.
  public var specialUse: String? {
    bytes.count == 4 ? Self.specialUse4(bytes) : specialUse6
  }

  /// First bytes, number of bits that count, and what the block is.
  private static let blocks4: [(prefix: UInt32, length: UInt32, use: String)] = [
    (0x0000_0000, 8, "this network"), (0x0A00_0000, 8, "private"),
    (0x6440_0000, 10, "shared by carriers"), (0x7F00_0000, 8, "loopback"),
    (0xA9FE_0000, 16, "link-local"), (0xAC10_0000, 12, "private"),
    (0xC000_0000, 24, "protocol assignments"), (0xC000_0200, 24, "documentation"),
    (0xC058_6300, 24, "relay"), (0xC0A8_0000, 16, "private"), (0xC612_0000, 15, "benchmarking"),
    (0xC633_6400, 24, "documentation"), (0xCB00_7100, 24, "documentation"),
    (0xE000_0000, 4, "multicast"), (0xF000_0000, 4, "reserved"),
  ]

  private static func specialUse4(_ bytes: [UInt8]) -> String? {
    let value = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return blocks4.first { ($0.prefix ^ value) >> (32 - $0.length) == 0 }?.use
  }

  private var specialUse6: String? {
    func begins(_ prefix: UInt8...) -> Bool { bytes.starts(with: prefix) }
    // Addresses of version 4 in the clothes of version 6 are judged by what they carry.
    let zeros10 = bytes[..<10].allSatisfy { $0 == 0 }
    if zeros10 && bytes[10] == 0xFF && bytes[11] == 0xFF {
      return Self.specialUse4(Array(bytes[12...]))
    }
    if begins(0x00, 0x64, 0xFF, 0x9B) && bytes[4..<12].allSatisfy({ $0 == 0 }) {
      return Self.specialUse4(Array(bytes[12...]))
    }
    if begins(0x20, 0x02) { return Self.specialUse4(Array(bytes[2..<6])) }
    if zeros10 && bytes[10...14].allSatisfy({ $0 == 0 }) {
      return bytes[15] == 1 ? "loopback" : "unspecified"
    }
    if bytes[0] & 0xFE == 0xFC { return "private" }
    if bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80 { return "link-local" }
    if bytes[0] == 0xFF { return "multicast" }
    if begins(0x20, 0x01, 0x0D, 0xB8) { return "documentation" }
    if begins(0x20, 0x01) && bytes[2] < 2 { return "protocol assignments" }
    // 2000::/3 is what has been given out as global unicast.
    return bytes[0] & 0xE0 == 0x20 ? nil : "reserved"
  }
}
