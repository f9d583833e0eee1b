// The MD5 message digest. RFC 1321.

/// A digest in the making: bytes go in by ``update(_:)``, sixteen bytes come out of ``finalize()``.
///
/// MD5 names contents here, it protects nothing.
public struct MD5: Sendable {
  private var a: UInt32 = 0x6745_2301
  private var b: UInt32 = 0xEFCD_AB89
  private var c: UInt32 = 0x98BA_DCFE
  private var d: UInt32 = 0x1032_5476
  /// Bytes taken so far.
  public private(set) var byteCount: UInt64 = 0
  /// The first `byteCount % 64` bytes wait here for a whole block.
  private var pending = InlineArray<64, UInt8>(repeating: 0)

  /// The state before the first byte. RFC 1321 §3.3.
  public init() {}

  /// Takes more of the message.
  public mutating func update(_ bytes: Span<UInt8>) {
    // SAFETY: the pointer is used within the closure only.
    unsafe bytes.withUnsafeBufferPointer { unsafe update(UnsafeRawBufferPointer($0)) }
  }

  /// Takes more of the message.
  public mutating func update(_ bytes: [UInt8]) { update(bytes.span) }

  /// Takes more of the message; 16-bit samples as two bytes, the low one first.
  public mutating func update(_ samples: Span<UInt16>) {
    #if _endian(little)
      // SAFETY: the pointer is used within the closure only; memory order is the order asked for.
      unsafe samples.withUnsafeBufferPointer { unsafe update(UnsafeRawBufferPointer($0)) }
    #else
      for i in samples.indices {
        update([UInt8(truncatingIfNeeded: samples[i]), UInt8(truncatingIfNeeded: samples[i] >> 8)])
      }
    #endif
  }

