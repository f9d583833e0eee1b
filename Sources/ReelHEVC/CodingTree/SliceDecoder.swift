// Decoding of the coding tree units of one slice segment: the state. ISO/IEC 23008-2:2020 §7.3.8, §8.4 to §8.6.

import ReelCore

/// Planes and motion of one picture of the reference picture set.
struct ReferenceView<S: PictureSample> {
  let picture: Picture
  let y, cb, cr: PlaneView<S>
}

/// Entropy coding states that pass from one slice segment to the next ones of a picture.
final class SavedContexts {
  /// TableStateIdxWpp and TableStateIdxDs, then four StatCoeff each.
  let wavefront = CheckedBuffer<UInt8>(repeating: 0, count: Context.count + 4)
  let dependent = CheckedBuffer<UInt8>(repeating: 0, count: Context.count + 4)
  var hasDependent = false
  /// QpY of the last coding unit of the segment.
  var lastQpY = 0
}

/// Memory of a slice under way. Apart from the decoder, because a type that owns memory cannot be
/// copied and the compiler takes minutes to check a large one.
final class SliceMemory<S: HEVCSample> {
  /// States of the contexts, then four StatCoeff.
  let states = CheckedBuffer<UInt8>(repeating: 0, count: Context.count + 4)
  /// Scaled coefficients of a block in rows of its size; zeros between blocks.
  let coefficients = CheckedBuffer<Int16>(repeating: 0, count: 1024 + 8)
  let residual = CheckedBuffer<Int16>(repeating: 0, count: 1024 + 8)
  /// The luma residual of the transform unit, for cross-component prediction.
  let lumaResidual = CheckedBuffer<Int16>(repeating: 0, count: 1024 + 8)
  let scratch = CheckedBuffer<Int16>(repeating: 0, count: 1024 + 8)
  let dctMatrix = CheckedBuffer<Int16>(TransformTables.dct + [Int16](repeating: 0, count: 8))
  let dstMatrix = CheckedBuffer<Int16>(TransformTables.dst)
  let scans = CheckedBuffer<UInt8>(ScanTables.all.positions)
  let neighbours = IntraNeighbours()
  /// Predictions of both lists at 14 bits, and sums of rows.
  let prediction0 = WordBlock(stride: 64, rows: 64)
  let prediction1 = WordBlock(stride: 64, rows: 64)
  let sums = WordBlock(stride: 64, rows: 72)
  /// A copy of reference samples that reach outside of the picture.
  let border = SamplePlane<S>(width: 96, height: 72)
  /// Merge candidates of the prediction block.
  let candidates = CheckedBuffer<Motion>(repeating: .intra, count: 6)
}

/// Decodes the coding tree units of one slice segment into the planes of a picture.
///
/// Made for a segment and dropped with it. A class, since as a large value it would be copied where a
/// method reads it; its arrays are owned buffers for the same reason. Nothing throws: a fault sets
/// ``fault`` and ends the segment.
final class SliceDecoder<S: HEVCSample> {
  // The slice.
  let header: SliceHeader
  let sequence: SequenceParameterSet
  let parameters: PictureParameterSet
  let layout: PictureLayout
  /// Number of the slice in its picture.
  let sliceNumber: Int32
  let isIntraSlice: Bool
  let isBSlice: Bool
  let chromaType: Int
  let chromaShiftX: Int
  let chromaShiftY: Int
  let bitDepthY: Int
  let bitDepthC: Int
  let width: Int
  let height: Int
  let ctbLog2: Int
  let minCbLog2: Int
  let activeL0: Int
  let activeL1: Int
  let maxNumMergeCand: Int

  // The picture.
  let picture: Picture
  let context: PictureContext
  let motion: MotionField
  let y, cb, cr: PlaneView<S>
  /// The reference picture set, and the places in it that list entries mean, 16 a list.
  let references: [ReferenceView<S>]
  let lists = CheckedBuffer<Int8>(repeating: 0, count: 32)
  /// PicOrderCntVal and marking of the entries, 16 a list.
  let listOrderCounts = CheckedBuffer<Int32>(repeating: 0, count: 32)
  let listIsLongTerm = CheckedBuffer<Bool>(repeating: false, count: 32)
  let orderCount: Int32
  let collocated: Picture?
  /// No picture of the lists follows the current one in output order: NoBackwardPredFlag.
  let noBackwardPrediction: Bool
  /// Lines of each reference that are known to be final.
  let knownLines = CheckedBuffer<Int>(repeating: 0, count: 32)
  /// References that blocks were predicted from, a bit for each place.
  var usedReferences: UInt32 = 0

