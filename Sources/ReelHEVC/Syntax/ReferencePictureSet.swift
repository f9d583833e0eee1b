// Short-term reference picture sets. ISO/IEC 23008-2:2020 §7.3.7, §7.4.8.

import ReelCore
import ReelVideoCore

/// st_ref_pic_set(): pictures before (S0) and after (S1) the current one, nearest first.
struct ReferencePictureSet: Sendable, Hashable {
  struct Entry: Sendable, Hashable {
    /// DeltaPocS0 or DeltaPocS1.
    var deltaPOC: Int
    /// used_by_curr_pic: the current picture may refer to it.
    var isUsed: Bool
  }
  var negative: [Entry] = []
  var positive: [Entry] = []
  /// NumDeltaPocs.
  var count: Int { negative.count + positive.count }

  init() {}

  /// Reads the set with index `index` of the `others.count` sets of the sequence parameter set, or,
  /// where `index` is that count, the set of a slice header.
  ///
  /// - Parameter others: the sets read before.
  init(
    parsing reader: inout SyntaxReader, index: Int, others: [ReferencePictureSet], isInSlice: Bool
  ) throws(MediaError) {
    if index > 0 && reader.flag() {
      try predict(&reader, index, others, isInSlice)
    } else {
      let negativeCount = try reader.ue(0...16, "num_negative_pics", .hevcReferencePictureSet)
      let positiveCount = try reader.ue(
        0...16 - negativeCount, "num_positive_pics", .hevcReferencePictureSet)
      negative = try Self.entries(&reader, negativeCount, sign: -1)
      positive = try Self.entries(&reader, positiveCount, sign: 1)
    }
    try reader.requireNoOverrun()
  }

  private static func entries(
    _ reader: inout SyntaxReader, _ count: Int, sign: Int
  ) throws(MediaError) -> [Entry] {
    var entries: [Entry] = []
    var delta = 0
    for _ in 0..<count {
      delta += sign * (1 + (try reader.ue(0...32767, "delta_poc_minus1", .hevcReferencePictureSet)))
      entries.append(Entry(deltaPOC: delta, isUsed: reader.flag()))
    }
    return entries
  }

  /// Prediction from another set, (7-61) and (7-62).
  private mutating func predict(
    _ reader: inout SyntaxReader, _ index: Int, _ others: [ReferencePictureSet], _ isInSlice: Bool
  ) throws(MediaError) {
    var deltaIndex = 1
    if isInSlice {
      deltaIndex += try reader.ue(0...index - 1, "delta_idx_minus1", .hevcReferencePictureSet)
    }
    let isNegative = reader.flag()
    let magnitude = 1 + (try reader.ue(0...32767, "abs_delta_rps_minus1", .hevcReferencePictureSet))
    let deltaRPS = isNegative ? -magnitude : magnitude
    let source = others[index - deltaIndex]
    // used_by_curr_pic_flag and use_delta_flag of each picture of the source, then of the source itself.
    var flags: [(isUsed: Bool, isKept: Bool)] = []
    for _ in 0...source.count {
      let isUsed = reader.flag()
      flags.append((isUsed, isUsed || reader.flag()))
    }
    let before = source.negative.count
    func add(_ delta: Int, _ flag: Int, to list: inout [Entry]) {
      if flags[flag].isKept { list.append(Entry(deltaPOC: delta, isUsed: flags[flag].isUsed)) }
    }
    for i in source.positive.indices.reversed() {
      let delta = source.positive[i].deltaPOC + deltaRPS
      if delta < 0 { add(delta, before + i, to: &negative) }
    }
    if deltaRPS < 0 { add(deltaRPS, source.count, to: &negative) }
    for i in source.negative.indices {
      let delta = source.negative[i].deltaPOC + deltaRPS
      if delta < 0 { add(delta, i, to: &negative) }
    }
    for i in source.negative.indices.reversed() {
      let delta = source.negative[i].deltaPOC + deltaRPS
      if delta > 0 { add(delta, i, to: &positive) }
    }
    if deltaRPS > 0 { add(deltaRPS, source.count, to: &positive) }
    for i in source.positive.indices {
      let delta = source.positive[i].deltaPOC + deltaRPS
      if delta > 0 { add(delta, before + i, to: &positive) }
    }
    guard count <= 16, (negative + positive).allSatisfy({ abs($0.deltaPOC) <= 1 << 16 }) else {
      throw MediaError(.damaged, .hevcReferencePictureSet, detail: "\(count) pictures")
    }
  }
}