  /// Takes more of the message.
  @unsafe public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count > 0 else { return }
    var taken = 0
    let waiting = Int(byteCount & 63)
    byteCount &+= UInt64(bytes.count)
    if waiting > 0 {
      taken = min(64 - waiting, bytes.count)
      // SAFETY: `taken` ≤ the buffer's count; buffer subscripts are checked in debug builds.
      for i in 0..<taken { pending[waiting + i] = unsafe bytes[i] }
      guard waiting + taken == 64 else { return }
      compressPending()
    }
    let whole = (bytes.count - taken) / 64
    if whole > 0, let start = bytes.baseAddress {
      // SAFETY: `whole` blocks of 64 bytes lie between `taken` and the end of the buffer.
      unsafe compress(start + taken, blockCount: whole)
      taken += whole * 64
    }
    // SAFETY: the range is the buffer's own.
    for i in taken..<bytes.count { pending[i - taken] = unsafe bytes[i] }
  }

  /// The digest of all bytes taken; the value is spent by it.
  public consuming func finalize() -> Digest {
    let bitCount = byteCount &* 8
    var tail: [UInt8] = [0x80]
    tail += [UInt8](repeating: 0, count: Int((119 - (byteCount & 63)) & 63))
    for i in 0..<8 { tail.append(UInt8(truncatingIfNeeded: bitCount >> (8 * UInt64(i)))) }
    update(tail)
    return Digest(words: [a, b, c, d])
  }

  private mutating func compressPending() {
    let block = pending
    // SAFETY: the span covers one block of 64 bytes and the pointer is used within the closure only.
    unsafe block.span.withUnsafeBufferPointer { bytes in
      if let start = bytes.baseAddress { unsafe compress(UnsafeRawPointer(start), blockCount: 1) }
    }
  }

  /// Runs the compression function over blocks of 64 bytes; `start` need not be aligned.
  @unsafe private mutating func compress(_ start: UnsafeRawPointer, blockCount: Int) {
    var (a, b, c, d) = (self.a, self.b, self.c, self.d)
    for block in 0..<blockCount {
      let (a0, b0, c0, d0) = (a, b, c, d)
      // SAFETY: the caller vouches for `blockCount` blocks at `start`.
      let p = unsafe start + block &* 64
      let x0 = unsafe word(p, 0)
      let x1 = unsafe word(p, 4)
      let x2 = unsafe word(p, 8)
      let x3 = unsafe word(p, 12)
      let x4 = unsafe word(p, 16)
      let x5 = unsafe word(p, 20)
      let x6 = unsafe word(p, 24)
      let x7 = unsafe word(p, 28)
      let x8 = unsafe word(p, 32)
      let x9 = unsafe word(p, 36)
      let x10 = unsafe word(p, 40)
      let x11 = unsafe word(p, 44)
      let x12 = unsafe word(p, 48)
      let x13 = unsafe word(p, 52)
      let x14 = unsafe word(p, 56)
      let x15 = unsafe word(p, 60)
      // Round 1. RFC 1321 §3.4
      step(&a, b, f(b, c, d), x0, 0xD76AA478, 7)
      step(&d, a, f(a, b, c), x1, 0xE8C7B756, 12)
      step(&c, d, f(d, a, b), x2, 0x242070DB, 17)
      step(&b, c, f(c, d, a), x3, 0xC1BDCEEE, 22)
      step(&a, b, f(b, c, d), x4, 0xF57C0FAF, 7)
      step(&d, a, f(a, b, c), x5, 0x4787C62A, 12)
      step(&c, d, f(d, a, b), x6, 0xA8304613, 17)
      step(&b, c, f(c, d, a), x7, 0xFD469501, 22)
      step(&a, b, f(b, c, d), x8, 0x698098D8, 7)
      step(&d, a, f(a, b, c), x9, 0x8B44F7AF, 12)
      step(&c, d, f(d, a, b), x10, 0xFFFF5BB1, 17)
      step(&b, c, f(c, d, a), x11, 0x895CD7BE, 22)
      step(&a, b, f(b, c, d), x12, 0x6B901122, 7)
      step(&d, a, f(a, b, c), x13, 0xFD987193, 12)
      step(&c, d, f(d, a, b), x14, 0xA679438E, 17)
      step(&b, c, f(c, d, a), x15, 0x49B40821, 22)
      // Round 2. RFC 1321 §3.4
      step(&a, b, g(b, c, d), x1, 0xF61E2562, 5)
      step(&d, a, g(a, b, c), x6, 0xC040B340, 9)
      step(&c, d, g(d, a, b), x11, 0x265E5A51, 14)
      step(&b, c, g(c, d, a), x0, 0xE9B6C7AA, 20)
      step(&a, b, g(b, c, d), x5, 0xD62F105D, 5)
      step(&d, a, g(a, b, c), x10, 0x02441453, 9)
      step(&c, d, g(d, a, b), x15, 0xD8A1E681, 14)
      step(&b, c, g(c, d, a), x4, 0xE7D3FBC8, 20)
      step(&a, b, g(b, c, d), x9, 0x21E1CDE6, 5)
      step(&d, a, g(a, b, c), x14, 0xC33707D6, 9)
      step(&c, d, g(d, a, b), x3, 0xF4D50D87, 14)
      step(&b, c, g(c, d, a), x8, 0x455A14ED, 20)
      step(&a, b, g(b, c, d), x13, 0xA9E3E905, 5)
      step(&d, a, g(a, b, c), x2, 0xFCEFA3F8, 9)
      step(&c, d, g(d, a, b), x7, 0x676F02D9, 14)
      step(&b, c, g(c, d, a), x12, 0x8D2A4C8A, 20)
      // Round 3. RFC 1321 §3.4
      step(&a, b, h(b, c, d), x5, 0xFFFA3942, 4)
      step(&d, a, h(a, b, c), x8, 0x8771F681, 11)
      step(&c, d, h(d, a, b), x11, 0x6D9D6122, 16)
      step(&b, c, h(c, d, a), x14, 0xFDE5380C, 23)
      step(&a, b, h(b, c, d), x1, 0xA4BEEA44, 4)
      step(&d, a, h(a, b, c), x4, 0x4BDECFA9, 11)
      step(&c, d, h(d, a, b), x7, 0xF6BB4B60, 16)
      step(&b, c, h(c, d, a), x10, 0xBEBFBC70, 23)
      step(&a, b, h(b, c, d), x13, 0x289B7EC6, 4)
      step(&d, a, h(a, b, c), x0, 0xEAA127FA, 11)
      step(&c, d, h(d, a, b), x3, 0xD4EF3085, 16)
      step(&b, c, h(c, d, a), x6, 0x04881D05, 23)
      step(&a, b, h(b, c, d), x9, 0xD9D4D039, 4)
      step(&d, a, h(a, b, c), x12, 0xE6DB99E5, 11)
      step(&c, d, h(d, a, b), x15, 0x1FA27CF8, 16)
      step(&b, c, h(c, d, a), x2, 0xC4AC5665, 23)
      // Round 4. RFC 1321 §3.4
      step(&a, b, i(b, c, d), x0, 0xF4292244, 6)
      step(&d, a, i(a, b, c), x7, 0x432AFF97, 10)
      step(&c, d, i(d, a, b), x14, 0xAB9423A7, 15)
      step(&b, c, i(c, d, a), x5, 0xFC93A039, 21)
      step(&a, b, i(b, c, d), x12, 0x655B59C3, 6)
      step(&d, a, i(a, b, c), x3, 0x8F0CCC92, 10)
      step(&c, d, i(d, a, b), x10, 0xFFEFF47D, 15)
      step(&b, c, i(c, d, a), x1, 0x85845DD1, 21)
      step(&a, b, i(b, c, d), x8, 0x6FA87E4F, 6)
      step(&d, a, i(a, b, c), x15, 0xFE2CE6E0, 10)
      step(&c, d, i(d, a, b), x6, 0xA3014314, 15)
      step(&b, c, i(c, d, a), x13, 0x4E0811A1, 21)
      step(&a, b, i(b, c, d), x4, 0xF7537E82, 6)
      step(&d, a, i(a, b, c), x11, 0xBD3AF235, 10)
      step(&c, d, i(d, a, b), x2, 0x2AD7D2BB, 15)
      step(&b, c, i(c, d, a), x9, 0xEB86D391, 21)
      (a, b, c, d) = (a &+ a0, b &+ b0, c &+ c0, d &+ d0)
    }
    (self.a, self.b, self.c, self.d) = (a, b, c, d)
  }
}

