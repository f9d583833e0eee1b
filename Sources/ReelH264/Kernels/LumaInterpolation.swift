// Luma samples at quarter positions. ISO/IEC 14496-10:2020 §8.4.2.2.1.

import ReelCore

/// Blocks of a reference picture with the neighbourhood their filter needs.
enum ReferenceFetch {
  /// Calls `body` with a window whose first sample is the one at column `x`, row `y` of `reference`;
  /// samples outside the picture repeat its border (§8.4.2.2.1, (8-229), (8-230)).
  ///
  /// The window is the picture's own memory where it can be, else a copy on the stack.
  ///
  /// - Parameters:
  ///   - columns: 1…24 samples that must be right.
  ///   - rows: 1…21.
  ///   - readable: columns that `body` may read, `columns`…24; those past `columns` have any value.
  @inline(__always)
  static func withWindow<S: PictureSample>(
    _ reference: PlaneView<S>, x: Int, y: Int, columns: Int, rows: Int, readable: Int,
    _ body: (PlaneWindow<S>) -> Void
  ) {
    if x >= 0 && y >= 0 && x <= reference.width &- columns && y <= reference.height &- rows {
      let at = y &* reference.stride &+ x
      if at &+ (rows &- 1) &* reference.stride &+ readable <= reference.count {
        body(reference.window(at: at, stride: reference.stride, columns: readable, rows: rows))
        return
      }
    }
    PlaneWindow<S>.withTemporary(columns: 24, rows: 21) { copy in
      copyClamped(reference, x: x, y: y, columns: columns, rows: rows, to: copy)
      body(copy)
    }
  }

  /// Fills `copy` with the samples around (`x`, `y`), each coordinate limited to the picture.
  @inline(never)
  static func copyClamped<S: PictureSample>(
    _ reference: PlaneView<S>, x: Int, y: Int, columns: Int, rows: Int, to copy: PlaneWindow<S>
  ) {
    let lastColumn = max(reference.width &- 1, 0)
    let lastRow = max(reference.height &- 1, 0)
    // A block that lies wholly outside looks the same at any distance; this keeps sums small.
    let x = min(max(x, -64), lastColumn &+ 64)
    let y = min(max(y, -64), lastRow &+ 64)
    for row in 0..<rows {
      let line = min(max(y &+ row, 0), lastRow) &* reference.stride
      for column in 0..<columns {
        copy[row, column] = reference[line &+ min(max(x &+ column, 0), lastColumn)]
      }
    }
  }
}

extension PlainKernels {
  static func predictLuma(
    _ dst: PlaneView<S>, at: Int, stride: Int, from reference: PlaneView<S>, x: Int, y: Int,
    width: Int, height: Int, maximum: Int32
  ) {
    if width > 8 {
      // The intermediate matrix of eight columns is the largest that fits the stack.
      for column in Swift.stride(from: 0, to: width, by: 8) {
        predictLuma(
          dst, at: at &+ column, stride: stride, from: reference, x: x &+ 4 &* column, y: y,
          width: 8, height: height, maximum: maximum)
      }
      return
    }
    let block = dst.window(at: at, stride: stride, columns: width, rows: height)
    let xFraction = x & 3
    let yFraction = y & 3
    ReferenceFetch.withWindow(
      reference, x: (x >> 2) &- 2, y: (y >> 2) &- 2, columns: width &+ 5, rows: height &+ 5,
      readable: width &+ 5
    ) { source in
      // With a constant width the compiler makes vectors of the inner loops.
      if width == 8 {
        let s = source.part(columns: 13, rows: height &+ 5)
        interpolate(block.part(columns: 8, rows: height), s, 8, xFraction, yFraction, maximum)
      } else {
        let s = source.part(columns: 9, rows: height &+ 5)
        interpolate(block.part(columns: 4, rows: height), s, 4, xFraction, yFraction, maximum)
      }
    }
  }

