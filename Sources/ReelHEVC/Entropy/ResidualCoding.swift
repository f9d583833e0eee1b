// Parsing and scaling of the coefficients of one block. ISO/IEC 23008-2:2020 §7.3.8.11, §9.3.4.2, §8.6.4.2.

import ReelCore

/// What parsing of a block needs to know.
struct ResidualParameters {
  var log2Size = 2
  /// 0 luma, 1 and 2 chroma.
  var component = 0
  /// 0 diagonal, 1 horizontal, 2 vertical.
  var scanIdx = 0
  var isSignHidden = false
  /// cu_transquant_bypass_flag: levels are not scaled.
  var isBypass = false
  /// sig_coeff_flag has a single context: transform_skip_context_enabled_flag.
  var hasSingleContext = false
  /// persistent_rice_adaptation_enabled_flag, and which StatCoeff.
  var isRicePersistent = false
  var statistic = 0
  /// levelScale · 2^(qP / 6), and the shift that ends scaling.
  var factor = 0
  var shift = 0
  /// First scaling factor m in the table; −1 for m = 16 everywhere.
  var scaling = -1
}

/// Context increments of sig_coeff_flag. §9.3.4.2.5.
enum SignificanceTables {
  /// sigCtx by position y · 4 + x: for prevCsbf 0…3, then ctxIdxMap of 4×4 blocks.
  static let increments: InlineArray<80, UInt8> = [
    2, 1, 1, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0,
    2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0,
    2, 1, 0, 0, 2, 1, 0, 0, 2, 1, 0, 0, 2, 1, 0, 0,
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
    0, 1, 4, 5, 2, 3, 4, 5, 6, 6, 8, 8, 7, 7, 8, 8,
  ]
}

/// Columns and rows of the upper left part of a block that holds all its coefficients, multiples of 4.
struct CoefficientExtent {
  var columns = 0
  var rows = 0
}

enum ResidualCoding {
  typealias States = CheckedBuffer<UInt8>

  /// Parses residual_coding() behind its flags; scaled levels go to `coefficients` in rows of the
  /// block's size. The engine is taken and given by value: through a reference every bin would store it.
  static func parse(
    _ decoder: CABACDecoder, _ states: borrowing States, _ bytes: borrowing SliceBytes,
    _ scans: borrowing CheckedBuffer<UInt8>, _ factors: borrowing CheckedBuffer<UInt8>,
    into coefficients: borrowing CheckedBuffer<Int16>, _ p: ResidualParameters
  ) -> (extent: CoefficientExtent, engine: CABACDecoder) {
    var engine = decoder
    let log2Size = p.log2Size
    let isLuma = p.component == 0
    let (lastX, lastY) = lastPosition(&engine, states, bytes, p)
    let subScan = ((log2Size &- 2) &* 3 &+ p.scanIdx) &* 64
    let scan = (6 &+ p.scanIdx) &* 64
    var sub = find(scans, subScan, UInt8(truncatingIfNeeded: (lastY >> 2) &<< 4 | lastX >> 2))
    let lastSub = sub
    let lastN = find(scans, scan, UInt8(truncatingIfNeeded: (lastY & 3) &<< 4 | lastX & 3))
    var coded: UInt64 = 0
    var extent = CoefficientExtent()
    var previousGreater1 = 1
    var positions: InlineArray<16, UInt8> = .init(repeating: 0)
    var levels: InlineArray<16, Int32> = .init(repeating: 0)
    while sub >= 0 {
      let place = Int(scans[subScan &+ sub])
      let (xS, yS) = (place & 15, place >> 4)
      let bit = yS &* 8 &+ xS
      let right = xS < 7 ? Int(truncatingIfNeeded: coded >> UInt64(bit &+ 1)) & 1 : 0
      let below = yS < 7 ? Int(truncatingIfNeeded: coded >> UInt64(bit &+ 8)) & 1 : 0
      var isInferred = false
      if sub < lastSub && sub > 0 {
        let context = Context.codedSubBlock &+ (right | below) &+ (isLuma ? 0 : 2)
        if engine.decision(context, states, bytes) == 0 {
          sub &-= 1
          continue
        }
        isInferred = true
      }
      coded |= 1 &<< UInt64(bit)
      // sig_coeff_flag
      var count = 0
      var n = 15
      if sub == lastSub {
        positions[0] = UInt8(truncatingIfNeeded: lastN)
        count = 1
        n = lastN &- 1
      }
      var base = Context.significant &+ (isLuma ? 0 : 27)
      var pattern = 64
      if p.hasSingleContext {
        base = Context.significant &+ (isLuma ? 42 : 43)
      } else if log2Size > 2 {
        pattern = (right | below &<< 1) &* 16
        if isLuma {
          base &+= (sub > 0 ? 3 : 0) &+ (log2Size == 3 ? (p.scanIdx == 0 ? 9 : 15) : 21)
        } else {
          base &+= log2Size == 3 ? 9 : 12
        }
      }
      while n > 0 {
        let at = Int(scans[scan &+ n])
        let increment =
          p.hasSingleContext
          ? 0 : Int(SignificanceTables.increments[pattern &+ (at >> 4) &* 4 &+ at & 3])
        if engine.decision(base &+ increment, states, bytes) == 1 {
          positions[count & 15] = UInt8(truncatingIfNeeded: n)
          count &+= 1
          isInferred = false
        }
        n &-= 1
      }
      if n == 0 {
        if isInferred {
          positions[count & 15] = 0
          count &+= 1
        } else {
          var context = base
          if !p.hasSingleContext {
            context =
              sub == 0
              ? Context.significant &+ (isLuma ? 0 : 27)
              : base &+ Int(SignificanceTables.increments[pattern])
          }
          if engine.decision(context, states, bytes) == 1 {
            positions[count & 15] = 0
            count &+= 1
          }
        }
      }
      if count > 0 {
        let isFirstSet = sub == lastSub
        var set = sub == 0 || !isLuma ? 0 : 2
        if !isFirstSet && previousGreater1 == 0 { set &+= 1 }
        previousGreater1 = parseLevels(
          &engine, states, bytes, p, positions, &levels, count: count, set: set)
        if extent.columns < xS &* 4 &+ 4 { extent.columns = xS &* 4 &+ 4 }
        if extent.rows < yS &* 4 &+ 4 { extent.rows = yS &* 4 &+ 4 }
        var i = 0
        while i < count {
          let at = Int(scans[scan &+ Int(positions[i & 15])])
          let index =
            (yS &* 4 &+ at >> 4) &<< log2Size &+ xS &* 4 &+ at & 15
          coefficients[index] = scale(levels[i & 15], index, factors, p)
          i &+= 1
        }
      }
      sub &-= 1
    }
    return (extent, engine)
  }

