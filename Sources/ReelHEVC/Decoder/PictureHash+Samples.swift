// Hashes of decoded pictures. ISO/IEC 23008-2:2020 §D.3.19.

import ReelCore

extension PictureHash {
  /// Whether the samples of a picture have these hashes.
  func matches<S: PictureSample>(
    _ planes: FramePlanes<S>, _ sequence: SequenceParameterSet
  ) -> Bool {
    for index in self.planes.indices {
      let isWide = (index == 0 ? sequence.bitDepthY : sequence.bitDepthC) > 8
      let hash = planes.withPlane(index) { plane in
        switch method {
        case .md5: Self.md5(plane, isWide)
        case .crc: Self.crc(plane, isWide)
        case .checksum: Self.checksum(plane, isWide)
        }
      }
      if hash != self.planes[index] { return false }
    }
    return true
  }

  /// Samples in raster order, of two bytes each, low byte first, above 8 bits.
  private static func md5<S: PictureSample>(
    _ plane: borrowing SamplePlane<S>, _ isWide: Bool
  ) -> [UInt8] {
    var hash = MD5()
    var line: [UInt8] = []
    for y in 0..<plane.height {
      line.removeAll(keepingCapacity: true)
      for x in 0..<plane.width {
        let sample = UInt16(plane[y * plane.stride + x])
        line.append(UInt8(truncatingIfNeeded: sample))
        if isWide { line.append(UInt8(truncatingIfNeeded: sample >> 8)) }
      }
      hash.update(line)
    }
    return hash.finalize().bytes
  }

  private static func crc<S: PictureSample>(
    _ plane: borrowing SamplePlane<S>, _ isWide: Bool
  ) -> [UInt8] {
    var crc: UInt32 = 0xFFFF
    func add(_ value: UInt32, _ count: Int) {
      for i in 0..<count {
        let bit = value >> UInt32(7 - i % 8 + i / 8 * 8) & 1
        let top = crc >> 15 & 1
        crc = ((crc << 1) | bit) & 0xFFFF
        if top == 1 { crc ^= 0x1021 }
      }
    }
    for y in 0..<plane.height {
      for x in 0..<plane.width {
        add(UInt32(plane[y * plane.stride + x]), isWide ? 16 : 8)
      }
    }
    add(0, 16)
    return [UInt8(crc >> 8), UInt8(crc & 255)]
  }

  private static func checksum<S: PictureSample>(
    _ plane: borrowing SamplePlane<S>, _ isWide: Bool
  ) -> [UInt8] {
    var sum: UInt32 = 0
    for y in 0..<plane.height {
      for x in 0..<plane.width {
        let mask = UInt32((x & 255) ^ (y & 255) ^ (x >> 8) ^ (y >> 8))
        let sample = UInt32(plane[y * plane.stride + x])
        sum &+= (sample & 255) ^ mask
        if isWide { sum &+= (sample >> 8) ^ mask }
      }
    }
    return (0..<4).map { UInt8(truncatingIfNeeded: sum >> UInt32(24 - 8 * $0)) }
  }
}
