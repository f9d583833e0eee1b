// Coverage of pixels by polygons.

internal import ReelCore

/// Computes how much of each pixel lies inside of polygons.
///
/// Corners are rounded to 1/4,096 of a pixel, as are the places where edges cross borders of pixels; the area
/// between them is exact, in integers. Each row keeps
/// for each pixel the signed height of the edges in it (`cover`) and the area to their left (`area`);
/// summing heights from the left gives the winding of every pixel. Where edges of one polygon cross inside of
/// a pixel, the areas of that pixel are summed with their signs.
struct Rasteriser {
  /// Units of a pixel.
  private static let bits: Int64 = 12
  private static let unit: Int64 = 1 << bits

  /// An edge from its upper to its lower end.
  private struct Edge {
    var x0, y0, x1, y1: Int64
    /// +1 where it goes down, −1 where it goes up.
    var winding: Int64
  }

  private let bounds: SampleRect
  private var edges: [Edge] = []
  private var cover: [Int64]
  private var area: [Int64]

  /// - Parameter bounds: pixels to compute.
  init(bounds: SampleRect) {
    self.bounds = bounds
    cover = [Int64](repeating: 0, count: bounds.width + 1)
    area = cover
  }

  mutating func add(_ path: FlatPath) {
    for subpath in path.subpaths where subpath.points.count > 1 {
      guard var last = subpath.points.last.map(Self.fixed) else { continue }
      for point in subpath.points {
        let here = Self.fixed(point)
        add(from: last, to: here)
        last = here
      }
    }
  }

  private static func fixed(_ point: FlatPath.Vector) -> SIMD2<Int64> {
    // Points are finite and within 2.5 · 10⁵, so that neither this nor a product of two can overflow.
    SIMD2(
      Int64((point.x * Double(unit)).rounded()), Int64((point.y * Double(unit)).rounded()))
  }

  private mutating func add(from a: SIMD2<Int64>, to b: SIMD2<Int64>) {
    guard a.y != b.y else { return }
    let isDown = a.y < b.y
    let (top, bottom) = isDown ? (a, b) : (b, a)
    // What lies above or below the bounds is not seen.
    guard bottom.y > Int64(bounds.y) * Self.unit,
      top.y < Int64(bounds.y + bounds.height) * Self.unit
    else { return }
    edges.append(Edge(x0: top.x, y0: top.y, x1: bottom.x, y1: bottom.y, winding: isDown ? 1 : -1))
  }

  /// Calls `body` with each row that may have coverage: its number and 0…255 for each pixel of the bounds.
  mutating func rows(_ rule: FillRule, _ body: (Int, [UInt8]) -> Void) {
    edges.sort { $0.y0 < $1.y0 }
    var active: [Int] = []
    var next = 0
    var coverage = [UInt8](repeating: 0, count: bounds.width)
    for y in bounds.y..<bounds.y + bounds.height {
      let (top, bottom) = (Int64(y) * Self.unit, Int64(y + 1) * Self.unit)
      while next < edges.count, edges[next].y0 < bottom {
        active.append(next)
        next += 1
      }
      active.removeAll { edges[$0].y1 <= top }
      if active.isEmpty {
        if next == edges.count { return }
        continue
      }
      for index in active { accumulate(edges[index], top: top, bottom: bottom) }
      sweep(rule, into: &coverage)
      body(y, coverage)
    }
  }

  /// x of an edge at a height, rounded down; the same for the row above and below.
  @inline(__always)
  private static func x(_ edge: Edge, at y: Int64) -> Int64 {
    if y <= edge.y0 { return edge.x0 }
    if y >= edge.y1 { return edge.x1 }
    return edge.x0 + floorDivide((edge.x1 - edge.x0) * (y - edge.y0), edge.y1 - edge.y0)
  }