  /// Place of a position in a scan order.
  @inline(__always)
  private static func find(
    _ scans: borrowing CheckedBuffer<UInt8>, _ scan: Int, _ position: UInt8
  ) -> Int {
    var i = 0
    while i < 63 && scans[scan &+ i] != position { i &+= 1 }
    return i
  }

  /// last_sig_coeff_x/y_prefix and suffix. §7.4.9.11, §9.3.4.2.3.
  @inline(__always)
  private static func lastPosition(
    _ engine: inout CABACDecoder, _ states: borrowing States, _ bytes: borrowing SliceBytes,
    _ p: ResidualParameters
  ) -> (x: Int, y: Int) {
    let log2Size = p.log2Size
    let isLuma = p.component == 0
    let offset = isLuma ? 3 &* (log2Size &- 2) &+ (log2Size &- 1) >> 2 : 15
    let shift = isLuma ? (log2Size &+ 1) >> 2 : log2Size &- 2
    let most = log2Size &* 2 &- 1
    var x = 0
    while x < most
      && engine.decision(Context.lastXPrefix &+ offset &+ x >> shift, states, bytes) == 1
    {
      x &+= 1
    }
    var y = 0
    while y < most
      && engine.decision(Context.lastYPrefix &+ offset &+ y >> shift, states, bytes) == 1
    {
      y &+= 1
    }
    if x > 3 {
      let bits = x >> 1 &- 1
      x = (2 &+ x & 1) &<< bits &+ engine.bypass(bits, bytes)
    }
    if y > 3 {
      let bits = y >> 1 &- 1
      y = (2 &+ y & 1) &<< bits &+ engine.bypass(bits, bytes)
    }
    return p.scanIdx == 2 ? (y, x) : (x, y)
  }

