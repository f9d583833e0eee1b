// The Unicode bidirectional algorithm. UAX #9 (Unicode 15.0).

/// The base direction of a paragraph.
public enum TextDirection: Sendable, Hashable {
  case leftToRight, rightToLeft
  /// That of the first strong character; left to right where there is none. P2, P3.
  case automatic
}

/// Levels of the characters of a paragraph: even ones run to the right, odd ones to the left.
public struct BidiParagraph: Sendable {
  /// 0 or 1.
  public let baseLevel: UInt8
  /// A level for each scalar, before rule L1. Characters that X9 removes have that of the one before.
  public let levels: [UInt8]
  private let classes: [BidiClass]

  /// max_depth of BD2.
  static let mostDepth: UInt8 = 125

  /// Resolves the levels of one paragraph.
  public init(_ scalars: [Unicode.Scalar], direction: TextDirection = .automatic) {
    let classes = scalars.map(BidiClass.of)
    let pairs = IsolatePairs(classes)
    switch direction {
    case .leftToRight: baseLevel = 0
    case .rightToLeft: baseLevel = 1
    case .automatic:
      baseLevel = Self.firstStrong(classes, 0..<classes.count, pairs) == .rightToLeft ? 1 : 0
    }
    self.classes = classes
    var resolver = BidiResolver(classes, baseLevel: baseLevel, pairs: pairs)
    resolver.resolveExplicit()
    for sequence in resolver.isolatingRunSequences() {
      resolver.resolve(sequence, scalars: scalars)
    }
    levels = resolver.finalLevels()
  }

  /// P2: the direction of the first strong character outside of isolates.
  static func firstStrong(
    _ classes: [BidiClass], _ range: Range<Int>, _ pairs: IsolatePairs
  ) -> BidiClass? {
    var i = range.lowerBound
    while i < range.upperBound {
      switch classes[i] {
      case .leftToRight: return .leftToRight
      case .rightToLeft, .arabicLetter: return .rightToLeft
      case .leftToRightIsolate, .rightToLeftIsolate, .firstStrongIsolate:
        i = pairs.matchingEnd(of: i) ?? classes.count
      case .paragraphSeparator: return nil
      default: break
      }
      i += 1
    }
    return nil
  }

  /// Levels of a line: separators and blanks at its end have the paragraph's. L1.
  public func lineLevels(_ line: Range<Int>) -> [UInt8] {
    var result = Array(levels[line])
    var isTrailing = true
    for i in line.reversed() {
      let at = i - line.lowerBound
      switch classes[i] {
      case .segmentSeparator, .paragraphSeparator:
        result[at] = baseLevel
        isTrailing = true
      case .whiteSpace, .leftToRightIsolate, .rightToLeftIsolate, .firstStrongIsolate,
        .popDirectionalIsolate:
        if isTrailing { result[at] = baseLevel }
      default:
        if classes[i].isRemoved {
          if isTrailing { result[at] = baseLevel }
        } else {
          isTrailing = false
        }
      }
    }
    return result
  }

  /// Positions of things with these levels from left to right. L2.
  public static func visualOrder(_ levels: [UInt8]) -> [Int] {
    var order = Array(levels.indices)
    guard let highest = levels.max(), let lowestOdd = levels.filter({ $0 & 1 == 1 }).min() else {
      return order
    }
    for level in stride(from: highest, through: lowestOdd, by: -1) {
      var start: Int?
      for i in 0...levels.count {
        if i < levels.count, levels[order[i]] >= level {
          if start == nil { start = i }
        } else if let from = start {
          order[from..<i].reverse()
          start = nil
        }
      }
    }
    return order
  }
}

/// Isolate initiators and the pop that matches each. BD9.
struct IsolatePairs: Sendable {
  private var ends: [Int: Int] = [:]
  private var starts: Set<Int> = []

  init(_ classes: [BidiClass]) {
    var open: [Int] = []
    for (i, c) in classes.enumerated() {
      if c.isIsolateInitiator {
        open.append(i)
      } else if c == .popDirectionalIsolate, let start = open.popLast() {
        ends[start] = i
        starts.insert(i)
      } else if c == .paragraphSeparator {
        open = []
      }
    }
  }

  func matchingEnd(of initiator: Int) -> Int? { ends[initiator] }
  func isMatched(_ pop: Int) -> Bool { starts.contains(pop) }
}
