import ReelCore
import ReelTestSupport
import Testing

@Suite struct RationalTests {
  @Test("fractions are kept in lowest terms with a positive denominator")
  func lowestTerms() {
    let value = Rational(-6, -8)
    #expect(value.numerator == 3)
    #expect(value.denominator == 4)
    #expect(Rational(6, -8) == Rational(-3, 4))
    #expect(Rational(0, 5).denominator == 1)
  }

  @Test("sums, products and quotients are exact over mixed timescales")
  func arithmetic() {
    #expect(Rational(1001, 30000) + Rational(1, 600) == Rational(1051, 30000))
    #expect(Rational(1, 3) - Rational(1, 3) == .zero)
    #expect(Rational(2, 3) * Rational(9, 4) == Rational(3, 2))
    #expect(Rational(2, 3) / Rational(-4, 9) == Rational(-3, 2))
  }

  @Test("random sums agree with whole-number arithmetic over one denominator")
  func randomSums() {
    let seed: UInt64 = 0x5EED_1
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2000 {
      let (a, b) = (random.int(in: -1_000_000...1_000_000), random.int(in: 1...100_000))
      let (c, d) = (random.int(in: -1_000_000...1_000_000), random.int(in: 1...100_000))
      let sum = Rational(a, b) + Rational(c, d)
      #expect(sum == Rational(a * d + c * b, b * d), "seed \(seed): \(a)/\(b) + \(c)/\(d)")
      #expect((Rational(a, b) < Rational(c, d)) == (a * d < c * b), "seed \(seed)")
      #expect(!sum.hasBeenRounded)
    }
  }

  @Test("order holds where the cross products do not fit 128 bits")
  func orderOfLargeTerms() {
    let big = Int128(1) << 100
    let a = Rational(big + 1, big)
    let b = Rational(big + 3, big + 2)
    #expect(b < a)
    #expect(-a < -b)
    #expect(!(a < a))
    #expect(-a < b)
  }

  @Test("a result that does not fit is rounded to 2⁻⁶² and says so")
  func roundedResults() {
    let tiny = Rational(1, (Int128(1) << 100) + 1)
    let square = tiny * tiny
    #expect(square.hasBeenRounded)
    #expect(square.isZero)
    let a = Rational(1, (Int128(1) << 90) + 7)
    let b = Rational(5, (Int128(1) << 91) + 11)
    let sum = Rational(1, 3) + a + b
    #expect(sum.hasBeenRounded)
    #expect((sum - Rational(1, 3)).magnitude < Rational(1, 1 << 61))
    #expect((sum + .one).hasBeenRounded)
  }

  @Test("a product through 256 bits is right to 2⁻⁶²")
  func wideProduct() {
    let a = Rational((Int128(1) << 80) + 1, (Int128(1) << 79) + 3)
    let b = Rational((Int128(1) << 81) + 5, (Int128(1) << 80) + 9)
    let product = a * b
    #expect(product.hasBeenRounded)
    #expect((product - Rational(4)).magnitude < Rational(1, 1 << 60))
    let negative = -a * b
    #expect(negative == -product)
  }

  @Test("overflow saturates at the greatest value instead of trapping")
  func saturation() {
    let greatest = Rational.greatest
    #expect(greatest + greatest == greatest)
    #expect(-greatest - greatest == -greatest)
    #expect(greatest * greatest == greatest)
    #expect(greatest * -greatest == -greatest)
    #expect((greatest + .one).hasBeenRounded)
    #expect(Rational(1) / .zero == greatest)
    #expect(Rational(-1) / .zero == -greatest)
    #expect(Rational(0) / .zero == .zero)
    #expect((Rational(1) / .zero).hasBeenRounded)
    #expect(Rational(Int128.min, 1) == -greatest)
    #expect(Rational(UInt128.max, 1) == greatest)
    let edge = greatest + Rational(1, 3)
    #expect(edge == greatest && edge.hasBeenRounded)
  }

