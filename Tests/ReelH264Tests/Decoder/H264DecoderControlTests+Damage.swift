internal import ReelCore
internal import ReelTestSupport
internal import Testing

@testable internal import ReelH264

/// Messages, starts in the middle of a stream, and damage.
extension H264DecoderControlTests {
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
