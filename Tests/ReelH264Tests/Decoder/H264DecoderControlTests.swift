internal import ReelCore
internal import ReelTestSupport
internal import Testing

@testable internal import ReelH264

@Suite("H.264 decoder control")
struct H264DecoderControlTests {
  let executor = RecordingExecutor()

  func decoder(
    _ configuration: [UInt8] = [], framing: NALUnitFraming = .annexB,
    options: H264DecoderOptions = H264DecoderOptions()
  ) throws -> H264Decoder {
    try H264Decoder(
      configuration: configuration, framing: framing, options: options, executor: executor)
  }

  static let strict = {
    var options = H264DecoderOptions()
    options.concealment = .fail
    return options
  }()

  static func interlaced(_ sequence: inout SequenceParameterSet) {
    sequence.frameMbsOnlyFlag = false
    sequence.direct8x8InferenceFlag = true
  }

  // MARK: Pictures and packets

  @Test("gathers the slices of a picture, across packets of a byte stream")
  func slices() throws {
    var stream = ControlStream { $0.picWidthInMbs = 3 }
    stream.sets()
    stream.idr()
    let decoder = try decoder()
    #expect(try decoder.decode(stream.packet()).isEmpty)
    stream.idr { $0.firstMbInSlice = 1 }
    stream.idr { $0.firstMbInSlice = 2 }
    stream.idr(id: 1)
    _ = try decoder.decode(stream.packet())
    _ = try decoder.flush()
    #expect(executor.slices.map(\.count) == [3, 1])
    #expect(executor.slices[0].map(\.header.firstMbInSlice) == [0, 1, 2])
  }

  @Test("hands a file's picture out with its sample", arguments: 1...4)
  func samples(lengthBytes: Int) throws {
    var stream = ControlStream { $0.picOrderCntType = 2 }
    let framing = NALUnitFraming.lengthPrefixed(bytes: lengthBytes)
    stream.sets()
    var record: [UInt8] = [1, 88, 0, 10, 0xFF, 0xE1]
    for (index, unit) in stream.units.enumerated() {
      let bytes = NALUnitWriter.escaped(unit)
      if index == 1 { record.append(1) }
      record += [0, UInt8(bytes.count)] + bytes
    }
    stream.units.removeAll()
    let decoder = try decoder(record, framing: framing)
    stream.idr()
    let frames = try decoder.decode(stream.packet(ticks: 7, duration: 3, framing: framing))
    #expect(frames.map(\.presentationTicks) == [7] && frames.map(\.durationTicks) == [3])
    #expect(frames.map(\.isKeyFrame) == [true])
  }

  @Test("takes parameter sets as a byte stream in place of a configuration record")
  func byteStreamConfiguration() throws {
    var stream = ControlStream()
    stream.sets()
    let decoder = try decoder(stream.packet().data)
    stream.idr()
    _ = try decoder.decode(stream.packet())
    #expect(try decoder.flush().count == 1)
  }

  @Test("carries times of packets to frames in output order")
  func times() throws {
    var stream = ControlStream()
    stream.sets()
    stream.idr()
    let decoder = try decoder()
    var frames = try decoder.decode(stream.packet(ticks: 0, duration: 1))
    for (index, (order, nalRefIDC)) in [(8, 1), (4, 0), (6, 0)].enumerated() {
      stream.slice(frameNum: index == 0 ? 1 : 2, order: order, nalRefIDC: nalRefIDC)
      frames += try decoder.decode(stream.packet(ticks: Int64(order), duration: 2))
    }
    frames += try decoder.flush()
    #expect(frames.map(\.presentationTicks) == [0, 4, 6, 8])
    #expect(frames.map(\.decodeIndex) == [0, 2, 3, 1])
    #expect(frames.map(\.isKeyFrame) == [true, false, false, false])
  }

