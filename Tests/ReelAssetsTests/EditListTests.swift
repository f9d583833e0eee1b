import ReelAssets
import ReelCore
import ReelTestSupport
import Testing

/// Frames stand at media ticks 0, 10, 20 … of a timescale of 100.
@Suite("Edit lists")
struct EditListTests {
  private func asset(_ edits: [TimelineEdit], bidirectional: Int = 0) -> Asset {
    var random = SeededGenerator(seed: 7)
    let pictures = ToyPicture.stream(
      groups: 4, anchors: 5, bidirectional: bidirectional, isOpen: false, random: &random)
    return Asset(ToyDemuxer(pictures, edits: edits))
  }

  private func edit(_ milliseconds: Int64, at mediaStart: Int64?, rate: Int32 = 65536)
    -> TimelineEdit
  {
    TimelineEdit(
      duration: MediaTime(value: milliseconds, timescale: 1000), mediaStart: mediaStart, rate: rate)
  }

  struct Case: CustomStringConvertible, Sendable {
    let description: String
    /// Milliseconds, media ticks, rate.
    let edits: [(Int64, Int64?, Int32)]
    /// Media ticks of the frames shown.
    let frames: [Int64]
    /// Their begins in milliseconds.
    let starts: [Int64]
    let end: Int64
  }

  static let cases: [Case] = [
    Case(
      description: "an empty edit delays", edits: [(500, nil, 65536), (300, 0, 65536)],
      frames: [0, 10, 20], starts: [500, 600, 700], end: 800),
    Case(
      description: "a media time trims the begin", edits: [(300, 20, 65536)],
      frames: [20, 30, 40], starts: [0, 100, 200], end: 300),
    Case(
      description: "a frame that began before the edit is not shown", edits: [(300, 15, 65536)],
      frames: [20, 30, 40], starts: [50, 150, 250], end: 300),
    Case(
      description: "edits follow one another", edits: [(200, 30, 65536), (200, 0, 65536)],
      frames: [30, 40, 0, 10], starts: [0, 100, 200, 300], end: 400),
    Case(
      description: "the same media twice", edits: [(100, 0, 65536), (100, 0, 65536)],
      frames: [0, 0], starts: [0, 100], end: 200),
    Case(
      description: "a gap between edits",
      edits: [(100, 0, 65536), (1000, nil, 65536), (100, 50, 65536)],
      frames: [0, 50], starts: [0, 1100], end: 1200),
    Case(
      description: "double rate", edits: [(200, 0, 131072)], frames: [0, 10, 20, 30],
      starts: [0, 50, 100, 150], end: 200),
    Case(
      description: "rate 0 dwells", edits: [(700, 35, 0), (100, 40, 65536)], frames: [30, 40],
      starts: [0, 700], end: 800),
    Case(
      description: "length 0 goes to the end", edits: [(0, 170, 65536)], frames: [170, 180, 190],
      starts: [0, 100, 200], end: 300),
    Case(
      description: "an edit past the media shows nothing", edits: [(100, 5000, 65536)], frames: [],
      starts: [], end: 100),
  ]

  @Test("frames and their times", arguments: cases)
  func presentation(_ example: Case) throws {
    let asset = asset(example.edits.map { edit($0.0, at: $0.1, rate: $0.2) })
    let reader = try asset.makeFrameReader()
    #expect(try reader.frameCount == example.frames.count)
    #expect(try reader.endTime == MediaTime(value: example.end, timescale: 1000))
    for number in example.frames.indices {
      let frame = try #require(try reader.frame(number: number))
      #expect(Int64(frame.sample) * 10 == example.frames[number])
      #expect(frame.start == Rational(example.starts[number], 1000))
      let next = number + 1 < example.starts.count ? example.starts[number + 1] : example.end
      #expect(frame.end <= Rational(next, 1000))
      #expect(try reader.number(at: frame.start) == number)
      #expect(try reader.number(at: frame.time) == number)
    }
    let linear = try asset.makeLinearFrameReader()
    var numbers: [Int] = []
    while let frame = try linear.next() {
      #expect(frame.value == (try reader.frame(number: frame.number)?.value))
      numbers.append(frame.number)
    }
    #expect(numbers == Array(example.frames.indices))
  }

  @Test("an edit that begins inside a group decodes from its sync sample")
  func editInsideAGroup() throws {
    let edits = [edit(400, at: 60), edit(300, at: 20)]
    let asset = asset(edits, bidirectional: 2)
    let whole = try self.asset([], bidirectional: 2).makeFrameReader()
    let linear = try asset.makeLinearFrameReader()
    var shown: [Int] = []
    while let frame = try linear.next() {
      let media = frame.number < 4 ? 6 + frame.number : 2 + frame.number - 4
      #expect(frame.value == (try whole.frame(number: media)?.value))
      shown.append(media)
    }
    #expect(shown == [6, 7, 8, 9, 2, 3, 4])
  }
}
