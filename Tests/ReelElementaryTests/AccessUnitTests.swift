internal import ReelCore
internal import ReelElementary
public import ReelTestSupport
internal import ReelVideoCore
public import Testing

@Suite("H.264 access units")
struct AccessUnitTests {
  typealias Slice = H264StreamBuilder.Slice

  /// The sizes in NAL units of the access units of a stream.
  private func unitCounts(_ stream: H264StreamBuilder) throws -> [Int] {
    let demuxer = try H264StreamDemuxer(source: MemorySource(stream.bytes))
    let reader = try demuxer.makePacketReader(trackIndices: [0])
    var counts: [Int] = []
    while let packet = try reader.next() { counts.append(NALUnits.annexB(packet.data).count) }
    return counts
  }

  private func stream(interlaced: Bool = false, profile: UInt8 = 77) -> H264StreamBuilder {
    var stream = H264StreamBuilder()
    stream.profile = profile
    stream.isInterlaced = interlaced
    stream.hasRedundantCount = profile == 66
    stream.sequence()
    stream.picture()
    return stream
  }

  /// §7.4.1.2.4: each value whose change begins a picture.
  static let changes: [(String, Slice, Slice)] = [
    ("frame_num", Slice(frameNum: 1), Slice(firstMacroblock: 5, frameNum: 2)),
    ("pic_order_cnt_lsb", Slice(orderLSB: 2), Slice(firstMacroblock: 5, orderLSB: 4)),
    ("nal_ref_idc from 0", Slice(referenceIDC: 0), Slice(referenceIDC: 1, firstMacroblock: 5)),
    ("nal_ref_idc to 0", Slice(referenceIDC: 1), Slice(referenceIDC: 0, firstMacroblock: 5)),
    ("IdrPicFlag", Slice(type: 5), Slice(type: 1, firstMacroblock: 5)),
    (
      "idr_pic_id", Slice(type: 5, idrPictureID: 0),
      Slice(type: 5, firstMacroblock: 5, idrPictureID: 1)
    ),
    ("field_pic_flag", Slice(), Slice(firstMacroblock: 5, isField: true)),
    ("bottom_field_flag", Slice(isField: true), Slice(type: 5, isField: true, isBottom: true)),
  ]

  @Test("begin where a slice header value differs", arguments: changes)
  func changedValueBeginsPicture(name: String, first: Slice, second: Slice) throws {
    var stream = stream(interlaced: true)
    stream.slice(first)
    stream.slice(second)
    #expect(try unitCounts(stream) == [3, 1], "\(name)")
  }

  @Test("hold both fields of a frame, with or without a delimiter between them")
  func fieldPairs() throws {
    for hasDelimiters in [false, true] {
      var stream = stream(interlaced: true)
      for number: UInt64 in 0..<3 {
        for isBottom in [false, true] {
          if hasDelimiters { stream.delimiter() }
          stream.slice(
            Slice(
              type: number == 0 && !isBottom ? 5 : 1, frameNum: number, isField: true,
              isBottom: isBottom))
        }
      }
      #expect(try unitCounts(stream) == (hasDelimiters ? [6, 4, 4] : [4, 2, 2]))
    }
  }

  /// §3.30, §3.31: what makes two fields no pair.
  static let unpaired: [(String, Slice, Slice)] = [
    ("parity", Slice(isField: true), Slice(isField: true, orderLSB: 1)),
    ("frame_num", Slice(isField: true), Slice(frameNum: 1, isField: true, isBottom: true)),
    ("reference", Slice(isField: true), Slice(referenceIDC: 0, isField: true, isBottom: true)),
    ("IDR", Slice(isField: true), Slice(type: 5, isField: true, isBottom: true)),
    ("frame", Slice(isField: true), Slice(isField: false)),
  ]

  @Test("hold a single field when the next one is no partner", arguments: unpaired)
  func unpairedFields(name: String, first: Slice, second: Slice) throws {
    var stream = stream(interlaced: true)
    stream.slice(first)
    stream.slice(second)
    #expect(try unitCounts(stream) == [3, 1], "\(name)")
  }

  @Test("never hold three fields")
  func threeFields() throws {
    var stream = stream(interlaced: true)
    for isBottom in [false, true, false] { stream.slice(Slice(isField: true, isBottom: isBottom)) }
    #expect(try unitCounts(stream) == [4, 1])
  }

  @Test("keep slices together whose values agree")
  func equalValuesStayTogether() throws {
    var stream = stream()
    for first: UInt32 in [0, 11, 22] { stream.slice(Slice(firstMacroblock: first)) }
    for first: UInt32 in [0, 11] { stream.slice(Slice(firstMacroblock: first, frameNum: 1)) }
    #expect(try unitCounts(stream) == [5, 2])
  }

