import ReelAssets
import ReelCore
import ReelTestSupport
import Testing

@Suite("Frames by number and time")
struct FrameReaderTests {
  /// A stream and how its container behaves.
  struct Shape: CustomStringConvertible, Sendable {
    var bidirectional: Int
    var isOpen: Bool
    var hasIndex = true
    var tellsTimes = true
    var damagedEvery = 0

    var description: String {
      "\(bidirectional) B, \(isOpen ? "open" : "closed") groups"
        + (hasIndex ? "" : ", no index") + (tellsTimes ? "" : ", no times")
        + (damagedEvery > 0 ? ", damaged" : "")
    }

    func asset(seed: UInt64, edits: [TimelineEdit] = []) -> Asset {
      var random = SeededGenerator(seed: seed)
      var pictures = ToyPicture.stream(
        groups: 6, anchors: 4, bidirectional: bidirectional, isOpen: isOpen, random: &random)
      if damagedEvery > 0 {
        for i in stride(from: 5, to: pictures.count, by: damagedEvery) {
          pictures[i].isDamaged = true
        }
      }
      var demuxer = ToyDemuxer(pictures, edits: edits)
      demuxer.hasIndex = hasIndex
      demuxer.tellsTimes = tellsTimes
      return Asset(demuxer, reorderDepth: max(bidirectional, 1))
    }
  }

  static let shapes: [Shape] = [
    Shape(bidirectional: 0, isOpen: false), Shape(bidirectional: 2, isOpen: false),
    Shape(bidirectional: 2, isOpen: true), Shape(bidirectional: 3, isOpen: true, hasIndex: false),
    Shape(bidirectional: 1, isOpen: false, hasIndex: false),
    Shape(bidirectional: 2, isOpen: false, hasIndex: false, tellsTimes: false),
    Shape(bidirectional: 0, isOpen: false, damagedEvery: 7),
    Shape(bidirectional: 2, isOpen: true, damagedEvery: 9),
  ]

  @Test("frames have the pixel shape, aperture and light levels that the container tells")
  func containerDescription() throws {
    var random = SeededGenerator(seed: 1)
    var demuxer = ToyDemuxer(
      ToyPicture.stream(groups: 2, anchors: 2, bidirectional: 1, isOpen: false, random: &random))
    var format = VideoFormat()
    format.pixelAspectRatio = Ratio(40, 33)
    format.contentLightLevel = ContentLightLevel(
      maximumContentLight: 900, maximumFrameAverageLight: 300)
    format.cleanAperture = CleanAperture(
      width: Rational(6), height: Rational(4), horizontalOffset: Rational(1, 2),
      verticalOffset: .zero)
    demuxer.tracks[0].formats = [.video(format)]
    let asset = Asset(demuxer, reorderDepth: 1)
    let reader = try asset.makeLinearFrameReader()
    var count = 0
    while let frame = try reader.next() {
      #expect(frame.frame.pixelAspectRatio == Ratio(40, 33))
      #expect(frame.frame.sideData.cleanAperture == format.cleanAperture)
      #expect(frame.frame.sideData.contentLightLevel == format.contentLightLevel)
      #expect(frame.frame.sideData.masteringDisplay == nil)
      count += 1
    }
    #expect(count > 0)
    #expect(
      try asset.makeFrameReader().frame(at: 1)?.frame.pixelAspectRatio == format.pixelAspectRatio)
  }

  private func linear(_ asset: Asset) throws -> [Int: PresentedFrame] {
    let reader = try asset.makeLinearFrameReader()
    var frames: [Int: PresentedFrame] = [:]
    while let frame = try reader.next() {
      // Without an index, frames that a decoder leaves out have no number of their own.
      frames[frame.number] = frame
    }
    return frames
  }

  @Test("any order gives the frames of a linear decode", arguments: shapes)
  func anyOrder(_ shape: Shape) throws {
    for seed in UInt64(1)...8 {
      // An edit over everything makes the linear reader number frames by the index.
      let whole = [TimelineEdit(duration: .zero, mediaStart: 0)]
      let asset = shape.asset(seed: seed, edits: shape.tellsTimes ? whole : [])
      let expected = try linear(asset)
      var random = SeededGenerator(seed: seed)
      var options = FrameReader.Options()
      options.cacheByteCount = 3_000  // a handful of toy frames
      for order in 0..<3 {
        let reader = try asset.makeFrameReader(options: options)
        let count = try reader.frameCount
        var numbers = Array(0..<count)
        if order == 1 { numbers.reverse() }
        if order == 2 { numbers.shuffle(using: &random) }
        for number in numbers {
          let frame = try reader.frame(number: number)
          #expect(
            frame?.value == expected[number]?.value,
            "\(shape), seed \(seed), order \(order), frame \(number)")
          #expect(frame.map { $0.start == expected[number]?.start } ?? true)
        }
      }
    }
  }

  @Test("reading in order decodes each packet once", arguments: shapes)
  func sequentialReading(_ shape: Shape) throws {
    let reader = try shape.asset(seed: 3).makeFrameReader()
    let count = try reader.frameCount
    for number in 0..<count { _ = try reader.frame(number: number) }
    // A damaged start of a group may make the reader go back once for it.
    let allowance = shape.damagedEvery > 0 ? 3 * count : count
    #expect(reader.decodedPacketCount <= allowance)
  }

  @Test("a long jump ahead starts at a sync sample")
  func jumpAhead() throws {
    let reader = try Shape(bidirectional: 2, isOpen: false).asset(seed: 1).makeFrameReader()
    let count = try reader.frameCount
    _ = try reader.frame(number: 0)
    _ = try reader.frame(number: count - 1)
    #expect(reader.decodedPacketCount < 25)
  }

  @Test("a container without an index is read only as far as needed")
  func lazyIndex() throws {
    let asset = Shape(bidirectional: 1, isOpen: false, hasIndex: false).asset(seed: 1)
    let reader = try asset.makeFrameReader()
    #expect(try reader.frame(number: 2) != nil)
    #expect(reader.decodedPacketCount < 8)
  }

  @Test("the frame at a time is the last that has begun")
  func frameAtTime() throws {
    let reader = try Shape(bidirectional: 2, isOpen: true).asset(seed: 2).makeFrameReader()
    let count = try reader.frameCount
    for number in 0..<count {
      let start = Rational(number, 10)
      for time in [start, start + Rational(1, 100), start + Rational(99, 1000)] {
        #expect(try reader.number(at: time) == number)
        #expect(try reader.frame(at: time)?.number == number)
      }
    }
    #expect(try reader.number(at: Rational(-5)) == 0)
    #expect(try reader.number(at: Rational(1_000_000)) == count - 1)
    #expect(try reader.number(at: MediaTime.indefinite) == nil)
    #expect(try reader.endTime == MediaTime(value: Int64(count), timescale: 10))
  }

  @Test("a frame that cannot be decoded is held over by the one before")
  func damagedFrame() throws {
    let reader = try Shape(bidirectional: 0, isOpen: false, damagedEvery: 7).asset(seed: 4)
      .makeFrameReader()
    #expect(try reader.frame(number: 5) == nil)
    #expect(try reader.frame(at: Rational(55, 100))?.number == 4)
    #expect(reader.faults.first?.rule == ToyDecoder.damage)
  }

  @Test("numbers outside the presentation have no frame")
  func outside() throws {
    let reader = try Shape(bidirectional: 0, isOpen: false).asset(seed: 1).makeFrameReader()
    #expect(try reader.frame(number: -1) == nil)
    #expect(try reader.frame(number: 24) == nil)
    #expect(try reader.frame(number: .max - 1) == nil)
  }
}
