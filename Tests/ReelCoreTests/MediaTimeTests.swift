import ReelCore
import ReelTestSupport
import Testing

@Suite struct MediaTimeTests {
  @Test("a sum keeps the timescale its terms share")
  func sameTimescale() {
    let sum = MediaTime(value: 300, timescale: 600) + MediaTime(value: 300, timescale: 600)
    #expect(sum.value == 600 && sum.timescale == 600 && !sum.hasBeenRounded)
  }

  @Test("a sum of two timescales takes their least common multiple")
  func leastCommonMultiple() {
    let sum = MediaTime(value: 1, timescale: 4) + MediaTime(value: 1, timescale: 6)
    #expect(sum.value == 5 && sum.timescale == 12 && !sum.hasBeenRounded)
    let difference = MediaTime(value: 1, timescale: 4) - MediaTime(value: 1, timescale: 6)
    #expect(difference.value == 1 && difference.timescale == 12)
  }

  @Test("a time without its sign keeps its state, as with CMTimeAbsoluteValue")
  func absoluteValue() {
    for value: Int64 in [-7, 0, 7] {
      #expect(
        MediaTime(value: value, timescale: 3).absoluteValue
          == MediaTime(value: abs(value), timescale: 3))
    }
    #expect(MediaTime.negativeInfinity.absoluteValue == .positiveInfinity)
    #expect(MediaTime.positiveInfinity.absoluteValue == .positiveInfinity)
    #expect(!MediaTime.invalid.absoluteValue.isValid)
  }

  @Test("a multiple beyond the maximum is capped and the sum rounded")
  func cappedMultiple() {
    let a = MediaTime(value: 1, timescale: 2_147_483_647)
    let b = MediaTime(value: 1, timescale: 2_147_483_629)
    let sum = a + b
    #expect(sum.timescale == MediaTime.maximumTimescale)
    #expect(sum.value == 2)
    #expect(sum.hasBeenRounded)
  }

  @Test("a value that overflows halves the timescale until it fits")
  func overflowHalvesTheTimescale() {
    let sum = MediaTime(value: .max, timescale: 600) + MediaTime(value: .max, timescale: 600)
    #expect(sum.timescale == 300)
    #expect(sum.value == .max)
    #expect(!sum.hasBeenRounded)
    let product = MediaTime(value: .max, timescale: 600).multiplied(by: 8)
    #expect(product.timescale == 75 && product.value == .max)
    let odd = MediaTime(value: .max, timescale: 3).multiplied(by: 2)
    #expect(odd.timescale == 1 && odd.hasBeenRounded)
    #expect(odd.value == 6_148_914_691_236_517_205)
  }

  @Test("a value that overflows at one tick a second is infinite")
  func overflowBecomesInfinite() {
    #expect(
      (MediaTime(value: .max, timescale: 1) + MediaTime(value: 1, timescale: 1)).state
        == .positiveInfinity)
    #expect(
      (MediaTime(value: .min, timescale: 1) - MediaTime(value: 1, timescale: 1)).state
        == .negativeInfinity)
    #expect(
      (MediaTime(value: .max, timescale: 1) + MediaTime(value: 1, timescale: 1))
        .hasBeenRounded)
  }

  @Test("the rounded mark sticks through every operation")
  func roundedIsSticky() {
    let rounded = MediaTime(value: 1, timescale: 3).convertScale(10)
    #expect(rounded.hasBeenRounded)
    #expect((rounded + MediaTime(value: 1, timescale: 10)).hasBeenRounded)
    #expect((MediaTime(value: 1, timescale: 10) - rounded).hasBeenRounded)
    #expect(rounded.multiplied(by: 10).hasBeenRounded)
    #expect(rounded.multiplied(by: 3, over: 3).hasBeenRounded)
    #expect(rounded.multiplied(byFloat64: 2.0).hasBeenRounded)
    #expect((-rounded).hasBeenRounded)
    #expect(rounded.convertScale(1000).hasBeenRounded)
    #expect((rounded + .positiveInfinity).hasBeenRounded)
    #expect(!MediaTime(value: 1, timescale: 3).convertScale(6).hasBeenRounded)
  }

  @Test("sums of times that are no numbers follow the table of CMTimeAdd")
  func statesOfSums() {
    let one = MediaTime(value: 1, timescale: 1)
    #expect((one + .invalid).state == .invalid)
    #expect((MediaTime.indefinite + .invalid).state == .invalid)
    #expect((one + .positiveInfinity).state == .positiveInfinity)
    #expect((MediaTime.indefinite + .negativeInfinity).state == .negativeInfinity)
    #expect((MediaTime.positiveInfinity + .positiveInfinity).state == .positiveInfinity)
    #expect((MediaTime.positiveInfinity + .negativeInfinity).state == .invalid)
    #expect((one + .indefinite).state == .indefinite)
    #expect((MediaTime.positiveInfinity - .positiveInfinity).state == .invalid)
    #expect((MediaTime.positiveInfinity - .negativeInfinity).state == .positiveInfinity)
    #expect((MediaTime.negativeInfinity - .positiveInfinity).state == .negativeInfinity)
    #expect((one - .positiveInfinity).state == .negativeInfinity)
    #expect((MediaTime.indefinite - one).state == .indefinite)
  }

  @Test("times are ordered −∞, numbers, indefinite, +∞, invalid")
  func order() {
    let ordered: [MediaTime] = [
      .negativeInfinity, MediaTime(value: -1, timescale: 2), .zero,
      MediaTime(value: .max, timescale: 1), .indefinite, .positiveInfinity, .invalid,
    ]
    for (i, a) in ordered.enumerated() {
      for (j, b) in ordered.enumerated() {
        #expect((a < b) == (i < j))
        #expect((a == b) == (i == j))
      }
    }
  }

  @Test(
    "conversion rounds as its method says",
    arguments: [
      (TimeRounding.halfAwayFromZero, 2, -2, 1), (.towardZero, 1, -1, 1), (.awayFromZero, 2, -2, 2),
      (.towardPositiveInfinity, 2, -1, 2), (.towardNegativeInfinity, 1, -2, 1),
      (.quickTime, 1, -1, 1),
    ] as [(TimeRounding, Int64, Int64, Int64)])
  func roundingMethods(method: TimeRounding, half: Int64, minusHalf: Int64, oneThird: Int64) {
    #expect(MediaTime(value: 15, timescale: 10).convertScale(1, method: method).value == half)
    #expect(MediaTime(value: -15, timescale: 10).convertScale(1, method: method).value == minusHalf)
    #expect(MediaTime(value: 13, timescale: 10).convertScale(1, method: method).value == oneThird)
  }

  @Test("the QuickTime method truncates to coarser scales, grows to finer ones, keeps negatives")
  func quickTimeRounding() {
    #expect(MediaTime(value: 1, timescale: 3).convertScale(10, method: .quickTime).value == 4)
    #expect(MediaTime(value: 10, timescale: 30).convertScale(10, method: .quickTime).value == 3)
    #expect(MediaTime(value: -1, timescale: 1000).convertScale(1, method: .quickTime).value == -1)
    #expect(MediaTime(value: 1, timescale: 1000).convertScale(1, method: .quickTime).value == 0)
  }

  @Test("conversion keeps states, refuses bad scales, and becomes infinite when it cannot fit")
  func conversionEdges() {
    #expect(MediaTime.indefinite.convertScale(600).state == .indefinite)
    #expect(MediaTime.zero.convertScale(0).state == .invalid)
    #expect(MediaTime(value: .max, timescale: 1).convertScale(2).state == .positiveInfinity)
    #expect(MediaTime(value: .min, timescale: 1).convertScale(2).state == .negativeInfinity)
  }

  @Test("multiplying by a ratio keeps the exact value and its zero cases")
  func ratios() {
    let time = MediaTime(value: 100, timescale: 600)
    let third = time.multiplied(by: 1, over: 3)
    #expect(third == MediaTime(value: 1, timescale: 18) && !third.hasBeenRounded)
    #expect(time.multiplied(by: 3, over: 2).timescale == 600)
    #expect(time.multiplied(by: 1, over: 0).state == .positiveInfinity)
    #expect(time.multiplied(by: -1, over: 0).state == .negativeInfinity)
    #expect(time.multiplied(by: 0, over: 0).state == .invalid)
    #expect(MediaTime.zero.multiplied(by: 1, over: 0).state == .invalid)
    #expect(time.multiplied(by: 1, over: -3) == MediaTime(value: -1, timescale: 18))
    #expect(MediaTime.positiveInfinity.multiplied(by: -1, over: 2).state == .negativeInfinity)
    let fine = MediaTime(value: 1, timescale: .max).multiplied(by: 1, over: 7)
    #expect(fine.timescale == .max && fine.hasBeenRounded)
    #expect(time.multiplied(by: .min, over: .min) == time)
  }

  @Test("multiplying by a Double doubles a coarse timescale to 65,536 at least")
  func doubles() {
    let time = MediaTime(value: 1, timescale: 600).multiplied(byFloat64: 0.5)
    #expect(time.timescale == 76_800 && time.value == 64 && !time.hasBeenRounded)
    let rounded = MediaTime(value: 1, timescale: 600).multiplied(byFloat64: 1.0 / 3.0)
    #expect(rounded.hasBeenRounded)
    #expect(MediaTime.zero.multiplied(byFloat64: .nan).state == .invalid)
    #expect(
      MediaTime(value: 1, timescale: 1).multiplied(byFloat64: -.infinity).state == .negativeInfinity
    )
    #expect(
      MediaTime(value: 1, timescale: 1).multiplied(byFloat64: 1e300).state == .positiveInfinity)
  }

  @Test("seconds become ticks, halving the scale when they do not fit")
  func fromSeconds() {
    let time = MediaTime(seconds: 1.5, preferredTimescale: 600)
    #expect(time.value == 900 && time.timescale == 600 && !time.hasBeenRounded)
    #expect(MediaTime(seconds: 0.3, preferredTimescale: 10).hasBeenRounded)
    #expect(MediaTime(seconds: .nan, preferredTimescale: 600).state == .invalid)
    #expect(MediaTime(seconds: .infinity, preferredTimescale: 600).state == .positiveInfinity)
    #expect(MediaTime(seconds: 1, preferredTimescale: 0).state == .invalid)
    let huge = MediaTime(seconds: 1e18, preferredTimescale: 600)
    #expect(huge.timescale == 9 && huge.value == 9_000_000_000_000_000_000)
    #expect(MediaTime(seconds: 1e30, preferredTimescale: 600).state == .positiveInfinity)
  }

  @Test("equal numbers hash alike whatever their timescale")
  func hashing() {
    #expect(
      Set([MediaTime(value: 1, timescale: 2), MediaTime(value: 300, timescale: 600)]).count == 1)
  }

  @Test("random sums and products never trap and agree with exact fractions")
  func randomArithmetic() throws {
    let seed: UInt64 = 0x5EED_5
    var random = SeededGenerator(seed: seed)
    func time() -> MediaTime {
      let shift = UInt64(random.int(in: 0...63))
      return MediaTime(
        value: Int64(bitPattern: random.next()) >> Int64(shift),
        timescale: Int32(random.int(in: 1...Int(Int32.max))))
    }
    for _ in 0..<5000 {
      let (a, b) = (time(), time())
      let multiplier = Int32(truncatingIfNeeded: random.next())
      let divisor = Int32(truncatingIfNeeded: random.next())
      let exactA = try #require(Rational(a))
      let exactB = try #require(Rational(b))
      let results: [(MediaTime, Rational)] = [
        (a + b, exactA + exactB), (a - b, exactA - exactB),
        (a.multiplied(by: multiplier), exactA * Rational(Int(multiplier))),
        (
          a.multiplied(by: multiplier, over: divisor),
          exactA * Rational(Int(multiplier)) / Rational(Int(divisor))
        ),
      ]
      for (time, exact) in results {
        guard let value = Rational(time) else {
          #expect(exact.magnitude >= Rational(Int.max), "seed \(seed)")
          continue
        }
        let error = (value - exact).magnitude
        #expect(error <= Rational(1, Int(time.timescale)), "seed \(seed): \(a), \(b)")
        if !time.hasBeenRounded && !exact.hasBeenRounded { #expect(error.isZero, "seed \(seed)") }
      }
      #expect(MediaTime(description: a.description) == a)
    }
  }
}

