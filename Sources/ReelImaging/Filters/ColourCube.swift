// Tables of colours over red, green and blue.

public import ReelCore

/// A cube of colours with linear interpolation along its three axes.
public struct ColourCube: Sendable, Hashable {
  /// Entries along an edge, 2…129.
  public let dimension: Int
  /// Red, green, blue of each entry; red varies fastest, blue slowest.
  let entries: [SIMD4<Float>]

  /// Most entries along an edge: 129 of Core Image's 128 and of common files.
  static let largestDimension = 129

  /// - Parameter values: three numbers for each entry.
  /// - Throws: `.damaged` unless there are as many numbers as entries need, all finite.
  public init(dimension: Int, values: [Float]) throws(MediaError) {
    guard (2...Self.largestDimension).contains(dimension),
      values.count == 3 * dimension * dimension * dimension,
      values.allSatisfy(\.isFinite)
    else {
      throw MediaError(
        .damaged, .cubeData, detail: "\(values.count) numbers for \(dimension) entries an edge")
    }
    self.dimension = dimension
    entries = stride(from: 0, to: values.count, by: 3).map { i in
      SIMD4(values[i], values[i + 1], values[i + 2], 0)
    }
  }

  /// As Core Image has it: red, green, blue, alpha of each entry as 32-bit floats, little-endian,
  /// premultiplied. Pictures are opaque, so that the colours count as they stand.
  public init(dimension: Int, data: [UInt8]) throws(MediaError) {
    let count = dimension * dimension * dimension
    guard (2...Self.largestDimension).contains(dimension), data.count == count * 16 else {
      throw MediaError(
        .damaged, .cubeData, detail: "\(data.count) bytes for \(dimension) entries an edge",
        advice: "an entry has four 32-bit floats")
    }
    var values: [Float] = []
    values.reserveCapacity(count * 3)
    for entry in 0..<count {
      for part in 0..<3 {
        let at = entry * 16 + part * 4
        let bits =
          UInt32(data[at]) | UInt32(data[at + 1]) << 8 | UInt32(data[at + 2]) << 16
          | UInt32(data[at + 3]) << 24
        values.append(Float(bitPattern: bits))
      }
    }
    try self.init(dimension: dimension, values: values)
  }

  func apply(_ rows: inout RGBRows) {
    let entries = entries.span
    let last = dimension - 1
    let scale = Float(last)
    let plane = dimension * dimension
    @inline(__always)
    func place(_ x: Float) -> (index: Int, weight: Float) {
      let low = x > 0 ? x : 0
      let position = (low < 1 ? low : 1) * scale
      let index = min(Int(UInt32(position)), last - 1)
      return (index, position - Float(index))
    }
    for i in 0..<rows.count {
      let (r, wr) = place(rows.r[i])
      let (g, wg) = place(rows.g[i])
      let (b, wb) = place(rows.b[i])
      let base = r &+ g &* dimension &+ b &* plane
      @inline(__always)
      func edge(_ offset: Int) -> SIMD4<Float> {
        let low = entries[offset]
        return low + (entries[offset &+ 1] - low) * wr
      }
      let front0 = edge(base)
      let front = front0 + (edge(base &+ dimension) - front0) * wg
      let back0 = edge(base &+ plane)
      let back = back0 + (edge(base &+ plane &+ dimension) - back0) * wg
      let colour = front + (back - front) * wb
      rows.r[i] = colour.x
      rows.g[i] = colour.y
      rows.b[i] = colour.z
    }
  }

  /// The cube as parameters of `CIColorCube`.
  public var filter: FilterDescription {
    var data: [UInt8] = []
    data.reserveCapacity(entries.count * 16)
    for entry in entries {
      for part in [entry.x, entry.y, entry.z, 1] {
        let bits = part.bitPattern
        for shift in [0, 8, 16, 24] as [UInt32] {
          data.append(UInt8(truncatingIfNeeded: bits >> shift))
        }
      }
    }
    return FilterDescription(
      "CIColorCube",
      [
        FilterParameter("inputCubeDimension", .number(Double(dimension))),
        FilterParameter("inputCubeData", .data(data)),
      ])
  }
}
