// Scan orders. ISO/IEC 23008-2:2020 §6.5.3 to §6.5.5.

/// Positions in scan order, x in the low four bits and y above: y · 16 + x.
enum ScanTables {
  /// Up-right diagonal 2×2, 4×4 and 8×8, horizontal and vertical 4×4 and 2×2, and 8×2 of horizontal
  /// sub-blocks, made by the rules of §6.5.3 to §6.5.5.
  static let all: ScanOrders = ScanOrders()

  /// Place of (x, y) in the diagonal order of a 4×4 block.
  static func diagonalIndex4(_ x: Int, _ y: Int) -> Int {
    ScanOrders.diagonal(2).firstIndex(of: UInt8(y << 4 | x)) ?? 0
  }

  /// Place of (x, y) in the diagonal order of an 8×8 block.
  static func diagonalIndex8(_ x: Int, _ y: Int) -> Int { Int(inverse8[y << 3 | x]) }

  private static let inverse8: [UInt8] = {
    var inverse = [UInt8](repeating: 0, count: 64)
    for (i, position) in ScanOrders.diagonal(3).enumerated() {
      inverse[Int(position >> 4) << 3 | Int(position & 15)] = UInt8(i)
    }
    return inverse
  }()
}

/// ScanOrder of every block size and scanIdx that residuals use.
final class ScanOrders: Sendable {
  /// At ((log2 size) · 3 + scanIdx) · 64: positions as y · 16 + x; log2 size 0…3.
  let positions: [UInt8]

  init() {
    var positions: [UInt8] = []
    for log2Size in 0..<4 {
      for order in [
        Self.diagonal(log2Size), Self.horizontal(log2Size), Self.vertical(log2Size),
      ] {
        positions += order + [UInt8](repeating: 0, count: 64 - order.count)
      }
    }
    self.positions = positions
  }

  /// §6.5.3.
  static func diagonal(_ log2Size: Int) -> [UInt8] {
    let size = 1 << log2Size
    var order: [UInt8] = []
    for sum in 0..<2 * size - 1 {
      for x in 0..<size where sum - x >= 0 && sum - x < size {
        order.append(UInt8((sum - x) << 4 | x))
      }
    }
    return order
  }

  /// §6.5.4.
  static func horizontal(_ log2Size: Int) -> [UInt8] {
    let size = 1 << log2Size
    return (0..<size * size).map { UInt8(($0 / size) << 4 | $0 % size) }
  }

  /// §6.5.5.
  static func vertical(_ log2Size: Int) -> [UInt8] {
    let size = 1 << log2Size
    return (0..<size * size).map { UInt8(($0 % size) << 4 | $0 / size) }
  }
}
