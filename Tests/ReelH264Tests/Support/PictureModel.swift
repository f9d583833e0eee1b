// Decoding as a test would do it by hand: slow, plain, for what the writers write. ISO/IEC 14496-10:2020 §8.3 to §8.5.

internal import ReelTestSupport

/// A picture of 4:2:0, 8 bits, without loop filter; inter prediction of whole macroblocks by whole samples.
struct PictureModel {
  let widthInMbs: Int
  let heightInMbs: Int
  /// Y, Cb, Cr, row by row.
  private(set) var planes: [[UInt8]]
  let isField: Bool
  /// Slice of each luma 4×4 block; −1: not decoded yet.
  private var owners: [Int]
  /// Of each list, a vector for each macroblock.
  private var vectors: [[Vector?]]
  private var slice = -1
  private(set) var qp = 26

  struct Vector: Equatable {
    var reference: Int
    /// Quarter samples of luma.
    var x: Int
    var y: Int
  }

  init(widthInMbs: Int, heightInMbs: Int, isField: Bool = false) {
    (self.widthInMbs, self.heightInMbs, self.isField) = (widthInMbs, heightInMbs, isField)
    let count = widthInMbs * heightInMbs
    planes = [256, 64, 64].map { [UInt8](repeating: 0, count: $0 * count) }
    owners = .init(repeating: -1, count: 16 * count)
    vectors = .init(repeating: .init(repeating: nil, count: count), count: 2)
  }

  mutating func beginSlice(qp: Int = 26) {
    slice += 1
    self.qp = qp
  }

  /// Decodes a macroblock; `lists` are list 0 and list 1.
  mutating func decode(_ macroblock: MacroblockSyntax, at address: Int, _ lists: [[PictureModel]]) {
    if macroblock.kind != .pcm && macroblock.hasResidual { qp += macroblock.qpDelta }
    switch macroblock.kind {
    case .pcm: decodeSamples(macroblock.samples, address)
    case .intraNxN: decodeIntraNxN(macroblock, address)
    case .intra16x16:
      predictIntra(plane: 0, size: 16, mode: [0, 1, 2, 3][macroblock.intra16x16Mode], address)
      addIntra16x16(macroblock, address)
    default: decodeInter(macroblock, address, lists)
    }
    if macroblock.kind != .pcm {
      if macroblock.kind.isIntra {
        // intra_chroma_pred_mode: DC, horizontal, vertical, plane.
        let mode = [2, 1, 0, 3][macroblock.chromaMode]
        for plane in 1...2 { predictIntra(plane: plane, size: 8, mode: mode, address) }
      }
      addChroma(macroblock, address)
    }
    for block in 0..<16 { own(block, address) }
  }

  // MARK: Places

  private func stride(_ plane: Int) -> Int { widthInMbs * (plane == 0 ? 16 : 8) }

  /// First sample of a macroblock.
  private func origin(_ plane: Int, _ address: Int) -> (x: Int, y: Int) {
    let size = plane == 0 ? 16 : 8
    return (address % widthInMbs * size, address / widthInMbs * size)
  }

  /// `block` is a raster index.
  private mutating func own(_ block: Int, _ address: Int) {
    let (x, y) = origin(0, address)
    owners[(y / 4 + block / 4) * widthInMbs * 4 + x / 4 + block % 4] = slice
  }

  /// The sample where it is decoded and of this slice.
  private func available(_ plane: Int, _ x: Int, _ y: Int) -> Int? {
    let size = plane == 0 ? 4 : 2
    guard x >= 0, y >= 0, x < stride(plane), y < heightInMbs * size * 4,
      owners[y / size * widthInMbs * 4 + x / size] == slice
    else { return nil }
    return Int(planes[plane][y * stride(plane) + x])
  }

  private mutating func set(_ plane: Int, _ x: Int, _ y: Int, _ value: Int) {
    planes[plane][y * stride(plane) + x] = UInt8(min(max(value, 0), 255))
  }

  mutating func addSample(_ plane: Int, _ x: Int, _ y: Int, _ value: Int) {
    set(plane, x, y, Int(planes[plane][y * stride(plane) + x]) + value)
  }

  // MARK: Intra

  private mutating func decodeSamples(_ samples: [UInt8], _ address: Int) {
    for (plane, start) in [0, 256, 320].enumerated() {
      let (x, y) = origin(plane, address)
      let size = plane == 0 ? 16 : 8
      for i in 0..<size * size {
        set(plane, x + i % size, y + i / size, Int(samples[start + i]))
      }
    }
  }

  private func edges(_ plane: Int, _ x: Int, _ y: Int, above: Int, left: Int) -> IntraReference {
    IntraReference(
      above: (-1..<above).map { available(plane, x + $0, y - 1) },
      left: (0..<left).map { available(plane, x - 1, y + $0) }, bitDepth: 8)
  }

  /// Modes: vertical, horizontal, DC, plane.
  private mutating func predictIntra(plane: Int, size: Int, mode: Int, _ address: Int) {
    let (x, y) = origin(plane, address)
    let edges = edges(plane, x, y, above: size, left: size)
    let samples: [[Int]]
    switch (mode, plane) {
    case (3, 0): samples = edges.plane16x16()
    case (3, _): samples = edges.chromaPlane(height: 8)
    case (2, 1...2): samples = edges.chromaDC(height: 8)
    default: samples = edges.block(mode: mode, n: size)
    }
    for j in 0..<size { for i in 0..<size { set(plane, x + i, y + j, samples[j][i]) } }
  }

