// Maps of 8-bit codes in 16-bit integers. Loops that the compiler makes vectors of; there is no other kernel.

internal import ReelCore

/// The numbers of a ``CodeMap`` for planes of 8 bits.
///
/// The upper half of a product of 16 bits without a sign is one instruction for eight codes. The compiler
/// finds it where it knows nothing of a factor's bits: hence the lower bits that are set by a number which it
/// does not know. They round as well.
struct CodeMapIntegers: Sendable, Equatable {
  /// A plane by itself: code′ = (hi((code ⊕ flip) · 2⁸ + low, factor) + offset) >> shift.
  ///
  /// Slopes from 1 on need no fraction: `low` times the factor rounds, and brings the factor's own error to
  /// zero at the middle code. Flatter ones have as many fractional bits as make the factor 2⁸ or more.
  struct Line: Sendable, Equatable {
    var factor, low: UInt16
    var offset, shift: Int16
    /// Falling lines count from the other end, so that the factor is positive.
    var isFalling: Bool
  }

  /// A chroma plane made of both:
  /// code′ = (hi(own ⊕ flip, factor) + hi(other ⊕ flip, factor) + offset) >> 5, codes as above.
  struct Mix: Sendable, Equatable {
    /// The two factors, the two flips, the lower bits, the offset.
    let numbers: SIMD8<UInt16>
  }

  enum Chroma: Sendable, Equatable {
    case apart(blue: Line?, red: Line?)
    case mixed(blue: Mix, red: Mix)
  }

  /// nil: the plane stays as it is.
  let luma: Line?
  let chroma: Chroma

  init?(luma: CodeMap.Row, blue: CodeMap.Row, red: CodeMap.Row) {
    func line(_ row: CodeMap.Row) -> Line?? {
      row.isIdentity ? .some(nil) : Line(row).map { .some($0) }
    }
    guard let y = line(luma) else { return nil }
    self.luma = y
    if blue.other == 0 && red.other == 0 {
      guard let cb = line(blue), let cr = line(red) else { return nil }
      chroma = .apart(blue: cb, red: cr)
    } else {
      guard let cb = Mix(blue), let cr = Mix(red) else { return nil }
      chroma = .mixed(blue: cb, red: cr)
    }
  }

  /// What each plane by itself becomes; nil where chroma planes are mixed.
  var lines: [Line?]? {
    if case .apart(let blue, let red) = chroma { [luma, blue, red] } else { nil }
  }

  // MARK: Running

  func run(
    _ source: FramePlanes<UInt8>, into output: FramePlanes<UInt8>, _ place: CodeMap.Place,
    band: Range<Int>
  ) {
    let crop = place.crop
    let lines = PlaneRuns(
      from: source.y, at: (crop.x, crop.y), to: output.y, width: crop.width, rows: band)
    Self.map(source.y, into: output.y, luma, lines)
    let runs = PlaneRuns(
      from: source.cb,
      at: (crop.x >> place.horizontalShift, crop.y >> place.verticalShift), to: output.cb,
      width: place.chromaWidth, rows: place.chroma(band))
    switch chroma {
    case .apart(let blue, let red):
      Self.map(source.cb, into: output.cb, blue, runs)
      Self.map(source.cr, into: output.cr, red, runs)
    case .mixed(let blue, let red):
      for run in 0..<runs.count {
        let (from, to, count) = runs[run]
        source.cb.withSamples(at: from, count: count) { cb in
          source.cr.withSamples(at: from, count: count) { cr in
            output.cb.withMutableSamples(at: to, count: count) {
              Self.mix(cb, cr, into: &$0, blue.numbers)
            }
            output.cr.withMutableSamples(at: to, count: count) {
              Self.mix(cr, cb, into: &$0, red.numbers)
            }
          }
        }
      }
    }
  }

