// What a frame carries besides its samples, gathered from headers and messages.

import ReelCore

/// Filled in when a picture starts.
struct FrameProperties: Sendable {
  var presentationTicks: Int64?
  var durationTicks: Int64?
  var isKeyFrame = false
  /// Number of the picture in decoding order.
  var decodeIndex = 0
  var registeredUserData: [[UInt8]] = []
  var sideData = FrameSideData()
  var fieldOrder = FieldOrder.progressive
  var repeatedFieldCount = 0
  var crop = SampleRect(x: 0, y: 0, width: 0, height: 0)
  var lumaBitDepth = 8
  var chromaBitDepth = 8
  var pixelAspectRatio = Ratio.unknown
  var colour = ColourDescription.unspecified

  init() {}

  /// What the sequence parameter set says of all its pictures.
  init(_ sequence: SequenceParameterSet) {
    crop = sequence.crop
    lumaBitDepth = sequence.bitDepthY
    // Monochrome has no chroma depth of its own; its grey is written at the luma depth.
    chromaBitDepth = sequence.chromaFormatIDC == 0 ? sequence.bitDepthY : sequence.bitDepthC
    guard let vui = sequence.vui else { return }
    pixelAspectRatio = vui.sampleAspectRatio
    colour.primaries = UInt8(clamping: vui.colourPrimaries)
    colour.transfer = UInt8(clamping: vui.transferCharacteristics)
    colour.matrix = UInt8(clamping: vui.matrixCoefficients)
    colour.isFullRange = vui.videoFullRangeFlag
    colour.chromaLocation = vui.chromaSampleLocTypeTopField.map { UInt8(clamping: $0) }
  }

  /// pic_struct of a picture timing message, Table D.2.
  mutating func setPicStruct(_ value: Int) {
    switch value {
    case 3: fieldOrder = .topFieldFirst
    case 4: fieldOrder = .bottomFieldFirst
    case 5: (fieldOrder, repeatedFieldCount) = (.topFieldFirst, 1)
    case 6: (fieldOrder, repeatedFieldCount) = (.bottomFieldFirst, 1)
    case 7: repeatedFieldCount = 2
    case 8: repeatedFieldCount = 4
    default: break
    }
  }
}
