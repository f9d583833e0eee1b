import Testing

@testable import ReelH264

@Suite("Loop filter tables")
struct LoopFilterTablesTests {
  @Test("α′ and β′ are 0 up to index 15 and never fall")
  func thresholdsNeverFall() {
    for index in 0...15 {
      #expect(LoopFilterTables.alpha(index) == 0 && LoopFilterTables.beta(index) == 0)
    }
    for index in 16...51 {
      #expect(LoopFilterTables.alpha(index) >= max(LoopFilterTables.alpha(index - 1), 4))
      #expect(LoopFilterTables.beta(index) >= max(LoopFilterTables.beta(index - 1), 2))
    }
    #expect(LoopFilterTables.alpha(51) == 255 && LoopFilterTables.beta(51) == 18)
  }

  @Test("α′ and β′ follow the curves they were drawn from")
  func thresholdsFollowTheirCurves() {
    // 0.8 · (2^(x / 6) − 1), limited to 255, and x / 2 − 7: the filter's design.
    for index in 16...51 {
      let power = (0..<index).reduce(1.0) { value, _ in value * 1.122462048309373 }
      let alpha = min(0.8 * (power - 1), 255)
      #expect(abs(Double(LoopFilterTables.alpha(index)) - alpha) <= 4)
      #expect(abs(Double(LoopFilterTables.beta(index)) - (Double(index) / 2 - 7)) <= 1.5)
    }
  }

  @Test("t′C0 rises at the indices of Table 8-17")
  func clippingValuesRise() {
    // For each bS the indices at which the value grows, once for each step of 1.
    let rises: [[Int]] = [
      [23, 33, 37, 40, 43, 44, 46, 47, 48, 49, 50, 51, 51],
      [21, 31, 35, 38, 40, 42, 43, 44, 46, 46, 47, 48, 49, 50, 50, 51, 51],
      [
        17, 27, 31, 34, 37, 38, 40, 41, 42, 43, 44, 45, 45, 46, 47, 47, 48, 48, 49, 49, 50, 50, 50,
        51, 51,
      ],
    ]
    for bS in 1...3 {
      for index in 0...51 {
        let expected = rises[bS - 1].filter { $0 <= index }.count
        #expect(Int(LoopFilterTables.tc0(index, bS)) == expected, "bS \(bS), index \(index)")
      }
    }
  }

  @Test("t′C0 grows with index and strength, and is 0 for strengths without it")
  func clippingValuesGrow() {
    for bS in 1...3 {
      for index in 1...51 {
        #expect(LoopFilterTables.tc0(index, bS) >= LoopFilterTables.tc0(index - 1, bS))
        #expect(LoopFilterTables.tc0(index, bS) >= LoopFilterTables.tc0(index, bS - 1))
      }
    }
    #expect(LoopFilterTables.tc0(51, 4) == 0 && LoopFilterTables.tc0(51, 0) == 0)
  }

  @Test("an index outside the table counts as the nearest inside")
  func indexIsLimited() {
    #expect(LoopFilterTables.alpha(-1) == 0 && LoopFilterTables.alpha(99) == 255)
    #expect(LoopFilterTables.tc0(99, 3) == 25)
  }
}
