import ReelCore
import ReelTestSupport
import Testing

@Suite("Run-length tables")
struct RunLengthTableTests {
  private func values(_ random: inout SeededGenerator) -> [UInt32] {
    var values: [UInt32] = []
    let spread = random.one(in: 2) ? 1 : 1000
    while values.count < random.int(in: 1...400) {
      let value = UInt32(random.int(in: 0...spread))
      values += [UInt32](repeating: value, count: random.int(in: 1...(spread == 1 ? 40 : 2)))
    }
    return values
  }

  private func check(_ table: RunLengthTable<UInt32>, _ values: [UInt32], _ seed: Int) {
    #expect(table.count == values.count)
    var sum: Int64 = 0
    for (index, value) in values.enumerated() {
      #expect(table.value(at: index) == value, "seed \(seed) index \(index)")
      #expect(table.sum(before: index) == sum, "seed \(seed) index \(index)")
      sum += Int64(value)
    }
    #expect(table.total == sum)
    #expect(table.sum(before: values.count) == sum)
  }

  @Test(
    "values and sums are those of the plain array, before and after compacting", arguments: 1...40)
  func agreement(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let values = values(&random)
    var table = RunLengthTable<UInt32>()
    for value in values { table.append(value) }
    check(table, values, seed)
    table.compact()
    check(table, values, seed)
    check(RunLengthTable(values), values, seed)
    let count = random.int(in: 0...values.count)
    table.truncate(to: count)
    check(table, Array(values.prefix(count)), seed)
    table.append(9, count: 3)
    check(table, Array(values.prefix(count)) + [9, 9, 9], seed)
  }

  @Test("the inverse of the sums finds the last index", arguments: 1...40)
  func inverse(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let values = values(&random)
    for table in [RunLengthTable(values), values.reduce(into: .init()) { $0.append($1) }] {
      var sums: [Int64] = []
      var sum: Int64 = 0
      for value in values {
        sums.append(sum)
        sum += Int64(value)
      }
      for _ in 0..<100 {
        let target = Int64(random.int(in: -5...Int(sum) + 5))
        #expect(
          table.lastIndex(withSumAtMost: target) == sums.lastIndex { $0 <= target },
          "seed \(seed) target \(target)")
      }
    }
  }

  @Test("a run of four thousand million samples costs one entry")
  func longRun() {
    var table = RunLengthTable<UInt32>()
    table.append(3, count: .max)
    table.append(4, count: 10)
    #expect(table.count == Int(UInt32.max))
    #expect(table.entryCount == 1)
    #expect(table.sum(before: 1_000_000_000) == 3_000_000_000)
    #expect(table.lastIndex(withSumAtMost: 3_000_000_001) == 1_000_000_000)
  }
}