  @Test(
    "begin at another picture parameter set or bottom distance only where a picture may begin",
    arguments: [Slice(pictureSet: 1), Slice(bottomDelta: 3)])
  func setOrDistance(changed: Slice) throws {
    for first: UInt32 in [0, 11] {
      var stream = H264StreamBuilder()
      stream.hasBottomOrder = true
      stream.sequence()
      stream.picture()
      stream.picture(id: 1)
      stream.slice(Slice())
      var second = changed
      second.firstMacroblock = first
      stream.slice(second)
      // Three parameter sets and the first slice, then the other one: with them, or alone.
      #expect(try unitCounts(stream) == (first == 0 ? [4, 1] : [5]))
    }
  }

  @Test("keep nal_ref_idc values together that are both above 0")
  func referenceValuesAboveZero() throws {
    var stream = stream()
    stream.slice(Slice(referenceIDC: 1))
    stream.slice(Slice(referenceIDC: 3, firstMacroblock: 9))
    #expect(try unitCounts(stream) == [4])
  }

  @Test("begin again from the top when every IDR picture has the same idr_pic_id")
  func equalIDRPictures() throws {
    var stream = stream()
    for _ in 0..<3 { stream.slice(Slice(type: 5)) }
    #expect(try unitCounts(stream) == [3, 1, 1])
  }

  @Test("let Baseline slices come in any order")
  func arbitrarySliceOrder() throws {
    var stream = stream(profile: 66)
    for first: UInt32 in [22, 0, 11] { stream.slice(Slice(firstMacroblock: first)) }
    for first: UInt32 in [11, 0] { stream.slice(Slice(firstMacroblock: first, frameNum: 1)) }
    #expect(try unitCounts(stream) == [5, 2])
  }

  @Test("hold redundant slices with their picture")
  func redundantSlices() throws {
    var stream = stream(profile: 66)
    for number: UInt64 in [0, 1] {
      stream.slice(Slice(frameNum: number))
      stream.slice(Slice(frameNum: number, redundantCount: 1))
    }
    #expect(try unitCounts(stream) == [4, 2])
  }

  @Test("begin with the first parameter set, message or delimiter behind a picture")
  func leadingUnits() throws {
    var stream = stream()
    stream.slice(Slice())
    stream.message()
    stream.picture()
    stream.slice(Slice(frameNum: 1))
    stream.delimiter()
    stream.sequence()
    stream.slice(Slice(frameNum: 2))
    #expect(try unitCounts(stream) == [3, 3, 3])
  }

  @Test("do not end at a parameter set between slices of one picture")
  func parameterSetBetweenSlices() throws {
    var stream = stream()
    stream.slice(Slice())
    stream.picture()
    stream.slice(Slice(firstMacroblock: 9))
    #expect(try unitCounts(stream) == [5])
  }

  @Test("hold prefix units between slices, and begin with the one before a new picture")
  func prefixUnits() throws {
    var stream = stream()
    for number: UInt64 in [0, 1] {
      for first: UInt32 in [0, 9] {
        stream.add(header: 0x6E, [0x40, 0x80, 0x0F, 0x80])
        stream.slice(Slice(firstMacroblock: first, frameNum: number))
      }
    }
    #expect(try unitCounts(stream) == [6, 4])
  }

  @Test("hold fillers, ends of sequence and unknown units where they stand")
  func neutralUnits() throws {
    var stream = stream()
    stream.slice(Slice())
    for header: UInt8 in [12, 10, 11, 30, 0x13] { stream.add(header: header, [0x80]) }
    stream.slice(Slice(frameNum: 1))
    #expect(try unitCounts(stream) == [8, 1])
  }

  @Test("are told by first_mb_in_slice alone while parameter sets are missing")
  func missingParameterSets() throws {
    var stream = H264StreamBuilder()
    for first: UInt32 in [0, 9, 0, 9] { stream.slice(Slice(firstMacroblock: first)) }
    #expect(try unitCounts(stream) == [2, 2])
  }

  @Test("keep the zero bytes between units, and drop only those before the first start code")
  func zeroBytes() throws {
    var stream = H264StreamBuilder()
    stream.bytes = [0, 0, 0, 0, 0]
    stream.sequence()
    stream.bytes += [0, 0, 0]
    stream.picture()
    stream.slice(Slice())
    stream.bytes += [0, 0]
    stream.slice(Slice(frameNum: 1))
    stream.bytes += [0, 0, 0, 0]
    let trace = DemuxerTrace { () throws(MediaError) in
      try H264StreamDemuxer(source: MemorySource(stream.bytes))
    }
    #expect(trace.entries.map(\.position).first == 5)
    #expect(trace.entries.flatMap(\.data) == Array(stream.bytes[5...]))
    #expect(trace.entries.count == 2)
  }
}

extension H264StreamBuilder.Slice: CustomTestStringConvertible {
  public var testDescription: String {
    "type \(type), first \(firstMacroblock), frame_num \(frameNum)"
  }
}