  private static func map(
    _ source: borrowing SamplePlane<UInt8>, into target: borrowing SamplePlane<UInt8>,
    _ line: Line?, _ runs: PlaneRuns
  ) {
    guard let line else {
      for run in 0..<runs.count {
        let (from, to, length) = runs[run]
        target.copy(from: source, at: from, to: to, count: length)
      }
      return
    }
    for run in 0..<runs.count {
      let (from, to, length) = runs[run]
      map(source, at: from, into: target, at: to, count: length, line)
    }
  }

  /// Maps `length` samples of a plane.
  static func map(
    _ source: borrowing SamplePlane<UInt8>, at from: Int,
    into target: borrowing SamplePlane<UInt8>, at to: Int, count length: Int, _ line: Line
  ) {
    let half = length / 2 & ~15
    source.withSamples(at: from, count: half) { first in
      source.withSamples(at: from + half, count: half) { second in
        target.withMutableSamples(at: to, count: half) { left in
          target.withMutableSamples(at: to + half, count: half) { right in
            if line.shift == 0 && !line.isFalling {
              rise(first, second, into: &left, &right, line.factor, line.low, line.offset)
            } else {
              map(first, second, into: &left, &right, line)
            }
          }
        }
      }
    }
    for i in 2 * half..<length { target[to + i] = line.mapped(source[from + i]) }
  }

  // Two stretches in one loop, because a loop of 64 bytes, which one of them needs, is fast or slow by where
  // it happens to lie. Functions of their own, because in a larger one the numbers lie in registers whose
  // names need longer instructions.

  @inline(never)
  private static func rise(
    _ first: Span<UInt8>, _ second: Span<UInt8>, into left: inout MutableSpan<UInt8>,
    _ right: inout MutableSpan<UInt8>, _ factor: UInt16, _ low: UInt16, _ offset: Int16
  ) {
    let n = left.count
    precondition(right.count >= n && first.count >= n && second.count >= n)
    for i in 0..<n {
      let a = UInt16(truncatingIfNeeded: first[i]) &<< 8 | low
      let b = UInt16(truncatingIfNeeded: second[i]) &<< 8 | low
      left[i] = limited(high(a, factor) &+ offset)
      right[i] = limited(high(b, factor) &+ offset)
    }
  }

  @inline(never)
  private static func map(
    _ first: Span<UInt8>, _ second: Span<UInt8>, into left: inout MutableSpan<UInt8>,
    _ right: inout MutableSpan<UInt8>, _ line: Line
  ) {
    let n = left.count
    precondition(right.count >= n && first.count >= n && second.count >= n)
    for i in 0..<n {
      left[i] = line.mapped(first[i])
      right[i] = line.mapped(second[i])
    }
  }

  /// The numbers come as a vector: of its lanes the compiler knows no bits.
  @inline(never)
  private static func mix(
    _ own: Span<UInt8>, _ other: Span<UInt8>, into result: inout MutableSpan<UInt8>,
    _ k: SIMD8<UInt16>
  ) {
    let n = result.count
    precondition(own.count >= n && other.count >= n)
    let (flip, otherFlip) = (UInt8(truncatingIfNeeded: k[2]), UInt8(truncatingIfNeeded: k[3]))
    let offset = Int16(truncatingIfNeeded: k[5])
    for i in 0..<n {
      let x = UInt16(truncatingIfNeeded: own[i] ^ flip) &<< 8 | k[4]
      let y = UInt16(truncatingIfNeeded: other[i] ^ otherFlip) &<< 8 | k[4]
      result[i] = limited((high(x, k[0]) &+ high(y, k[1]) &+ offset) &>> 5)
    }
  }

  @inline(__always)
  fileprivate static func high(_ a: UInt16, _ b: UInt16) -> Int16 {
    Int16(
      truncatingIfNeeded: (UInt32(truncatingIfNeeded: a) &* UInt32(truncatingIfNeeded: b)) &>> 16)
  }

  @inline(__always)
  fileprivate static func limited(_ sum: Int16) -> UInt8 {
    UInt8(truncatingIfNeeded: min(max(sum, 0), 255))
  }
}

