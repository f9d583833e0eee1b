internal import ReelCore
internal import ReelTestSupport
internal import Testing

@testable internal import ReelH264

@Suite("NAL unit headers")
struct NALUnitHeaderTests {
  @Test("hold nal_ref_idc and nal_unit_type in one byte", arguments: 0...31)
  func plain(type: UInt8) throws {
    for refIDC in 0...3 {
      let header = try NALUnitHeader(parsing: [UInt8(refIDC << 5) | type])
      #expect(header.nalRefIDC == refIDC && header.nalUnitType.rawValue == type)
    }
  }

  @Test("refuse nothing at all, and forbidden_zero_bit")
  func refused() {
    for bytes in [[], [0x80], [0xE5, 1, 2]] as [[UInt8]] {
      let error = #expect(throws: MediaError.self) { try NALUnitHeader(parsing: bytes) }
      #expect(error?.rule == .h264NALUnitHeader)
    }
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
