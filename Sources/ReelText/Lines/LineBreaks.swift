// Where lines may end. UAX #14 (Unicode 15.0), with the numbers of its §8.2, example 7.

/// Line_Break; the raw values are those of the table.
enum LineBreakClass: UInt8, Sendable {
  case BK, CR, LF, CM, NL, WJ, ZW, GL, SP, ZWJ, B2, BA, BB, HY, CB, CL, CP, EX, IN, NS, OP, QU, IS
  case NU, PO, PR, SY, AL, HL, ID, EB, EM, H2, H3, JL, JV, JT, RI, SA
  /// Brackets of East Asian width, which LB30 leaves out.
  case OPE, CPE
  /// Pictographs that are not assigned yet. LB30b.
  case IDX

  private static let table = RunTable(LineTables.breakClasses)

  static func of(_ scalar: Unicode.Scalar) -> LineBreakClass {
    LineBreakClass(rawValue: table[scalar.value]) ?? .AL
  }
}

/// What may follow a character.
public enum LineBreakAction: Sendable, Hashable {
  /// The line goes on.
  case none
  /// The line may end here.
  case allowed
  /// The line ends here.
  case mandatory
}

/// The rules of UAX #14. Words of Thai, Lao, Khmer and Myanmar (class SA) are not found: no dictionary
/// is held, so that lines of those break at spaces alone.
public enum LineBreaks {
  /// What follows each scalar; the last is mandatory.
  public static func actions(_ scalars: [Unicode.Scalar]) -> [LineBreakAction] {
    guard !scalars.isEmpty else { return [] }
    let raw = scalars.map { scalar -> LineBreakClass in
      let c = LineBreakClass.of(scalar)
      return c == .SA ? .AL : c
    }
    var actions = [LineBreakAction](repeating: .none, count: scalars.count)
    actions[scalars.count - 1] = .mandatory
    var state = LineBreakState(raw[0])
    for i in 1..<max(scalars.count, 1) where i < scalars.count {
      let following = i + 1 < raw.count ? raw[i + 1] : nil
      actions[i - 1] = state.next(
        raw[i], isAfterJoiner: raw[i - 1] == .ZWJ, before: following)
    }
    return actions
  }
}

/// What the rules need to know of the characters so far.
private struct LineBreakState {
  /// Class of the last character that counts, marks taken as part of it. LB9, LB10.
  private var last: LineBreakClass
  /// The one before it.
  private var beforeLast: LineBreakClass?
  /// Spaces follow `last`.
  private var hasSpaces = false
  /// Regional indicators in a row, ending with `last`.
  private var indicators = 0
  /// `last` ends a number: NU (NU | SY | IS)*, and then maybe CL or CP. LB25.
  private var isNumber = false
  private var isClosedNumber = false
  /// A digit follows the character that is asked about.
  private var isBeforeDigit = false

  init(_ first: LineBreakClass) {
    last = first == .CM || first == .ZWJ ? .AL : first
    if first == .SP {
      // Spaces at the start: nothing stands before them.
      hasSpaces = true
      last = .SP
    }
    indicators = first == .RI ? 1 : 0
    isNumber = first == .NU
  }

  mutating func next(
    _ raw: LineBreakClass, isAfterJoiner: Bool, before following: LineBreakClass?
  ) -> LineBreakAction {
    isBeforeDigit = following == .NU
    // LB4, LB5
    let endsLine = last == .BK || last == .LF || last == .NL || (last == .CR && raw != .LF)
    if endsLine && !hasSpaces {
      let action = LineBreakAction.mandatory
      self = LineBreakState(raw)
      return action
    }
    switch raw {
    case .BK, .CR, .LF, .NL:
      // LB6
      move(to: raw)
      return .none
    case .SP:
      // LB7
      hasSpaces = true
      return .none
    case .ZW:
      move(to: raw)
      return .none
    case .CM, .ZWJ:
      if !hasSpaces && last != .ZW && last != .SP {
        // LB9: part of what stands before.
        return .none
      }
      // LB10: as a letter of its own.
      let action = decide(.AL, isAfterJoiner)
      move(to: .AL)
      return action
    default:
      let action = decide(raw, isAfterJoiner)
      move(to: raw)
      return action
    }
  }

