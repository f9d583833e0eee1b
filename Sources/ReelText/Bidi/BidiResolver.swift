// Explicit levels and the resolving of weak, neutral and bracket types. UAX #9 §3.3.2 … §3.3.6.

/// Works out the levels of a paragraph.
struct BidiResolver {
  private let original: [BidiClass]
  private var classes: [BidiClass]
  private(set) var levels: [UInt8]
  private let baseLevel: UInt8
  private let pairs: IsolatePairs

  init(_ classes: [BidiClass], baseLevel: UInt8, pairs: IsolatePairs) {
    original = classes
    self.classes = classes
    self.baseLevel = baseLevel
    self.pairs = pairs
    levels = [UInt8](repeating: baseLevel, count: classes.count)
  }

  // MARK: Explicit levels

  private struct Status {
    var level: UInt8
    var override: BidiClass?
    var isIsolate: Bool
  }

  /// X1 … X8.
  mutating func resolveExplicit() {
    var stack = [Status(level: baseLevel, override: nil, isIsolate: false)]
    var (overflowIsolates, overflowEmbeddings, validIsolates) = (0, 0, 0)

    func next(odd: Bool) -> UInt8 {
      let level = stack[stack.count - 1].level
      return odd ? (level + 1) | 1 : (level + 2) & ~1
    }
    for i in classes.indices {
      let top = stack[stack.count - 1]
      switch original[i] {
      case .rightToLeftEmbedding, .leftToRightEmbedding, .rightToLeftOverride,
        .leftToRightOverride:
        // X2 … X5
        levels[i] = top.level
        let c = original[i]
        let level = next(odd: c == .rightToLeftEmbedding || c == .rightToLeftOverride)
        if level <= BidiParagraph.mostDepth, overflowIsolates == 0, overflowEmbeddings == 0 {
          let override: BidiClass? =
            c == .rightToLeftOverride
            ? .rightToLeft : c == .leftToRightOverride ? .leftToRight : nil
          stack.append(Status(level: level, override: override, isIsolate: false))
        } else if overflowIsolates == 0 {
          overflowEmbeddings += 1
        }
      case .rightToLeftIsolate, .leftToRightIsolate, .firstStrongIsolate:
        // X5a … X5c
        levels[i] = top.level
        if let override = top.override { classes[i] = override }
        var isRight = original[i] == .rightToLeftIsolate
        if original[i] == .firstStrongIsolate {
          let end = pairs.matchingEnd(of: i) ?? classes.count
          isRight = BidiParagraph.firstStrong(original, i + 1..<end, pairs) == .rightToLeft
        }
        let level = next(odd: isRight)
        if level <= BidiParagraph.mostDepth, overflowIsolates == 0, overflowEmbeddings == 0 {
          validIsolates += 1
          stack.append(Status(level: level, override: nil, isIsolate: true))
        } else {
          overflowIsolates += 1
        }
      case .popDirectionalIsolate:
        // X6a
        if overflowIsolates > 0 {
          overflowIsolates -= 1
        } else if validIsolates > 0 {
          overflowEmbeddings = 0
          while stack.count > 1, !stack[stack.count - 1].isIsolate { stack.removeLast() }
          if stack.count > 1 { stack.removeLast() }
          validIsolates -= 1
        }
        levels[i] = stack[stack.count - 1].level
        if let override = stack[stack.count - 1].override { classes[i] = override }
      case .popDirectionalFormat:
        // X7
        levels[i] = top.level
        if overflowIsolates > 0 {
        } else if overflowEmbeddings > 0 {
          overflowEmbeddings -= 1
        } else if !top.isIsolate, stack.count > 1 {
          stack.removeLast()
        }
      case .paragraphSeparator:
        // X8
        levels[i] = baseLevel
        stack = [Status(level: baseLevel, override: nil, isIsolate: false)]
        (overflowIsolates, overflowEmbeddings, validIsolates) = (0, 0, 0)
      case .boundaryNeutral:
        levels[i] = top.level
      default:
        // X6
        levels[i] = top.level
        if let override = top.override { classes[i] = override }
      }
    }
  }

  // MARK: Sequences

