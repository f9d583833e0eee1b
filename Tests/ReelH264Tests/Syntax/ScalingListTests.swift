internal import ReelCore
internal import ReelTestSupport
internal import Testing

@testable internal import ReelH264

@Suite("Scaling lists")
struct ScalingListTests {
  /// delta_scale values that send `values`. §7.3.2.1.1.1.
  private func deltas(_ values: [Int]) -> [Int] {
    var last = 8
    return values.map { value in
      defer { last = value }
      let delta = value - last
      return delta > 127 ? delta - 256 : delta < -128 ? delta + 256 : delta
    }
  }

  private func sequence(
    lists: [[Int]?]?, chromaFormat: Int = 1
  ) throws -> SequenceParameterSet {
    var set = SequenceParameterSet()
    set.profileIDC = 244
    set.chromaFormatIDC = chromaFormat
    return try SequenceParameterSet(parsing: HeaderWriter.sequence(set, lists: lists))
  }

  private func picture(
    lists: [[Int]?]?, _ sequence: SequenceParameterSet, transform8x8: Bool = true
  ) throws -> PictureParameterSet {
    var set = PictureParameterSet()
    set.transform8x8ModeFlag = transform8x8
    let bytes = HeaderWriter.picture(set, for: sequence, lists: .some(lists))
    return try PictureParameterSet(parsing: bytes, sequence: sequence)
  }

  private let ramp = (0..<16).map { 200 - $0 * 11 }
  private let wide = (0..<64).map { 1 + $0 * 4 }

  @Test("are flat without a matrix")
  func flat() throws {
    let set = try sequence(lists: nil)
    let picture = try picture(lists: nil, set)
    for index in 0..<6 {
      #expect(picture.scalingList4x4(index) == [UInt8](repeating: 16, count: 16))
      #expect(picture.scalingList8x8(index) == [UInt8](repeating: 16, count: 64))
    }
  }

  @Test("follow fall-back rule A in the sequence: defaults first, then the list before")
  func ruleA() throws {
    let lists: [[Int]?] = [nil, deltas(ramp), nil, nil, nil, deltas(ramp), nil, deltas(wide)]
    let sent = try sequence(lists: lists).scalingLists.lists
    let ramp = ramp.map(UInt8.init)
    #expect(sent[0] == ScalingLists.default4x4Intra)
    #expect(sent[1] == ramp && sent[2] == ramp)
    #expect(sent[3] == ScalingLists.default4x4Inter && sent[4] == sent[3] && sent[5] == ramp)
    #expect(sent[6] == ScalingLists.default8x8Intra)
    #expect(sent[7] == wide.map(UInt8.init))
    #expect(sent[8] == sent[6] && sent[9] == sent[7] && sent[10] == sent[6])
  }

  @Test("come as twelve where chroma has the size of luma")
  func twelve() throws {
    let lists: [[Int]?] = Array(repeating: nil, count: 8) + [deltas(wide), nil, nil, deltas(wide)]
    let sent = try sequence(lists: lists, chromaFormat: 3).scalingLists.lists
    let wide = wide.map(UInt8.init)
    #expect(sent[8] == wide && sent[10] == wide && sent[11] == wide)
    #expect(sent[9] == ScalingLists.default8x8Inter)
  }

  @Test("use the default list where the first delta leads to 0")
  func useDefault() throws {
    let lists: [[Int]?] = [nil, [-8], nil, [-8], nil, nil, [-8], nil]
    let sent = try sequence(lists: lists).scalingLists.lists
    #expect(sent[1] == ScalingLists.default4x4Intra && sent[3] == ScalingLists.default4x4Inter)
    #expect(sent[6] == ScalingLists.default8x8Intra)
  }

  @Test("repeat the last value where a later delta leads to 0")
  func runOut() throws {
    var lists = [[Int]?](repeating: nil, count: 8)
    lists[0] = [2, 5, -15]  // 10, 15, then 0
    let list = try sequence(lists: lists).scalingLists.lists[0]
    #expect(list == [10] + [UInt8](repeating: 15, count: 15))
  }

  @Test("of a picture follow rule B where the sequence has lists, rule A where it has none")
  func ruleB() throws {
    let wide = wide.map(UInt8.init)
    let withLists = try sequence(
      lists: [deltas(ramp), nil, nil, nil, nil, nil, nil, deltas(self.wide)])
    let none = [[Int]?](repeating: nil, count: 8)
    let b = try picture(lists: none, withLists)
    #expect(
      b.scalingList4x4(0) == ramp.map(UInt8.init) && b.scalingList4x4(2) == b.scalingList4x4(0))
    #expect(b.scalingList4x4(3) == ScalingLists.default4x4Inter)
    #expect(b.scalingList8x8(1) == wide && b.scalingList8x8(5) == wide)
    let a = try picture(lists: none, try sequence(lists: nil))
    #expect(a.scalingList4x4(0) == ScalingLists.default4x4Intra)
    #expect(a.scalingList8x8(1) == ScalingLists.default8x8Inter)
    let untouched = try picture(lists: nil, withLists)
    #expect(untouched.scalingLists == withLists.scalingLists)
  }

  @Test("of a picture leave the 8×8 lists out without the 8×8 transform")
  func without8x8() throws {
    let set = try picture(
      lists: [[Int]?](repeating: nil, count: 5) + [deltas(ramp)], try sequence(lists: nil),
      transform8x8: false)
    #expect(set.scalingList4x4(5) == ramp.map(UInt8.init))
  }

  @Test("refuse deltas that do not fit a byte", arguments: [-129, 128])
  func range(delta: Int) {
    let lists: [[Int]?] = [[delta]] + [[Int]?](repeating: nil, count: 7)
    let error = #expect(throws: MediaError.self) { try sequence(lists: lists) }
    #expect(error?.rule == .h264ScalingListValue)
  }

  @Test("have the sums of Tables 7-3 and 7-4 as defaults, and are symmetric")
  func tables() {
    let sums = [
      ScalingLists.default4x4Intra, ScalingLists.default4x4Inter, ScalingLists.default8x8Intra,
      ScalingLists.default8x8Inter,
    ].map { $0.reduce(0) { $0 + Int($1) } }
    #expect(sums == [416, 369, 1680, 1507])
    // Symmetric tables: along the zig-zag scan a value and its mirror image are the same.
    let scan = zigZag(8)
    for list in [ScalingLists.default8x8Intra, ScalingLists.default8x8Inter] {
      var raster = [UInt8](repeating: 0, count: 64)
      for (index, position) in scan.enumerated() { raster[position] = list[index] }
      for y in 0..<8 {
        for x in 0..<8 { #expect(raster[y * 8 + x] == raster[x * 8 + y]) }
      }
    }
  }

  /// Raster positions in zig-zag order, §8.5.6, Figure 8-8.
  private func zigZag(_ size: Int) -> [Int] {
    (0...2 * size - 2).flatMap { sum in
      let cells = (0..<size).filter { (0..<size).contains(sum - $0) }
      // Up-right on even diagonals, down-left on odd ones.
      let rows = sum % 2 == 0 ? cells.reversed() : cells
      return rows.map { $0 * size + sum - $0 }
    }
  }
}