/// Sixteen bytes that name a message.
public struct Digest: Sendable, Hashable, CustomStringConvertible {
  /// As two words, so that comparing and hashing cost nothing.
  private let high, low: UInt64

  init(words: [UInt32]) {
    let swapped = words.map(\.byteSwapped)
    high = UInt64(swapped[0]) << 32 | UInt64(swapped[1])
    low = UInt64(swapped[2]) << 32 | UInt64(swapped[3])
  }

  /// The sixteen bytes in order.
  public var bytes: [UInt8] {
    [high, low].flatMap { word in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
    }
  }

  /// 32 lower-case hexadecimal digits.
  public var description: String {
    bytes.map { byte in
      let text = String(byte, radix: 16)
      return byte < 16 ? "0" + text : text
    }.joined()
  }
}

// The four functions and the step of RFC 1321 §3.4.

@inline(__always) private func f(_ x: UInt32, _ y: UInt32, _ z: UInt32) -> UInt32 {
  z ^ (x & (y ^ z))  // (x & y) | (~x & z) with one operation less
}

@inline(__always) private func g(_ x: UInt32, _ y: UInt32, _ z: UInt32) -> UInt32 {
  (x & z) &+ (y & ~z)  // the two terms share no bit, and adding lets the sum start early
}

@inline(__always) private func h(_ x: UInt32, _ y: UInt32, _ z: UInt32) -> UInt32 { x ^ y ^ z }

@inline(__always) private func i(_ x: UInt32, _ y: UInt32, _ z: UInt32) -> UInt32 { y ^ (x | ~z) }

@inline(__always) private func step(
  _ a: inout UInt32, _ b: UInt32, _ mixed: UInt32, _ x: UInt32, _ t: UInt32, _ s: UInt32
) {
  let sum = a &+ mixed &+ x &+ t
  a = b &+ (sum &<< s | sum &>> (32 &- s))
}

/// The little-endian word at `offset`.
@inline(__always) @unsafe private func word(_ p: UnsafeRawPointer, _ offset: Int) -> UInt32 {
  // SAFETY: the caller vouches for a block of 64 bytes at `p`, `offset` ≤ 60.
  unsafe UInt32(littleEndian: p.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
}
