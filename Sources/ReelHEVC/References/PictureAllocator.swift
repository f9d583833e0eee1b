// Pictures' memory, lent and taken back.

import ReelCore

/// Gives pictures for one geometry after the other. Memory of a picture comes back when nobody holds
/// the picture or its frame any more.
final class PictureAllocator {
  private let pool8 = FramePool<UInt8>()
  private let pool16 = FramePool<UInt16>()
  private var motions: [MotionField] = []

  init() {}

  /// Planes for pictures of `sequence`, with content left over from earlier pictures or zero.
  func storage(for sequence: SequenceParameterSet) -> VideoFrame.Storage {
    let format = sequence.chromaFormat
    if max(sequence.bitDepthY, sequence.bitDepthC) > 8 {
      return .depth16(
        pool16.planes(width: sequence.width, height: sequence.height, chromaFormat: format))
    }
    return .depth8(
      pool8.planes(width: sequence.width, height: sequence.height, chromaFormat: format))
  }

  /// Motion of intra blocks.
  func motion(for sequence: SequenceParameterSet) -> MotionField {
    let (width, height) = ((sequence.width + 3) / 4, (sequence.height + 3) / 4)
    if let first = motions.first, first.width != width || first.height != height {
      motions.removeAll()
    }
    for i in motions.indices where isKnownUniquelyReferenced(&motions[i]) {
      motions[i].reset()
      return motions[i]
    }
    let fresh = MotionField(width: sequence.width, height: sequence.height)
    motions.append(fresh)
    return fresh
  }
}

extension VideoFrame.Storage {
  /// Gives every sample the value in the middle of its range. §8.3.3.2.
  func fillGrey(_ sequence: SequenceParameterSet) {
    switch self {
    case .depth8(let planes): planes.fill(luma: 128, chroma: 128)
    case .depth16(let planes):
      planes.fill(
        luma: 1 << UInt16(sequence.bitDepthY - 1), chroma: 1 << UInt16(sequence.bitDepthC - 1))
    }
  }
}

extension FramePlanes {
  fileprivate func fill(luma: Sample, chroma: Sample) {
    y.fill(at: 0, count: y.count, with: luma)
    cb.fill(at: 0, count: cb.count, with: chroma)
    cr.fill(at: 0, count: cr.count, with: chroma)
  }
}