  @inline(__always)
  private static func floorDivide(_ a: Int64, _ b: Int64) -> Int64 {
    let (quotient, remainder) = a.quotientAndRemainder(dividingBy: b)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// The part of an edge inside of a row.
  private mutating func accumulate(_ edge: Edge, top: Int64, bottom: Int64) {
    let (y0, y1) = (max(edge.y0, top), min(edge.y1, bottom))
    guard y0 < y1 else { return }
    let left = Int64(bounds.x) * Self.unit
    let right = Int64(bounds.x + bounds.width) * Self.unit
    let (x0, x1) = (Self.x(edge, at: y0), Self.x(edge, at: y1))
    if x0 >= right && x1 >= right { return }
    if x0 <= left && x1 <= left {
      // All of it lies to the left: it only winds.
      cover[0] &+= edge.winding &* (y1 - y0)
      return
    }
    if min(x0, x1) >= left && max(x0, x1) <= right {
      line(x0 - left, y0 - top, x1 - left, y1 - top, edge.winding)
      return
    }
    // Cut at the sides; what is outside moves to the side it is outside of.
    var cuts = [y0, y1]
    for side in [left, right] where min(x0, x1) < side && max(x0, x1) > side {
      cuts.append(y0 + Self.floorDivide((side - x0) * (y1 - y0), x1 - x0))
    }
    cuts.sort()
    for (a, b) in zip(cuts, cuts.dropFirst()) where a < b {
      let from = min(max(x0 + Self.floorDivide((x1 - x0) * (a - y0), y1 - y0), left), right)
      let to = min(max(x0 + Self.floorDivide((x1 - x0) * (b - y0), y1 - y0), left), right)
      line(from - left, a - top, to - left, b - top, edge.winding)
    }
  }

  /// A line inside of a row and the bounds, y0 < y1.
  private mutating func line(
    _ x0: Int64, _ y0: Int64, _ x1: Int64, _ y1: Int64, _ winding: Int64
  ) {
    let (first, last) = (Int(x0 >> Self.bits), Int(x1 >> Self.bits))
    if first == last {
      let inside = Int64(first) << Self.bits
      cell(first, x0 - inside, x1 - inside, y1 - y0, winding)
      return
    }
    // Column by column; the height at each border is rounded down, the last takes the rest.
    let step = first < last ? 1 : -1
    var (x, y) = (x0, y0)
    var column = first
    while column != last {
      let border = Int64(step > 0 ? column + 1 : column) << Self.bits
      let height = y0 + Self.floorDivide((border - x0) * (y1 - y0), x1 - x0)
      let inside = Int64(column) << Self.bits
      cell(column, x - inside, border - inside, height - y, winding)
      (x, y) = (border, height)
      column += step
    }
    let inside = Int64(column) << Self.bits
    cell(column, x - inside, x1 - inside, y1 - y, winding)
  }

  /// Adds a piece of an edge inside of one pixel: from x0 to x1 (0…4,096) over `height`.
  @inline(__always)
  private mutating func cell(
    _ column: Int, _ x0: Int64, _ x1: Int64, _ height: Int64, _ winding: Int64
  ) {
    let dy = winding &* height
    let index = min(column, bounds.width)
    cover[index] &+= dy
    // The area to the left of the piece, times two.
    area[index] &+= dy &* (x0 &+ x1)
  }

  /// Sums a row from the left and clears it.
  private mutating func sweep(_ rule: FillRule, into coverage: inout [UInt8]) {
    var sum: Int64 = 0
    for x in 0..<bounds.width {
      let (c, a) = (cover[x], area[x])
      let doubled = (sum &+ c) &* (2 * Self.unit) &- a
      sum &+= c
      coverage[x] = Self.coverage(doubled, rule)
      cover[x] = 0
      area[x] = 0
    }
    cover[bounds.width] = 0
    area[bounds.width] = 0
  }

  /// 0…255 of a pixel's doubled area, of which 2²⁵ is the whole pixel.
  @inline(__always)
  private static func coverage(_ doubled: Int64, _ rule: FillRule) -> UInt8 {
    let whole: UInt64 = 1 << 25
    var value = doubled.magnitude
    if rule == .evenOdd {
      value &= 2 * whole - 1
      if value > whole { value = 2 * whole - value }
    }
    // Rounded to the nearest of 255.
    return UInt8(truncatingIfNeeded: (min(value, whole) &* 255 &+ whole / 2) >> 25)
  }
}