extension CodeMapIntegers.Line {
  @inline(__always)
  func mapped(_ code: UInt8) -> UInt8 {
    let flip: UInt8 = isFalling ? 255 : 0
    let wide = UInt16(truncatingIfNeeded: code ^ flip) &<< 8 | low
    return CodeMapIntegers.limited((CodeMapIntegers.high(wide, factor) &+ offset) &>> shift)
  }

  /// nil when the numbers are too large.
  fileprivate init?(_ row: CodeMap.Row) {
    isFalling = row.own < 0
    let slope = row.own.magnitude
    let start = isFalling ? row.offset - slope * 255 : row.offset
    guard slope < 7.9, start >= -760, start + slope * 255 <= 1015 else { return nil }
    var bits = 0
    while bits < 5 && slope * Double(1 << bits) < 1 { bits += 1 }
    let unit = Double(1 << bits)
    shift = Int16(bits)
    factor = UInt16((slope * unit * 256).rounded())
    // Half a code, and what takes the factor's error back for the middle code, 127½.
    let error = (slope * unit - Double(factor) / 256) * 127.5
    let wanted = (start + 0.5) * unit + error
    let whole = wanted.rounded(.down)
    offset = Int16(whole)
    let rest = (wanted - whole) * 65_536 / Double(max(factor, 1))
    low = UInt16(min(rest.rounded(), 255))
  }
}

extension CodeMapIntegers.Mix {
  /// nil when the numbers are too large.
  fileprivate init?(_ row: CodeMap.Row) {
    let unit = 32.0
    let most = (row.own.magnitude + row.other.magnitude) * 255
    guard most <= 1015, row.offset.magnitude <= 1775 else { return nil }
    let constant = row.offset + (min(row.own, 0) + min(row.other, 0)) * 255
    guard constant >= -760, constant + most <= 1015 else { return nil }
    func factor(_ slope: Double) -> UInt16 { UInt16((slope.magnitude * unit * 256).rounded()) }
    func flip(_ slope: Double) -> UInt16 { slope < 0 ? 255 : 0 }
    let (own, other) = (factor(row.own), factor(row.other))
    // Half a code; half of what each product loses; less what the low bits add.
    let low: UInt16 = 128
    let bits = Double(own) + Double(other)
    let offset = ((constant + 0.5) * unit + 1 - bits * Double(low) / 65_536).rounded()
    numbers = [
      own, other, flip(row.own), flip(row.other), low, UInt16(bitPattern: Int16(offset)), 0, 0,
    ]
  }
}

/// The rows of a part of a plane as few runs of samples.
///
/// Rows of the whole width, in planes of equal strides, are one run: what lies between rows is nobody's.
struct PlaneRuns: Sendable {
  /// How many runs there are.
  let count: Int
  private let source, target, sourceStride, targetStride, length: Int

  /// - Parameters:
  ///   - place: the first sample of the part in the source.
  ///   - rows: rows of the part; they are rows of the target, whose part begins at its first sample.
  init<S: PictureSample>(
    from plane: borrowing SamplePlane<S>, at place: (x: Int, y: Int),
    to target: borrowing SamplePlane<S>, width: Int, rows: Range<Int>
  ) {
    let isWhole =
      place.x == 0 && width == plane.width && width == target.width
      && plane.stride == target.stride && !rows.isEmpty
    source = (place.y + rows.lowerBound) * plane.stride + place.x
    self.target = rows.lowerBound * target.stride
    sourceStride = plane.stride
    targetStride = target.stride
    count = isWhole ? 1 : rows.count
    length = isWhole ? (rows.count - 1) * plane.stride + width : width
  }

  /// Where run `i` begins in both planes, and how many samples it has.
  subscript(i: Int) -> (source: Int, target: Int, count: Int) {
    (source + i * sourceStride, target + i * targetStride, length)
  }
}
