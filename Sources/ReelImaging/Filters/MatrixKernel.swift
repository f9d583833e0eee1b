// A colour matrix on 8-bit 4:2:0 pictures, in 16-bit integers.

internal import ReelCore

/// The most frequent pass, brightness and contrast among them.
///
/// Works on Y′CbCr directly: a matrix over R′G′B′ is one over Y′CbCr. Only where R′, G′ or B′ would leave
/// 0…1 they are made, limited and turned back.
struct MatrixKernel: Sendable {
  /// nil for formats and matrices that this kernel does not take.
  init?(_ map: AffineColour, format: ResolvedFormat, crop: SampleRect) { return nil }

  func run(
    _ planes: FramePlanes<UInt8>, into output: FramePlanes<UInt8>, _ context: FilterContext
  ) {}
}
