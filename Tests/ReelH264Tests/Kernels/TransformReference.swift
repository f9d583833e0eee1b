/// Transforms written straight from the formulas of ISO/IEC 14496-10:2020 §8.5 and §8.6.
enum TransformReference {
  typealias Matrix = [[Int]]

  static func transposed(_ m: Matrix) -> Matrix {
    m[0].indices.map { j in m.indices.map { m[$0][j] } }
  }

  static func product(_ a: Matrix, _ b: Matrix) -> Matrix {
    a.map { row in
      b[0].indices.map { j in row.indices.map { row[$0] * b[$0][j] }.reduce(0, +) }
    }
  }

  private static func line4(_ d: [Int]) -> [Int] {
    let e = [d[0] + d[2], d[0] - d[2], (d[1] >> 1) - d[3], d[1] + (d[3] >> 1)]
    return [e[0] + e[3], e[1] + e[2], e[1] - e[2], e[0] - e[3]]
  }

  private static func line8(_ d: [Int]) -> [Int] {
    let e = [
      d[0] + d[4],
      -d[3] + d[5] - d[7] - (d[7] >> 1),
      d[0] - d[4],
      d[1] + d[7] - d[3] - (d[3] >> 1),
      (d[2] >> 1) - d[6],
      -d[1] + d[7] + d[5] + (d[5] >> 1),
      d[2] + (d[6] >> 1),
      d[3] + d[5] + d[1] + (d[1] >> 1),
    ]
    let f = [
      e[0] + e[6], e[1] + (e[7] >> 2), e[2] + e[4], e[3] + (e[5] >> 2), e[2] - e[4],
      (e[3] >> 2) - e[5], e[0] - e[6], e[7] - (e[1] >> 2),
    ]
    return [
      f[0] + f[7], f[2] + f[5], f[4] + f[3], f[6] + f[1], f[6] - f[1], f[4] - f[3], f[2] - f[5],
      f[0] - f[7],
    ]
  }

  /// r of §8.5.12.2 (4×4) or §8.5.13 (8×8).
  static func inverse(_ d: Matrix) -> Matrix {
    let line = d.count == 4 ? line4 : line8
    let rows = d.map(line)
    let columns = transposed(transposed(rows).map(line))
    return columns.map { $0.map { ($0 + 32) >> 6 } }
  }

  static let hadamard: Matrix = [[1, 1, 1, 1], [1, 1, -1, -1], [1, -1, -1, 1], [1, -1, 1, -1]]
  static let hadamard2: Matrix = [[1, 1], [1, -1]]

  private static func scaled(_ f: Matrix, _ scale: Int, _ qp: Int) -> Matrix {
    f.map { row in
      row.map {
        qp >= 36
          ? ($0 * scale) << (qp / 6 - 6) : ($0 * scale + (1 << (5 - qp / 6))) >> (6 - qp / 6)
      }
    }
  }

  static func lumaDC(_ c: Matrix, scale: Int, qp: Int) -> Matrix {
    scaled(product(product(hadamard, c), hadamard), scale, qp)
  }

  static func chromaDC420(_ c: Matrix, scale: Int, qp: Int) -> Matrix {
    product(product(hadamard2, c), hadamard2).map { $0.map { (($0 * scale) << (qp / 6)) >> 5 } }
  }

  static func chromaDC422(_ c: Matrix, scale: Int, qpDC: Int) -> Matrix {
    scaled(product(product(hadamard, c), hadamard2), scale, qpDC)
  }

  // §8.6

  static let forward: Matrix = [[1, 1, 1, 1], [2, 1, -1, -2], [1, -1, -1, 1], [1, -2, 2, -1]]

  static func forward4x4(_ p: Matrix) -> Matrix {
    product(product(forward, p), transposed(forward))
  }

