// Pictures in the place of references that are not there.

import ReelCore

/// Finds stand-ins: the frame of the buffer that is nearest in decoding order, else the frame decoded last,
/// else a grey one.
struct StandIns {
  /// The frame decoded last.
  var lastFrame: FrameStore?
  /// For when nothing was decoded yet.
  private var grey: Picture?

  /// A frame for an entry of a list of a picture of `structure`, and which part of it; nil where there is none.
  func frame(
    for entry: ReferenceEntry?, _ structure: PictureStructure, in frames: [FrameStore]
  ) -> (frame: FrameStore, picture: Picture, part: PictureStructure)? {
    let candidates = frames.filter {
      $0.picture != nil && (structure != .frame || $0.fields == 3)
    }
    let near: FrameStore?
    if let hole = entry?.frame {
      near = candidates.min {
        abs($0.frameNumWrap - hole.frameNumWrap) < abs($1.frameNumWrap - hole.frameNumWrap)
      }
    } else {
      near = candidates.last { $0.isUsedForReference } ?? candidates.last
    }
    let last = lastFrame.flatMap { structure != .frame || $0.fields == 3 ? $0 : nil }
    guard let frame = near ?? last, let picture = frame.picture else { return nil }
    let wanted = entry?.structure ?? structure
    let part = frame.fields & wanted.rawValue == wanted.rawValue ? wanted : wanted.opposite
    return (frame, picture, part)
  }

  /// A grey frame with no motion, for a stream that starts in the middle.
  mutating func greyPicture(
    _ sequence: SequenceParameterSet, _ allocator: PictureAllocator
  ) -> Picture {
    if let grey { return grey }
    let picture = allocator.picture(for: sequence)
    picture.fillGrey(
      lumaBitDepth: sequence.bitDepthLuma, chromaBitDepth: sequence.bitDepthChroma)
    picture.decodedFields = 3
    grey = picture
    return picture
  }

  /// Frames of another geometry come: those before are of no use.
  mutating func forget() { self = StandIns() }
}
