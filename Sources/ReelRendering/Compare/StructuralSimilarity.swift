// Structural similarity of luma, after Wang, Bovik, Sheikh and Simoncelli (IEEE TIP 13.4, 2004), over
// windows of 8×8 samples, 4 apart.

internal import ReelCore

/// The mean similarity of all windows, 1 for equal pictures; 1 where a picture is smaller than one.
///
/// Sums are whole numbers; only the last quotient of a window is a Double, made of exactly rounded
/// operations, and windows are added in a fixed order.
func structuralSimilarity(_ a: VideoFrame, _ b: VideoFrame, bitDepth: Int) -> Double {
  switch (a.storage, b.storage) {
  case (.depth8(let x), .depth8(let y)):
    similarity(x.y, a.crop, y.y, b.crop, bitDepth: bitDepth)
  case (.depth16(let x), .depth16(let y)):
    similarity(x.y, a.crop, y.y, b.crop, bitDepth: bitDepth)
  default: 0
  }
}

private func similarity<Sample: PictureSample>(
  _ a: borrowing SamplePlane<Sample>, _ cropA: SampleRect, _ b: borrowing SamplePlane<Sample>,
  _ cropB: SampleRect, bitDepth: Int
) -> Double {
  let (columns, rows) = (cropA.width / 4, cropA.height / 4)
  guard columns >= 2 && rows >= 2 else { return 1 }
  let peak = Double(1 << bitDepth - 1)
  // The constants of the paper, times the counts that the sums below stand for.
  let (c1, c2) = (0.01 * peak * 0.01 * peak * 64 * 64, 0.03 * peak * 0.03 * peak * 64 * 63)
  var above = [BlockSums](repeating: BlockSums(), count: columns)
  var current = above
  var total = 0.0
  for row in 0..<rows {
    for column in 0..<columns {
      var sums = BlockSums()
      for y in row * 4..<row * 4 + 4 {
        let at = (cropA.y + y) * a.stride + cropA.x + column * 4
        let bt = (cropB.y + y) * b.stride + cropB.x + column * 4
        for x in 0..<4 { sums.add(Int64(a[at + x]), Int64(b[bt + x])) }
      }
      current[column] = sums
    }
    if row > 0 {
      for column in 1..<columns {
        let window = above[column - 1] + above[column] + current[column - 1] + current[column]
        total += window.similarity(c1, c2)
      }
    }
    swap(&above, &current)
  }
  return total / Double((columns - 1) * (rows - 1))
}

/// Sums over a block of samples of two pictures.
private struct BlockSums {
  var a: Int64 = 0
  var b: Int64 = 0
  var squares: Int64 = 0
  var products: Int64 = 0

  mutating func add(_ x: Int64, _ y: Int64) {
    a += x
    b += y
    squares += x * x + y * y
    products += x * y
  }

  static func + (x: BlockSums, y: BlockSums) -> BlockSums {
    BlockSums(
      a: x.a + y.a, b: x.b + y.b, squares: x.squares + y.squares,
      products: x.products + y.products)
  }

  /// Of a window of 64 samples; everything times 64 or 64·63 to stay in whole numbers.
  func similarity(_ c1: Double, _ c2: Double) -> Double {
    let variances = squares * 64 - a * a - b * b
    let covariance = products * 64 - a * b
    let luminance = (Double(2 * a * b) + c1) / (Double(a * a + b * b) + c1)
    return luminance * (Double(2 * covariance) + c2) / (Double(variances) + c2)
  }
}
