// Streams with samples: headers by HeaderWriter, macroblocks by SliceDataWriter.

internal import Foundation
internal import ReelCore
internal import ReelTestSupport

@testable internal import ReelH264

/// Gathers the NAL units of a stream whose every macroblock a test knows.
struct WrittenStream {
  var sequence = SequenceParameterSet()
  var parameters = PictureParameterSet()
  private(set) var units: [[UInt8]] = []

  /// The slices of a picture: addresses of macroblocks in coding order.
  typealias Slices = [[Int]]

  /// A stream of the size without loop filter; `profile` as profile_idc.
  init(
    width: Int, height: Int, profile: Int = 77, cabac: Bool = false,
    _ configure: (inout SequenceParameterSet) -> Void = { _ in }
  ) {
    sequence.profileIDC = profile
    sequence.levelIDC = 30
    sequence.maxNumRefFrames = 4
    sequence.log2MaxFrameNum = 4
    sequence.log2MaxPicOrderCntLsb = 8
    (sequence.picWidthInMbs, sequence.picHeightInMapUnits) = (width, height)
    configure(&sequence)
    sequence.crop = SampleRect(x: 0, y: 0, width: sequence.width, height: sequence.height)
    parameters.entropyCodingModeFlag = cabac
    parameters.deblockingFilterControlPresentFlag = true
    parameters.picInitQP = 26
    parameters.picInitQS = 26
  }

  /// The parameter sets as they are now.
  mutating func sets() {
    units.append(HeaderWriter.sequence(sequence))
    units.append(HeaderWriter.picture(parameters, for: sequence))
  }

  /// All macroblocks of a picture, frame or field, in one slice.
  func whole(isField: Bool = false) -> Slices {
    let rows = sequence.frameHeightInMbs / (isField ? 2 : 1)
    return [Array(0..<sequence.picWidthInMbs * rows)]
  }

  /// Adds a picture. `change` completes the header of each slice, whose index it is given; `macroblock`
  /// tells the macroblock at an address.
  mutating func picture(
    _ type: SliceType = .p, frameNum: Int, order: Int = 0, isReference: Bool = true,
    isIDR: Bool = false, field: PictureStructure = .frame, counts: (Int, Int) = (1, 1),
    slices: Slices? = nil, change: (inout SliceHeader, Int) -> Void = { _, _ in },
    _ macroblock: (Int) -> MacroblockSyntax
  ) {
    var header = SliceHeader()
    header.nalUnitType = isIDR ? .idrSlice : .nonIDRSlice
    header.nalRefIDC = isReference ? 1 : 0
    header.sliceType = type
    header.frameNum = frameNum
    header.picOrderCntLsb = order
    header.fieldPicFlag = field.isField
    header.bottomFieldFlag = field == .bottomField
    header.disableDeblockingFilterIdc = 1
    header.directSpatialMvPredFlag = true
    if !type.isIntra { header.numRefIdxL0Active = counts.0 }
    if type == .b { header.numRefIdxL1Active = counts.1 }
    let rows = sequence.frameHeightInMbs / (field.isField ? 2 : 1)
    let written = WrittenMacroblocks(widthInMbs: sequence.picWidthInMbs, heightInMbs: rows)
    for (index, addresses) in (slices ?? whole(isField: field.isField)).enumerated() {
      header.firstMbInSlice = addresses[0]
      change(&header, index)
      units.append(slice(header, index, addresses, written, macroblock))
    }
  }

  private func slice(
    _ header: SliceHeader, _ index: Int, _ addresses: [Int], _ written: WrittenMacroblocks,
    _ macroblock: (Int) -> MacroblockSyntax
  ) -> [UInt8] {
    var writer = SliceDataWriter(
      behind: HeaderWriter.sliceHeader(header, sequence, parameters).bits,
      parameters.entropyCodingModeFlag ? .cabac(header) : .cavlc,
      type: header.sliceType == .b ? .b : header.sliceType == .i ? .i : .p, in: written,
      number: index, isField: header.fieldPicFlag,
      referenceCounts: [header.numRefIdxL0Active, header.numRefIdxL1Active])
    for address in addresses { writer.write(macroblock(address), at: address) }
    return writer.finish()
  }