  @Test("random operations on extreme terms never trap and stay near the Double result")
  func extremes() {
    let seed: UInt64 = 0x5EED_2
    var random = SeededGenerator(seed: seed)
    func term() -> Int128 {
      let bits = random.int(in: 1...126)
      let value = Int128(truncatingIfNeeded: UInt128(random.next()) << 63 | UInt128(random.next()))
      return max((value & .max) >> Int128(127 - bits), 1)
    }
    for _ in 0..<20_000 {
      let a = Rational(term() * (random.one(in: 2) ? -1 : 1), term())
      let b = Rational(term(), term())
      let results = [
        (a + b, a.seconds + b.seconds), (a - b, a.seconds - b.seconds),
        (a * b, a.seconds * b.seconds), (a / b, a.seconds / b.seconds),
      ]
      for (exact, near) in results where near.magnitude < 1e37 {
        let scale = max(1, near.magnitude, a.seconds.magnitude, b.seconds.magnitude)
        #expect(
          (exact.seconds - near).magnitude <= scale * 1e-12, "seed \(seed): \(a) and \(b)")
        #expect(exact.denominator > 0)
      }
    }
  }

  @Test("whole parts round down and up")
  func wholeParts() {
    #expect(Rational(7, 2).floor == 3)
    #expect(Rational(-7, 2).floor == -4)
    #expect(Rational(7, 2).ceiling == 4)
    #expect(Rational(-7, 2).ceiling == -3)
    #expect(Rational(4).floor == 4 && Rational(4).ceiling == 4)
  }

  @Test("ticks round as asked and tell whether they are exact and fit")
  func ticks() {
    let third = Rational(1, 3)
    #expect(third.ticks(timescale: 10).value == 3)
    #expect(!third.ticks(timescale: 10).isExact)
    #expect(third.ticks(timescale: 10, rounding: .awayFromZero).value == 4)
    #expect(third.ticks(timescale: 600).value == 200)
    #expect(third.ticks(timescale: 600).isExact)
    let huge = Rational.greatest.ticks(timescale: 600)
    #expect(huge.value == .max && !huge.fits)
  }

  @Test("a Float is its exact binary fraction")
  func exactFloats() throws {
    let third = try #require(Rational(exactly: Float(0.3)))
    #expect(third == Rational(5_033_165, 1 << 24))
    #expect(Rational(exactly: -1.75) == Rational(-7, 4))
    #expect(Rational(exactly: .nan) == nil)
    #expect(Rational(exactly: .infinity) == nil)
    #expect(Rational(exactly: 0) == .zero)
    let huge = try #require(Rational(exactly: .greatestFiniteMagnitude))
    #expect(huge == .greatest && huge.hasBeenRounded)
    let tiny = try #require(Rational(exactly: .leastNonzeroMagnitude))
    #expect(tiny.isZero && tiny.hasBeenRounded)
    let small = try #require(Rational(exactly: 0x1p-100))
    #expect(small == Rational(1, Int128(1) << 100) && !small.hasBeenRounded)
  }

  @Test(
    "a Double stands for the simplest fraction that rounds to it",
    arguments: [
      (0.3, 3, 10), (0.1, 1, 10), (1001.0 / 30000.0, 1001, 30000), (2.0 / 3.0, 2, 3), (5, 5, 1),
      (-0.75, -3, 4), (1.0 / 3.0, 1, 3), (123456.789, 123_456_789, 1000), (0, 0, 1),
      (17.0 * 1001.0 / 24000.0, 17 * 1001, 24000), (1e15, 1_000_000_000_000_000, 1),
    ])
  func simplest(value: Double, numerator: Int, denominator: Int) throws {
    let fraction = try #require(Rational(simplest: value))
    #expect(fraction == Rational(numerator, denominator))
  }

  @Test("every frame time at 29.97 Hz comes back from its Double")
  func frameTimes() {
    for frame in 0..<20_000 {
      let exact = Rational(frame * 1001, 30000)
      #expect(Rational(simplest: exact.seconds) == exact, "frame \(frame)")
    }
  }

  @Test("the simplest fraction always rounds back to the Double")
  func simplestRoundsBack() throws {
    let seed: UInt64 = 0x5EED_3
    var random = SeededGenerator(seed: seed)
    for _ in 0..<5000 {
      let bits = random.next() & 0x7FFF_FFFF_FFFF_FFFF
      let value = Double(bitPattern: bits)
      guard value.isFinite, value < 1e18, value > 1e-15 else { continue }
      let fraction = try #require(Rational(simplest: value))
      #expect(fraction.seconds == value, "seed \(seed): \(value)")
    }
  }

  @Test(
    "texts are read exactly",
    arguments: [
      ("1.5", Rational(3, 2)), ("-0.25", Rational(-1, 4)), (".5", Rational(1, 2)),
      ("7", Rational(7)),
      ("1001/30000", Rational(1001, 30000)), ("1:02:03.5", Rational(7447, 2)),
      ("02:03", Rational(123)), ("+3", Rational(3)), ("0.3", Rational(3, 10)),
    ] as [(String, Rational)])
  func text(text: String, value: Rational) {
    #expect(Rational(text) == value)
  }

  @Test(
    "texts that are no numbers are refused",
    arguments: [
      "", "-", "1.2.3", "1/0", "a", "1e5", "1/2/3", "1:2:3:4", "--1", "1.5:00", "1/ 2", "nan",
      "0x10",
      "1111111111111111111111111111111",
    ])
  func badText(text: String) {
    #expect(Rational(text) == nil)
  }

  @Test("the description is a decimal where it ends, and can be read back")
  func description() {
    #expect(Rational(3, 2).description == "1.5")
    #expect(Rational(-1, 1000).description == "-0.001")
    #expect(Rational(1, 3).description == "1/3")
    #expect(Rational(5).description == "5")
    let seed: UInt64 = 0x5EED_4
    var random = SeededGenerator(seed: seed)
    for _ in 0..<1000 {
      let value = Rational(random.int(in: -100_000...100_000), random.int(in: 1...100_000))
      #expect(Rational(value.description) == value, "seed \(seed): \(value)")
    }
  }
}
