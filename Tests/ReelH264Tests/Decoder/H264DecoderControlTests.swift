internal import ReelCore
internal import ReelTestSupport
internal import Testing

@testable internal import ReelH264

@Suite("H.264 decoder control")
struct H264DecoderControlTests {
  private let executor = RecordingExecutor()

  private func decoder(
    _ configuration: [UInt8] = [], framing: NALUnitFraming = .annexB,
    options: H264DecoderOptions = H264DecoderOptions()
  ) throws -> H264Decoder {
    try H264Decoder(
      configuration: configuration, framing: framing, options: options, executor: executor)
  }

  private static let strict = {
    var options = H264DecoderOptions()
    options.concealment = .fail
    return options
  }()

  private static func interlaced(_ sequence: inout SequenceParameterSet) {
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

  // MARK: Messages

  @Test("brings messages and usability information to the picture behind them")
  func messages() throws {
    var stream = ControlStream {
      Self.interlaced(&$0)
      $0.vui = VideoUsabilityInformation()
      $0.vui?.picStructPresentFlag = true
      $0.vui?.sampleAspectRatio = Ratio(4, 3)
      $0.vui?.colourPrimaries = 9
      $0.vui?.transferCharacteristics = 16
      $0.vui?.matrixCoefficients = 10
      $0.vui?.videoFullRangeFlag = true
      $0.vui?.chromaSampleLocTypeTopField = 2
      $0.vui?.chromaSampleLocTypeBottomField = 2
    }
    let caption: [UInt8] = [0xB5, 0, 0x31, 1, 2]
    stream.sets()
    stream.messages([(144, [3, 232, 0, 100]), (4, caption), (4, [0xB5, 9])])
    stream.messages([(1, [0x60])])  // pic_struct 6: bottom, top, bottom
    stream.idr()
    stream.messages([(6, [0xC0])])  // recovery_frame_cnt 0, exact
    stream.slice(.i, frameNum: 1, order: 2)
    stream.slice(frameNum: 2, order: 4)
    let decoder = try decoder()
    var frames = try decoder.decode(stream.packet())
    frames += try decoder.flush()
    #expect(frames.map(\.registeredUserData) == [[caption, [0xB5, 9]], [], []])
    #expect(frames[0].fieldOrder == .bottomFieldFirst && frames[0].repeatedFieldCount == 1)
    #expect(frames.map(\.isKeyFrame) == [true, true, false])
    // Content light stays in force; what is told once is told once.
    #expect(frames.allSatisfy { $0.sideData.contentLightLevel?.maximumContentLight == 1000 })
    #expect(frames[1].repeatedFieldCount == 0 && frames[1].fieldOrder == .progressive)
    let colour = frames[2].colour
    #expect(frames[2].pixelAspectRatio == Ratio(4, 3) && colour.isFullRange)
    #expect(colour.primaries == 9 && colour.transfer == 16 && colour.matrix == 10)
    #expect(colour.chromaLocation == 2)
  }

  @Test("keeps persistent messages until they are cancelled or an IDR picture comes")
  func persistence() throws {
    let turned = SupplementalInformationTests.payload {
      $0.write(0b001, bits: 3)
      $0.write(0, bits: 16)
      $0.writeUE(1)
    }
    let once = SupplementalInformationTests.payload {
      $0.write(0b010, bits: 3)
      $0.write(0, bits: 16)
      $0.writeUE(0)
    }
    var stream = ControlStream { $0.picOrderCntType = 2 }
    stream.sets()
    stream.idr()
    stream.messages([(47, turned)])
    for frameNum in 1...2 { stream.slice(frameNum: frameNum) }
    stream.messages([(47, [0x80])])
    stream.slice(frameNum: 3)
    stream.messages([(47, once)])
    for frameNum in 4...5 { stream.slice(frameNum: frameNum) }
    stream.messages([(47, turned)])
    stream.slice(frameNum: 6)
    stream.idr(id: 1)
    let decoder = try decoder()
    var frames = try decoder.decode(stream.packet())
    frames += try decoder.flush()
    #expect(
      frames.map { $0.sideData.displayOrientation?.isFlippedVertically }
        == [nil, true, true, nil, false, nil, true, nil])
  }

