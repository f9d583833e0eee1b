internal import ReelCore
internal import ReelTestSupport

@testable internal import ReelHEVC

/// A plane of random samples that lives as long as its holder.
final class KernelPlane<S: HEVCSample> {
  let plane: SamplePlane<S>

  init(width: Int, height: Int, bitDepth: Int, _ random: inout SeededGenerator) {
    plane = SamplePlane(width: width, height: height)
    let maximum = 1 << bitDepth - 1
    // Noise in most planes, extremes alone in some.
    let isExtreme = random.one(in: 3)
    for i in 0..<plane.count {
      plane[i] = S(isExtreme ? (random.one(in: 2) ? maximum : 0) : random.int(in: 0...maximum))
    }
  }

  // SAFETY: each test holds the plane in a variable that it uses after the last use of the view.
  var view: PlaneView<S> { unsafe plane.view }

  subscript(x: Int, y: Int) -> Int { Int(plane[y * plane.stride + x]) }
}
