internal import Foundation
internal import ReelCore
internal import ReelTestSupport
internal import ReelVideoCore
internal import Testing

@testable internal import ReelHEVC

@Suite("Headers of HEVC")
struct HeaderTests {
  /// The NAL units of a shipped byte stream.
  static func units(_ name: String = "hevc-hdr.265") throws -> [[UInt8]] {
    let bytes = [UInt8](try Data(contentsOf: Places.testVector("clips/\(name)")))
    return NALUnits.annexB(bytes).map { NALUnits.unescape(bytes, $0) }
  }

  static func unit(_ type: NALUnitType) throws -> [UInt8] {
    try #require(try units().first { $0[0] >> 1 == type.rawValue })
  }

  @Test("a sequence parameter set tells size, depth, colour and buffering")
  func sequence() throws {
    let set = try SequenceParameterSet(parsing: try Self.unit(.sequence), limits: .standard)
    #expect(set.crop == SampleRect(x: 0, y: 0, width: 200, height: 114))
    #expect(set.width == 200 && set.height == 120)
    #expect(set.bitDepthY == 10 && set.bitDepthC == 10)
    #expect(set.profile.profileIDC == 2)
    let vui = try #require(set.vui)
    #expect(vui.colourPrimaries == 9 && vui.transferCharacteristics == 16)
    #expect(vui.numUnitsInTick == 1 && vui.timeScale == 25)
    #expect(set.maxNumReorderPics > 0 && set.maxDecPicBuffering > set.maxNumReorderPics)
  }

  @Test("what carries a stream reads the same of its parameter set as the decoder")
  func summary() throws {
    let unit = try Self.unit(.sequence)
    let set = try SequenceParameterSet(parsing: unit, limits: .standard)
    let summary = try #require(HEVCSequenceSummary(unescaped: unit))
    #expect(summary.width == set.crop.width && summary.height == set.crop.height)
    #expect(summary.lumaBitDepth == set.bitDepthY)
    #expect(summary.reorderFrameCount == set.maxNumReorderPics)
    #expect(summary.tick?.units == 1 && summary.tick?.scale == 25)
    #expect(summary.colour?.transfer == 16)
  }

  @Test("every prefix of a parameter set is an error or a set, never a trap")
  func prefixes() throws {
    for type in [NALUnitType.video, .sequence, .picture] {
      let unit = try Self.unit(type)
      for count in 0..<unit.count {
        let prefix = Array(unit.prefix(count))
        _ = try? VideoParameterSet(parsing: prefix)
        _ = try? SequenceParameterSet(parsing: prefix, limits: .standard)
        _ = try? PictureParameterSet(parsing: prefix)
        _ = HEVCSequenceSummary(unescaped: prefix)
      }
    }
    let sequence = try Self.unit(.sequence)
    #expect(throws: MediaError.self) {
      try SequenceParameterSet(parsing: Array(sequence.prefix(20)), limits: .standard)
    }
  }

  @Test("flipped bits in headers are an error or a set, never a trap", arguments: 0..<40)
  func flips(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    for type in [NALUnitType.video, .sequence, .picture, .prefixSupplement] {
      for _ in 0..<50 {
        var unit = try Self.unit(type)
        for _ in 0..<random.int(in: 1...6) {
          unit[random.int(in: 2...unit.count - 1)] ^= 1 << UInt8(random.int(in: 0...7))
        }
        _ = try? VideoParameterSet(parsing: unit)
        _ = try? SequenceParameterSet(parsing: unit, limits: .standard)
        _ = try? PictureParameterSet(parsing: unit)
        _ = SupplementalMessage.messages(in: unit)
      }
    }
  }

  @Test("a picture beyond the limit is refused with its size")
  func limit() throws {
    var limits = Limits.standard
    limits.maximumPictureSamples = 100 * 100
    let unit = try Self.unit(.sequence)
    let error = #expect(throws: MediaError.self) {
      try SequenceParameterSet(parsing: unit, limits: limits)
    }
    #expect(error?.family == .limitExceeded)
    #expect(error?.rule == .hevcPictureSize)
  }

  @Test("a predicted reference picture set is the other one moved, §7.4.8")
  func predictedSet() throws {
    // Set 0: −1 used, −3 unused, +2 used. Set 1 is predicted with delta −1, all kept.
    var writer = BitWriter()
    for value in [2, 1] as [UInt32] { writer.writeUE(value) }
    writer.writeUE(0)
    writer.writeFlag(true)
    writer.writeUE(1)
    writer.writeFlag(false)
    writer.writeUE(1)
    writer.writeFlag(true)
    writer.writeFlag(true)  // inter_ref_pic_set_prediction_flag
    writer.writeFlag(true)  // delta_rps_sign
    writer.writeUE(0)
    for _ in 0..<4 { writer.writeFlag(true) }
    writer.writeTrailingBits()
    var reader = SyntaxReader(writer.bytes, from: 0)
    let first = try ReferencePictureSet(parsing: &reader, index: 0, others: [], isInSlice: false)
    #expect(first.negative.map(\.deltaPOC) == [-1, -3])
    #expect(first.negative.map(\.isUsed) == [true, false])
    #expect(first.positive.map(\.deltaPOC) == [2])
    let second = try ReferencePictureSet(
      parsing: &reader, index: 1, others: [first], isInSlice: false)
    #expect(second.negative.map(\.deltaPOC) == [-1, -2, -4])
    #expect(second.positive.map(\.deltaPOC) == [1])
    let used = (second.negative + second.positive).filter(\.isUsed)
    #expect(used.count == 4)
  }

  @Test("a NAL unit header keeps its rules")
  func header() throws {
    #expect(throws: MediaError.self) { try NALUnitHeader(parsing: [0x40]) }
    #expect(throws: MediaError.self) { try NALUnitHeader(parsing: [0xC0, 1]) }
    #expect(throws: MediaError.self) { try NALUnitHeader(parsing: [0x40, 0]) }
    let header = try NALUnitHeader(parsing: [0x42, 0x09])
    #expect(header.type == .sequence && header.layerID == 1 && header.temporalID == 0)
  }

  @Test("messages tell the mastering display and the light levels")
  func messages() throws {
    let messages = try Self.units().filter { $0[0] >> 1 == 39 }
      .flatMap { SupplementalMessage.messages(in: $0).messages }
    let display = try #require(
      messages.first { $0.payloadType == SupplementalMessage.masteringDisplay })
    let mastering = try MasteringDisplay(SyntaxReader(display.payload, from: 0))
    #expect(mastering.maximumLuminance == 10_000_000)
    let light = try #require(
      messages.first { $0.payloadType == SupplementalMessage.contentLightLevel })
    let level = try ContentLightLevel(SyntaxReader(light.payload, from: 0))
    #expect(level.maximumContentLight == 1000 && level.maximumFrameAverageLight == 400)
  }
}
