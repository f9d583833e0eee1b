// Where the samples of the current macroblock lie. ISO/IEC 14496-10:2020 §6.4.1, §8.3.1.2.

import ReelCore

/// A block of a plane: the offset of its first sample and the distance between its rows.
struct BlockPosition {
  var at: Int
  var stride: Int
}

extension MacroblockDecoder {
  /// Plane 0, 1 or 2 of the picture under way.
  @inline(__always)
  func plane(_ index: Int) -> PlaneView<S> { index == 0 ? y : index == 1 ? cb : cr }

  /// log2 of the chroma subsampling of a plane, across and down.
  @inline(__always)
  func horizontalShift(_ plane: Int) -> Int { plane > 0 && chromaArrayType < 3 ? 1 : 0 }
  @inline(__always)
  func verticalShift(_ plane: Int) -> Int { plane > 0 && chromaArrayType == 1 ? 1 : 0 }

  /// The macroblock's samples in a plane; rows of field macroblocks lie two lines apart.
  @inline(__always)
  func position(_ index: Int) -> BlockPosition {
    let stride = plane(index).stride
    let x = mbX &* (16 >> horizontalShift(index))
    let height = 16 >> verticalShift(index)
    guard isMbaff && isField else {
      return BlockPosition(at: mbY &* height &* stride &+ x, stride: stride)
    }
    let line = (mbY & ~1) &* height &+ mbY & 1
    return BlockPosition(at: line &* stride &+ x, stride: 2 &* stride)
  }

  @inline(__always)
  func bitDepth(_ plane: Int) -> Int { plane == 0 ? bitDepthY : bitDepthC }
  @inline(__always)
  func maximum(_ plane: Int) -> Int32 { plane == 0 ? maximumY : maximumC }
}
