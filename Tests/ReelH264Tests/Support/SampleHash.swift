internal import ReelCore

extension VideoFrame {
  /// FNV-1a of all samples.
  var sampleHash: UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func add<Sample: PictureSample>(_ planes: FramePlanes<Sample>) {
      for index in 0..<3 {
        planes.withPlane(index) { plane in
          for y in 0..<plane.height {
            plane.withRow(y) { row in
              for x in row.indices { hash = (hash ^ UInt64(row[x])) &* 0x100_0000_01B3 }
            }
          }
        }
      }
    }
    switch storage {
    case .depth8(let planes): add(planes)
    case .depth16(let planes): add(planes)
    }
    return hash
  }
}
