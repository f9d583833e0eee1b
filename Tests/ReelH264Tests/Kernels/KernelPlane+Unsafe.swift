import ReelCore
import ReelTestSupport

@testable import ReelH264

/// A plane of test samples that lives as long as its holder.
final class KernelPlane<S: H264Sample> {
  let plane: SamplePlane<S>

  init(width: Int, height: Int) { plane = SamplePlane(width: width, height: height) }

  /// A plane of which every sample, those past the row ends too, is drawn from `values`.
  convenience init(width: Int, height: Int, _ values: inout SampleSource) {
    self.init(width: width, height: height)
    for i in 0..<plane.count { plane[i] = S(values.next()) }
  }

  /// A copy.
  convenience init(_ other: KernelPlane) {
    self.init(width: other.plane.width, height: other.plane.height)
    for i in 0..<plane.count { plane[i] = other.plane[i] }
  }

  // SAFETY: each test holds the plane in a variable that it uses after the last use of the view.
  var view: PlaneView<S> { unsafe plane.view }

  var stride: Int { plane.stride }

  /// All memory, so that a comparison finds stray writes.
  var samples: [Int] { (0..<plane.count).map { Int(plane[$0]) } }

  subscript(x: Int, y: Int) -> Int { Int(plane[y * plane.stride + x]) }

  /// A sample by coordinates limited to the picture.
  func clamped(_ x: Int, _ y: Int) -> Int {
    self[min(max(x, 0), plane.width - 1), min(max(y, 0), plane.height - 1)]
  }
}

/// Samples of one character: noise, extremes only, or slow change.
struct SampleSource {
  enum Kind: CaseIterable { case noise, extremes, smooth }
  var generator: SeededGenerator
  let kind: Kind
  let maximum: Int
  private var last: Int

  init(seed: UInt64, _ kind: Kind, maximum: Int) {
    generator = SeededGenerator(seed: seed)
    self.kind = kind
    self.maximum = maximum
    last = maximum / 2
  }

  mutating func next() -> Int {
    switch kind {
    case .noise: last = generator.int(in: 0...maximum)
    case .extremes: last = generator.one(in: 2) ? 0 : maximum
    case .smooth: last = min(max(last + generator.int(in: -3...3), 0), maximum)
    }
    return last
  }
}