  /// The levels of a sub-block; returns greater1Ctx after its last flag. §7.3.8.11, §9.3.4.2.6.
  @inline(__always)
  private static func parseLevels(
    _ engine: inout CABACDecoder, _ states: borrowing States, _ bytes: borrowing SliceBytes,
    _ p: ResidualParameters, _ positions: InlineArray<16, UInt8>,
    _ levels: inout InlineArray<16, Int32>, count: Int, set: Int
  ) -> Int {
    let isLuma = p.component == 0
    let base = Context.greater1 &+ set &* 4 &+ (isLuma ? 0 : 16)
    var greater1 = 1
    var firstLarger = -1
    let flagged = min(count, 8)
    var i = 0
    while i < flagged {
      let flag = engine.decision(base &+ greater1, states, bytes)
      levels[i & 15] = Int32(truncatingIfNeeded: 1 &+ flag)
      if flag == 1 {
        greater1 = 0
        if firstLarger < 0 { firstLarger = i }
      } else if greater1 > 0 && greater1 < 3 {
        greater1 &+= 1
      }
      i &+= 1
    }
    while i < count {
      levels[i & 15] = 1
      i &+= 1
    }
    if firstLarger >= 0 {
      let context = Context.greater2 &+ set &+ (isLuma ? 0 : 4)
      if engine.decision(context, states, bytes) == 1 { levels[firstLarger & 15] = 3 }
    }
    let isHidden = p.isSignHidden && Int(positions[0]) &- Int(positions[(count &- 1) & 15]) > 3
    let signCount = isHidden ? count &- 1 : count
    var signs = engine.bypass(signCount, bytes) &<< (16 &- signCount)
    var rice = p.isRicePersistent ? Int(states[Context.count &+ p.statistic]) >> 2 : 0
    var isFirstRemaining = true
    var sum: Int32 = 0
    i = 0
    while i < count {
      let threshold: Int32 = i < 8 ? (i == firstLarger ? 3 : 2) : 1
      if levels[i & 15] == threshold {
        let remaining = parseRemaining(&engine, bytes, rice)
        let value = levels[i & 15] &+ remaining
        levels[i & 15] = value
        if value > 3 &<< Int32(truncatingIfNeeded: rice) {
          rice = p.isRicePersistent ? min(rice &+ 1, 24) : min(rice &+ 1, 4)
        }
        if p.isRicePersistent && isFirstRemaining {
          adapt(states, p.statistic, remaining)
        }
        isFirstRemaining = false
      }
      sum &+= levels[i & 15]
      if signs & 0x8000 != 0 { levels[i & 15] = 0 &- levels[i & 15] }
      signs = signs &<< 1
      i &+= 1
    }
    if isHidden && sum & 1 == 1 {
      levels[(count &- 1) & 15] = 0 &- levels[(count &- 1) & 15]
    }
    return greater1
  }

  /// StatCoeff after the first coeff_abs_level_remaining of a sub-block. §9.3.4.2.
  private static func adapt(_ states: borrowing States, _ statistic: Int, _ remaining: Int32) {
    let value = states[Context.count &+ statistic]
    let step = Int32(value >> 2)
    if remaining >= 3 &<< step {
      states[Context.count &+ statistic] = min(value &+ 1, 96)
    } else if 2 &* remaining < 1 &<< step && value > 0 {
      states[Context.count &+ statistic] = value &- 1
    }
  }

  /// coeff_abs_level_remaining, §9.3.3.11.
  @inline(__always)
  private static func parseRemaining(
    _ engine: inout CABACDecoder, _ bytes: borrowing SliceBytes, _ rice: Int
  ) -> Int32 {
    var prefix = 0
    while prefix < 32 && engine.bypass(bytes) == 1 { prefix &+= 1 }
    if prefix <= 3 {
      return Int32(truncatingIfNeeded: prefix &<< rice &+ engine.bypass(rice, bytes))
    }
    // LIMIT: longer suffixes give levels that no stream in order has.
    let length = min(prefix &- 3 &+ rice, 32)
    let high = (1 &<< (prefix &- 3) &+ 3 &- 1) &<< rice
    return Int32(truncatingIfNeeded: min(high &+ engine.bypass(length, bytes), 1 &<< 24))
  }

  /// The scaled coefficient of a level. (8-309)
  @inline(__always)
  private static func scale(
    _ level: Int32, _ index: Int, _ factors: borrowing CheckedBuffer<UInt8>, _ p: ResidualParameters
  ) -> Int16 {
    let level = Int(min(max(level, -32768), 32767))
    if p.isBypass { return Int16(truncatingIfNeeded: level) }
    let m = p.scaling < 0 ? 16 : Int(factors[p.scaling &+ index])
    let value = (level &* m &* p.factor &+ 1 &<< (p.shift &- 1)) >> p.shift
    return Int16(truncatingIfNeeded: min(max(value, -32768), 32767))
  }
}
