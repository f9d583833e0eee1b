internal import ReelCore
internal import ReelTestSupport
internal import ReelVideoCore
internal import Testing

@testable internal import ReelH264

@Suite("Supplemental information")
struct SupplementalInformationTests {
  /// A NAL unit of messages.
  static func unit(_ messages: [(Int, [UInt8])]) -> [UInt8] {
    var bytes: [UInt8] = [6]
    for (type, payload) in messages {
      for number in [type, payload.count] {
        bytes += [UInt8](repeating: 255, count: number / 255) + [UInt8(number % 255)]
      }
      bytes += payload
    }
    return bytes + [0x80]
  }

  static func payload(_ write: (inout BitWriter) -> Void) -> [UInt8] {
    var bits = BitWriter()
    write(&bits)
    return bits.bytes
  }

  @Test("is a list of messages with types and sizes of any length")
  func list() {
    let long = [UInt8](repeating: 7, count: 600)
    let (messages, fault) = SupplementalMessage.messages(
      in: Self.unit([(5, [1, 2]), (300, long), (6, [0x80])]))
    #expect(fault == nil)
    #expect(messages.map(\.payloadType) == [5, 300, 6])
    #expect(messages.map(\.payload) == [[1, 2], long, [0x80]])
  }

  @Test("keeps the messages before one that is cut off")
  func cut() {
    let unit = Self.unit([(5, [1, 2]), (4, [3, 4, 5])])
    let (messages, fault) = SupplementalMessage.messages(in: Array(unit.dropLast(3)))
    #expect(messages.map(\.payload) == [[1, 2]])
    #expect(fault?.rule == .h264SupplementalValue)
  }

