// Decoding of the macroblocks of one slice: the state. ISO/IEC 14496-10:2020 §7.3.4, §7.3.5, §8.3 to §8.5.

import ReelCore

/// Planes and times of one entry of a reference list, prepared for a slice.
struct ReferenceView<S: PictureSample> {
  var y, cb, cr: PlaneView<S>
  /// PicOrderCnt of the frame or field.
  var orderCount: Int32
  /// ``Picture/identity(of:)``.
  var identity: Int32
  var isLongTerm: Bool
  /// The view is a bottom field: it decides the chroma vector offset of Table 8-9.
  var isBottomField: Bool
}

/// Positions in the neighbourhood caches: rows of 8, the macroblock's 4×4 blocks from row 1, column 4
/// on; so the left neighbour is at −1, the upper one at −8.
enum CachePosition {
  static let origin = 12
  static let count = 40
  /// Cache position of a block in raster order.
  @inline(__always)
  static func of(raster: Int) -> Int { 12 &+ (raster >> 2) &* 8 &+ raster & 3 }
}

/// Decodes the macroblocks of one slice into the planes of a picture.
///
/// Made for a slice and dropped with it. A class, since as a large value it would be copied where a
/// method reads it; its arrays are owned buffers for the same reason. Syntax (`+Syntax`, `+Residual`) fills the fields of
/// the current macroblock, `+Motion` and `+Direct` derive its vectors, `+Intra` and `+Inter`
/// reconstruct. Nothing throws: a fault sets ``fault`` and ends the slice.
final class MacroblockDecoder<S: H264Sample> {
  // The slice.
  let header: SliceHeader
  let sequence: SequenceParameterSet
  let parameters: PictureParameterSet
  let input: SliceInput
  let sliceNumber: Int32
  let isMbaff: Bool
  let isCABAC: Bool
  let isBSlice: Bool
  let chromaArrayType: Int
  let bitDepthY: Int
  let bitDepthC: Int
  let maximumY: Int32
  let maximumC: Int32
  let scaling: ScalingTables
  let tables = ResidualTables.shared

  // The picture.
  let context: PictureContext
  let motion: MotionField
  let widthInMbs: Int
  /// Rows of macroblocks of the picture: of the field where fields are coded.
  let heightInMbs: Int
  /// The planes written: of the field where fields are coded.
  let y, cb, cr: PlaneView<S>
  /// Offset of the picture's macroblocks in the motion field: `half` for second parities.
  let motionBase: Int
  /// Entries at (set · 2 + list) · 32 + refIdx; set 0 as the slice has them, 1 and 2 the fields for
  /// top and bottom field macroblocks of MBAFF frames.
  let references: [ReferenceView<S>]
  /// Entries in use in list 0 and 1 of set 0.
  let referenceCounts: InlineArray<2, Int>
  let colocated: ColocatedPicture?
  /// Lines of each entry of ``references`` that are known to be final.
  let knownLines = CheckedBuffer<Int>(repeating: 0, count: 192)
  /// Told of each row that is decoded.
  let rows: RowPipeline<S>

  // The entropy decoders.
  let memory: SliceMemory<S>
  var cabac: CABACDecoder
  var bits: SliceBitReader
  var bitsB: SliceBitReader
  var bitsC: SliceBitReader

  // The current macroblock.
  var address = 0
  var mbX = 0
  var mbY = 0
  /// Index in the picture context.
  var index = 0
  var kind: UInt16 = 0
  /// Field macroblock of an MBAFF frame.
  var isField = false
  /// 0; 1 or 2 for top and bottom field macroblocks of MBAFF frames.
  var referenceSet = 0
  var qp: Int
  var previousDeltaQP = 0
  var codedBlockPattern = 0
  var codedDC = 0
  var usesTransform8x8 = false
  var intra16x16Mode = 0
  var intraChromaMode = 0
  /// 0: 16×16, 1: 16×8, 2: 8×16, 3: 8×8.
  var partitionShape = 0
  /// 0: 8×8, 1: 8×4, 2: 4×8, 3: 4×4, for each 8×8 block.
  let subShapes = CheckedBuffer<UInt8>(repeating: 0, count: 4)
  var directMask = 0
  var transformBypass = false
  var skipRun = -1
  var previousSkipped = false
  /// mb_skip_flag of the bottom macroblock was read together with the top one's.
  var nextSkipRead: Bool? = nil
  /// Entries of list 0 and 1 (of set 0) that macroblocks were predicted from, a bit each.
  var usedEntries: InlineArray<2, UInt32> = [0, 0]
  /// Macroblocks whose residual was in a lost data partition and left out.
  var missingResidualCount = 0
  /// The first fault; ``hasFault`` tells of it without touching the value.
  var fault: MediaError?
  var hasFault = false

  // Neighbours: indices in the context, −1 when not available.
  var left0 = -1
  var left1 = -1
  var top = -1
  var topRight = -1
  var topLeft = -1
  /// Block rows of the left neighbours beside rows 0…3, a byte each.
  var leftRowMap: UInt32 = 0x0302_0100
  var topLeftRow = 3
  /// The pair on the left is there and of the other field mode.
  var hasMixedLeft = false

