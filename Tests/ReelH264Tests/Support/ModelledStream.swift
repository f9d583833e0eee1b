// Random pictures, written and decoded by the model at once.

internal import ReelTestSupport

@testable internal import ReelH264

/// A stream of random macroblocks whose pictures are known, where its rules are plain.
struct ModelledStream {
  var stream: WrittenStream
  /// The pictures so far in coding order: frames, or fields.
  private(set) var models: [PictureModel] = []
  private var random: SeededGenerator
  private let isPlain: Bool
  private let isFine: Bool

  /// `isPlain`, `isFine`: see ``RandomMacroblocks/Rules``. The same seed gives the same macroblocks
  /// whatever the entropy coding.
  init(_ stream: WrittenStream, seed: UInt64, isPlain: Bool = true, isFine: Bool = false) {
    self.stream = stream
    (self.isPlain, self.isFine) = (isPlain, isFine)
    random = SeededGenerator(seed: seed)
    self.stream.sets()
  }

  /// Adds a picture. `lists` name pictures of ``models`` and must be the lists that the decoder builds.
  mutating func picture(
    _ type: SliceType, frameNum: Int, order: Int, isReference: Bool = true, isIDR: Bool = false,
    field: PictureStructure = .frame, lists: [[Int]] = [], slices: WrittenStream.Slices? = nil,
    change: (inout SliceHeader, Int) -> Void = { _, _ in }
  ) {
    let width = stream.sequence.picWidthInMbs
    let rows = stream.sequence.frameHeightInMbs / (field.isField ? 2 : 1)
    let slices = slices ?? stream.whole(isField: field.isField)
    var rules = RandomMacroblocks.Rules()
    rules.type = type == .b ? .b : type == .p ? .p : .i
    for (index, list) in lists.enumerated() { rules.references[index] = list.count }
    (rules.isPlain, rules.isFine) = (isPlain, isFine)
    let qp = isFine ? random.int(in: 0...5) : random.int(in: 20...36)
    var model = PictureModel(widthInMbs: width, heightInMbs: rows, isField: field.isField)
    var macroblocks: [Int: MacroblockSyntax] = [:]
    for addresses in slices {
      model.beginSlice(qp: qp)
      var generator = RandomMacroblocks(rules, qp: qp, seed: random.next())
      for address in addresses {
        let before = model
        var around = Self.surroundings(of: address, width, addresses)
        around.prediction = { before.prediction(at: address, reference: $0) }
        let macroblock = generator.next(around)
        macroblocks[address] = macroblock
        if isPlain {
          model.decode(macroblock, at: address, lists.map { $0.map { models[$0] } })
        }
      }
    }
    models.append(model)
    stream.picture(
      type, frameNum: frameNum, order: order, isReference: isReference, isIDR: isIDR, field: field,
      counts: (rules.references[0], rules.references[1]), slices: slices,
      change: { header, index in
        header.sliceQPY = qp
        header.cabacInitIdc = frameNum % 3
        change(&header, index)
      }
    ) { macroblocks[$0] ?? MacroblockSyntax(.skip) }
  }

  private static func surroundings(
    of address: Int, _ width: Int, _ slice: [Int]
  ) -> RandomMacroblocks.Surroundings {
    var around = RandomMacroblocks.Surroundings()
    around.hasLeft = address % width > 0 && slice.contains(address - 1)
    around.hasAbove = slice.contains(address - width)
    around.hasCorner =
      around.hasLeft && around.hasAbove && slice.contains(address - width - 1)
    return around
  }

  /// Cuts addresses into runs at random.
  mutating func cut(_ addresses: [Int], into count: Int) -> WrittenStream.Slices {
    var bounds = Set([0, addresses.count])
    while bounds.count < min(count, addresses.count) + 1 {
      bounds.insert(random.int(in: 0...addresses.count))
    }
    let sorted = bounds.sorted()
    return zip(sorted, sorted.dropFirst()).map { Array(addresses[$0..<$1]) }
  }

  mutating func shuffle(_ slices: inout WrittenStream.Slices) { slices.shuffle(using: &random) }
}
