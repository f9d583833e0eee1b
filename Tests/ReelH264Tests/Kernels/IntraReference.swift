/// Intra prediction written straight from the formulas of ISO/IEC 14496-10:2020 §8.3, sample by
/// sample, on p[x, y] as the standard names it. nil: not available.
struct IntraReference {
  /// p[x, −1] for x −1…; index 0 is the corner.
  var above: [Int?]
  /// p[−1, y] for y 0….
  var left: [Int?]
  let bitDepth: Int

  func p(_ x: Int, _ y: Int) -> Int {
    let sample = y == -1 ? above[x + 1] : left[y]
    guard let sample else { return 1 << 20 }  // a use of it cannot go unnoticed
    return sample
  }

  func isAvailable(_ x: Int, _ y: Int) -> Bool { (y == -1 ? above[x + 1] : left[y]) != nil }

  /// §8.3.1.2.1…9 (n = 4) and §8.3.2.2.2…10 (n = 8).
  func block(mode: Int, n: Int) -> [[Int]] {
    (0..<n).map { y in (0..<n).map { x in sample(mode: mode, n: n, x, y) } }
  }

  private func three(_ a: Int, _ b: Int, _ c: Int) -> Int { (a + 2 * b + c + 2) >> 2 }
  private func two(_ a: Int, _ b: Int) -> Int { (a + b + 1) >> 1 }

  private func sample(mode: Int, n: Int, _ x: Int, _ y: Int) -> Int {
    switch mode {
    case 0: return p(x, -1)
    case 1: return p(-1, y)
    case 2:
      let top = (0..<n).allSatisfy { isAvailable($0, -1) }
      let side = (0..<n).allSatisfy { isAvailable(-1, $0) }
      let sumTop = top ? (0..<n).map { p($0, -1) }.reduce(0, +) : 0
      let sumSide = side ? (0..<n).map { p(-1, $0) }.reduce(0, +) : 0
      if top && side { return (sumTop + sumSide + n) / (2 * n) }
      if top || side { return (sumTop + sumSide + n / 2) / n }
      return 1 << (bitDepth - 1)
    case 3:
      if x == n - 1 && y == n - 1 {
        return (p(2 * n - 2, -1) + 3 * p(2 * n - 1, -1) + 2) >> 2
      }
      return three(p(x + y, -1), p(x + y + 1, -1), p(x + y + 2, -1))
    case 4:
      if x > y { return three(p(x - y - 2, -1), p(x - y - 1, -1), p(x - y, -1)) }
      if x < y {
        return three(y - x - 2 < 0 ? p(-1, -1) : p(-1, y - x - 2), p(-1, y - x - 1), p(-1, y - x))
      }
      return three(p(0, -1), p(-1, -1), p(-1, 0))
    case 5: return verticalRight(x, y)
    case 6: return horizontalDown(x, y)
    case 7:
      let i = x + (y >> 1)
      return y % 2 == 0 ? two(p(i, -1), p(i + 1, -1)) : three(p(i, -1), p(i + 1, -1), p(i + 2, -1))
    default:
      let z = x + 2 * y
      let i = y + (x >> 1)
      if z > 2 * n - 3 { return p(-1, n - 1) }
      if z == 2 * n - 3 { return (p(-1, n - 2) + 3 * p(-1, n - 1) + 2) >> 2 }
      return z % 2 == 0 ? two(p(-1, i), p(-1, i + 1)) : three(p(-1, i), p(-1, i + 1), p(-1, i + 2))
    }
  }

  /// p of the left column where y may be −1, the corner.
  private func side(_ y: Int) -> Int { y < 0 ? p(-1, -1) : p(-1, y) }

  private func verticalRight(_ x: Int, _ y: Int) -> Int {
    let z = 2 * x - y
    let i = x - (y >> 1)
    if z >= 0 && z % 2 == 0 { return two(p(i - 1, -1), p(i, -1)) }
    if z >= 0 { return three(p(i - 2, -1), p(i - 1, -1), p(i, -1)) }
    if z == -1 { return three(p(-1, 0), p(-1, -1), p(0, -1)) }
    return three(side(y - 2 * x - 1), side(y - 2 * x - 2), side(y - 2 * x - 3))
  }

  private func horizontalDown(_ x: Int, _ y: Int) -> Int {
    let z = 2 * y - x
    let i = y - (x >> 1)
    if z >= 0 && z % 2 == 0 { return two(side(i - 1), side(i)) }
    if z >= 0 {
      return three(i - 2 < 0 ? (i == 1 ? p(-1, -1) : p(0, -1)) : side(i - 2), side(i - 1), side(i))
    }
    if z == -1 { return three(p(-1, 0), p(-1, -1), p(0, -1)) }
    return three(p(x - 2 * y - 1, -1), p(x - 2 * y - 2, -1), p(x - 2 * y - 3, -1))
  }

