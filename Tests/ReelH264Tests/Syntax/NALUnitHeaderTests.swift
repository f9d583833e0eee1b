internal import ReelCore
internal import ReelTestSupport
internal import Testing

@testable internal import ReelH264

@Suite("NAL unit headers")
struct NALUnitHeaderTests {
  @Test("hold nal_ref_idc and nal_unit_type in one byte", arguments: 0...31)
  func plain(type: UInt8) throws {
    guard ![14, 20, 21].contains(type) else { return }
    for refIDC in 0...3 {
      let header = try NALUnitHeader(parsing: [UInt8(refIDC << 5) | type])
      #expect(header.nalRefIDC == refIDC && header.nalUnitType.rawValue == type)
      #expect(header.byteCount == 1 && header.layerExtension == nil)
    }
  }

  @Test("refuse nothing at all, and forbidden_zero_bit")
  func refused() {
    for bytes in [[], [0x80], [0xE5, 1, 2]] as [[UInt8]] {
      let error = #expect(throws: MediaError.self) { try NALUnitHeader(parsing: bytes) }
      #expect(error?.rule == .h264NALUnitHeader)
    }
  }

  private func unit(_ type: UInt8, _ fields: [(Int, Int)]) -> [UInt8] {
    var bits = BitWriter()
    bits.write(UInt64(0x40 | type), bits: 8)
    for (value, count) in fields { bits.write(UInt64(value), bits: count) }
    return bits.bytes
  }

  @Test("tell the layer of scalable units", arguments: [14, 20] as [UInt8])
  func scalable(type: UInt8) throws {
    let bytes = unit(
      type, [(1, 1), (1, 1), (33, 6), (0, 1), (5, 3), (9, 4), (6, 3), (0, 3), (3, 2)])
    let header = try NALUnitHeader(parsing: bytes)
    #expect(header.byteCount == 4 && header.nalUnitType.isOfAnotherLayer)
    #expect(
      header.layerExtension
        == .scalable(idrFlag: true, priorityID: 33, dependencyID: 5, qualityID: 9, temporalID: 6))
    for count in 1..<4 {
      #expect(throws: MediaError.self) { try NALUnitHeader(parsing: Array(bytes[..<count])) }
    }
  }

  @Test("tell the view of multiview units", arguments: [14, 20, 21] as [UInt8])
  func multiview(type: UInt8) throws {
    let bytes = unit(type, [(0, 1), (1, 1), (12, 6), (777, 10), (3, 3), (1, 1), (0, 2)])
    let header = try NALUnitHeader(parsing: bytes)
    #expect(header.byteCount == 4)
    #expect(
      header.layerExtension
        == .multiview(nonIDRFlag: true, priorityID: 12, viewID: 777, temporalID: 3, anchorPic: true)
    )
  }

  @Test("tell the view of depth units in two bytes")
  func depth() throws {
    let header = try NALUnitHeader(
      parsing: unit(21, [(1, 1), (200, 8), (1, 1), (0, 1), (5, 3), (1, 1), (0, 1)]))
    #expect(header.byteCount == 3)
    #expect(
      header.layerExtension
        == .depth(
          viewIndex: 200, depthFlag: true, nonIDRFlag: false, temporalID: 5, anchorPic: true)
    )
  }
}

@Suite("Configuration records")
struct DecoderConfigurationRecordTests {
  private let record: [UInt8] =
    [1, 100, 0, 40, 0xFF, 0xE2, 0, 3, 0x67, 1, 2, 0, 1, 0x67, 1, 0, 2, 0x68, 9]

  @Test("hold profile, length size and parameter sets")
  func values() throws {
    let read = try DecoderConfigurationRecord(parsing: record + [0xFD, 0xF8, 0xF8, 0])
    #expect(read.profileIndication == 100 && read.levelIndication == 40 && read.lengthSize == 4)
    #expect(read.sequenceParameterSets == [[0x67, 1, 2], [0x67]])
    #expect(read.pictureParameterSets == [[0x68, 9]])
  }

  @Test("refuse every prefix and any other version")
  func refused() {
    for count in 0..<record.count {
      let error = #expect(throws: MediaError.self) {
        try DecoderConfigurationRecord(parsing: Array(record[..<count]))
      }
      #expect(error?.rule == .h264ConfigurationRecord && error?.family == .damaged)
    }
    #expect(throws: MediaError.self) {
      try DecoderConfigurationRecord(parsing: [2] + record.dropFirst())
    }
  }
}
