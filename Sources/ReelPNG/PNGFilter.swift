// Row filters. ISO/IEC 15948:2004 §9.

internal import ReelCore

/// A filter type, in the order of its number.
enum PNGFilter: UInt8 {
  case none, sub, up, average, paeth

  /// The predictor of Paeth from the byte to the left, above, and above left.
  @inline(__always)
  static func paeth(_ a: UInt8, _ b: UInt8, _ c: UInt8) -> UInt8 {
    let (x, y, z) = (Int16(a), Int16(b), Int16(c))
    let (pa, pb, pc) = ((y - z).magnitude, (x - z).magnitude, (x + y - z - z).magnitude)
    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c
  }

  /// `row` with this filter. `above` is the row before, zeros for the first; `step` bytes make a pixel.
  func filtered(
    _ array: [UInt8], above previous: [UInt8], step: Int, into result: inout [UInt8]
  ) {
    let row = array.span
    let above = previous.span
    var out = result.mutableSpan
    let n = row.count
    precondition(above.count == n && out.count == n && step > 0 && step <= n)
    switch self {
    case .none: for i in 0..<n { out[i] = row[i] }
    case .up: for i in 0..<n { out[i] = row[i] &- above[i] }
    case .sub:
      for i in 0..<step { out[i] = row[i] }
      for i in step..<n { out[i] = row[i] &- row[i &- step] }
    case .average:
      for i in 0..<step { out[i] = row[i] &- above[i] >> 1 }
      for i in step..<n {
        let mean = (UInt16(row[i &- step]) &+ UInt16(above[i])) >> 1
        out[i] = row[i] &- UInt8(truncatingIfNeeded: mean)
      }
    case .paeth:
      for i in 0..<step { out[i] = row[i] &- above[i] }
      for i in step..<n {
        out[i] = row[i] &- Self.paeth(row[i &- step], above[i], above[i &- step])
      }
    }
  }

  /// Takes this filter off `row`, in place.
  func removed(from row: inout [UInt8], above: [UInt8], step: Int) {
    switch self {
    case .none: break
    case .up: for i in row.indices { row[i] &+= above[i] }
    case .sub: for i in row.indices.dropFirst(step) { row[i] &+= row[i - step] }
    case .average:
      for i in row.indices {
        let left = i >= step ? UInt16(row[i - step]) : 0
        row[i] &+= UInt8((left + UInt16(above[i])) >> 1)
      }
    case .paeth:
      for i in row.indices {
        row[i] &+=
          i >= step ? Self.paeth(row[i - step], above[i], above[i - step]) : above[i]
      }
    }
  }

  /// A guess of how well a filtered row compresses: the sum of its bytes as signed magnitudes.
  static func cost(_ array: [UInt8]) -> Int {
    let row = array.span
    var sum: UInt32 = 0
    for i in row.indices { sum &+= UInt32(Int8(bitPattern: row[i]).magnitude) }
    return Int(sum)
  }
}
