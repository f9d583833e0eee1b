// The weights of four rows.

internal import ReelCore

/// Up to four rows of 8-bit samples weighed and added in 16-bit integers.
///
/// A product is the upper half of (sample · 2⁸ ⊕ mask) times |weight| · 2¹⁵. The mask turns samples with negative
/// weights, which count down from 255; a constant takes that back. So no factor has a sign, and the compiler
/// multiplies 16 bits, as long as it knows nothing of their bits: hence a mask for every row.
struct RowGroup: Sendable {
  /// Four factors, four masks, what the sums start with.
  let numbers: SIMD16<UInt16>

  private static let low: UInt16 = 64

  /// The groups of each output row of `table`, one row after the other.
  static func all(of table: ScaleTable) -> [RowGroup] {
    let taps = table.tapCount
    return (0..<table.outputCount).flatMap { y in
      let weights = (0..<(taps + 3) / 4 * 4).map { k in
        k < taps ? Int(table.weights[y * taps + k]) : 0
      }
      return stride(from: 0, to: weights.count, by: 4).map { first in
        RowGroup(Array(weights[first..<first + 4]), all: first == 0 ? weights : [])
      }
    }
  }

  /// `weights` in units of 2⁻¹⁴; `all`: those of all groups, for the one that starts a sum.
  private init(_ weights: [Int], all: [Int]) {
    var numbers = SIMD16<UInt16>()
    for k in 0..<4 {
      numbers[k] = UInt16(2 * abs(weights[k]))
      numbers[4 + k] = (weights[k] < 0 ? 0xFF00 : 0) | Self.low
    }
    // From the middle code; half of what each product loses at most; without what flips and low bits add.
    var start = -16_384.0
    for weight in all where weight != 0 {
      start += 0.5 - Double(2 * abs(weight)) * Double(Self.low) / 65_536
      if weight < 0 { start += Double(255 * 2 * weight) / 256 }
    }
    numbers[8] = UInt16(truncatingIfNeeded: Int(start.rounded()))
    self.numbers = numbers
  }

  @inline(__always)
  private static func product(_ code: UInt8, _ factor: UInt16, _ mask: UInt16) -> UInt16 {
    let wide = UInt16(truncatingIfNeeded: code) &<< 8 ^ mask
    return UInt16(
      truncatingIfNeeded: (UInt32(truncatingIfNeeded: wide) &* UInt32(truncatingIfNeeded: factor))
        &>> 16)
  }

  /// Adds the four rows' products to `sums`, or starts with them.
  func add(
    _ a: Span<UInt8>, _ b: Span<UInt8>, _ c: Span<UInt8>, _ d: Span<UInt8>,
    to sums: inout MutableSpan<UInt16>, isFirst: Bool
  ) {
    if numbers[2] == 0 && numbers[3] == 0 && !isFirst {
      Self.addTwo(a, b, to: &sums, numbers)
    } else if isFirst {
      Self.start(a, b, c, d, &sums, numbers)
    } else {
      Self.addFour(a, b, c, d, to: &sums, numbers)
    }
  }

  @inline(never)
  private static func start(
    _ a: Span<UInt8>, _ b: Span<UInt8>, _ c: Span<UInt8>, _ d: Span<UInt8>,
    _ sums: inout MutableSpan<UInt16>, _ k: SIMD16<UInt16>
  ) {
    let n = sums.count
    precondition(a.count >= n && b.count >= n && c.count >= n && d.count >= n)
    for x in 0..<n {
      sums[x] =
        k[8] &+ product(a[x], k[0], k[4]) &+ product(b[x], k[1], k[5])
        &+ product(c[x], k[2], k[6]) &+ product(d[x], k[3], k[7])
    }
  }

  @inline(never)
  private static func addFour(
    _ a: Span<UInt8>, _ b: Span<UInt8>, _ c: Span<UInt8>, _ d: Span<UInt8>,
    to sums: inout MutableSpan<UInt16>, _ k: SIMD16<UInt16>
  ) {
    let n = sums.count
    precondition(a.count >= n && b.count >= n && c.count >= n && d.count >= n)
    for x in 0..<n {
      sums[x] &+=
        product(a[x], k[0], k[4]) &+ product(b[x], k[1], k[5])
        &+ product(c[x], k[2], k[6]) &+ product(d[x], k[3], k[7])
    }
  }

  @inline(never)
  private static func addTwo(
    _ a: Span<UInt8>, _ b: Span<UInt8>, to sums: inout MutableSpan<UInt16>, _ k: SIMD16<UInt16>
  ) {
    let n = sums.count
    precondition(a.count >= n && b.count >= n)
    for x in 0..<n {
      sums[x] &+= product(a[x], k[0], k[4]) &+ product(b[x], k[1], k[5])
    }
  }

  /// The plain twin of `add`.
  func addPlainly(
    _ a: Span<UInt8>, _ b: Span<UInt8>, _ c: Span<UInt8>, _ d: Span<UInt8>,
    to sums: inout MutableSpan<UInt16>, isFirst: Bool
  ) {
    for x in sums.indices {
      var sum = isFirst ? Int(Int16(bitPattern: numbers[8])) : Int(sums[x])
      for (k, code) in [a[x], b[x], c[x], d[x]].enumerated() {
        let sample = numbers[4 + k] < 0xFF00 ? Int(code) : 255 - Int(code)
        sum += (sample * 256 + Int(Self.low)) * Int(numbers[k]) / 65_536
      }
      sums[x] = UInt16(truncatingIfNeeded: sum)
    }
  }
}