  @Test("gives the second picture of a packet no time, and a pair of fields the time of the first")
  func sharedPackets() throws {
    var stream = ControlStream(Self.interlaced)
    stream.sets()
    stream.idr()
    stream.slice(frameNum: 1, order: 2)
    let decoder = try decoder()
    _ = try decoder.decode(stream.packet(ticks: 10, duration: 5))
    stream.slice(frameNum: 2, order: 4) { $0.fieldPicFlag = true }
    _ = try decoder.decode(stream.packet(ticks: 20, duration: 2))
    stream.slice(frameNum: 2, order: 5) {
      $0.fieldPicFlag = true
      $0.bottomFieldFlag = true
    }
    _ = try decoder.decode(stream.packet(ticks: 22, duration: 2))
    let frames = try decoder.flush()
    #expect(frames.map(\.presentationTicks) == [10, nil, 20])
    #expect(frames.map(\.durationTicks) == [5, nil, 4])
    #expect(frames.map(\.fieldOrder) == [.progressive, .progressive, .topFieldFirst])
    #expect(executor.jobs.map(\.structure) == [.frame, .frame, .topField, .bottomField])
    #expect(executor.jobs[2].picture === executor.jobs[3].picture)
  }

  @Test("shows an unpaired field on the lines of both")
  func unpairedField() throws {
    var stream = ControlStream(Self.interlaced)
    stream.sets()
    stream.idr {
      $0.fieldPicFlag = true
      $0.bottomFieldFlag = true
    }
    let decoder = try decoder()
    _ = try decoder.decode(stream.packet())
    let picture = try #require(decoder.sequencer.currentFrame?.picture)
    guard case .depth8(let planes) = picture.storage else { return }
    for y in 0..<32 {
      planes.y.fill(at: y * planes.y.stride, count: 16, with: UInt8(y))
      if y < 16 { planes.cb.fill(at: y * planes.cb.stride, count: 8, with: UInt8(100 + y)) }
    }
    let frames = try decoder.flush()
    #expect(frames.count == 1 && frames.first?.fieldOrder == .bottomFieldFirst)
    #expect((0..<32).map { Int(planes.y[$0 * planes.y.stride]) } == (0..<32).map { $0 | 1 })
    let chroma = (0..<16).map { Int(planes.cb[$0 * planes.cb.stride]) }
    #expect(chroma == (0..<16).map { 100 + ($0 | 1) })
    // Nobody may wait for the field that never came.
    #expect(picture.progress.lines(.topField) == .max)
  }

  @Test("passes over redundant pictures, other layers and auxiliary pictures")
  func passedOver() throws {
    var stream = ControlStream()
    stream.parameters.redundantPicCntPresentFlag = true
    stream.sets()
    stream.units.append([0x6E, 0x80, 0, 7])  // prefix
    stream.idr()
    stream.idr { $0.redundantPicCnt = 1 }
    stream.units.append([0x73, 0x80, 1])  // auxiliary slice
    stream.units.append([0x74, 0x80, 0, 7, 1])  // slice of another layer
    stream.units.append([0x0C, 0xFF, 0x80])  // filler
    stream.slice(frameNum: 1, order: 2)
    let decoder = try decoder()
    _ = try decoder.decode(stream.packet())
    #expect(try decoder.flush().count == 2)
    #expect(executor.slices.map(\.count) == [1, 1])
    #expect(decoder.faultCount == 0)
  }

  @Test(
    "ends a picture at an access unit delimiter and at the end of a sequence",
    arguments: [9, 10, 11] as [UInt8])
  func delimiters(type: UInt8) throws {
    var stream = ControlStream { $0.picOrderCntType = 2 }
    stream.sets()
    stream.idr()
    stream.units.append([type, 0xF0])
    let decoder = try decoder()
    #expect(try decoder.decode(stream.packet()).count == 1)
  }

  // MARK: Data partitions

  @Test("brings data partitions to their slices, whichever are there")
  func partitions() throws {
    var stream = ControlStream { $0.picWidthInMbs = 3 }
    stream.sets()
    stream.idr()
    for (id, parts) in [[NALUnitType.partitionB, .partitionC], [.partitionC], []].enumerated() {
      stream.slice(frameNum: 1, order: 2, unit: .partitionA) {
        $0.firstMbInSlice = id
        $0.sliceID = id
      }
      for part in parts { stream.units.append(HeaderWriter.partition(part, sliceID: id)) }
    }
    let decoder = try decoder()
    _ = try decoder.decode(stream.packet())
    _ = try decoder.flush()
    let slices = executor.slices[1]
    #expect(slices.map { $0.partitionB != nil } == [true, false, false])
    #expect(slices.map { $0.partitionC != nil } == [true, true, false])
    let b = try #require(slices[0].partitionB)
    var data = BitReader(b.payload, from: b.dataStart)
    #expect(data.read(8) == 0x33)
    #expect(decoder.faultCount == 0)
  }