  // MARK: Starting in the middle

  @Test("flags what may refer to pictures before the start, until the recovery point")
  func recovery() throws {
    let point = SupplementalInformationTests.payload {
      $0.writeUE(2)
      $0.write(4, bits: 4)
    }
    var stream = ControlStream()
    stream.sets()
    stream.messages([(6, point)])
    for (frameNum, order) in [(5, 20), (6, 22), (7, 24), (8, 28)] {
      stream.slice(frameNum: frameNum, order: order)
    }
    stream.slice(frameNum: 9, order: 23, nalRefIDC: 0)  // before frame 7 in output order
    stream.slice(frameNum: 9, order: 26, nalRefIDC: 0)
    stream.idr(id: 3)
    let decoder = try decoder()
    var frames = try decoder.decode(stream.packet())
    frames += try decoder.flush()
    frames.sort { $0.decodeIndex < $1.decodeIndex }
    #expect(
      frames.map { $0.missingReferenceCount > 0 }
        == [true, true, false, false, true, false, false])
  }

  @Test("does not put flagged frames out where damage is an error")
  func recoveryFails() throws {
    var stream = ControlStream()
    stream.sets()
    stream.messages([(6, [0xC0])])
    stream.slice(.i, frameNum: 5, order: 20)
    stream.slice(.i, frameNum: 6, order: 18, nalRefIDC: 0)
    stream.slice(frameNum: 6, order: 24)
    let decoder = try decoder(options: Self.strict)
    var frames = try decoder.decode(stream.packet())
    frames += try decoder.flush()
    #expect(frames.map(\.decodeIndex) == [0, 2])
  }

  @Test("takes a stream that begins with an intra picture as complete")
  func intraStart() throws {
    var stream = ControlStream()
    stream.sets()
    stream.slice(.i, frameNum: 5, order: 20)
    stream.slice(frameNum: 6, order: 22)
    let decoder = try decoder()
    _ = try decoder.decode(stream.packet())
    let frames = try decoder.flush()
    #expect(frames.count == 2 && frames.allSatisfy { $0.missingReferenceCount == 0 })
  }

  @Test("forgets pictures at a reset and keeps parameter sets")
  func reset() throws {
    var stream = ControlStream()
    stream.sets()
    stream.idr()
    stream.slice(frameNum: 1, order: 2)
    let decoder = try decoder()
    _ = try decoder.decode(stream.packet())
    decoder.reset()
    #expect(try decoder.flush().isEmpty)
    stream.slice(.i, frameNum: 9, order: 40)
    stream.slice(frameNum: 10, order: 42)
    _ = try decoder.decode(stream.packet())
    let frames = try decoder.flush()
    #expect(frames.count == 2 && frames.allSatisfy { $0.missingReferenceCount == 0 })
  }

  // MARK: Damage

  @Test("does not put out what it threw an error for")
  func failedPicture() throws {
    var stream = ControlStream { $0.picOrderCntType = 2 }
    stream.sets()
    stream.idr()
    stream.slice(frameNum: 1) { $0.listModifications0 = [.longTerm(5)] }
    stream.slice(frameNum: 2)
    let decoder = try decoder(options: Self.strict)
    let error = #expect(throws: MediaError.self) { try decoder.decode(stream.packet()) }
    #expect(error?.rule == .h264MissingReference)
    #expect(try decoder.flush().map(\.decodeIndex) == [0, 2])
  }

  @Test("passes over damaged headers and tells the first, unless damage is an error")
  func damage() throws {
    var stream = ControlStream()
    stream.sets()
    stream.idr()
    stream.slice(frameNum: 1, order: 2) { $0.picParameterSetID = 9 }
    stream.slice(frameNum: 1, order: 2) { $0.sliceQPY = 99 }
    stream.slice(frameNum: 1, order: 4)
    let packet = stream.packet()
    let lenient = try decoder()
    var frames = try lenient.decode(packet)
    frames += try lenient.flush()
    #expect(frames.count == 2 && lenient.faultCount == 2)
    #expect(lenient.firstFault?.rule == .h264ParameterSetMissing)

    let strict = try decoder(options: Self.strict)
    let error = #expect(throws: MediaError.self) { try strict.decode(packet) }
    #expect(error?.rule == .h264ParameterSetMissing)
    // The decoder stays usable, and frames that were ready come with the next call.
    #expect(try strict.flush().count == 2)
  }

  @Test("throws at the end when nothing at all could be decoded")
  func nothing() throws {
    var stream = ControlStream()
    stream.idr()
    let decoder = try decoder()
    #expect(try decoder.decode(stream.packet()).isEmpty)
    let error = #expect(throws: MediaError.self) { try decoder.flush() }
    #expect(error?.rule == .h264ParameterSetMissing)
    let silent = try self.decoder()
    #expect(try silent.decode(Packet(trackIndex: 0, data: [])).isEmpty)
    #expect(try silent.flush().isEmpty)
  }

  @Test("counts what jobs made up, and fails with it where damage is an error")
  func outcomes() throws {
    executor.outcome.concealedMacroblockCount = 1
    executor.outcome.firstFault = MediaError(.damaged, .h264SliceValue, detail: "of a job")
    var stream = ControlStream { $0.picOrderCntType = 2 }
    stream.sets()
    stream.idr()
    let packet = stream.packet()
    let lenient = try decoder()
    #expect(try lenient.decode(packet).isEmpty)
    #expect(try lenient.flush().map(\.concealedBlockCount) == [1])
    #expect(lenient.firstFault?.detail == "of a job")
    let strict = try decoder(options: Self.strict)
    #expect(try strict.decode(packet).isEmpty)
    let error = #expect(throws: MediaError.self) { try strict.flush() }
    #expect(error?.detail == "of a job")
  }

  @Test("holds frames back by the executor's delay, and gives them all in the end")
  func delay() throws {
    executor.delay = 2
    var stream = ControlStream { $0.picOrderCntType = 2 }
    let framing = NALUnitFraming.lengthPrefixed(bytes: 4)
    let decoder = try decoder(framing: framing)
    stream.sets()
    stream.idr()
    var counts = [try decoder.decode(stream.packet(framing: framing)).count]
    for frameNum in 1...4 {
      stream.slice(frameNum: frameNum)
      counts.append(try decoder.decode(stream.packet(framing: framing)).count)
    }
    #expect(counts == [0, 0, 1, 1, 1])
    #expect(try decoder.flush().count == 2)
  }

  @Test("keeps the good units of a sample whose last length is broken")
  func brokenLength() throws {
    var stream = ControlStream { $0.picOrderCntType = 2 }
    let framing = NALUnitFraming.lengthPrefixed(bytes: 4)
    stream.sets()
    stream.idr()
    var packet = stream.packet(framing: framing)
    packet.data += [0, 0, 1, 0, 0x41]
    let decoder = try decoder(framing: framing)
    #expect(try decoder.decode(packet).count == 1)
    #expect(decoder.faultCount == 1)
  }

  @Test(
    "survives every prefix of a stream, as a byte stream and as a sample", arguments: [true, false])
  func prefixes(isByteStream: Bool) throws {
    var stream = ControlStream(Self.interlaced)
    stream.sets()
    stream.idr()
    stream.messages([(6, [0xC0]), (4, [1, 2, 3])])
    stream.slice(.b, frameNum: 1, order: 4) { $0.numRefIdxL1Active = 1 }
    stream.slice(frameNum: 2, order: 6) { $0.fieldPicFlag = true }
    stream.slice(frameNum: 2, order: 7, unit: .partitionA) {
      $0.fieldPicFlag = true
      $0.bottomFieldFlag = true
    }
    stream.units.append(HeaderWriter.partition(.partitionB, sliceID: 0))
    let framing: NALUnitFraming = isByteStream ? .annexB : .lengthPrefixed(bytes: 2)
    let whole = stream.packet(framing: framing).data
    for count in 0...whole.count {
      let decoder = try decoder(framing: framing)
      _ = try decoder.decode(Packet(trackIndex: 0, data: Array(whole[..<count])))
      let frames = try? decoder.flush()
      #expect((frames?.count ?? 0) <= 3)
    }
  }
}