  /// A run of characters that are resolved together. BD13, X10.
  struct Sequence {
    var indices: [Int]
    var level: UInt8
    var start, end: BidiClass
  }

  /// The isolating run sequences, characters of X9 left out.
  func isolatingRunSequences() -> [Sequence] {
    let kept = original.indices.filter { !original[$0].isRemoved }
    var runs: [[Int]] = []
    for i in kept {
      if let last = runs.last?.last, levels[last] == levels[i] {
        runs[runs.count - 1].append(i)
      } else {
        runs.append([i])
      }
    }
    // The run that begins at each matched pop.
    var runOfPop: [Int: Int] = [:]
    for (number, run) in runs.enumerated() {
      if original[run[0]] == .popDirectionalIsolate, pairs.isMatched(run[0]) {
        runOfPop[run[0]] = number
      }
    }
    // Positions among the kept ones, for the neighbours of a sequence.
    var place: [Int: Int] = [:]
    for (number, i) in kept.enumerated() { place[i] = number }
    var sequences: [Sequence] = []
    for run in runs {
      if original[run[0]] == .popDirectionalIsolate, pairs.isMatched(run[0]) { continue }
      var indices = run
      while let last = indices.last, original[last].isIsolateInitiator,
        let end = pairs.matchingEnd(of: last), let next = runOfPop[end]
      {
        indices += runs[next]
      }
      sequences.append(sequence(indices, kept, place))
    }
    return sequences
  }

  private func sequence(_ indices: [Int], _ kept: [Int], _ place: [Int: Int]) -> Sequence {
    let level = levels[indices[0]]
    func direction(_ other: UInt8) -> BidiClass {
      max(level, other) & 1 == 1 ? .rightToLeft : .leftToRight
    }
    let first = place[indices[0]] ?? 0
    let before = first > 0 ? levels[kept[first - 1]] : baseLevel
    let lastIndex = indices[indices.count - 1]
    let last = place[lastIndex] ?? 0
    var after = last + 1 < kept.count ? levels[kept[last + 1]] : baseLevel
    if original[lastIndex].isIsolateInitiator && pairs.matchingEnd(of: lastIndex) == nil {
      after = baseLevel
    }
    return Sequence(
      indices: indices, level: level, start: direction(before), end: direction(after))
  }

  // MARK: Types

  mutating func resolve(_ sequence: Sequence, scalars: [Unicode.Scalar]) {
    var types = sequence.indices.map { classes[$0] }
    Self.resolveWeak(&types, sequence)
    resolveBrackets(&types, sequence, scalars)
    Self.resolveNeutral(&types, sequence)
    for (number, i) in sequence.indices.enumerated() {
      // I1, I2
      let isOdd = sequence.level & 1 == 1
      switch types[number] {
      case .rightToLeft: levels[i] = sequence.level + (isOdd ? 0 : 1)
      case .arabicNumber, .europeanNumber: levels[i] = sequence.level + (isOdd ? 1 : 2)
      case .leftToRight: levels[i] = sequence.level + (isOdd ? 1 : 0)
      default: break
      }
    }
  }

  /// W1 … W7.
  private static func resolveWeak(_ types: inout [BidiClass], _ sequence: Sequence) {
    // W1
    for i in types.indices where types[i] == .nonspacingMark {
      let before = i > 0 ? types[i - 1] : sequence.start
      types[i] =
        before.isIsolateInitiator || before == .popDirectionalIsolate ? .otherNeutral : before
    }
    // W2, W3
    var strong = sequence.start
    for i in types.indices {
      switch types[i] {
      case .leftToRight, .rightToLeft, .arabicLetter: strong = types[i]
      case .europeanNumber: if strong == .arabicLetter { types[i] = .arabicNumber }
      default: break
      }
    }
    for i in types.indices where types[i] == .arabicLetter { types[i] = .rightToLeft }
    // W4
    for i in types.indices.dropFirst().dropLast() {
      let (before, after) = (types[i - 1], types[i + 1])
      if types[i] == .europeanSeparator, before == .europeanNumber, after == .europeanNumber {
        types[i] = .europeanNumber
      }
      if types[i] == .commonSeparator, before == after,
        before == .europeanNumber || before == .arabicNumber
      {
        types[i] = before
      }
    }
    // W5
    var i = 0
    while i < types.count {
      guard types[i] == .europeanTerminator else {
        i += 1
        continue
      }
      var end = i
      while end < types.count, types[end] == .europeanTerminator { end += 1 }
      let isNextToNumber =
        (i > 0 && types[i - 1] == .europeanNumber)
        || (end < types.count && types[end] == .europeanNumber)
      if isNextToNumber { for k in i..<end { types[k] = .europeanNumber } }
      i = end
    }
    // W6, W7
    strong = sequence.start
    for i in types.indices {
      switch types[i] {
      case .europeanSeparator, .europeanTerminator, .commonSeparator: types[i] = .otherNeutral
      case .leftToRight, .rightToLeft: strong = types[i]
      case .europeanNumber: if strong == .leftToRight { types[i] = .leftToRight }
      default: break
      }
    }
  }

