// The arithmetic encoding engine. ISO/IEC 14496-10:2020 §9.3.4.2 to §9.3.4.5 (informative).

/// Tables of the engine, lent by the tests of the decoder, whose vectors check them.
public struct CABACEngineTables: Sendable {
  /// rangeTabLPS by pStateIdx · 4 + qCodIRangeIdx. Table 9-44.
  public let rangeLPS: [UInt8]
  /// transIdxLPS by pStateIdx. Table 9-45.
  public let transitionLPS: [UInt8]

  public init(rangeLPS: [UInt8], transitionLPS: [UInt8]) {
    precondition(rangeLPS.count == 256 && transitionLPS.count == 64, "64 states")
    (self.rangeLPS, self.transitionLPS) = (rangeLPS, transitionLPS)
  }
}

/// Turns bins into bits.
struct CABACEncoder {
  private(set) var bits: BitWriter
  private let tables: CABACEngineTables
  /// pStateIdx · 2 + valMPS of each ctxIdx.
  private var states: [UInt8]
  /// codILow, 10 bits between bins.
  private var low = 0
  /// codIRange, 256…510 between bins.
  private var range = 510
  private var isFirstBit = true
  private var outstandingBits = 0

  /// Starts behind a slice header: cabac_alignment_one_bit first.
  init(behind bits: BitWriter, _ tables: CABACEngineTables, contexts: [UInt8]) {
    self.bits = bits
    while self.bits.bitCount % 8 != 0 { self.bits.writeFlag(true) }
    (self.tables, states) = (tables, contexts)
  }

  /// EncodeDecision. Figure 9-33.
  mutating func encode(_ bin: Int, context: Int) {
    let state = Int(states[context] >> 1)
    let mostProbable = Int(states[context] & 1)
    let rangeLPS = Int(tables.rangeLPS[4 * state + (range >> 6 & 3)])
    range -= rangeLPS
    if bin != mostProbable {
      low += range
      range = rangeLPS
      let value = state == 0 ? 1 - mostProbable : mostProbable
      states[context] = tables.transitionLPS[state] << 1 | UInt8(value)
    } else if state < 62 {
      states[context] += 2
    }
    renormalize()
  }

  /// EncodeBypass. Figure 9-36.
  mutating func encodeBypass(_ bin: Int) {
    low <<= 1
    if bin != 0 { low += range }
    if low >= 1024 {
      put(1)
      low -= 1024
    } else if low < 512 {
      put(0)
    } else {
      low -= 512
      outstandingBits += 1
    }
  }

  /// EncodeFlush behind a bin of 1, or nothing but the bin. Figures 9-37 and 9-38. The last bit that a flush
  /// writes is the stop bit where a slice ends.
  mutating func encodeTerminate(_ bin: Int) {
    range -= 2
    guard bin != 0 else { return renormalize() }
    low += range
    range = 2
    renormalize()
    put(low >> 9 & 1)
    bits.write(UInt64(low >> 7 & 3 | 1), bits: 2)
  }

  /// pcm samples at the next whole byte, behind a terminating bin of 1; then the engine starts again.
  mutating func write(samples: [UInt8]) {
    bits.alignToByte()
    for sample in samples { bits.write(UInt64(sample), bits: 8) }
    (low, range, isFirstBit, outstandingBits) = (0, 510, true, 0)
  }

  /// RenormE. Figure 9-34.
  private mutating func renormalize() {
    while range < 256 {
      if low < 256 {
        put(0)
      } else if low >= 512 {
        low -= 512
        put(1)
      } else {
        low -= 256
        outstandingBits += 1
      }
      range <<= 1
      low <<= 1
    }
  }

  /// PutBit. Figure 9-35.
  private mutating func put(_ bit: Int) {
    if isFirstBit { isFirstBit = false } else { bits.writeFlag(bit == 1) }
    while outstandingBits > 0 {
      bits.writeFlag(bit == 0)
      outstandingBits -= 1
    }
  }
}
