// A decoded picture: samples, motion and marking. ISO/IEC 23008-2:2020 §3.30, §8.3.

import ReelCore
import ReelVideoCore

/// Motion of one 4×4 block.
struct Motion: BitwiseCopyable, Sendable, Equatable {
  /// mvL0 x and y, mvL1 x and y, in quarter samples.
  var vectors: SIMD4<Int16>
  /// refIdxL0 and refIdxL1; −1: the list is not used. Both −1: intra, or not decoded.
  var refIdx: SIMD2<Int8>
  /// The pictures that the indices mean: places in the reference picture set of the picture.
  var reference: SIMD2<Int8>

  static let intra = Motion(
    vectors: SIMD4(repeating: 0), refIdx: SIMD2(repeating: -1), reference: SIMD2(repeating: -1))

  @inline(__always) var isInter: Bool { refIdx[0] >= 0 || refIdx[1] >= 0 }
  @inline(__always) func vector(_ list: Int) -> SIMD2<Int16> {
    list == 0 ? vectors.lowHalf : vectors.highHalf
  }
}

/// Motion of a picture in 4×4 blocks, kept for temporal prediction and for the loop filter.
final class MotionField {
  let width: Int
  let height: Int
  let blocks: CheckedBuffer<Motion>

  /// Motion of a picture of `width` × `height` luma samples, all intra.
  init(width: Int, height: Int) {
    self.width = (width + 3) / 4
    self.height = (height + 3) / 4
    blocks = CheckedBuffer(repeating: .intra, count: self.width * self.height)
  }

  func reset() { blocks.fill(with: .intra) }
}

/// A picture of the decoded picture buffer.
final class Picture {
  let storage: VideoFrame.Storage
  let motion: MotionField
  /// PicOrderCntVal
  let orderCount: Int
  let properties: FrameProperties

  enum Marking { case unused, shortTerm, longTerm }
  var marking = Marking.shortTerm
  var isNeededForOutput = false
  /// PicLatencyCount
  var latencyCount = 0
  /// Stands in for a picture that was never decoded. §8.3.3.
  var isSubstitute = false
  /// Was made for the picture that begins, whose reference picture set is still being derived.
  var isFresh = false

  /// PicOrderCntVal of each picture of its reference picture set, and which are long-term: motion
  /// that other pictures are predicted from names them by place.
  var referenceOrderCounts: [Int] = []
  var referenceIsLongTerm: [Bool] = []

  /// Luma lines that are final.
  let progress: LineProgress
  /// Samples are not what the stream means: concealed, or predicted from such. Final once decoded.
  var isDamaged = false
  /// 1 once the picture is decoded: `outcome`, `isDamaged` and the samples may be read then.
  let completion: LineProgress
  /// nil until then, and for substitutes.
  var outcome: PictureOutcome?

  init(
    storage: VideoFrame.Storage, motion: MotionField, orderCount: Int,
    properties: FrameProperties, isComplete: Bool
  ) {
    self.storage = storage
    self.motion = motion
    self.orderCount = orderCount
    self.properties = properties
    progress = LineProgress(isComplete ? .max : 0)
    completion = LineProgress(isComplete ? 1 : 0)
  }
}
