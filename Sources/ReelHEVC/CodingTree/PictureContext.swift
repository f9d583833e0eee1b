// What decoding keeps of the blocks of a picture. Working memory, used again for the next one.

import ReelCore

/// Flags of a minimum coding block.
enum BlockFlags {
  /// CuPredMode is MODE_INTRA.
  static let intra: UInt8 = 1
  /// cu_skip_flag
  static let skip: UInt8 = 2
  /// Loop filters leave the samples alone: pcm_loop_filter_disabled_flag, cu_transquant_bypass_flag.
  static let unfiltered: UInt8 = 4
  /// Was decoded.
  static let decoded: UInt8 = 8
}

/// Offsets of one component of a coding tree block. §7.4.9.3.
struct SampleAdaptiveOffset: BitwiseCopyable {
  /// SaoTypeIdx: 0 none, 1 band, 2 edge.
  var type: UInt8 = 0
  /// sao_band_position
  var bandPosition: UInt8 = 0
  /// SaoEoClass
  var edgeClass: UInt8 = 0
  /// SaoOffsetVal[ 1…4 ]
  var offsets = SIMD4<Int16>(repeating: 0)
  init() {}
}

/// The blocks of one picture.
final class PictureContext {
  let sequence: SequenceParameterSet
  let widthInMinCbs: Int
  let widthInCtbs: Int
  /// Width in 4×4 blocks.
  let width4: Int
  let height4: Int
  /// ``BlockFlags`` and CtDepth and QpY by minimum coding block.
  let flags: CheckedBuffer<UInt8>
  let depth: CheckedBuffer<UInt8>
  let qp: CheckedBuffer<Int8>
  /// 1 where a 4×4 block has luma coefficients.
  let coded: CheckedBuffer<UInt8>
  /// IntraPredModeY by 4×4 block.
  let intraMode: CheckedBuffer<UInt8>
  /// Number of the slice (not of the segment) by coding tree block in raster scan; −1: not decoded.
  let slice: CheckedBuffer<Int32>
  /// Boundary strengths 0…2 of the vertical edge at the left, and of the horizontal edge at the top,
  /// of each 4×4 block; only edges of the 8×8 grid are filtered.
  let verticalStrength: CheckedBuffer<UInt8>
  let horizontalStrength: CheckedBuffer<UInt8>
  /// Three components a coding tree block.
  let offsets: CheckedBuffer<SampleAdaptiveOffset>
  /// Coding tree blocks whose slice has deblocking_filter_disabled 0, and any block unfiltered.
  var hasUnfilteredBlocks = false

  init(_ sequence: SequenceParameterSet) {
    self.sequence = sequence
    // Whole coding tree blocks: the last ones may reach past the picture.
    let shift = sequence.ctbLog2Size - sequence.minCbLog2Size
    widthInCtbs = sequence.widthInCtbs
    widthInMinCbs = sequence.widthInCtbs << shift
    let minCbs = widthInMinCbs * (sequence.heightInCtbs << shift)
    width4 = sequence.widthInCtbs << (sequence.ctbLog2Size - 2)
    height4 = sequence.heightInCtbs << (sequence.ctbLog2Size - 2)
    flags = CheckedBuffer(repeating: 0, count: minCbs)
    depth = CheckedBuffer(repeating: 0, count: minCbs)
    qp = CheckedBuffer(repeating: 0, count: minCbs)
    coded = CheckedBuffer(repeating: 0, count: width4 * height4)
    intraMode = CheckedBuffer(repeating: 1, count: width4 * height4)
    slice = CheckedBuffer(repeating: -1, count: sequence.ctbCount)
    verticalStrength = CheckedBuffer(repeating: 0, count: width4 * height4)
    horizontalStrength = CheckedBuffer(repeating: 0, count: width4 * height4)
    offsets = CheckedBuffer(repeating: SampleAdaptiveOffset(), count: sequence.ctbCount * 3)
  }

  /// Makes ready for the next picture.
  func reset() {
    flags.fill(with: 0)
    depth.fill(with: 0)
    qp.fill(with: 0)
    coded.fill(with: 0)
    intraMode.fill(with: 1)
    slice.fill(with: -1)
    verticalStrength.fill(with: 0)
    horizontalStrength.fill(with: 0)
    offsets.fill(with: SampleAdaptiveOffset())
    hasUnfilteredBlocks = false
  }
}
