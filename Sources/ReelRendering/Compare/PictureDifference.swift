// How far two pictures are from each other: squared error and structural similarity.

public import ReelCore

/// What two pictures of one layout differ by, plane by plane.
///
/// All sums are whole numbers, so they are the same on every machine.
public struct PictureDifference: Sendable, Hashable {
  /// Samples of each plane, Y, Cb, Cr.
  public let sampleCounts: [Int]
  /// Sum of squared differences of each plane.
  public let squaredErrors: [UInt64]
  /// Largest difference of two samples in each plane.
  public let largest: [Int]
  /// Bits of a sample of both pictures, 8…16.
  public let bitDepth: Int
  /// Structural similarity of luma, 0…1; nil when it was not asked for.
  public let similarity: Double?

  /// Every sample is the same.
  public var isIdentical: Bool { squaredErrors.allSatisfy { $0 == 0 } }

  /// Compares two pictures.
  ///
  /// - Throws: `.usage` when their sizes, chroma formats or depths differ.
  public init(
    _ a: VideoFrame, _ b: VideoFrame, withSimilarity: Bool = false
  ) throws(MediaError) {
    let (first, second) = (PixelLayout(a), PixelLayout(b))
    guard first == second, a.chromaFormat == b.chromaFormat else {
      throw MediaError(
        .usage, .compareLayout,
        detail: "\(first.width)x\(first.height) \(first.pixelFormatName) and "
          + "\(second.width)x\(second.height) \(second.pixelFormatName)")
    }
    bitDepth = first.bitDepth
    var sums: [PlaneSum] = []
    switch (a.storage, b.storage) {
    case (.depth8(let x), .depth8(let y)): sums = PlaneSum.all(x, a.crop, y, b.crop)
    case (.depth16(let x), .depth16(let y)): sums = PlaneSum.all(x, a.crop, y, b.crop)
    default: break
    }
    sampleCounts = sums.map(\.count)
    squaredErrors = sums.map(\.squares)
    largest = sums.map(\.largest)
    similarity = withSimilarity ? structuralSimilarity(a, b, bitDepth: first.bitDepth) : nil
  }
}

/// The sums over one plane.
private struct PlaneSum {
  var count = 0
  var squares: UInt64 = 0
  var largest = 0

  static func all<Sample: PictureSample>(
    _ a: FramePlanes<Sample>, _ cropA: SampleRect, _ b: FramePlanes<Sample>, _ cropB: SampleRect
  ) -> [PlaneSum] {
    (0..<(a.chromaFormat.hasChroma ? 3 : 1)).map { index in
      let h = index == 0 ? 0 : a.chromaFormat.horizontalShift
      let v = index == 0 ? 0 : a.chromaFormat.verticalShift
      let width = (cropA.width + (1 << h) - 1) >> h
      let height = (cropA.height + (1 << v) - 1) >> v
      var sum = PlaneSum()
      a.withPlane(index) { first in
        b.withPlane(index) { second in
          for y in 0..<height {
            let at = ((cropA.y >> v) + y) * first.stride + cropA.x >> h
            let bt = ((cropB.y >> v) + y) * second.stride + cropB.x >> h
            first.withSamples(at: at, count: width) { rowA in
              second.withSamples(at: bt, count: width) { rowB in sum.add(rowA, rowB) }
            }
          }
        }
      }
      return sum
    }
  }

  private mutating func add<Sample: PictureSample>(_ a: Span<Sample>, _ b: Span<Sample>) {
    precondition(a.count == b.count)
    var (row, most): (UInt64, Int32) = (0, 0)
    for x in a.indices {
      let difference = abs(Int32(truncatingIfNeeded: a[x]) &- Int32(truncatingIfNeeded: b[x]))
      // 16-bit samples: the square fits 32 bits without a sign.
      row &+= UInt64(UInt32(bitPattern: difference &* difference))
      most = max(most, difference)
    }
    count += a.count
    squares &+= row
    largest = max(largest, Int(most))
  }
}
