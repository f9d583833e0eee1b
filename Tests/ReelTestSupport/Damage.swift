// Damage to inputs, the same for the same seed.

/// Makes damaged inputs of good ones.
public enum Damage {
  /// `bytes` with 1 to 12 damages of all kinds: flipped bits, extreme values, removed, repeated and
  /// swapped pieces, a cut end.
  public static func apply(to bytes: [UInt8], seed: UInt64) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    var bytes = bytes
    for _ in 0..<random.int(in: 1...12) where !bytes.isEmpty {
      damage(&bytes, &random)
    }
    return bytes
  }

  private static func damage(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    let at = random.int(in: 0...bytes.count - 1)
    let length = min(bytes.count - at, 1 << random.int(in: 0...9))
    switch random.int(in: 0...9) {
    case 0...2: bytes[at] ^= 1 << UInt8(random.int(in: 0...7))
    case 3: bytes[at] = [0, 1, 0x7F, 0x80, 0xFE, 0xFF][random.int(in: 0...5)]
    case 4:
      for i in at..<min(at + random.int(in: 1...8), bytes.count) {
        bytes[i] = UInt8(random.int(in: 0...1) * 255)
      }
    case 5: bytes.removeSubrange(at..<at + length)
    case 6: bytes.insert(contentsOf: bytes[at..<at + length], at: random.int(in: 0...bytes.count))
    case 7: for i in at..<at + length { bytes[i] = UInt8.random(in: 0...255, using: &random) }
    case 8: bytes.insert(UInt8.random(in: 0...255, using: &random), at: at)
    default: if random.one(in: 4) { bytes.removeSubrange(at...) }
    }
  }
}