@Suite struct MediaTimeRangeTests {
  private func range(_ start: Int64, _ duration: Int64) -> MediaTimeRange {
    MediaTimeRange(
      start: MediaTime(value: start, timescale: 10),
      duration: MediaTime(value: duration, timescale: 10))
  }

  @Test("the end is not part of a range")
  func containment() {
    #expect(range(1, 2).contains(MediaTime(value: 1, timescale: 10)))
    #expect(!range(1, 2).contains(MediaTime(value: 3, timescale: 10)))
    #expect(!range(1, 2).contains(MediaTime.invalid))
    #expect(range(0, 10).contains(range(2, 8)))
    #expect(!range(0, 10).contains(range(2, 9)))
  }

  @Test("intersection, union and clamping")
  func sets() {
    #expect(range(0, 5).intersection(range(3, 5)) == range(3, 2))
    #expect(range(0, 2).intersection(range(2, 2)) == .zero)
    #expect(range(0, 2).union(range(4, 2)) == range(0, 6))
    #expect(range(1, 2).clamp(.zero) == MediaTime(value: 1, timescale: 10))
    #expect(
      range(1, 2).clamp(MediaTime(value: 9, timescale: 10)) == MediaTime(value: 3, timescale: 10))
    #expect(!range(0, 5).intersection(.invalid).isValid)
    #expect(!MediaTimeRange(start: .zero, duration: MediaTime(value: -1, timescale: 1)).isValid)
    #expect(range(3, 0).isEmpty)
  }
}
