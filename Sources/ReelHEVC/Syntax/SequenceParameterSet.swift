// Sequence parameter sets. ISO/IEC 23008-2:2020 §7.3.2.2, §7.4.3.2.

import ReelCore
import ReelVideoCore

/// The tools of sps_range_extension(), §7.3.2.2.2.
struct SequenceRangeExtension: Sendable, Hashable {
  var transformSkipRotationEnabled = false
  var transformSkipContextEnabled = false
  var implicitRDPCMEnabled = false
  var explicitRDPCMEnabled = false
  var intraSmoothingDisabled = false
  var highPrecisionOffsetsEnabled = false
  var persistentRiceAdaptationEnabled = false
}

/// seq_parameter_set_rbsp(). Set once while it is read; shared by all pictures of its sequence.
final class SequenceParameterSet {
  /// The NAL unit it was read from, to tell a repetition from a change.
  let source: [UInt8]
  var id = 0
  var videoParameterSetID = 0
  var profile = ProfileTierLevel()
  /// sps_max_sub_layers_minus1
  var maxSubLayersMinus1 = 0
  var chromaFormatIDC = 1
  var width = 0
  var height = 0
  /// The conformance window, in luma samples.
  var crop = SampleRect(x: 0, y: 0, width: 0, height: 0)
  var bitDepthY = 8
  var bitDepthC = 8
  var log2MaxPicOrderCntLsb = 4
  /// sps_max_dec_pic_buffering_minus1 + 1, sps_max_num_reorder_pics and
  /// sps_max_latency_increase_plus1 of the highest sub-layer.
  var maxDecPicBuffering = 1
  var maxNumReorderPics = 0
  var maxLatencyIncreasePlus1 = 0
  var minCbLog2Size = 3
  var ctbLog2Size = 4
  var minTbLog2Size = 2
  var maxTbLog2Size = 5
  var maxTransformHierarchyDepthInter = 0
  var maxTransformHierarchyDepthIntra = 0
  var scalingListEnabled = false
  /// The lists where the set holds some; nil means the default ones.
  var scalingLists: ScalingLists?
  var ampEnabled = false
  var saoEnabled = false
  var pcmEnabled = false
  var pcmBitDepthY = 8
  var pcmBitDepthC = 8
  var log2MinPcmSize = 3
  var log2MaxPcmSize = 3
  var pcmLoopFilterDisabled = false
  var shortTermSets: [ReferencePictureSet] = []
  var longTermRefPicsPresent = false
  /// lt_ref_pic_poc_lsb_sps and used_by_curr_pic_lt_sps_flag.
  var longTermPictures: [(pocLsb: Int, isUsed: Bool)] = []
  var temporalMvpEnabled = false
  var strongIntraSmoothingEnabled = false
  var vui: VideoUsabilityInformation?
  var range = SequenceRangeExtension()
  /// The tool that keeps pictures of this set from being decoded; nil when all are built.
  var unsupportedTool: String?

  var chromaFormat: ChromaFormat { ChromaFormat(rawValue: chromaFormatIDC) ?? .yuv420 }
  /// log2 of SubWidthC and SubHeightC.
  var chromaShiftX: Int { chromaFormat.horizontalShift }
  var chromaShiftY: Int { chromaFormat.verticalShift }
  var ctbSize: Int { 1 << ctbLog2Size }
  var widthInCtbs: Int { (width + ctbSize - 1) >> ctbLog2Size }
  var heightInCtbs: Int { (height + ctbSize - 1) >> ctbLog2Size }
  var ctbCount: Int { widthInCtbs * heightInCtbs }
  var widthInMinCbs: Int { width >> minCbLog2Size }
  var heightInMinCbs: Int { height >> minCbLog2Size }
  /// QpBdOffsetY and QpBdOffsetC.
  var qpBdOffsetY: Int { 6 * (bitDepthY - 8) }
  var qpBdOffsetC: Int { 6 * (bitDepthC - 8) }

  /// Reads a NAL unit with its header, without emulation prevention.
  ///
  /// - Throws: `.damaged` where a value is out of its range, `.limitExceeded` for too large a picture.
  init(parsing unit: [UInt8], limits: Limits) throws(MediaError) {
    source = unit
    var reader = SyntaxReader(unit, from: 16)
    videoParameterSetID = reader.u(4)
    maxSubLayersMinus1 = try reader.u(
      3, 0...6, "sps_max_sub_layers_minus1", .hevcSequenceValue)
    reader.skip(1)
    profile = try ProfileTierLevel(parsing: &reader, subLayers: maxSubLayersMinus1)
    id = try reader.ue(0...15, "sps_seq_parameter_set_id", .hevcSequenceValue)
    try parsePicture(&reader, limits)
    try parseBuffering(&reader)
    try parseBlockSizes(&reader)
    try parseTools(&reader)
    try parseReferences(&reader)
    temporalMvpEnabled = reader.flag()
    strongIntraSmoothingEnabled = reader.flag()
    try reader.requireNoOverrun()
    if reader.flag() {
      do throws(MediaError) {
        vui = try VideoUsabilityInformation(parsing: &reader, subLayers: maxSubLayersMinus1)
      } catch {
        // SPEC: a damaged VUI changes no sample; extensions behind it cannot be found any more.
        return
      }
    }
    parseExtensions(&reader)
  }
}
