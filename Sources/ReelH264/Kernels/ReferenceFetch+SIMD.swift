// Blocks that leave the reference picture, for 8-bit video. ISO/IEC 14496-10:2020 §8.4.2.2.1.

import ReelCore

extension ReferenceFetch {
  /// As the generic function of this name, with a copy that is made sixteen samples at a time.
  @inline(__always)
  static func withWindow(
    _ reference: PlaneView<UInt8>, x: Int, y: Int, columns: Int, rows: Int, readable: Int,
    _ body: (PlaneWindow<UInt8>) -> Void
  ) {
    if x >= 0 && y >= 0 && x <= reference.width &- columns && y <= reference.height &- rows {
      let at = y &* reference.stride &+ x
      if at &+ (rows &- 1) &* reference.stride &+ readable <= reference.count {
        body(reference.window(at: at, stride: reference.stride, columns: readable, rows: rows))
        return
      }
    }
    // Twice the columns that are needed, so that vectors may be stored from any of them.
    PlaneWindow<UInt8>.withTemporary(columns: 48, rows: 21) { copy in
      copyClampedBytes(reference, x: x, y: y, columns: columns, rows: rows, to: copy)
      body(copy)
    }
  }

  @inline(never)
  static func copyClampedBytes(
    _ reference: PlaneView<UInt8>, x: Int, y: Int, columns: Int, rows: Int,
    to copy: PlaneWindow<UInt8>
  ) {
    precondition(columns <= 24 && rows <= 21 && copy.columns == 48)
    let lastColumn = max(reference.width &- 1, 0)
    let lastRow = max(reference.height &- 1, 0)
    let x = min(max(x, -24), lastColumn &+ 1)
    let y = min(max(y, -64), lastRow &+ 64)
    if x < 0 && x &+ columns > reference.width {
      // The picture is narrower than the block.
      copyClamped(reference, x: x, y: y, columns: columns, rows: rows, to: copy)
      return
    }
    // The first column that the picture's samples fill, and the sample that fills the others.
    let first = max(0 &- x, 0)
    let outsideAt = x < 0 ? 0 : lastColumn
    let outsideFrom = x < 0 ? 0 : max(reference.width &- x, 0)
    for row in 0..<rows {
      let line = min(max(y &+ row, 0), lastRow) &* reference.stride
      let outside = ByteVector(repeating: reference[line &+ outsideAt])
      if x < 0 {
        copy.store(outside, row, 0)
        copy.store(outside.lowEight, row, 16)
      }
      if first < 24 {
        let inside = line &+ max(x, 0)
        copy.store(reference.load(ByteVector.self, at: inside), row, first)
        copy.store(reference.load(SIMD8<UInt8>.self, at: inside &+ 16), row, first &+ 16)
      }
      if x >= 0 && outsideFrom < 24 {
        copy.store(outside, row, outsideFrom)
        copy.store(outside.lowEight, row, outsideFrom &+ 16)
      }
    }
  }
}
