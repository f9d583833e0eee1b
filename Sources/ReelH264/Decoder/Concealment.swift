// Making up macroblocks that were lost.

public import ReelCore

extension Rule {
  public static let pictureIncomplete = Rule(
    "h264.picture-incomplete", "the slices of a picture must hold all its macroblocks",
    clause: "ISO/IEC 14496-10:2020 §7.4.2.2")
}

/// Fills macroblocks that no slice held: from the nearest reference picture at the same place, or,
/// where there is none, with the mean of the decoded samples around.
struct Concealment<S: H264Sample>: ~Copyable {
  private let context: PictureContext
  private let widthInMbs: Int
  private let heightInMbs: Int
  private let planes: [PlaneView<S>]
  private let chromaFormat: ChromaFormat
  private let source: [PlaneView<S>]?
  /// Keeps the source's planes alive.
  private let reference: Picture?
  private let structure: PictureStructure
  private let middle: S
  private let isMbaff: Bool

  init(_ target: borrowing PictureTarget<S>, slices: [SliceInput]) {
    context = target.context
    widthInMbs = target.widthInMbs
    heightInMbs = target.heightInMbs
    chromaFormat =
      target.colourPlane == nil ? target.planes.chromaFormat : .monochrome
    planes = [target.y, target.cb, target.cr]
    isMbaff = slices.first?.header.mbaffFrameFlag ?? false
    let depth = slices.first?.sequence.bitDepthLuma ?? 8
    middle = S(truncatingIfNeeded: 1 << (depth - 1))
    let entry = slices.lazy.compactMap { $0.referenceList0.first }.first
    reference = entry?.picture
    // A second field that refers to the first one of its frame takes that, not itself.
    structure =
      entry.map { $0.picture === target.picture ? $0.structure : target.structure }
      ?? target.structure
    if let entry, let view = MacroblockDecoder<S>.view(of: entry, as: structure, like: target) {
      source = [view.y, view.cb, view.cr]
    } else {
      source = nil
    }
  }

  /// Makes up all missing macroblocks; returns how many there were.
  consuming func conceal() -> Int {
    if isMbaff { giveUpHalfPairs() }
    var lost = 0
    var isSourceComplete = source == nil
    for row in 0..<heightInMbs {
      for column in 0..<widthInMbs where context.slice[row * widthInMbs + column] < 0 {
        lost += 1
        if !isSourceComplete {
          reference?.progress.wait(until: .max, structure)
          isSourceComplete = true
        }
        fill(column, row)
      }
    }
    // Only now do they count as decoded, so that none was made from another.
    guard lost > 0 else { return 0 }
    for index in 0..<widthInMbs * heightInMbs where context.slice[index] < 0 {
      context.slice[index] = 0
      context.kind[index] = MacroblockKind.intra16x16 | MacroblockKind.concealed
      context.qp[index] = 0
      context.nonzeroLuma[index] = 0
    }
    return lost
  }

  /// A pair of which one macroblock is lost is lost: the other may hold every second line of both.
  private func giveUpHalfPairs() {
    for row in stride(from: 0, to: heightInMbs - 1, by: 2) {
      for upper in row * widthInMbs..<(row + 1) * widthInMbs
      where (context.slice[upper] < 0) != (context.slice[upper + widthInMbs] < 0) {
        context.slice[upper] = -1
        context.slice[upper + widthInMbs] = -1
      }
    }
  }

  private func fill(_ column: Int, _ row: Int) {
    for index in 0..<(chromaFormat.hasChroma ? 3 : 1) {
      let plane = planes[index]
      let width = index == 0 ? 16 : 16 >> chromaFormat.horizontalShift
      let height = index == 0 ? 16 : 16 >> chromaFormat.verticalShift
      let at = row * height * plane.stride + column * width
      let value = source == nil ? mean(column, row, plane, at, width, height) : middle
      for line in 0..<height {
        let start = at + line * plane.stride
        if let source {
          plane.copy(
            from: source[index],
            at: row * height * source[index].stride + column * width
              + line * source[index].stride, to: start, count: width)
        } else {
          plane.fill(at: start, count: width, with: value)
        }
      }
    }
  }

  /// The mean of the lines above and below and of the columns beside, as far as they are decoded.
  private func mean(
    _ column: Int, _ row: Int, _ plane: PlaneView<S>, _ at: Int, _ width: Int, _ height: Int
  ) -> S {
    func isDecoded(_ x: Int, _ y: Int) -> Bool {
      x >= 0 && x < widthInMbs && y >= 0 && y < heightInMbs
        && context.slice[y * widthInMbs + x] >= 0
    }
    var sum = 0
    var count = 0
    func add(_ first: Int, _ step: Int, _ length: Int) {
      for i in 0..<length { sum += Int(plane[first + i * step]) }
      count += length
    }
    if isDecoded(column, row - 1) { add(at - plane.stride, 1, width) }
    if isDecoded(column, row + 1) { add(at + height * plane.stride, 1, width) }
    if isDecoded(column - 1, row) { add(at - 1, plane.stride, height) }
    if isDecoded(column + 1, row) { add(at + width, plane.stride, height) }
    return count == 0 ? middle : S(truncatingIfNeeded: (sum + count / 2) / count)
  }
}