  /// What a type counts as in N0 … N2.
  private static func strong(_ type: BidiClass) -> BidiClass? {
    switch type {
    case .leftToRight: .leftToRight
    case .rightToLeft, .europeanNumber, .arabicNumber: .rightToLeft
    default: nil
    }
  }

  /// N0.
  private func resolveBrackets(
    _ types: inout [BidiClass], _ sequence: Sequence, _ scalars: [Unicode.Scalar]
  ) {
    let embedding: BidiClass = sequence.level & 1 == 1 ? .rightToLeft : .leftToRight
    for (open, close) in bracketPairs(types, sequence, scalars) {
      var found: BidiClass?
      for i in open + 1..<close {
        guard let strong = Self.strong(types[i]) else { continue }
        found = strong
        if strong == embedding { break }
      }
      guard var direction = found else { continue }
      if direction != embedding {
        // The context before the pair decides.
        let before = types[..<open].reversed().lazy.compactMap(Self.strong).first
        direction = (before ?? sequence.start) == direction ? direction : embedding
      }
      for bracket in [open, close] {
        types[bracket] = direction
        // Marks behind a bracket go with it.
        var k = bracket + 1
        while k < types.count, original[sequence.indices[k]] == .nonspacingMark {
          types[k] = direction
          k += 1
        }
      }
    }
  }

  /// BD16.
  private func bracketPairs(
    _ types: [BidiClass], _ sequence: Sequence, _ scalars: [Unicode.Scalar]
  ) -> [(Int, Int)] {
    var stack: [(opening: UInt32, at: Int)] = []
    var pairs: [(Int, Int)] = []
    for (number, i) in sequence.indices.enumerated() where types[number] == .otherNeutral {
      guard let bracket = BidiBracket.of(scalars[i]) else { continue }
      if bracket.isOpening {
        guard stack.count < 63 else { return [] }
        stack.append((bracket.opening, number))
      } else if let found = stack.lastIndex(where: { $0.opening == bracket.opening }) {
        pairs.append((stack[found].at, number))
        stack.removeSubrange(found...)
      }
    }
    return pairs.sorted { $0.0 < $1.0 }
  }

  /// N1, N2.
  private static func resolveNeutral(_ types: inout [BidiClass], _ sequence: Sequence) {
    let embedding: BidiClass = sequence.level & 1 == 1 ? .rightToLeft : .leftToRight
    var i = 0
    while i < types.count {
      guard types[i].isNeutral else {
        i += 1
        continue
      }
      var end = i
      while end < types.count, types[end].isNeutral { end += 1 }
      let before = i > 0 ? strong(types[i - 1]) : sequence.start
      let after = end < types.count ? strong(types[end]) : sequence.end
      let direction = before == after ? before ?? embedding : embedding
      for k in i..<end { types[k] = direction }
      i = end
    }
  }

  /// The levels, with those of removed characters taken from what stands before them.
  func finalLevels() -> [UInt8] {
    var result = levels
    for i in result.indices where original[i].isRemoved {
      result[i] = i > 0 ? result[i - 1] : baseLevel
    }
    return result
  }
}