  /// Only macroblocks whose blocks are all predicted from DC: then DC is what each block's neighbours
  /// predict, and no mode is sent.
  private mutating func decodeIntraNxN(_ macroblock: MacroblockSyntax, _ address: Int) {
    precondition(macroblock.intraModes.allSatisfy { $0 == nil }, "modes as predicted")
    for index in 0..<16 {
      let raster = 4 * (index >> 1 & 1 | index >> 2 & 2) + (index & 1 | index >> 1 & 2)
      let corner = origin(0, address)
      let (x, y) = (corner.x + raster % 4 * 4, corner.y + raster / 4 * 4)
      let samples = edges(0, x, y, above: 8, left: 4).block(mode: 2, n: 4)
      for j in 0..<4 { for i in 0..<4 { set(0, x + i, y + j, samples[j][i]) } }
      if macroblock.lumaPattern >> (index / 4) & 1 == 1 {
        add(residual(macroblock.luma[index], qp), plane: 0, x, y)
      }
      own(raster, address)
    }
  }

  // MARK: Inter

  private mutating func decodeInter(
    _ macroblock: MacroblockSyntax, _ address: Int, _ lists: [[PictureModel]]
  ) {
    let isDirect = lists.count == 2 && (macroblock.kind == .skip || macroblock.kind == .direct)
    let found: [Vector?]
    if isDirect {
      found = directVectors(address)
    } else if macroblock.kind == .skip {
      found = [skipVector(address)]
    } else {
      found = lists.indices.map { list in
        let motion = list == 0 ? macroblock.motion[0].list0 : macroblock.motion[0].list1
        guard let motion else { return nil }
        let predicted = prediction(at: address, reference: motion.reference, list: list)
        return Vector(
          reference: motion.reference, x: predicted.x + motion.x, y: predicted.y + motion.y)
      }
    }
    var predictions: [[[Int]]] = []
    for (list, vector) in found.enumerated() {
      vectors[list][address] = vector
      if let vector { predictions.append(lists[list][vector.reference].fetch(vector, address)) }
    }
    for plane in 0..<3 {
      let (x, y) = origin(plane, address)
      let size = plane == 0 ? 16 : 8
      for i in 0..<size * size {
        let values = predictions.map { $0[plane][i] }
        set(
          plane, x + i % size, y + i / size,
          values.count == 2 ? (values[0] + values[1] + 1) >> 1 : values[0])
      }
    }
    addLuma(macroblock, address)
  }

  /// Samples that a vector of whole samples in luma and chroma points at, clamped to the picture.
  private func fetch(_ vector: Vector, _ address: Int) -> [[Int]] {
    precondition(vector.x % 8 == 0 && vector.y % 8 == 0, "whole samples of chroma")
    return (0..<3).map { plane in
      let size = plane == 0 ? 16 : 8
      let unit = plane == 0 ? 4 : 8
      let (x, y) = origin(plane, address)
      return (0..<size * size).map { i in
        let column = min(max(x + i % size + vector.x / unit, 0), stride(plane) - 1)
        let row = min(max(y + i / size + vector.y / unit, 0), heightInMbs * size - 1)
        return Int(planes[plane][row * stride(plane) + column])
      }
    }
  }

  /// What is known of the motion of a macroblock beside; nil where it is not available.
  private func neighbour(_ x: Int, _ y: Int, _ list: Int) -> Vector?? {
    guard x >= 0, y >= 0, x < widthInMbs, owners[y * 16 * widthInMbs + x * 4] == slice else {
      return .none
    }
    return .some(vectors[list][y * widthInMbs + x])
  }

  /// A, B and C, or D where C is not available. §8.4.1.3.2.
  private func neighbours(of address: Int, _ list: Int) -> [Vector??] {
    let (x, y) = (address % widthInMbs, address / widthInMbs)
    return [
      neighbour(x - 1, y, list), neighbour(x, y - 1, list),
      neighbour(x + 1, y - 1, list) ?? neighbour(x - 1, y - 1, list),
    ]
  }

  /// mvpLX of a whole macroblock. §8.4.1.3.
  func prediction(at address: Int, reference: Int, list: Int = 0) -> (x: Int, y: Int) {
    let found = neighbours(of: address, list)
    let (a, b, c) = (
      found[0], found[1] == nil && found[2] == nil && found[0] != nil ? found[0] : found[1],
      found[1] == nil && found[2] == nil && found[0] != nil ? found[0] : found[2]
    )
    let candidates = [a, b, c].map { $0 ?? nil }
    let same = candidates.compactMap { $0 }.filter { $0.reference == reference }
    if same.count == 1 { return (same[0].x, same[0].y) }
    func median(_ component: (Vector) -> Int) -> Int {
      candidates.map { $0.map(component) ?? 0 }.sorted()[1]
    }
    return (median { $0.x }, median { $0.y })
  }

  /// §8.4.1.1.
  private func skipVector(_ address: Int) -> Vector {
    let still = Vector(reference: 0, x: 0, y: 0)
    let found = neighbours(of: address, 0)
    guard let a = found[0], let b = found[1], a != still, b != still else { return still }
    let predicted = prediction(at: address, reference: 0)
    return Vector(reference: 0, x: predicted.x, y: predicted.y)
  }

  /// Spatial direct prediction where nothing moves: only the lists are to be found. §8.4.1.2.2.
  private func directVectors(_ address: Int) -> [Vector?] {
    let references = (0..<2).map { list in
      neighbours(of: address, list).compactMap { $0 ?? nil }.map(\.reference).min()
    }
    let still = Vector(reference: 0, x: 0, y: 0)
    if references.allSatisfy({ $0 == nil }) { return [still, still] }
    return references.map { $0.map { Vector(reference: $0, x: 0, y: 0) } }
  }
}