  @Test("tells recovery points")
  func recoveryPoint() throws {
    let point = try RecoveryPoint(
      parsing: Self.payload {
        $0.writeUE(9)
        $0.write(0b1_0_10, bits: 4)
      })
    #expect(point.recoveryFrameCnt == 9 && point.exactMatchFlag && !point.brokenLinkFlag)
    #expect(point.changingSliceGroupIdc == 2)
    #expect(throws: MediaError.self) {
      try RecoveryPoint(parsing: Self.payload { $0.writeUE(65536) })
    }
    #expect(throws: MediaError.self) { try RecoveryPoint(parsing: []) }
  }

  private func sequence(hrd: Bool, picStruct: Bool) -> SequenceParameterSet {
    var set = SequenceParameterSet()
    set.vui = VideoUsabilityInformation()
    set.vui?.picStructPresentFlag = picStruct
    guard hrd else { return set }
    var parameters = HypotheticalDecoderParameters.plain
    parameters.initialCpbRemovalDelayLength = 20
    parameters.cpbRemovalDelayLength = 17
    parameters.dpbOutputDelayLength = 12
    parameters.timeOffsetLength = 5
    set.vui?.nalHrd = parameters
    return set
  }

  @Test("tells picture timing with the lengths of the sequence's buckets", arguments: 0...8)
  func pictureTiming(structure: Int) throws {
    // NumClockTS, Table D-1.
    let count = [1, 1, 1, 2, 2, 3, 3, 2, 3][structure]
    let bytes = Self.payload {
      $0.write(70_000, bits: 17)
      $0.write(4_000, bits: 12)
      $0.write(UInt64(structure), bits: 4)
      for index in 0..<count {
        $0.write(1, bits: 1)
        $0.write(UInt64(index == 0 ? 1 : 2), bits: 2)
        $0.write(0, bits: 6)
        switch index {
        case 0:  // full timestamp
          $0.write(1, bits: 1)
          $0.write(0, bits: 10 + 17)
        case 1:  // seconds and minutes, no hours
          $0.write(0, bits: 1 + 10)
          $0.write(1, bits: 1)
          $0.write(0, bits: 6)
          $0.write(1, bits: 1)
          $0.write(0, bits: 6 + 1)
        default:  // nothing but frames
          $0.write(0, bits: 1 + 10 + 1)
        }
        $0.write(0, bits: 5)
      }
    }
    let timing = try PictureTiming(parsing: bytes, sequence: sequence(hrd: true, picStruct: true))
    #expect(timing.cpbRemovalDelay == 70_000 && timing.dpbOutputDelay == 4_000)
    #expect(timing.picStruct?.rawValue == structure && timing.ctType == 1)
    #expect(timing.picStruct?.repeatedFieldCount == [0, 0, 0, 0, 0, 1, 1, 2, 4][structure])
    if bytes.count > 5 {
      #expect(throws: MediaError.self) {
        try PictureTiming(
          parsing: Array(bytes.dropLast()), sequence: sequence(hrd: true, picStruct: true))
      }
    }
  }

  @Test("has no field structure where the sequence says so, and refuses unknown ones")
  func pictureStructure() throws {
    let none = try PictureTiming(parsing: [], sequence: sequence(hrd: false, picStruct: false))
    #expect(none == (try PictureTiming(parsing: [], sequence: SequenceParameterSet())))
    #expect(none.picStruct == nil && none.cpbRemovalDelay == nil)
    #expect(throws: MediaError.self) {
      try PictureTiming(parsing: [0x90], sequence: sequence(hrd: false, picStruct: true))
    }
  }

  @Test("passes over buffering periods: the messages behind them count")
  func bufferingPeriod() throws {
    let period = Self.payload {
      $0.writeUE(3)
      $0.write(900_000, bits: 20)
      $0.write(1, bits: 20)
    }
    var pending = PendingMessages()
    #expect(
      pending.add(Self.unit([(0, period), (6, Self.payload { $0.writeUE(4) } + [0])])) == nil)
    let told = pending.take(for: SliceHeader(), sequence(hrd: true, picStruct: false))
    #expect(told.recoveryPoint?.recoveryFrameCnt == 4 && told.picStruct == nil)
  }

  @Test("tells frame packing, orientation and film grain until they are cancelled")
  func persistence() throws {
    let packing = Self.payload {
      $0.writeUE(1)
      $0.write(0b0, bits: 1)
      $0.write(3, bits: 7)
      $0.write(0, bits: 1)
      $0.write(1, bits: 6)
      $0.write(0b000_1_00, bits: 6)
      $0.write(0, bits: 16 + 8)
      $0.writeUE(1)
    }
    let expected = FramePacking(
      arrangementType: 3, isQuincunx: false, contentInterpretation: 1, isFrame0: true)
    #expect(try FramePacking.message(parsing: packing) == .set(expected, isPersistent: true))
    let cancelled = Self.payload {
      $0.writeUE(1)
      $0.write(1, bits: 1)
    }
    #expect(try FramePacking.message(parsing: cancelled) == .cancelled)

    let turn = Self.payload {
      $0.write(0b010, bits: 3)
      $0.write(16384, bits: 16)
      $0.writeUE(0)
    }
    let orientation = DisplayOrientation(
      isFlippedHorizontally: true, isFlippedVertically: false, anticlockwiseRotation: 16384)
    #expect(try DisplayOrientation.message(parsing: turn) == .set(orientation, isPersistent: false))
    #expect(try DisplayOrientation.message(parsing: [0x80]) == .cancelled)

    let grain = Self.payload {
      $0.write(0b0_00_0_00_0101, bits: 10)
      $0.write(0b100, bits: 3)
      $0.write(1, bits: 8)  // two intervals
      $0.write(1, bits: 3)  // of two values
      for _ in 0..<2 {
        $0.write(0, bits: 16)
        $0.writeSE(-3)
        $0.writeSE(400)
      }
      $0.writeUE(1)
    }
    #expect(try FilmGrain.message(parsing: grain) == .set(true, isPersistent: true))
    #expect(throws: MediaError.self) { try FilmGrain.message(parsing: Array(grain.dropLast(3))) }
    #expect(try FilmGrain.message(parsing: [0x80]) == .cancelled)
  }

  @Test("tells mastering display and content light in their units")
  func light() throws {
    let numbers = [1, 2, 3, 4, 5, 6, 7, 8]
    let bytes = Self.payload {
      for number in numbers { $0.write(UInt64(number), bits: 16) }
      $0.write(10_000_000, bits: 32)
      $0.write(50, bits: 32)
    }
    let display = try MasteringDisplay(SyntaxReader(bytes, from: 0))
    #expect(display.primaries.map(\.x) == [1, 3, 5] && display.primaries.map(\.y) == [2, 4, 6])
    #expect(display.whitePoint == .init(x: 7, y: 8))
    #expect(display.maximumLuminance == 10_000_000 && display.minimumLuminance == 50)
    #expect(throws: MediaError.self) {
      try MasteringDisplay(SyntaxReader(Array(bytes.dropLast()), from: 0))
    }
    let level = try ContentLightLevel(SyntaxReader([3, 232, 0, 100], from: 0))
    #expect(level.maximumContentLight == 1000 && level.maximumFrameAverageLight == 100)
    #expect(throws: MediaError.self) { try ContentLightLevel(SyntaxReader([1, 2, 3], from: 0)) }
  }
}
