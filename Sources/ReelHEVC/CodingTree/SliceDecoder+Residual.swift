// From coefficients to residuals and samples. ISO/IEC 23008-2:2020 §7.3.8.11, §8.6.2 to §8.6.8.

import ReelCore

/// A transform block of one component, in samples of that component.
struct ResidualBlock {
  let x: Int
  let y: Int
  let log2Size: Int
  let component: Int
  /// Intra prediction mode; 0 for inter blocks.
  var mode = 0
  /// ResScaleVal of cross-component prediction.
  var resScale = 0

  init(x: Int, y: Int, log2Size: Int, component: Int) {
    (self.x, self.y, self.log2Size, self.component) = (x, y, log2Size, component)
  }
}

/// levelScale. §8.6.4.2.
enum LevelScale {
  static let values: InlineArray<6, UInt8> = [40, 45, 51, 57, 64, 72]
}

extension SliceDecoder {
  private enum Accumulation { case none, across, down }

  /// Parses the residual of a block and adds it to its prediction.
  func decodeResidual(_ block: ResidualBlock) {
    let isLuma = block.component == 0
    let range = sequence.range
    var isSkip = false
    if parameters.transformSkipEnabled && !isBypass
      && block.log2Size <= parameters.log2MaxTransformSkipSize
    {
      isSkip = decision(isLuma ? Context.transformSkipLuma : Context.transformSkipChroma) == 1
    }
    var accumulation = Accumulation.none
    var isExplicit = false
    if isSkip || isBypass {
      if !isIntra && range.explicitRDPCMEnabled
        && decision(Context.explicitRDPCM + (isLuma ? 0 : 1)) == 1
      {
        isExplicit = true
        let isDown = decision(Context.explicitRDPCMDirection + (isLuma ? 0 : 1)) == 1
        accumulation = isDown ? .down : .across
      } else if isIntra && range.implicitRDPCMEnabled && (block.mode == 10 || block.mode == 26) {
        accumulation = block.mode == 26 ? .down : .across
      }
    }
    var p = residualParameters(block, isSkip: isSkip)
    p.isSignHidden =
      parameters.signDataHidingEnabled
      && !(isBypass || isExplicit)
      && !(isIntra && range.implicitRDPCMEnabled && isSkip && accumulation != .none)
    let (extent, engine) = ResidualCoding.parse(
      cabac, memory.states, bytes, memory.scans, layout.scaling, into: memory.coefficients, p)
    cabac = engine
    reconstruct(block, extent, isSkip: isSkip, accumulation)
  }

  private func residualParameters(_ block: ResidualBlock, isSkip: Bool) -> ResidualParameters {
    var p = ResidualParameters()
    let isLuma = block.component == 0
    p.log2Size = block.log2Size
    p.component = block.component
    if isIntra && (block.log2Size == 2 || block.log2Size == 3 && (isLuma || chromaType == 3)) {
      if (6...14).contains(block.mode) { p.scanIdx = 2 }
      if (22...30).contains(block.mode) { p.scanIdx = 1 }
    }
    p.isBypass = isBypass
    p.hasSingleContext = sequence.range.transformSkipContextEnabled && (isSkip || isBypass)
    p.isRicePersistent = sequence.range.persistentRiceAdaptationEnabled
    p.statistic = (isLuma ? 2 : 0) + (isSkip || isBypass ? 1 : 0)
    let qp: Int
    switch block.component {
    case 0: qp = qpY + sequence.qpBdOffsetY
    case 1: qp = qpCb
    default: qp = qpCr
    }
    let positive = max(qp, 0)
    p.factor = Int(LevelScale.values[positive % 6]) << (positive / 6)
    p.shift = (isLuma ? bitDepthY : bitDepthC) + block.log2Size - 5
    if layout.hasScaling && !(isSkip && block.log2Size > 2) {
      p.scaling = ScalingFactors.offset(
        log2Size: block.log2Size, matrix: (isIntra ? 0 : 3) + block.component)
    }
    return p
  }

