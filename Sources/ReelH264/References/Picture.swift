// A frame store: samples, motion and marking of a frame or of two fields.
// ISO/IEC 14496-10:2020 §3.30, §8.2.

import ReelCore

/// Which lines of a frame a picture has. Raw values are a bit for each field.
enum PictureStructure: UInt8, Sendable {
  case topField = 1
  case bottomField = 2
  case frame = 3

  var isField: Bool { self != .frame }
  /// 0 for frames and top fields, 1 for bottom fields: the first line.
  var parity: Int { self == .bottomField ? 1 : 0 }
  /// The field of the other parity; a frame is its own opposite.
  var opposite: PictureStructure {
    switch self {
    case .topField: .bottomField
    case .bottomField: .topField
    case .frame: .frame
    }
  }
}

/// One displacement in quarter samples.
struct MotionVector: BitwiseCopyable, Sendable, Equatable {
  var x: Int16
  var y: Int16
  static let zero = MotionVector(x: 0, y: 0)
}

/// Motion of a decoded picture, kept for co-located prediction and for the loop filter.
///
/// Macroblocks are stored at `mbY · widthInMbs + mbX` of the frame; those of the second parity of a
/// field pair follow at `half`, so a field macroblock lies at `parity · half + mbY · widthInMbs + mbX`.
/// An MBAFF pair stores its top (or top field) macroblock at the even row, the other below.
final class MotionField {
  let widthInMbs: Int
  let heightInMbs: Int
  /// 16 vectors a macroblock and list, raster order of 4×4 blocks.
  let vectors0, vectors1: CheckedBuffer<MotionVector>
  /// 4 reference indices a macroblock and list, one for each 8×8 block; −1: not used.
  let referenceIndices0, referenceIndices1: CheckedBuffer<Int8>
  /// 4 identities a macroblock and list of the picture that the index meant, −1: not used.
  /// See ``Picture/identity(of:)``.
  let referenceIdentities0, referenceIdentities1: CheckedBuffer<Int32>
  /// Per macroblock, bit 0: intra; bit 1: field macroblock (of an MBAFF frame or a field picture).
  let flags: CheckedBuffer<UInt8>

  static let intraFlag: UInt8 = 1
  static let fieldFlag: UInt8 = 2

  /// Motion of all-intra macroblocks.
  init(widthInMbs: Int, heightInMbs: Int) {
    self.widthInMbs = widthInMbs
    self.heightInMbs = heightInMbs
    let count = widthInMbs * heightInMbs
    vectors0 = CheckedBuffer(repeating: .zero, count: count * 16)
    vectors1 = CheckedBuffer(repeating: .zero, count: count * 16)
    referenceIndices0 = CheckedBuffer(repeating: -1, count: count * 4)
    referenceIndices1 = CheckedBuffer(repeating: -1, count: count * 4)
    referenceIdentities0 = CheckedBuffer(repeating: -1, count: count * 4)
    referenceIdentities1 = CheckedBuffer(repeating: -1, count: count * 4)
    flags = CheckedBuffer(repeating: Self.intraFlag, count: count)
  }

  /// Macroblocks of one field.
  var half: Int { widthInMbs * (heightInMbs / 2) }
}

/// A frame store. Written by the picture decoder, marked by the reference marking process.
final class Picture {
  let storage: VideoFrame.Storage
  let motion: MotionField
  /// Unique number of this frame store within the decoder, from 0, wraps at 2²⁹.
  let number: Int32

  /// How the frame was coded: two field pictures (or one), an MBAFF frame, a plain frame.
  enum Coding { case frame, mbaffFrame, fields }
  var coding = Coding.frame
  /// Lines that are final. Complete, but for pictures whose job was submitted.
  var progress = PictureProgress()
  /// Motion of Cb and Cr where colour planes are coded separately.
  var colourPlaneMotions: [MotionField] = []
  /// Number of the latest damage that the samples may show, their own or a reference's; nil: none. Final
  /// once the picture's job is done.
  var damage: Int?
  /// Fields that have been decoded (or made up): bits of ``PictureStructure``.
  var decodedFields: UInt8 = 0

  /// TopFieldOrderCnt and BottomFieldOrderCnt. §8.2.1.
  var topFieldOrderCount: Int32 = 0
  var bottomFieldOrderCount: Int32 = 0

  init(storage: VideoFrame.Storage, motion: MotionField, number: Int32) {
    self.storage = storage
    self.motion = motion
    self.number = number
  }

  /// PicOrderCnt(X). §8.2.1, (8-1): of a frame or complementary pair the smaller of both fields'.
  func orderCount(_ structure: PictureStructure) -> Int32 {
    switch structure {
    case .topField: topFieldOrderCount
    case .bottomField: bottomFieldOrderCount
    case .frame:
      switch decodedFields {
      case 1: topFieldOrderCount
      case 2: bottomFieldOrderCount
      default: min(topFieldOrderCount, bottomFieldOrderCount)
      }
    }
  }

  /// A number that tells this frame, or this field of it, from all other pictures of the decoder.
  func identity(of structure: PictureStructure) -> Int32 {
    number &* 4 &+ Int32(structure.rawValue)
  }
}

/// An entry of a reference picture list: a frame, or one field of it.
struct ReferencePicture {
  let picture: Picture
  let structure: PictureStructure
  /// Marked "used for long-term reference" when the list was built.
  let isLongTerm: Bool
  /// Stands in for a picture that is not there: the list is shorter than the slice says, the picture
  /// was lost, or frame_num jumped over it. A macroblock that refers to it may come out wrong.
  var isSubstitute = false
}
