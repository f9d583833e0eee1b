// Frame stores' memory, lent and taken back.

import ReelCore

/// Gives pictures for one geometry after the other. Memory of a picture comes back when nobody holds
/// the picture or its frame any more.
final class PictureAllocator {
  private var pool8 = FramePool<UInt8>()
  private var pool16 = FramePool<UInt16>()
  private var motions: [MotionField] = []
  private var nextNumber: Int32 = 0

  /// A picture for frames of `sequence`. Samples are left over from earlier pictures or zero; motion
  /// is that of intra macroblocks.
  func picture(for sequence: SequenceParameterSet) -> Picture {
    let storage: VideoFrame.Storage
    let format = sequence.chromaFormat
    if max(sequence.bitDepthLuma, sequence.bitDepthChroma) > 8 {
      storage = .depth16(
        pool16.planes(width: sequence.width, height: sequence.height, chromaFormat: format))
    } else {
      storage = .depth8(
        pool8.planes(width: sequence.width, height: sequence.height, chromaFormat: format))
    }
    let picture = Picture(storage: storage, motion: motion(sequence), number: nextNumber)
    nextNumber = nextNumber == (1 << 29) - 1 ? 0 : nextNumber + 1
    return picture
  }

  private func motion(_ sequence: SequenceParameterSet) -> MotionField {
    let (width, height) = (sequence.picWidthInMbs, sequence.frameHeightInMbs)
    if let first = motions.first, first.widthInMbs != width || first.heightInMbs != height {
      motions.removeAll()
    }
    for i in motions.indices where isKnownUniquelyReferenced(&motions[i]) {
      motions[i].reset()
      return motions[i]
    }
    let fresh = MotionField(widthInMbs: width, heightInMbs: height)
    motions.append(fresh)
    return fresh
  }
}

extension MotionField {
  /// All macroblocks become intra, so that what is not decoded (an unpaired field's other half) does
  /// not depend on what the memory was used for before.
  func reset() {
    flags.fill(with: Self.intraFlag)
    referenceIndices0.fill(with: -1)
    referenceIndices1.fill(with: -1)
    referenceIdentities0.fill(with: -1)
    referenceIdentities1.fill(with: -1)
  }
}

extension Picture {
  /// Gives every sample the value in the middle of its range.
  func fillGrey(lumaBitDepth: Int, chromaBitDepth: Int) {
    switch storage {
    case .depth8(let planes):
      planes.fill(luma: 128, chroma: 128)
    case .depth16(let planes):
      planes.fill(luma: 1 << UInt16(lumaBitDepth - 1), chroma: 1 << UInt16(chromaBitDepth - 1))
    }
  }

  /// Copies the lines of the field that was decoded over those of the one that was not.
  func doubleField(_ decoded: PictureStructure) {
    switch storage {
    case .depth8(let planes): planes.doubleLines(parity: decoded.parity)
    case .depth16(let planes): planes.doubleLines(parity: decoded.parity)
    }
  }
}

extension FramePlanes {
  fileprivate func fill(luma: Sample, chroma: Sample) {
    y.fill(at: 0, count: y.count, with: luma)
    cb.fill(at: 0, count: cb.count, with: chroma)
    cr.fill(at: 0, count: cr.count, with: chroma)
  }

  fileprivate func doubleLines(parity: Int) {
    for index in 0..<3 {
      withPlane(index) { plane in
        for row in stride(from: 0, to: plane.height & ~1, by: 2) {
          let from = (row + parity) * plane.stride
          let to = (row + 1 - parity) * plane.stride
          plane.copy(from: plane, at: from, to: to, count: plane.width)
        }
      }
    }
  }
}
