// What a frame carries besides its samples, gathered from headers and messages.

import ReelCore

/// Filled in when a frame starts and when its second field comes.
struct FrameProperties {
  var presentationTicks: Int64?
  var durationTicks: Int64?
  var isKeyFrame = false
  /// Number of the frame in decoding order.
  var decodeIndex = 0
  var registeredUserData: [[UInt8]] = []
  var sideData = FrameSideData()
  var fieldOrder = FieldOrder.progressive
  /// pic_struct of the frame or its first field; nil without a message.
  var picStruct: PictureTimingStructure?
  var crop = SampleRect(x: 0, y: 0, width: 0, height: 0)
  var lumaBitDepth = 8
  var chromaBitDepth = 8
  var pixelAspectRatio = Ratio.unknown
  var colour = ColourDescription.unspecified

  init() {}

  /// What the sequence parameter set says of all its frames.
  init(_ sequence: SequenceParameterSet) {
    crop = sequence.crop
    lumaBitDepth = sequence.bitDepthLuma
    // Monochrome has no chroma depth of its own; its grey is written at the luma depth.
    chromaBitDepth =
      sequence.chromaFormatIDC == 0 ? sequence.bitDepthLuma : sequence.bitDepthChroma
    guard let vui = sequence.vui else { return }
    pixelAspectRatio = vui.sampleAspectRatio
    colour.primaries = UInt8(clamping: vui.colourPrimaries)
    colour.transfer = UInt8(clamping: vui.transferCharacteristics)
    colour.matrix = UInt8(clamping: vui.matrixCoefficients)
    colour.isFullRange = vui.videoFullRangeFlag
    colour.chromaLocation = vui.chromaSampleLocTypeTopField.map { UInt8(clamping: $0) }
  }

  /// Order of the fields as the coding shows it; messages may know better.
  mutating func setFieldOrder(_ header: SliceHeader, _ counts: PictureOrderCounts) {
    if header.fieldPicFlag {
      fieldOrder = header.bottomFieldFlag ? .bottomFieldFirst : .topFieldFirst
    } else if header.mbaffFrameFlag {
      fieldOrder = counts.bottom < counts.top ? .bottomFieldFirst : .topFieldFirst
    }
    if let told = picStruct.flatMap(Self.fieldOrder) { fieldOrder = told }
  }

  /// Order of the fields by pic_struct, Table D-1; nil where it only speaks of one field.
  static func fieldOrder(_ timing: PictureTimingStructure) -> FieldOrder? {
    switch timing {
    case .frame, .frameDoubling, .frameTripling: .progressive
    case .topBottom, .topBottomTop: .topFieldFirst
    case .bottomTop, .bottomTopBottom: .bottomFieldFirst
    case .topField, .bottomField: nil
    }
  }
}
