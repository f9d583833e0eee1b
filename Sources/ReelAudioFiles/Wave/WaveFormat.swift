// What the fmt chunk of a WAVE file says. RIFF MCI 1.0 §3; WAVEFORMATEX; WAVEFORMATEXTENSIBLE.

import ReelCore

/// WAVEFORMAT and its extensions.
struct WaveFormat: Sendable, Hashable {
  /// wFormatTag; of WAVE_FORMAT_EXTENSIBLE the tag that its sub-format begins with.
  let tag: Int
  let channelCount: Int
  /// Hz.
  let sampleRate: Int
  let bytesPerSecond: Int
  /// nBlockAlign: bytes of a PCM frame, or of a coded block.
  let blockByteCount: Int
  let bitsPerSample: Int
  /// The bytes behind cbSize, which set some decoders up.
  let extra: [UInt8]
  let isBigEndian: Bool

  private static let extensible = 0xFFFE
  /// The end of the sub-format of WAVEFORMATEXTENSIBLE, behind the tag.
  private static let subformatTail: [UInt8] = [
    0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71,
  ]

  /// Reads a chunk's payload; nil when it is too short or a value is 0 or out of range.
  init?(_ bytes: [UInt8], isBigEndian: Bool) {
    guard bytes.count >= 14 else { return nil }
    func integer(_ i: Int, _ count: Int) -> Int {
      let part = bytes[i..<i + count]
      return isBigEndian
        ? part.reduce(0) { $0 << 8 | Int($1) } : part.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    self.isBigEndian = isBigEndian
    channelCount = integer(2, 2)
    sampleRate = integer(4, 4)
    bytesPerSecond = integer(8, 4)
    blockByteCount = integer(12, 2)
    bitsPerSample = bytes.count >= 16 ? integer(14, 2) : 8
    let extraCount = bytes.count >= 18 ? min(integer(16, 2), bytes.count - 18) : 0
    extra = [UInt8](bytes.dropFirst(18).prefix(extraCount))
    let tag = integer(0, 2)
    let isExtended = tag == Self.extensible && extra.count >= 22
    let isKnown = isExtended && Array(extra[8..<22]) == Self.subformatTail
    self.tag = isKnown ? Int(extra[6]) | Int(extra[7]) << 8 : tag
    guard channelCount > 0, sampleRate > 0, sampleRate <= Int(Int32.max), blockByteCount > 0 else {
      return nil
    }
  }

  /// Linear samples, one beside the other, so that a block is a PCM frame.
  var isPCM: Bool { [1, 3, 6, 7].contains(tag) }
  var isMPEGAudio: Bool { tag == 0x50 || tag == 0x55 }

  /// Registered tags by FFmpeg's names. RFC 2361.
  var codec: CodecID {
    let order = isBigEndian ? "be" : "le"
    return switch tag {
    case 1 where bitsPerSample <= 8: "pcm_u8"
    case 1 where bitsPerSample <= 64:
      CodecID(rawValue: "pcm_s\((bitsPerSample + 7) / 8 * 8)\(order)")
    case 3 where bitsPerSample == 32 || bitsPerSample == 64:
      CodecID(rawValue: "pcm_f\(bitsPerSample)\(order)")
    case 6: "pcm_alaw"
    case 7: "pcm_mulaw"
    case 2: "adpcm_ms"
    case 0x11: "adpcm_ima_wav"
    case 0x31: "gsm_ms"
    case 0x50: "mp2"
    case 0x55: .mp3
    case 0xFF, 0x1600, 0x1610: .aac
    case 0x160, 0x161: "wmav2"
    case 0x2000: "ac3"
    case 0x2001: "dts"
    default: .unknown
    }
  }

  /// PCM frames of a block; nil where the format does not tell.
  var samplesPerBlock: Int? {
    if isPCM { return 1 }
    // wSamplesPerBlock, the first extra field of the ADPCM formats.
    guard [2, 0x11, 0x31].contains(tag), extra.count >= 2 else { return nil }
    let count = Int(extra[0]) | Int(extra[1]) << 8
    return count > 0 ? count : nil
  }

  var audioFormat: AudioFormat {
    var format = AudioFormat()
    format.sampleRate = sampleRate
    format.channelCount = channelCount
    format.bitsPerSample = bitsPerSample
    if !isPCM { format.configuration = extra }
    return format
  }
}
