// What the parameter sets of a video track tell.

import ReelCore
import ReelVideoCore

/// The description of a coded video stream beyond what its container says.
struct VideoDetails {
  var profile: String?
  var level: Int?
  var pixelFormat: String?
  var bitDepth: Int?
  var width = 0
  var height = 0
  var pixelAspectRatio = Ratio.unknown
  var colour: ColourDescription?
  /// ISO/IEC 23091-2:2021 §8.7, 0…5.
  var chromaLocation: UInt8?
  var referenceCount: Int?
  var reorderCount: Int?
  var isProgressive: Bool?

  init(_ codec: CodecID, _ format: VideoFormat) {
    switch codec {
    case .h264: readH264(format)
    case .hevc: readHEVC(format)
    default: break
    }
    (width, height) = (max(width, 0), max(height, 0))
    if width == 0 || height == 0 { (width, height) = (format.width, format.height) }
    // The container's word on the shape of pixels and on colour wins over the stream's.
    if format.pixelAspectRatio.numerator > 0 { pixelAspectRatio = format.pixelAspectRatio }
    if let told = format.colour {
      let location = colour?.chromaLocation
      colour = told
      colour?.chromaLocation = told.chromaLocation ?? location
    }
    chromaLocation = colour?.chromaLocation
    inferChromaLocation()
  }

  /// Where neither stream nor container tells, chroma samples of 4:2:0 lie to the left: type 0 of
  /// ISO/IEC 23091-2:2021 is what both standards infer.
  private mutating func inferChromaLocation() {
    guard let pixelFormat, pixelFormat.contains("420"), colour?.chromaLocation == nil else {
      return
    }
    chromaLocation = 0
  }

  private mutating func readH264(_ format: VideoFormat) {
    guard let unit = Self.firstUnit(of: 7, in: format, isHEVC: false),
      let summary = H264SequenceSummary(unescaped: unit)
    else { return }
    profile = CodecDescription.h264Profile(
      summary.profileIDC, constraints: summary.constraintFlags)
    level = Int(summary.levelIDC)
    bitDepth = summary.lumaBitDepth
    (width, height) = (summary.width, summary.height)
    pixelAspectRatio = summary.pixelAspectRatio
    colour = summary.colour
    pixelFormat = CodecDescription.pixelFormat(
      chromaFormat: summary.chromaFormatIDC, bitDepth: summary.lumaBitDepth,
      isFullRange: summary.colour?.isFullRange ?? false)
    referenceCount = summary.referenceFrameCount
    reorderCount = summary.reorderFrameCount
    isProgressive = summary.hasOnlyFrames ? true : nil
  }

  private mutating func readHEVC(_ format: VideoFormat) {
    guard let unit = Self.firstUnit(of: 33, in: format, isHEVC: true),
      let summary = HEVCSequenceSummary(unescaped: unit)
    else { return }
    profile = CodecDescription.hevcProfiles[summary.profileIDC]
    level = summary.levelIDC
    bitDepth = summary.lumaBitDepth
    (width, height) = (summary.width, summary.height)
    pixelAspectRatio = summary.pixelAspectRatio
    colour = summary.colour
    pixelFormat = CodecDescription.pixelFormat(
      chromaFormat: summary.chromaFormatIDC, bitDepth: summary.lumaBitDepth,
      isFullRange: summary.colour?.isFullRange ?? false)
    reorderCount = summary.reorderFrameCount
  }

  /// The first NAL unit of a type in a configuration, without emulation prevention.
  private static func firstUnit(of type: UInt8, in format: VideoFormat, isHEVC: Bool) -> [UInt8]? {
    let bytes = format.configuration
    guard let first = bytes.first else { return nil }
    let ranges =
      first == 0 ? NALUnits.annexB(bytes) : isHEVC ? hevcUnits(bytes) : avcUnits(bytes)
    for range in ranges where !range.isEmpty {
      let header = bytes[range.lowerBound]
      if (isHEVC ? header >> 1 & 63 : header & 31) == type {
        return NALUnits.unescape(bytes, range)
      }
    }
    return nil
  }

  /// Units of an AVCDecoderConfigurationRecord. ISO/IEC 14496-15:2019 §5.3.3.1.2.
  private static func avcUnits(_ bytes: [UInt8]) -> [Range<Int>] {
    guard bytes.count > 6 else { return [] }
    var position = 6
    return (0..<Int(bytes[5] & 31)).compactMap { _ in unit(bytes, &position) }
  }

  /// Units of an HEVCDecoderConfigurationRecord. ISO/IEC 14496-15:2019 §8.3.3.1.2.
  private static func hevcUnits(_ bytes: [UInt8]) -> [Range<Int>] {
    guard bytes.count > 23 else { return [] }
    var position = 23
    var units: [Range<Int>] = []
    for _ in 0..<bytes[22] {
      guard position + 3 <= bytes.count else { break }
      let count = Int(bytes[position + 1]) << 8 | Int(bytes[position + 2])
      position += 3
      for _ in 0..<count {
        guard let unit = unit(bytes, &position) else { return units }
        units.append(unit)
      }
    }
    return units
  }

  /// The unit behind a 16-bit length; nil when it reaches past the end.
  private static func unit(_ bytes: [UInt8], _ position: inout Int) -> Range<Int>? {
    guard position + 2 <= bytes.count else { return nil }
    let length = Int(bytes[position]) << 8 | Int(bytes[position + 1])
    guard position + 2 + length <= bytes.count else { return nil }
    defer { position += 2 + length }
    return position + 2..<position + 2 + length
  }
}