  static func byClass(_ i: Int, _ j: Int, _ values: [Int]) -> Int {
    i % 2 == 0 && j % 2 == 0 ? values[0] : i % 2 == 1 && j % 2 == 1 ? values[1] : values[2]
  }

  static let v = [
    [10, 16, 13], [11, 18, 14], [13, 20, 16], [14, 23, 18], [16, 25, 20], [18, 29, 23],
  ]
  static let w = [
    [13107, 5243, 8066], [11916, 4660, 7490], [10082, 4194, 6554], [9362, 3647, 5825],
    [8192, 3355, 5243], [7282, 2893, 4559],
  ]

  static func sign(_ x: Int) -> Int { x < 0 ? -1 : 1 }

  /// The reconstructed samples of a luma block of an SP or SI macroblock.
  static func switchingLuma(
    prediction: Matrix, levels: Matrix, qp: Int, qs: Int, switching: Bool
  ) -> Matrix {
    let cp = forward4x4(prediction)
    var d = levels
    for i in 0..<4 {
      for j in 0..<4 {
        d[i][j] = level(cp[i][j], levels[i][j], qp, qs, i, j, switching)
        d[i][j] = (d[i][j] * byClass(i, j, v[qs % 6])) << (qs / 6)
      }
    }
    return inverse(d).map { $0.map { min(max($0, 0), 255) } }
  }

  private static func level(
    _ cp: Int, _ cr: Int, _ qp: Int, _ qs: Int, _ i: Int, _ j: Int, _ switching: Bool
  ) -> Int {
    let scale2 = byClass(i, j, w[qs % 6])
    if switching {
      return cr + sign(cp) * ((abs(cp) * scale2 + (1 << (14 + qs / 6))) >> (15 + qs / 6))
    }
    let a = byClass(i, j, [16, 25, 20])
    let cs = cp + (((cr * byClass(i, j, v[qp % 6]) * a) << (qp / 6)) >> 6)
    return sign(cs) * ((abs(cs) * scale2 + (1 << (14 + qs / 6))) >> (15 + qs / 6))
  }

  /// The reconstructed samples of an 8×8 chroma block; `levels` are four blocks, DC at [0][0].
  static func switchingChroma(
    prediction: Matrix, levels: [Matrix], qp: Int, qs: Int, switching: Bool
  ) -> Matrix {
    var out = prediction
    let cps = (0..<4).map { block in
      forward4x4(
        (0..<4).map { y in
          (0..<4).map { x in prediction[block / 2 * 4 + y][block % 2 * 4 + x] }
        })
    }
    let dcp = product(
      product(hadamard2, [[cps[0][0][0], cps[1][0][0]], [cps[2][0][0], cps[3][0][0]]]), hadamard2)
    var dc: Matrix = [[0, 0], [0, 0]]
    for k in 0..<4 {
      let cp = dcp[k / 2][k % 2]
      let cr = levels[k][0][0]
      let shift = 16 + qs / 6
      let cs = switching ? cp : cp + (((cr * v[qp % 6][0] * 16) << (qp / 6)) >> 5)
      let q = sign(cs) * ((abs(cs) * w[qs % 6][0] + (1 << (shift - 1))) >> shift)
      dc[k / 2][k % 2] = switching ? cr + q : q
    }
    let dcC = chromaDC420(dc, scale: 16 * v[qs % 6][0], qp: qs)
    for k in 0..<4 {
      var d = levels[k]
      for i in 0..<4 {
        for j in 0..<4 {
          d[i][j] = level(cps[k][i][j], levels[k][i][j], qp, qs, i, j, switching)
          d[i][j] = (d[i][j] * byClass(i, j, v[qs % 6])) << (qs / 6)
        }
      }
      d[0][0] = dcC[k / 2][k % 2]
      let r = inverse(d)
      for y in 0..<4 {
        for x in 0..<4 { out[k / 2 * 4 + y][k % 2 * 4 + x] = min(max(r[y][x], 0), 255) }
      }
    }
    return out
  }
}
