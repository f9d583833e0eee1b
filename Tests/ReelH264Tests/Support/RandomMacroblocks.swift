// Macroblocks of all kinds that the writers know, for streams that any decoder must decode alike.

internal import ReelTestSupport

/// Draws valid macroblocks of a slice one after the other.
struct RandomMacroblocks {
  /// What must hold of the drawn ones.
  struct Rules {
    var type = WrittenSliceType.i
    /// Active entries of both lists.
    var references = [1, 1]
    /// Whole vectors of chroma samples, one partition, DC in 4×4 blocks: what ``PictureModel`` decodes.
    /// B slices do not move.
    var isPlain = false
    /// QP is low and levels reach the escapes of both entropy codings; else QP is high and levels low.
    var isFine = false
  }

  /// Neighbours in the slice, and the vector that a reference's vector is predicted to be.
  struct Surroundings {
    var hasLeft = false
    var hasAbove = false
    var hasCorner = false
    var prediction: (_ reference: Int) -> (x: Int, y: Int) = { _ in (0, 0) }
  }

  let rules: Rules
  private var random: SeededGenerator
  private var qp: Int

  init(_ rules: Rules, qp: Int, seed: UInt64) {
    (self.rules, self.qp) = (rules, qp)
    random = SeededGenerator(seed: seed)
  }

  mutating func next(_ around: Surroundings) -> MacroblockSyntax {
    var macroblock = MacroblockSyntax(kind())
    switch macroblock.kind {
    case .pcm:
      macroblock.samples = (0..<384).map { _ in UInt8(random.int(in: 0...255)) }
      return macroblock
    case .skip: return macroblock
    case .intraNxN:
      if !rules.isPlain && around.hasCorner {
        for index in 0..<16 where random.one(in: 2) {
          macroblock.intraModes[index] = random.int(in: 0...7)
        }
      }
    case .intra16x16:
      macroblock.intra16x16Mode = mode([.vertical, .horizontal, .dc, .plane], around)
    default: setMotion(&macroblock, around)
    }
    if macroblock.kind.isIntra {
      macroblock.chromaMode = mode([.dc, .horizontal, .vertical, .plane], around)
    }
    setResidual(&macroblock)
    return macroblock
  }

  private mutating func kind() -> MacroblockSyntax.Kind {
    var kinds: [MacroblockSyntax.Kind] = [.intraNxN, .intra16x16]
    if random.one(in: 8) { kinds.append(.pcm) }
    switch rules.type {
    case .i: break
    case .p:
      kinds += [.skip, .inter16x16, .inter16x16, .inter16x16]
      if !rules.isPlain { kinds += [.inter16x8, .inter8x16, .inter8x8] }
    case .b: kinds += [.skip, .direct, .inter16x16, .inter16x16, .inter16x16]
    }
    return kinds[random.int(in: 0...kinds.count - 1)]
  }

  private enum Direction { case vertical, horizontal, dc, plane }

  /// The number of a mode whose samples are there.
  private mutating func mode(_ order: [Direction], _ around: Surroundings) -> Int {
    let allowed = order.indices.filter { index in
      switch order[index] {
      case .vertical: around.hasAbove
      case .horizontal: around.hasLeft
      case .dc: true
      case .plane: around.hasCorner
      }
    }
    return allowed[random.int(in: 0...allowed.count - 1)]
  }

  private mutating func setMotion(_ macroblock: inout MacroblockSyntax, _ around: Surroundings) {
    for partition in macroblock.motion.indices {
      let choice = rules.type == .p ? 0 : random.int(in: 0...2)
      macroblock.motion[partition] = (
        choice == 1 ? nil : motion(list: 0, around), choice == 0 ? nil : motion(list: 1, around)
      )
    }
  }

  private mutating func motion(list: Int, _ around: Surroundings) -> MacroblockSyntax.Motion {
    let reference = random.int(in: 0...rules.references[list] - 1)
    if rules.isPlain {
      guard rules.type == .p else { return .init(reference: reference) }
      let predicted = around.prediction(reference)
      return .init(
        reference: reference, x: 8 * random.int(in: -6...6) - predicted.x,
        y: 8 * random.int(in: -6...6) - predicted.y)
    }
    let reach = [1, 12, 60, 150][random.int(in: 0...3)]
    return .init(
      reference: reference, x: random.int(in: -reach...reach), y: random.int(in: -reach...reach))
  }

  // MARK: Residual

  private mutating func setResidual(_ macroblock: inout MacroblockSyntax) {
    if macroblock.kind == .intra16x16 {
      macroblock.lumaPattern = random.one(in: 2) ? 15 : 0
    } else {
      macroblock.lumaPattern = random.int(in: 0...15)
    }
    macroblock.chromaPattern = random.int(in: 0...2)
    guard macroblock.hasResidual else { return }
    let range = rules.isFine ? 0...5 : 20...36
    macroblock.qpDelta =
      min(max(qp + random.int(in: -4...4), range.lowerBound), range.upperBound) - qp
    qp += macroblock.qpDelta
    if macroblock.kind == .intra16x16 { macroblock.lumaDC = levels(16, isDC: true) }
    for index in 0..<16 where macroblock.lumaPattern >> (index / 4) & 1 == 1 {
      macroblock.luma[index] = levels(macroblock.luma[index].count)
    }
    if macroblock.chromaPattern > 0 {
      for plane in 0..<2 { macroblock.chromaDC[plane] = levels(4, isDC: true) }
    }
    if macroblock.chromaPattern == 2 {
      for index in 0..<8 { macroblock.chromaAC[index] = levels(15) }
    }
  }

  /// Few or many small levels, or one large one; nothing that overflows 16 bits on the way.
  private mutating func levels(_ count: Int, isDC: Bool = false) -> [Int] {
    var levels = [Int](repeating: 0, count: count)
    func sign(_ value: Int) -> Int { random.one(in: 2) ? value : -value }
    switch random.int(in: 0...3) {
    case 0: break
    case 1:
      for _ in 0...random.int(in: 0...3) {
        levels[random.int(in: 0...count - 1)] = sign(random.int(in: 1...3))
      }
    case 2:
      for index in 0..<count { levels[index] = random.int(in: -2...2) }
    default:
      let largest = !rules.isFine ? 8 : isDC ? 500 : 1000
      levels[random.int(in: 0...count - 1)] = sign(random.int(in: 1...largest))
    }
    return levels
  }
}