  /// Row `dy`, column `dx` of the full-sample block is at row `dy` + 2, column `dx` + 2 of `source`.
  @inline(always)
  private static func interpolate(
    _ block: PlaneWindow<S>, _ s: PlaneWindow<S>, _ width: Int, _ xFraction: Int,
    _ yFraction: Int, _ maximum: Int32
  ) {
    let row = 2 &+ (yFraction >> 1)
    let column = 2 &+ (xFraction >> 1)
    switch (xFraction, yFraction) {
    case (0, 0):
      for y in 0..<block.rows {
        for x in 0..<width { block[y, x] = s[y &+ 2, x &+ 2] }
      }
    case (_, 0):
      // b; a and c average it with the sample nearest to them.
      for y in 0..<block.rows {
        for x in 0..<width {
          let b = across(s, x, y &+ 2, maximum)
          let full = xFraction == 2 ? b : Int32(s[y &+ 2, x &+ column])
          block[y, x] = mean(b, full)
        }
      }
    case (0, _):
      // h; d and n.
      for y in 0..<block.rows {
        for x in 0..<width {
          let h = down(s, x &+ 2, y, maximum)
          let full = yFraction == 2 ? h : Int32(s[y &+ row, x &+ 2])
          block[y, x] = mean(h, full)
        }
      }
    case (2, _), (_, 2): centre(block, s, width, xFraction, yFraction, maximum)
    default:
      // e, g, p, r.
      for y in 0..<block.rows {
        for x in 0..<width {
          block[y, x] = mean(
            across(s, x, y &+ row, maximum), down(s, x &+ column, y, maximum))
        }
      }
    }
  }

  /// j, and f, i, k, q which average j with the half sample nearest to them.
  @inline(always)
  private static func centre(
    _ block: PlaneWindow<S>, _ s: PlaneWindow<S>, _ width: Int, _ xFraction: Int,
    _ yFraction: Int, _ maximum: Int32
  ) {
    PlaneWindow<Int32>.withTemporary(columns: 8, rows: 21) { sums in
      for y in 0..<block.rows &+ 5 {
        for x in 0..<width { sums[y, x] = sixTap(across: s, x, y) }
      }
      for y in 0..<block.rows {
        for x in 0..<width {
          let j = clip32((sixTap(down: sums, x, y) &+ 512) >> 10, maximum)
          var nearest = j
          if xFraction != 2 {
            nearest = down(s, x &+ 2 &+ (xFraction >> 1), y, maximum)
          } else if yFraction != 2 {
            nearest = clip32((sums[y &+ 2 &+ (yFraction >> 1), x] &+ 16) >> 5, maximum)
          }
          block[y, x] = mean(j, nearest)
        }
      }
    }
  }

  @inline(always)
  private static func mean(_ a: Int32, _ b: Int32) -> S {
    S(truncatingIfNeeded: (a &+ b &+ 1) >> 1)
  }

  @inline(always)
  private static func clip32(_ value: Int32, _ maximum: Int32) -> Int32 {
    min(max(value, 0), maximum)
  }

  /// The half sample between columns `x` + 2 and `x` + 3 of row `y`: b or s.
  @inline(always)
  private static func across(
    _ s: PlaneWindow<S>, _ x: Int, _ y: Int, _ maximum: Int32
  ) -> Int32 {
    clip32((sixTap(across: s, x, y) &+ 16) >> 5, maximum)
  }

  /// The half sample between rows `y` + 2 and `y` + 3 of column `x`: h or m.
  @inline(always)
  private static func down(_ s: PlaneWindow<S>, _ x: Int, _ y: Int, _ maximum: Int32) -> Int32 {
    clip32((sixTap(down: s, x, y) &+ 16) >> 5, maximum)
  }

  /// b1 of (8-231).
  @inline(always)
  private static func sixTap(across s: PlaneWindow<S>, _ x: Int, _ y: Int) -> Int32 {
    let outer = Int32(s[y, x]) &+ Int32(s[y, x &+ 5])
    let next = Int32(s[y, x &+ 1]) &+ Int32(s[y, x &+ 4])
    let inner = Int32(s[y, x &+ 2]) &+ Int32(s[y, x &+ 3])
    return outer &- 5 &* next &+ 20 &* inner
  }

  /// h1 of (8-232).
  @inline(always)
  private static func sixTap(down s: PlaneWindow<S>, _ x: Int, _ y: Int) -> Int32 {
    let outer = Int32(s[y, x]) &+ Int32(s[y &+ 5, x])
    let next = Int32(s[y &+ 1, x]) &+ Int32(s[y &+ 4, x])
    let inner = Int32(s[y &+ 2, x]) &+ Int32(s[y &+ 3, x])
    return outer &- 5 &* next &+ 20 &* inner
  }

  /// j1 of (8-234) over b1.
  @inline(always)
  private static func sixTap(down s: PlaneWindow<Int32>, _ x: Int, _ y: Int) -> Int32 {
    let outer = s[y, x] &+ s[y &+ 5, x]
    let next = s[y &+ 1, x] &+ s[y &+ 4, x]
    let inner = s[y &+ 2, x] &+ s[y &+ 3, x]
    return outer &- 5 &* next &+ 20 &* inner
  }
}
