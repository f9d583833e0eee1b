// Scaling and transforms of the model, flat scaling lists. ISO/IEC 14496-10:2020 §8.5.

internal import ReelTestSupport

extension PictureModel {
  /// Row and column of each level of a 4×4 block. Table 8-2.
  private var scan: [(Int, Int)] {
    isField
      ? [
        (0, 0), (1, 0), (0, 1), (2, 0), (3, 0), (1, 1), (2, 1), (3, 1), (0, 2), (1, 2), (2, 2),
        (3, 2), (0, 3), (1, 3), (2, 3), (3, 3),
      ]
      : [
        (0, 0), (0, 1), (1, 0), (2, 0), (1, 1), (0, 2), (0, 3), (1, 2), (2, 1), (3, 0), (3, 1),
        (2, 2), (1, 3), (2, 3), (3, 2), (3, 3),
      ]
  }

  private func matrix(_ levels: [Int]) -> TransformReference.Matrix {
    var matrix = [[Int]](repeating: [0, 0, 0, 0], count: 4)
    for (level, place) in zip(levels, scan) { matrix[place.0][place.1] = level }
    return matrix
  }

  /// LevelScale4x4 of flat lists.
  private func scale(_ row: Int, _ column: Int, _ qp: Int) -> Int {
    16 * TransformReference.byClass(row, column, TransformReference.v[qp % 6])
  }

  /// Residual samples of 16 levels; `dc` replaces the scaled first one.
  func residual(_ levels: [Int], _ qp: Int, dc: Int? = nil) -> TransformReference.Matrix {
    var d = matrix(levels)
    for row in 0..<4 {
      for column in 0..<4 {
        let product = d[row][column] * scale(row, column, qp)
        d[row][column] =
          qp >= 24 ? product << (qp / 6 - 4) : (product + (1 << (3 - qp / 6))) >> (4 - qp / 6)
      }
    }
    if let dc { d[0][0] = dc }
    return TransformReference.inverse(d)
  }

  mutating func add(_ residual: TransformReference.Matrix, plane: Int, _ x: Int, _ y: Int) {
    for j in 0..<4 {
      for i in 0..<4 { addSample(plane, x + i, y + j, residual[j][i]) }
    }
  }

  /// The luma blocks of an inter macroblock.
  mutating func addLuma(_ macroblock: MacroblockSyntax, _ address: Int) {
    for index in 0..<16 where macroblock.lumaPattern >> (index / 4) & 1 == 1 {
      let (x, y) = corner(ofBlock: index, address)
      add(residual(macroblock.luma[index], qp), plane: 0, x, y)
    }
  }

  /// §8.5.2.
  mutating func addIntra16x16(_ macroblock: MacroblockSyntax, _ address: Int) {
    let dc = TransformReference.lumaDC(
      matrix(macroblock.lumaDC), scale: scale(0, 0, qp), qp: qp)
    for index in 0..<16 {
      let (x, y) = corner(ofBlock: index, address)
      let isCoded = macroblock.lumaPattern != 0
      let levels = [0] + (isCoded ? macroblock.luma[index] : [])
      add(residual(levels, qp, dc: dc[y % 16 / 4][x % 16 / 4]), plane: 0, x, y)
    }
  }

  /// §8.5.4; chroma_qp_index_offset 0.
  mutating func addChroma(_ macroblock: MacroblockSyntax, _ address: Int) {
    guard macroblock.chromaPattern > 0 else { return }
    // Table 8-15.
    let mapped = [
      29, 30, 31, 32, 32, 33, 34, 34, 35, 35, 36, 36, 37, 37, 37, 38, 38, 38, 39, 39, 39, 39,
    ]
    let qpC = qp < 30 ? qp : mapped[qp - 30]
    for plane in 0..<2 {
      let levels = macroblock.chromaDC[plane]
      let dc = TransformReference.chromaDC420(
        [[levels[0], levels[1]], [levels[2], levels[3]]], scale: scale(0, 0, qpC), qp: qpC)
      for block in 0..<4 {
        let ac = macroblock.chromaPattern == 2 ? macroblock.chromaAC[4 * plane + block] : []
        add(
          residual([0] + ac, qpC, dc: dc[block / 2][block % 2]), plane: 1 + plane,
          address % widthInMbs * 8 + block % 2 * 4, address / widthInMbs * 8 + block / 2 * 4)
      }
    }
  }

  private func corner(ofBlock index: Int, _ address: Int) -> (x: Int, y: Int) {
    let (column, row) = (index & 1 | index >> 1 & 2, index >> 1 & 1 | index >> 2 & 2)
    return (address % widthInMbs * 16 + column * 4, address / widthInMbs * 16 + row * 4)
  }
}
