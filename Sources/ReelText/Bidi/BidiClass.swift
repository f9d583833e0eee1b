// Bidirectional character types. UAX #9 §3.2.

/// Bidi_Class; the raw values are those of the table.
enum BidiClass: UInt8, Sendable {
  case leftToRight, rightToLeft, arabicLetter
  case europeanNumber, europeanSeparator, europeanTerminator, arabicNumber, commonSeparator
  case nonspacingMark, boundaryNeutral
  case paragraphSeparator, segmentSeparator, whiteSpace, otherNeutral
  case leftToRightEmbedding, leftToRightOverride, rightToLeftEmbedding, rightToLeftOverride
  case popDirectionalFormat
  case leftToRightIsolate, rightToLeftIsolate, firstStrongIsolate, popDirectionalIsolate

  private static let table = RunTable(BidiTables.classes)

  static func of(_ scalar: Unicode.Scalar) -> BidiClass {
    BidiClass(rawValue: table[scalar.value]) ?? .leftToRight
  }

  var isIsolateInitiator: Bool {
    self == .leftToRightIsolate || self == .rightToLeftIsolate || self == .firstStrongIsolate
  }

  /// Removed by rule X9.
  var isRemoved: Bool {
    switch self {
    case .leftToRightEmbedding, .leftToRightOverride, .rightToLeftEmbedding, .rightToLeftOverride,
      .popDirectionalFormat, .boundaryNeutral:
      true
    default: false
    }
  }

  /// NI in the rules N1 and N2: neutrals and isolate formatting characters.
  var isNeutral: Bool {
    switch self {
    case .paragraphSeparator, .segmentSeparator, .whiteSpace, .otherNeutral, .leftToRightIsolate,
      .rightToLeftIsolate, .firstStrongIsolate, .popDirectionalIsolate:
      true
    default: false
    }
  }
}

/// Paired brackets. UAX #9 §3.1.3, BD14 … BD16.
enum BidiBracket {
  /// A bracket as the opening one of its pair, canonical equivalents made one.
  static func of(_ scalar: Unicode.Scalar) -> (opening: UInt32, isOpening: Bool)? {
    guard let found = all[scalar.value] else { return nil }
    return found
  }

  private static let all: [UInt32: (opening: UInt32, isOpening: Bool)] = {
    var map: [UInt32: (opening: UInt32, isOpening: Bool)] = [:]
    let list = BidiTables.brackets
    for i in stride(from: 0, to: list.count - 1, by: 2) {
      let opening = canonical(list[i])
      map[list[i]] = (opening, true)
      map[list[i + 1]] = (opening, false)
    }
    return map
  }()

  /// U+2329 and U+232A are canonically U+3008 and U+3009.
  private static func canonical(_ scalar: UInt32) -> UInt32 { scalar == 0x2329 ? 0x3008 : scalar }
}
