// The whole decoder, from a byte stream. ISO/IEC 23008-2:2020 Annex B.

import ReelCore
import ReelHEVC

extension FuzzEntry {
  /// What is done beside decoding once depends on the input's length, so that a failure repeats: one in
  /// eight inputs is decoded on two threads too, one in eight again by the same decoder. Frames must be
  /// the same each time.
  public static let hevcDecoder = FuzzEntry("HEVCDecoder") { bytes in
    let once = decode(bytes, threads: 1, passes: 1)
    switch bytes.count & 7 {
    case 0:
      precondition(decode(bytes, threads: 2, passes: 1) == once, "two threads: other frames")
    case 1:
      // Parameter sets stay over a reset. The first pass may lack sequence parameter sets, the second
      // picture parameter sets that need them: from the third on nothing is new.
      precondition(
        decode(bytes, threads: 1, passes: 3) == decode(bytes, threads: 1, passes: 4),
        "another pass: other frames")
    case 2: _ = decode(bytes, threads: 1, passes: 1, concealment: .fail)
    default: break
    }
  }

  /// What the frames of the last pass say of themselves, and a sum of their samples each.
  private static func decode(
    _ bytes: [UInt8], threads: Int, passes: Int, concealment: ConcealmentPolicy = .conceal
  ) -> [String] {
    var options = HEVCDecoderOptions()
    options.threads = threads
    options.concealment = concealment
    // LIMIT: pictures of 352 × 288 or so, so that inputs stay quick.
    options.limits.maximumPictureSamples = 1 << 17
    guard let decoder = try? HEVCDecoder(configuration: [], framing: .annexB, options: options)
    else { return [] }
    var lines: [String] = []
    for _ in 0..<passes {
      decoder.reset()
      lines = []
      add((try? decoder.decode(Packet(trackIndex: 0, data: bytes))) ?? [], to: &lines)
      add((try? decoder.flush()) ?? [], to: &lines)
    }
    return lines
  }

  private static func add(_ frames: [VideoFrame], to lines: inout [String]) {
    for frame in frames {
      lines.append(
        "\(frame.concealedBlockCount) \(frame.missingReferenceCount) "
          + "\(frame.isKeyFrame) \(sum(frame))")
    }
  }

  /// FNV-1a of all samples.
  private static func sum(_ frame: VideoFrame) -> UInt64 {
    switch frame.storage {
    case .depth8(let planes): sum(planes)
    case .depth16(let planes): sum(planes)
    }
  }

  private static func sum<Sample: PictureSample>(_ planes: FramePlanes<Sample>) -> UInt64 {
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in 0..<3 {
      planes.withPlane(index) { plane in
        for y in 0..<plane.height {
          plane.withRow(y) { row in
            for x in row.indices { sum = (sum ^ UInt64(row[x])) &* 0x100_0000_01B3 }
          }
        }
      }
    }
    return sum
  }
}