  // Entropy decoding.
  let memory: SliceMemory<S>
  let saved: SavedContexts
  let bytes: SliceBytes
  let byteCount: Int
  var cabac: CABACDecoder

  // The coding tree unit.
  var ctbAddress = 0
  var ctbX = 0
  var ctbY = 0
  /// The neighbouring coding tree blocks are there and of the same slice and tile.
  var hasLeftCtb = false
  var hasUpCtb = false

  // The quantization group and coding unit.
  var qpY: Int
  var lastQpY: Int
  var predictedQpY: Int
  var isCuQpDeltaCoded = false
  var isCuChromaQpOffsetCoded = false
  var cuQpOffsetCb = 0
  var cuQpOffsetCr = 0
  var cuX = 0
  var cuY = 0
  var cuLog2 = 3
  var isIntra = false
  var isBypass = false
  var partMode = PartMode.whole
  var maxTrafoDepth = 0
  var intraSplit = false
  /// IntraPredModeC of the parts and intra_chroma_pred_mode, by part.
  var chromaModes: InlineArray<4, Int> = [0, 0, 0, 0]
  var chromaModeIsDerived: InlineArray<4, Bool> = [false, false, false, false]
  var qpCb = 0
  var qpCr = 0
  var chromaQpsAreStale = true

  var fault: MediaError?
  var hasFault = false

  init(
    _ input: SliceInput, job: PictureJob, planes: FramePlanes<S>, context: PictureContext,
    references: [ReferenceView<S>], memory: SliceMemory<S>, saved: SavedContexts,
    sliceNumber: Int32
  ) {
    header = input.header
    layout = input.layout
    sequence = input.layout.sequence
    parameters = input.layout.parameters
    self.sliceNumber = sliceNumber
    isIntraSlice = header.sliceType == .i
    isBSlice = header.sliceType == .b
    chromaType = sequence.chromaFormatIDC
    chromaShiftX = sequence.chromaShiftX
    chromaShiftY = sequence.chromaShiftY
    bitDepthY = sequence.bitDepthY
    bitDepthC = sequence.bitDepthC
    width = sequence.width
    height = sequence.height
    ctbLog2 = sequence.ctbLog2Size
    minCbLog2 = sequence.minCbLog2Size
    activeL0 = header.activeL0
    activeL1 = header.activeL1
    maxNumMergeCand = header.maxNumMergeCand
    picture = job.picture
    self.context = context
    motion = job.picture.motion
    (y, cb, cr) = Self.views(of: planes)
    self.references = references
    orderCount = Int32(truncatingIfNeeded: job.picture.orderCount)
    self.memory = memory
    self.saved = saved
    byteCount = input.payload.count
    bytes = SliceBytes(input.payload, padding: CABACDecoder.padding)
    cabac = CABACDecoder(end: input.payload.count)
    qpY = header.qp
    lastQpY = header.qp
    predictedQpY = header.qp
    var noBackward = true
    for (list, entries) in [input.referenceList0, input.referenceList1].enumerated() {
      for (i, place) in entries.prefix(16).enumerated() where place < references.count {
        let reference = references[place].picture
        lists[list * 16 + i] = Int8(place)
        listOrderCounts[list * 16 + i] = Int32(truncatingIfNeeded: reference.orderCount)
        listIsLongTerm[list * 16 + i] = job.picture.referenceIsLongTerm[place]
        if reference.orderCount > job.picture.orderCount { noBackward = false }
      }
    }
    noBackwardPrediction = noBackward
    if header.temporalMvpEnabled && header.sliceType != .i {
      let list = header.collocatedFromL0 ? input.referenceList0 : input.referenceList1
      collocated =
        header.collocatedRefIdx < list.count
        ? references[list[header.collocatedRefIdx]].picture : nil
    } else {
      collocated = nil
    }
  }

  /// Ends the segment for a value that the stream must not have.
  func fail(_ rule: Rule, _ detail: String) {
    guard !hasFault else { return }
    hasFault = true
    fault = MediaError(.damaged, rule, detail: detail)
  }

  /// One bin with a context.
  @inline(always)
  func decision(_ index: Int) -> Int { cabac.decision(index, memory.states, bytes) }

  @inline(always)
  func bypass() -> Int { cabac.bypass(bytes) }
}

/// PartMode. Table 7-10.
enum PartMode: Int, Sendable {
  case whole = 0  // 2N×2N
  case rows  // 2N×N
  case columns  // N×2N
  case quarters  // N×N
  case rowsUp  // 2N×nU
  case rowsDown  // 2N×nD
  case columnsLeft  // nL×2N
  case columnsRight  // nR×2N
}