  @Test("tells partitions that belong to no slice")
  func strayPartition() throws {
    var stream = ControlStream { $0.picWidthInMbs = 9 }
    stream.sets()
    stream.idr()
    stream.slice(frameNum: 1, order: 2, unit: .partitionA)
    stream.units.append(HeaderWriter.partition(.partitionB, sliceID: 0))
    stream.units.append(HeaderWriter.partition(.partitionC, sliceID: 7))
    let decoder = try decoder()
    _ = try decoder.decode(stream.packet())
    #expect(decoder.faultCount == 1 && decoder.firstFault?.rule == .h264PartitionOrder)
  }

  // MARK: Changes and limits

  @Test(
    "puts all frames out where the size changes, at an IDR picture or not",
    arguments: [true, false])
  func sizeChange(isIDR: Bool) throws {
    var stream = ControlStream()
    stream.sets()
    stream.idr()
    stream.slice(frameNum: 1, order: 4)
    stream.sequence.picWidthInMbs = 4
    stream.sequence.crop.width = 64
    stream.sets()
    if isIDR { stream.idr(id: 1) } else { stream.slice(.i, frameNum: 2, order: 6) }
    stream.slice(frameNum: isIDR ? 1 : 3, order: 8)
    let decoder = try decoder()
    var frames = try decoder.decode(stream.packet())
    frames += try decoder.flush()
    #expect(frames.map(\.width) == [16, 16, 64, 64])
    // The P picture after it refers to a frame of its own size.
    let reference = executor.slices[3][0].referenceList0[0]
    #expect(reference.picture.motion.widthInMbs == 4 && !reference.isSubstitute)
  }

  @Test(
    "begins a picture where the sequence changes, though the header is that of the same picture")
  func sequenceChangesInside() throws {
    var stream = ControlStream { $0.picWidthInMbs = 3 }
    stream.parameters.numSliceGroups = 2
    stream.parameters.sliceGroupMapping = .foreground(rectangles: [(1, 2)])
    stream.sets()
    stream.idr()
    stream.sequence.picWidthInMbs = 2
    stream.sequence.picHeightInMapUnits = 3
    stream.sequence.crop = SampleRect(x: 0, y: 0, width: 32, height: 48)
    stream.parameters.sliceGroupMapping = .foreground(rectangles: [(2, 5)])
    stream.sets()
    stream.idr { $0.firstMbInSlice = 1 }
    let decoder = try decoder()
    _ = try decoder.decode(stream.packet())
    _ = try decoder.flush()
    #expect(executor.slices.map(\.count) == [1, 1])
    #expect(executor.slices.map { $0[0].sliceGroupMap.count } == [3, 6])
  }

  @Test("takes a picture parameter set that changes from the next picture on")
  func changedParameters() throws {
    var stream = ControlStream()
    stream.sets()
    stream.idr()
    stream.parameters.picInitQP = 40
    stream.units.append(HeaderWriter.picture(stream.parameters, for: stream.sequence))
    stream.slice(frameNum: 1, order: 2) { $0.sliceQPY = 40 }
    let decoder = try decoder()
    _ = try decoder.decode(stream.packet())
    _ = try decoder.flush()
    #expect(executor.slices.map { $0[0].picture.picInitQP } == [26, 40])
    #expect(executor.slices.map { $0[0].header.sliceQPY } == [26, 40])
  }

  @Test("refuses pictures past the limit of samples, whatever the policy")
  func limits() throws {
    var options = H264DecoderOptions()
    options.limits.maximumPictureSamples = 16 * 16
    var stream = ControlStream()
    stream.sets()
    stream.idr()
    stream.sequence.picWidthInMbs = 2
    stream.sets()
    stream.idr(id: 1)
    let decoder = try decoder(options: options)
    let error = #expect(throws: MediaError.self) { try decoder.decode(stream.packet()) }
    #expect(error?.family == .limitExceeded && error?.rule == .h264PictureSize)
    #expect(try decoder.flush().count == 1)
  }

  @Test("refuses more pictures than the limit for the bytes")
  func pictureCount() throws {
    var options = H264DecoderOptions()
    options.limits.maximumPicturesPerByte = 0
    var stream = ControlStream()
    stream.sets()
    for id in 0..<1_010 { stream.idr(id: id) }
    let decoder = try decoder(options: options)
    let error = #expect(throws: MediaError.self) { try decoder.decode(stream.packet()) }
    #expect(error?.family == .limitExceeded && error?.rule == .h264PictureCount)
  }
}