  // Caches, see CachePosition. List 1 follows list 0, Cb and Cr follow Y. The column right of the last
  // block, never available, needs one entry more.
  let vectors = CheckedBuffer<MotionVector>(repeating: .zero, count: 88)
  /// −1: the list is not used; −2: not available.
  let referenceIndices = CheckedBuffer<Int8>(repeating: -2, count: 88)
  let differences = CheckedBuffer<SIMD2<UInt8>>(repeating: .zero, count: 88)
  /// refIdx > 0 without direct prediction, for the context of ref_idx.
  let referencePositive = CheckedBuffer<UInt8>(repeating: 0, count: 88)
  let counts = CheckedBuffer<UInt8>(repeating: 0, count: 120)
  let intraModes = CheckedBuffer<Int8>(repeating: -1, count: 40)

  /// A view of the second prediction of bi-predicted blocks, 32 samples a row.
  let scratchView: PlaneView<S>
  /// Address that the slice must end before: of the next slice where they come in order. A slice
  /// that runs on into the next one would write what may be final already.
  let endAddress: Int

  /// A decoder for one slice of the picture that `target` describes.
  init(
    _ input: SliceInput, target: borrowing PictureTarget<S>, sliceNumber: Int32,
    rows: RowPipeline<S>, nextSlice: SliceInput?
  ) {
    self.rows = rows
    endAddress =
      nextSlice.map { $0.header.firstMbInSlice * ($0.header.mbaffFrameFlag ? 2 : 1) }
      ?? target.widthInMbs * target.heightInMbs
    let header = input.header
    let sequence = input.sequence
    self.input = input
    self.header = header
    self.sequence = sequence
    parameters = input.picture
    self.sliceNumber = sliceNumber
    isMbaff = header.mbaffFrameFlag
    isCABAC = input.picture.entropyCodingModeFlag
    isBSlice = header.sliceType == .b
    chromaArrayType = sequence.chromaArrayType
    bitDepthY = sequence.bitDepthLuma
    bitDepthC = sequence.bitDepthChroma
    maximumY = Int32(1) << Int32(sequence.bitDepthLuma) - 1
    maximumC = Int32(1) << Int32(sequence.bitDepthChroma) - 1
    scaling = target.scaling
    context = target.context
    motion = target.motion
    widthInMbs = target.widthInMbs
    heightInMbs = target.heightInMbs
    motionBase = target.motionBase
    (y, cb, cr) = (target.y, target.cb, target.cr)
    referenceCounts = [input.referenceList0.count, input.referenceList1.count]
    memory = SliceMemory(input)
    cabac = CABACDecoder(end: input.payload.count)
    bits = SliceBitReader(memory.bytes, byteCount: input.payload.count, from: input.dataStart)
    bitsB = SliceBitReader(
      memory.partitionB, byteCount: input.partitionB?.payload.count ?? 0,
      from: input.partitionB?.dataStart ?? 0)
    bitsC = SliceBitReader(
      memory.partitionC, byteCount: input.partitionC?.payload.count ?? 0,
      from: input.partitionC?.dataStart ?? 0)
    qp = header.sliceQPY
    colocated = Self.colocatedPicture(
      input, target.picture, colourPlane: target.colourPlane ?? 0)
    scratchView = Self.view(of: memory.scratch)
    references = Self.referenceViews(input, target: target)
    if isBSlice { deriveDistances(target.picture) }
    findKnownLines()
  }
}

/// Memory of a slice under way. Apart from the decoder, because a type that owns memory cannot be
/// copied and the compiler takes minutes to check a large one.
final class SliceMemory<S: H264Sample> {
  /// The payload, and those of partitions B and C, with zeros behind.
  let bytes: SliceBytes
  let partitionB: SliceBytes
  let partitionC: SliceBytes
  /// States of the CABAC contexts.
  let states = CheckedBuffer<UInt8>(repeating: 0, count: 1024)
  /// Scaled coefficients: plane · 256 + block in decoding order · 16; DC levels from 768, 16 a plane.
  let coefficients = CheckedBuffer<Int32>(repeating: 0, count: 768 + 48)
  /// DistScaleFactor at set · 32 + refIdxL0, §8.4.1.2.3; 0x7FFF where there is none to apply.
  let distanceScales = CheckedBuffer<Int32>(repeating: 0x7FFF, count: 96)
  /// Implicit weight of list 1 at (set · 32 + refIdxL0) · 32 + refIdxL1, §8.4.2.3.1; or empty.
  let implicitWeights: CheckedBuffer<Int16>
  let scratch = SamplePlane<S>(width: 32, height: 16)

  init(_ input: SliceInput) {
    bytes = SliceBytes(input.payload, padding: CABACDecoder.padding)
    partitionB = SliceBytes(input.partitionB?.payload ?? [], padding: CABACDecoder.padding)
    partitionC = SliceBytes(input.partitionC?.payload ?? [], padding: CABACDecoder.padding)
    let isImplicit = input.header.sliceType == .b && input.picture.weightedBipredIdc == 2
    implicitWeights = CheckedBuffer(repeating: 32, count: isImplicit ? 3 * 32 * 32 : 0)
  }
}

/// The picture that direct prediction takes vectors from: RefPicList1[0]. §8.4.1.2.1.
struct ColocatedPicture {
  let picture: Picture
  let motion: MotionField
  let coding: Picture.Coding
  /// The parity of the field that is the list's first entry; 0 for frames.
  let parity: Int
  let isLongTerm: Bool
  /// The bottom field is nearer to the current picture (or as near): `firstRefPicL1Bottom`.
  let nearerParity: Int
  /// The picture was complete when the slice began.
  let isKnownComplete: Bool
}
