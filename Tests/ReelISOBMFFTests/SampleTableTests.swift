import ReelCore
import ReelTestSupport
import Testing

@testable import ReelISOBMFF

/// Lookups of tables against plain arrays.
@Suite("Sample tables")
struct SampleTableTests {
  /// A table and what it was made of.
  private struct Model {
    var table = SampleTable()
    var decode: [Int64] = []
    var presentation: [Int64] = []
    var positions: [Int64] = []
    var sizes: [UInt32] = []
    var syncs: [Bool] = []

    /// Runs as movie fragments bring them, with gaps in time and in the file.
    init(_ random: inout SeededGenerator) {
      var (time, position) = (Int64(0), Int64(1000))
      let isSteady = random.one(in: 2)
      for _ in 0..<random.int(in: 1...12) {
        if random.one(in: 3) { time += Int64(random.int(in: 0...500)) }
        table.startFragment(at: time)
        if random.one(in: 2) { position += Int64(random.int(in: 0...5000)) }
        table.startRun(at: position, description: UInt32(random.int(in: 0...1)))
        for _ in 0..<random.int(in: 0...90) {
          let duration = isSteady ? 10 : UInt32(random.int(in: 0...30))
          let size = random.one(in: 4) ? 7 : UInt32(random.int(in: 0...300))
          let offset = random.one(in: 2) ? 0 : Int32(random.int(in: -20...40))
          let isSync = random.one(in: 5)
          table.append(
            duration: duration, size: size, isSync: isSync, compositionOffset: offset)
          decode.append(time)
          presentation.append(time + Int64(offset))
          positions.append(position)
          sizes.append(size)
          syncs.append(isSync)
          time += Int64(duration)
          position += Int64(size)
        }
      }
      table.finish()
    }
  }

  @Test("every lookup agrees with plain arrays", arguments: 1...60)
  func lookups(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let model = Model(&random)
    #expect(model.table.count == model.sizes.count)
    var cursor = SampleCursor(model.table)
    for number in model.sizes.indices {
      let record = model.table.record(number)
      #expect(record.decodeTicks == model.decode[number], "seed \(seed) sample \(number)")
      #expect(record.presentationTicks == model.presentation[number])
      #expect(record.position == model.positions[number])
      #expect(record.byteCount == model.sizes[number])
      #expect(record.isSync == model.syncs[number])
      let next = cursor.next()
      #expect(next?.decodeTicks == record.decodeTicks)
      #expect(next?.presentationTicks == record.presentationTicks)
      #expect(next?.position == record.position)
      #expect(next?.byteCount == record.byteCount)
      #expect(next?.isSync == record.isSync)
      #expect(next?.descriptionIndex == record.descriptionIndex)
    }
    #expect(cursor.next() == nil)
  }

  @Test("a cursor goes on from wherever it is moved", arguments: 1...20)
  func moving(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let model = Model(&random)
    guard model.table.count > 0 else { return }
    var cursor = SampleCursor(model.table)
    for _ in 0..<50 {
      let number = random.int(in: 0...model.table.count - 1)
      cursor.move(to: number)
      for following in number..<min(number + 5, model.table.count) {
        #expect(cursor.next()?.position == model.positions[following], "seed \(seed)")
      }
    }
  }

  @Test("lookups by time agree with plain arrays", arguments: 1...60)
  func byTime(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let model = Model(&random)
    let end = (model.decode.last ?? 0) + 50
    for _ in 0..<100 {
      let ticks = Int64(random.int(in: -30...Int(end)))
      // Times do not fall, so that the last index is the last sample.
      let decoded = model.decode.lastIndex { $0 <= ticks }
      #expect(
        model.table.lastSample(decodedAtOrBefore: ticks) == decoded, "seed \(seed) at \(ticks)")
      let syncs = model.syncs.indices.filter { model.syncs[$0] }
      let expected =
        model.syncs.isEmpty
        ? nil
        : syncs.isEmpty
          ? 0 : syncs.last { model.presentation[$0] <= ticks } ?? syncs[0]
      #expect(
        model.table.syncSample(presentedAtOrBefore: ticks) == expected, "seed \(seed) at \(ticks)")
    }
  }

  /// What differs from sample to sample: all of it, and how many are sync samples.
  @Test(
    "sixteen bytes a sample are enough, whatever differs from one to the next",
    arguments: [1, 2, 3, 40, 250, 100_000])
  func memory(syncDistance: Int) {
    var table = SampleTable()
    for i in 0..<100_000 {
      if i % 100 == 0 {
        table.startFragment(at: Int64(i) * 512)
        table.startRun(at: Int64(i) * 1_000, description: 0)
      }
      // The first sample is a sync sample and the second is none, so that a list is needed.
      table.append(
        duration: UInt32(511 + i % 3), size: UInt32(i & 1023),
        isSync: i != 1 && i % syncDistance == 0, compositionOffset: Int32(i % 3) * 512)
    }
    table.finish()
    #expect(table.count == 100_000)
    #expect(table.byteCount <= 16 * 100_000)
    for i in stride(from: 0, to: 100_000, by: 997) {
      #expect(table.isSync(i) == (i != 1 && i % syncDistance == 0))
    }
  }

  @Test("sync samples are found in either form", arguments: 1...40)
  func syncSamples(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let count = random.int(in: 1...400)
    let distance = random.int(in: 1...60)
    let numbers = (0..<count).filter { _ in random.one(in: distance) }
    let list = SyncSamples(numbers.map(UInt32.init))
    var compact = list
    compact.compact(sampleCount: count)
    #expect(compact.byteCount <= count / 8 + 8, "seed \(seed)")
    for samples in [list, compact] {
      #expect(samples.isEmpty == numbers.isEmpty)
      for number in 0..<count + 70 {
        #expect(samples.contains(number) == numbers.contains(number), "seed \(seed) at \(number)")
        #expect(samples.first(atOrAfter: number) == numbers.first { $0 >= number })
        #expect(samples.last(atOrBefore: number) == numbers.last { $0 <= number })
      }
      #expect(samples.last(atOrBefore: -1) == nil)
    }
  }
}