  private mutating func move(to c: LineBreakClass) {
    let joined = !hasSpaces
    indicators = c == .RI ? (joined && last == .RI ? indicators + 1 : 1) : 0
    isClosedNumber = joined && isNumber && (c == .CL || c == .CP || c == .CPE)
    isNumber = c == .NU || (joined && isNumber && (c == .SY || c == .IS))
    beforeLast = joined ? last : nil
    last = c
    hasSpaces = false
  }

  private func decide(_ c: LineBreakClass, _ isAfterJoiner: Bool) -> LineBreakAction {
    if isKept(c, isAfterJoiner) { return .none }
    return .allowed
  }

  /// The characters stay together, by the first rule that says something.
  private func isKept(_ c: LineBreakClass, _ isAfterJoiner: Bool) -> Bool {
    if last == .ZW { return false }  // LB8
    if isAfterJoiner { return true }  // LB8a
    if c == .WJ || (last == .WJ && !hasSpaces) { return true }  // LB11
    if last == .GL && !hasSpaces { return true }  // LB12
    if c == .GL && !hasSpaces && last != .BA && last != .HY { return true }  // LB12a
    // LB13
    let isAfterNumber = last == .NU && !hasSpaces
    if c == .EX { return true }
    if !isAfterNumber, c == .CL || c == .CP || c == .CPE || c == .IS || c == .SY { return true }
    if last == .OP || last == .OPE { return true }  // LB14
    if last == .QU && (c == .OP || c == .OPE) { return true }  // LB15
    if (last == .CL || last == .CP || last == .CPE) && c == .NS { return true }  // LB16
    if last == .B2 && c == .B2 { return true }  // LB17
    if hasSpaces { return false }  // LB18
    if c == .QU || last == .QU { return true }  // LB19
    if c == .CB || last == .CB { return false }  // LB20
    return isKeptWithoutSpaces(c)
  }

  /// LB21 and later.
  private func isKeptWithoutSpaces(_ c: LineBreakClass) -> Bool {
    if c == .BA || c == .HY || c == .NS || last == .BB { return true }  // LB21
    if beforeLast == .HL && (last == .HY || last == .BA) { return true }  // LB21a
    if last == .SY && c == .HL { return true }  // LB21b
    if c == .IN { return true }  // LB22
    let (isLetter, wasLetter) = (c == .AL || c == .HL, last == .AL || last == .HL)
    if (wasLetter && c == .NU) || (last == .NU && isLetter) { return true }  // LB23
    // LB23a
    if last == .PR && (c == .ID || c == .IDX || c == .EB || c == .EM) { return true }
    if (last == .ID || last == .IDX || last == .EB || last == .EM) && c == .PO { return true }
    // LB24
    if (last == .PR || last == .PO) && isLetter { return true }
    if wasLetter && (c == .PR || c == .PO) { return true }
    if isKeptNumber(c) { return true }  // LB25
    if isKeptKorean(c) { return true }  // LB26, LB27
    if wasLetter && isLetter { return true }  // LB28
    if last == .IS && isLetter { return true }  // LB29
    if (wasLetter || last == .NU) && c == .OP { return true }  // LB30
    if last == .CP && (isLetter || c == .NU) { return true }
    if last == .RI && c == .RI && indicators % 2 == 1 { return true }  // LB30a
    return (last == .EB || last == .IDX) && c == .EM  // LB30b
  }

  private func isKeptNumber(_ c: LineBreakClass) -> Bool {
    if (last == .PR || last == .PO) && isBeforeDigit, c == .OP || c == .OPE || c == .HY {
      return true
    }
    if c == .NU {
      if last == .PR || last == .PO || last == .OP || last == .OPE || last == .HY { return true }
      if last == .NU || isNumber { return true }
    }
    if isNumber, c == .SY || c == .IS || c == .CL || c == .CP || c == .CPE { return true }
    return (isNumber || isClosedNumber) && (c == .PO || c == .PR)
  }

  private func isKeptKorean(_ c: LineBreakClass) -> Bool {
    switch (last, c) {
    case (.JL, .JL), (.JL, .JV), (.JL, .H2), (.JL, .H3), (.JV, .JV), (.JV, .JT), (.H2, .JV),
      (.H2, .JT), (.JT, .JT), (.H3, .JT):
      true
    case (.JL, .PO), (.JV, .PO), (.JT, .PO), (.H2, .PO), (.H3, .PO): true
    case (.PR, .JL), (.PR, .JV), (.PR, .JT), (.PR, .H2), (.PR, .H3): true
    default: false
    }
  }
}