  /// §8.3.2.2.1 for n = 8.
  func filtered() -> IntraReference {
    var out = self
    let hasTop = isAvailable(0, -1)
    let hasLeft = isAvailable(-1, 0)
    let hasCorner = isAvailable(-1, -1)
    if hasTop {
      out.above[1] =
        hasCorner ? three(p(-1, -1), p(0, -1), p(1, -1)) : (3 * p(0, -1) + p(1, -1) + 2) >> 2
      for x in 1...14 { out.above[x + 1] = three(p(x - 1, -1), p(x, -1), p(x + 1, -1)) }
      out.above[16] = (p(14, -1) + 3 * p(15, -1) + 2) >> 2
    }
    if hasCorner {
      switch (hasTop, hasLeft) {
      case (true, true): out.above[0] = three(p(0, -1), p(-1, -1), p(-1, 0))
      case (true, false): out.above[0] = (3 * p(-1, -1) + p(0, -1) + 2) >> 2
      case (false, true): out.above[0] = (3 * p(-1, -1) + p(-1, 0) + 2) >> 2
      case (false, false): break
      }
    }
    if hasLeft {
      out.left[0] =
        hasCorner ? three(p(-1, -1), p(-1, 0), p(-1, 1)) : (3 * p(-1, 0) + p(-1, 1) + 2) >> 2
      for y in 1...6 { out.left[y] = three(p(-1, y - 1), p(-1, y), p(-1, y + 1)) }
      out.left[7] = (p(-1, 6) + 3 * p(-1, 7) + 2) >> 2
    }
    return out
  }

  private func clip(_ value: Int) -> Int { min(max(value, 0), (1 << bitDepth) - 1) }

  /// §8.3.3.4.
  func plane16x16() -> [[Int]] {
    let h = (0...7).map { ($0 + 1) * (p(8 + $0, -1) - p(6 - $0, -1)) }.reduce(0, +)
    let v = (0...7).map { ($0 + 1) * (p(-1, 8 + $0) - side(6 - $0)) }.reduce(0, +)
    let a = 16 * (p(-1, 15) + p(15, -1))
    let b = (5 * h + 32) >> 6
    let c = (5 * v + 32) >> 6
    return (0..<16).map { y in
      (0..<16).map { x in clip((a + b * (x - 7) + c * (y - 7) + 16) >> 5) }
    }
  }

  /// §8.3.4.4 with chroma_format_idc 1 (height 8) or 2 (height 16).
  func chromaPlane(height: Int) -> [[Int]] {
    let yCF = height == 16 ? 4 : 0
    let h = (0...3).map { ($0 + 1) * (p(4 + $0, -1) - p(2 - $0, -1)) }.reduce(0, +)
    let v = (0...3 + yCF).map { ($0 + 1) * (p(-1, 4 + yCF + $0) - side(2 + yCF - $0)) }
      .reduce(0, +)
    let a = 16 * (p(-1, height - 1) + p(7, -1))
    let b = (34 * h + 32) >> 6
    let c = ((34 - 29 * (height == 16 ? 1 : 0)) * v + 32) >> 6
    return (0..<height).map { y in
      (0..<8).map { x in clip((a + b * (x - 3) + c * (y - 3 - yCF) + 16) >> 5) }
    }
  }

  /// §8.3.4.1…3.
  func chromaDC(height: Int) -> [[Int]] {
    (0..<height).map { y in
      (0..<8).map { x in
        let xO = x / 4 * 4
        let yO = y / 4 * 4
        let top = (0..<4).map { above[xO + $0 + 1] }
        let side = (0..<4).map { left[yO + $0] }
        let topSum = top.contains(nil) ? nil : top.compactMap { $0 }.reduce(0, +)
        let sideSum = side.contains(nil) ? nil : side.compactMap { $0 }.reduce(0, +)
        if (xO == 0 && yO == 0) || (xO > 0 && yO > 0) {
          if let topSum, let sideSum { return (topSum + sideSum + 4) >> 3 }
        }
        let order = xO > 0 && yO == 0 ? [topSum, sideSum] : [sideSum, topSum]
        guard let sum = order[0] ?? order[1] else { return 1 << (bitDepth - 1) }
        return (sum + 2) >> 2
      }
    }
  }
}