  /// Residual of parsed coefficients, which become 0 again, and its addition to the samples.
  private func reconstruct(
    _ block: ResidualBlock, _ extent: CoefficientExtent, isSkip: Bool, _ accumulation: Accumulation
  ) {
    let size = 1 << block.log2Size
    let bitDepth = block.component == 0 ? bitDepthY : bitDepthC
    let count = size * size
    if isBypass || isSkip {
      if sequence.range.transformSkipRotationEnabled && size == 4 && isIntra { rotate() }
      skipTransform(log2Size: block.log2Size, bitDepth: bitDepth)
      accumulate(accumulation, size)
      memory.coefficients.fill(0..<count, with: 0)
    } else if block.log2Size == 2 {
      let isDST = isIntra && block.component == 0
      if isDST {
        InverseTransform.transform4x4(
          memory.coefficients, memory.residual, matrix: memory.dstMatrix, step: 4,
          bitDepth: bitDepth)
      } else {
        InverseTransform.transform4x4(
          memory.coefficients, memory.residual, matrix: memory.dctMatrix, step: 256,
          bitDepth: bitDepth)
      }
      memory.coefficients.fill(0..<16, with: 0)
    } else if extent.columns == 4 && extent.rows == 4 && hasOnlyDC(size) {
      memory.residual.fill(
        0..<count,
        with: InverseTransform.dcValue(memory.coefficients[0], bitDepth: bitDepth))
      memory.coefficients[0] = 0
    } else {
      InverseTransform.dct(
        memory.coefficients, memory.residual, scratch: memory.scratch, matrix: memory.dctMatrix,
        log2Size: block.log2Size, columns: extent.columns, rows: extent.rows, bitDepth: bitDepth)
      memory.coefficients.fill(0..<extent.rows * size, with: 0)
    }
    if block.component == 0 && parameters.crossComponentPredictionEnabled {
      memory.lumaResidual.copy(from: memory.residual, at: 0, to: 0, count: count)
    }
    if block.resScale != 0 { mixLuma(block, count) }
    add(block)
  }

  private func hasOnlyDC(_ size: Int) -> Bool {
    let coefficients = memory.coefficients.load(SIMD4<Int16>.self, at: 0)
    guard coefficients[1] | coefficients[2] | coefficients[3] == 0 else { return false }
    for y in 1..<4 {
      let row = memory.coefficients.load(SIMD4<Int16>.self, at: y * size)
      if row[0] | row[1] | row[2] | row[3] != 0 { return false }
    }
    return true
  }

  private func add(_ block: ResidualBlock) {
    let size = 1 << block.log2Size
    let plane = block.component == 0 ? y : block.component == 1 ? cb : cr
    let window = plane.window(
      at: block.y * plane.stride + block.x, stride: plane.stride, columns: size, rows: size)
    InverseTransform.add(
      memory.residual, window, size: size,
      bitDepth: block.component == 0 ? bitDepthY : bitDepthC)
  }

  /// A block without coefficients of its own whose residual is predicted from luma.
  func addCrossComponent(_ block: ResidualBlock) {
    let count = 1 << (2 * block.log2Size)
    memory.residual.fill(0..<count, with: 0)
    mixLuma(block, count)
    add(block)
  }

  /// Cross-component prediction, §7.3.8.12, §8.6.6.
  private func mixLuma(_ block: ResidualBlock, _ count: Int) {
    let scale = Int32(block.resScale)
    for i in 0..<count {
      let luma = (Int32(memory.lumaResidual[i]) << Int32(bitDepthC)) >> Int32(bitDepthY)
      let sum = Int32(memory.residual[i]) + (scale * luma) >> 3
      memory.residual[i] = Int16(truncatingIfNeeded: min(max(sum, -32768), 32767))
    }
  }

  /// Rotation of 4×4 blocks, §8.6.5 (transform_skip_rotation_enabled_flag).
  private func rotate() {
    for i in 0..<8 {
      let other = memory.coefficients[15 - i]
      memory.coefficients[15 - i] = memory.coefficients[i]
      memory.coefficients[i] = other
    }
  }

  /// The residual of a block without a transform. §8.6.2, §8.6.4.2.
  private func skipTransform(log2Size: Int, bitDepth: Int) {
    let count = 1 << (2 * log2Size)
    if isBypass {
      memory.residual.copy(from: memory.coefficients, at: 0, to: 0, count: count)
      return
    }
    let up = Int32(5 + log2Size)
    let down = Int32(20 - bitDepth)
    for i in 0..<count {
      let value = (Int32(memory.coefficients[i]) << up + 1 << (down - 1)) >> down
      memory.residual[i] = Int16(truncatingIfNeeded: min(max(value, -32768), 32767))
    }
  }

  /// Residual DPCM, §8.6.8.
  private func accumulate(_ accumulation: Accumulation, _ size: Int) {
    guard accumulation != .none else { return }
    let step = accumulation == .down ? size : 1
    for y in (accumulation == .down ? 1 : 0)..<size {
      for x in (accumulation == .across ? 1 : 0)..<size {
        let at = y * size + x
        let sum = Int32(memory.residual[at]) + Int32(memory.residual[at - step])
        memory.residual[at] = Int16(truncatingIfNeeded: min(max(sum, -32768), 32767))
      }
    }
  }
}
