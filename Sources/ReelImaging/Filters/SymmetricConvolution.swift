// Sums of a sample's neighbours, weighed alike on both sides.

internal import ReelCore

/// A curve that is even, over columns and then over rows, in 16-bit integers; edges repeat.
///
/// Column sums have 15 bits, whatever the samples have; each product loses its lower 16 bits, and half a unit
/// for each makes up for the mean of that. Results are within ¾ of a code of up to 12 bits from the exact ones.
/// The loops are written so that the compiler makes vectors of them; there is no other kernel.
struct SymmetricConvolution: Sendable {
  /// Weights 0, 1, 2, … samples from the centre, in units of 2⁻¹⁶.
  let across, down: [UInt16]
  /// Bits of a sample, at most 14.
  let bits: Int
  /// Largest result.
  let maximum: Int

  static let largestDepth = 14

  /// `across`, `down`: weights from the centre outwards, which sum to 1 with both sides.
  init(across: [Double], down: [Double], bits: Int, maximum: Int) {
    precondition((1...Self.largestDepth).contains(bits))
    self.across = Self.integers(across)
    self.down = Self.integers(down)
    self.bits = bits
    self.maximum = maximum
  }

  /// The nearest integers; the centre takes what rounding leaves, so that a flat picture stays flat.
  private static func integers(_ weights: [Double]) -> [UInt16] {
    var result = weights.map { Int(($0 * 65_536).rounded()) }
    result[0] = 65_536 - 2 * result.dropFirst().reduce(0, +)
    return result.map { UInt16(min(max($0, 0), 65_535)) }
  }

  /// A part of a plane.
  struct Part {
    let x, y, width, height: Int
  }

  /// Writes the rows `band` of the result for `part` of `plane` to the first columns of `target`.
  func run<S: PictureSample>(
    _ plane: borrowing SamplePlane<S>, _ part: Part, into target: borrowing SamplePlane<S>,
    band: Range<Int>
  ) {
    let lead = across.count - 1
    var sums = [UInt16](repeating: 0, count: part.width)
    var wide = [UInt16](repeating: 0, count: part.width + 2 * lead)
    var result = sums
    func offset(_ row: Int) -> Int {
      (part.y + min(max(row, 0), part.height - 1)) * plane.stride + part.x
    }
    for y in band {
      plane.withSamples(at: offset(y), count: part.width) {
        weighColumn($0, $0, into: &sums, 0, factor: down[0])
      }
      for k in 1..<max(down.count, 1) {
        plane.withSamples(at: offset(y - k), count: part.width) { above in
          plane.withSamples(at: offset(y + k), count: part.width) { below in
            weighColumn(above, below, into: &sums, k, factor: down[k])
          }
        }
      }
      Self.widen(sums, into: &wide, lead: lead)
      for k in across.indices { weighRow(wide, into: &result, k) }
      target.withMutableSamples(at: y * target.stride, count: part.width) {
        store(result, into: &$0)
      }
    }
  }

  /// Adds the product of two rows' samples; the centre's row counts once.
  @inline(never)
  private func weighColumn<S: PictureSample>(
    _ above: Span<S>, _ below: Span<S>, into array: inout [UInt16], _ k: Int,
    factor: UInt16
  ) {
    var row = array.mutableSpan
    let n = row.count
    precondition(above.count >= n && below.count >= n)
    // As lanes of a vector, of which the compiler knows no bits: it then multiplies 16 bits.
    let number = SIMD2<UInt16>(factor, 0)
    let shift = UInt16(truncatingIfNeeded: 15 - bits)
    if k == 0 {
      let start = UInt16(truncatingIfNeeded: down.count / 2)
      for x in 0..<n {
        let sum = UInt16(truncatingIfNeeded: above[x]) &<< shift
        row[x] = start &+ Self.high(sum | number[1], number[0])
      }
    } else {
      for x in 0..<n {
        let sum = (UInt16(truncatingIfNeeded: above[x]) &+ UInt16(truncatingIfNeeded: below[x]))
        row[x] &+= Self.high(sum &<< shift | number[1], number[0])
      }
    }
  }

  /// Limits column sums to 15 bits and repeats the edges.
  private static func widen(_ array: [UInt16], into wider: inout [UInt16], lead: Int) {
    let sums = array.span
    var row = wider.mutableSpan
    let n = sums.count
    precondition(row.count >= n + 2 * lead)
    for x in 0..<n { row[x &+ lead] = min(sums[x], 32_767) }
    for x in 0..<lead {
      row[x] = row[lead]
      row[lead &+ n &+ x] = row[lead &+ n &- 1]
    }
  }

  @inline(never)
  private func weighRow(_ array: [UInt16], into result: inout [UInt16], _ k: Int) {
    let lead = across.count - 1
    var row = result.mutableSpan
    let n = row.count
    let left = array.span.extracting(lead - k..<lead - k + n)
    let right = array.span.extracting(lead + k..<lead + k + n)
    let factor = across[k]
    if k == 0 {
      // Half a code as well.
      let start = UInt16(truncatingIfNeeded: across.count / 2 + 1 << (14 - bits))
      for x in 0..<n { row[x] = start &+ Self.high(left[x], factor) }
    } else {
      for x in 0..<n { row[x] &+= Self.high(left[x] &+ right[x], factor) }
    }
  }

  private func store<S: PictureSample>(_ array: [UInt16], into target: inout MutableSpan<S>) {
    let row = array.span
    let n = target.count
    precondition(row.count >= n)
    let shift = UInt16(truncatingIfNeeded: 15 - bits)
    let limit = UInt16(truncatingIfNeeded: maximum)
    for x in 0..<n { target[x] = S(truncatingIfNeeded: min(row[x] &>> shift, limit)) }
  }

  @inline(__always)
  private static func high(_ a: UInt16, _ b: UInt16) -> UInt16 {
    UInt16(
      truncatingIfNeeded: (UInt32(truncatingIfNeeded: a) &* UInt32(truncatingIfNeeded: b)) &>> 16)
  }
}
