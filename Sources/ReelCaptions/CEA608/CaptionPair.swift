// Where line 21 captions lie in streams. ATSC A/53 Part 4:2009 §6.2.3, CEA-608-E.

internal import ReelCore

/// Two bytes of captions that come with a picture. ATSC A/53 Part 4:2009 table 6.9, CEA-708-E §4.4.
struct CaptionTriplet {
  /// 0 and 1: line 21 of the fields; 2 and 3: the caption channel, the latter where a packet begins.
  let type: UInt8
  let first, second: UInt8

  /// Those that are valid in a payload of registered user data; none when it holds something else.
  static func triplets(inUserData payload: [UInt8]) -> [CaptionTriplet] {
    // United States, ATSC, "GA94", captions.
    guard payload.count >= 10,
      payload.starts(with: [0xB5, 0x00, 0x31, 0x47, 0x41, 0x39, 0x34, 0x03]),
      payload[8] & 0x40 != 0
    else { return [] }
    var triplets: [CaptionTriplet] = []
    for i in 0..<Int(payload[8] & 0x1F) {
      let at = 10 + 3 * i
      guard at + 2 < payload.count else { break }
      guard payload[at] & 4 != 0 else { continue }
      triplets.append(
        CaptionTriplet(type: payload[at] & 3, first: payload[at + 1], second: payload[at + 2]))
    }
    return triplets
  }
}

/// Two bytes of line 21, parity included.
public struct CaptionPair: Sendable, Hashable {
  /// 1 or 2.
  public let field: Int
  public let first, second: UInt8
  public init(field: Int, first: UInt8, second: UInt8) {
    (self.field, self.first, self.second) = (field, first, second)
  }

  /// Says nothing: what a field has between captions.
  public var isEmpty: Bool { first == 0x80 && second == 0x80 }

  /// The pairs in a payload of registered user data (ITU-T T.35), as `VideoFrame.registeredUserData` has
  /// it; none when it holds something else.
  public static func pairs(inUserData payload: [UInt8]) -> [CaptionPair] {
    CaptionTriplet.triplets(inUserData: payload).compactMap { triplet in
      triplet.type < 2
        ? CaptionPair(
          field: Int(triplet.type) + 1, first: triplet.first, second: triplet.second) : nil
    }
  }

  /// The pairs in a sample of a `c608` track: boxes `cdat` (field 1) and `cdt2` (field 2).
  /// QuickTime File Format, "Closed captioning sample data".
  public static func pairs(inSample sample: [UInt8]) -> [CaptionPair] {
    var pairs: [CaptionPair] = []
    var at = 0
    while at + 8 <= sample.count {
      let size = sample[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      let type = sample[at + 4..<at + 8].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      guard size >= 8, size <= sample.count - at else { break }
      let field = FourCC(rawValue: type) == "cdat" ? 1 : FourCC(rawValue: type) == "cdt2" ? 2 : 0
      if field > 0 {
        for i in stride(from: at + 8, to: at + size - 1, by: 2) {
          pairs.append(CaptionPair(field: field, first: sample[i], second: sample[i + 1]))
        }
      }
      at += size
    }
    return pairs
  }
}