  /// An IDR picture whose every macroblock is I_PCM of a luma value.
  mutating func idr(luma: UInt8, order: Int = 0, id: Int = 0, field: PictureStructure = .frame) {
    picture(
      .i, frameNum: 0, order: order, isIDR: true, field: field,
      change: { header, _ in header.idrPicID = id }
    ) { _ in .flat(luma) }
  }

  var bytes: [UInt8] { NALUnitWriter.annexB(units) }

  /// Streams are kept in the folder that WRITTEN_STREAMS names, to be given to other decoders.
  private static let folder = ProcessInfo.processInfo.environment["WRITTEN_STREAMS"]

  private func keep() throws {
    guard let folder = Self.folder else { return }
    let name = String(bytes.reduce(5381 as UInt64) { $0 &* 33 &+ UInt64($1) }, radix: 36)
    try Data(bytes).write(to: URL(fileURLWithPath: folder).appendingPathComponent(name + ".264"))
  }

  /// The frames of the whole stream, in output order.
  func frames(threads: Int = 1, concealment: ConcealmentPolicy = .fail) throws -> [VideoFrame] {
    try keep()
    var options = H264DecoderOptions()
    options.threads = threads
    options.concealment = concealment
    let decoder = try H264Decoder(configuration: [], framing: .annexB, options: options)
    return try decoder.decode(Packet(trackIndex: 0, data: bytes)) + decoder.flush()
  }

  /// All samples of ffmpeg's frames; nil where ffmpeg is not installed.
  func samplesOfFFmpeg() throws -> [UInt8]? {
    guard let ffmpeg = findProgram("ffmpeg") else { return nil }
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("written.264")
    try Data(bytes).write(to: file)
    return try runProgram(
      ffmpeg,
      [
        "-v", "error", "-f", "h264", "-i", file.path, "-vsync", "passthrough", "-f", "rawvideo",
        "-pix_fmt", "yuv420p", "-",
      ]
    ).output
  }
}

extension MacroblockSyntax {
  /// I_PCM of one luma value, whose chroma tells it too.
  static func flat(_ luma: UInt8) -> Self { .pcm(luma: luma, chroma: 255 - luma) }
}

extension SliceDataWriter.EntropyCoding {
  /// CABAC with the contexts of a slice. §9.3.1.1.
  static func cabac(_ header: SliceHeader) -> Self {
    let table =
      header.sliceType.isIntra
      ? CABACContextTables.intra
      : [CABACContextTables.idc0, CABACContextTables.idc1, CABACContextTables.idc2][
        header.cabacInitIdc]
    let contexts = (0..<1024).map { index -> UInt8 in
      let (m, n) = (Int(table[2 * index]), Int(table[2 * index + 1]))
      let state = min(max(1, ((m * min(max(header.sliceQPY, 0), 51)) >> 4) + n), 126)
      return UInt8(state <= 63 ? 2 * (63 - state) : 2 * (state - 64) + 1)
    }
    let tables = CABACEngineTables(
      rangeLPS: (0..<256).map { CABACTables.rangeLPS[$0] },
      transitionLPS: (0..<64).map { CABACTables.transition[128 + 2 * $0] >> 1 })
    return .cabac(tables, contexts: contexts)
  }
}

extension VideoFrame {
  /// Samples of the three planes, row by row; 8 bits.
  var samples: [[UInt8]] {
    guard case .depth8(let planes) = storage else { return [] }
    return (0..<3).map { index in
      var samples: [UInt8] = []
      planes.withPlane(index) { plane in
        for y in 0..<plane.height {
          plane.withRow(y) { row in
            for x in row.indices { samples.append(row[x]) }
          }
        }
      }
      return samples
    }
  }

  /// The luma sample in the middle of each macroblock, `width` macroblocks a row; of one field where
  /// `line` is 0 or 1.
  func probes(width: Int, line: Int? = nil) -> [Int] {
    let luma = samples[0]
    let rows = luma.count / (width * 16)
    let height = line == nil ? 16 : 32
    return stride(from: 0, to: rows, by: height).flatMap { y in
      (0..<width).map { x in Int(luma[(y + 8 + (line ?? 0)) * width * 16 + x * 16 + 8]) }
    }
  }
}
