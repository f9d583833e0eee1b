// Whole video decoders, from byte streams. ISO/IEC 14496-10:2020 Annex B, ISO/IEC 23008-2:2020 Annex B.

import ReelCore
import ReelH264
import ReelHEVC

extension FuzzEntry {
  public static let h264Decoder = decoder("H264Decoder") { settings in
    var options = H264DecoderOptions()
    options.threads = settings.threads
    options.concealment = settings.concealment
    options.limits = settings.limits
    return try? H264Decoder(configuration: [], framing: .annexB, options: options)
  }

  public static let hevcDecoder = decoder("HEVCDecoder") { settings in
    var options = HEVCDecoderOptions()
    options.threads = settings.threads
    options.concealment = settings.concealment
    options.limits = settings.limits
    return try? HEVCDecoder(configuration: [], framing: .annexB, options: options)
  }

  private struct Settings {
    var threads = 1
    var concealment = ConcealmentPolicy.conceal
    var limits = Limits.standard
  }

  /// What is done beside decoding once depends on the input's length, so that a failure repeats: one in
  /// eight inputs is decoded on two threads too, one in eight again by the same decoder. Frames must be
  /// the same each time.
  private static func decoder(
    _ name: String, make: @escaping @Sendable (Settings) -> (any VideoDecoder)?
  ) -> FuzzEntry {
    FuzzEntry(name) { bytes in
      func frames(
        threads: Int = 1, passes: Int = 1, concealment: ConcealmentPolicy = .conceal
      ) -> [String] {
        var settings = Settings(threads: threads, concealment: concealment)
        // LIMIT: pictures of 352 × 288 or so, so that inputs stay quick.
        settings.limits.maximumPictureSamples = 1 << 17
        return make(settings).map { decode(bytes, $0, passes: passes) } ?? []
      }
      let once = frames()
      switch bytes.count & 7 {
      case 0: precondition(frames(threads: 2) == once, "two threads: other frames")
      case 1:
        // Parameter sets stay over a reset. The first pass may lack sequence parameter sets, the second
        // picture parameter sets that need them: from the third on nothing is new.
        precondition(frames(passes: 3) == frames(passes: 4), "another pass: other frames")
      case 2: _ = frames(concealment: .fail)
      default: break
      }
    }
  }

  /// What the frames of the last pass say of themselves, and a sum of their samples each.
  private static func decode(
    _ bytes: [UInt8], _ decoder: any VideoDecoder, passes: Int
  ) -> [String] {
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
