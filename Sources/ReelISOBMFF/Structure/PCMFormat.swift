// Names of uncompressed audio, which depend on more than the sample entry's code.

import ReelCore

/// How samples of uncompressed audio are written.
struct PCMFormat {
  var bits: Int
  var isFloat = false
  var isBigEndian = true
  var isSigned = true

  /// FFmpeg's name; nil for what has none.
  var codec: CodecID? {
    let order = isBigEndian ? "be" : "le"
    switch (isFloat, bits) {
    case (true, 32), (true, 64): return CodecID(rawValue: "pcm_f\(bits)\(order)")
    case (false, 8): return CodecID(rawValue: isSigned ? "pcm_s8" : "pcm_u8")
    case (false, 16), (false, 24), (false, 32):
      return CodecID(rawValue: "pcm_\(isSigned ? "s" : "u")\(bits)\(order)")
    default: return nil
    }
  }

  /// The format that a code stands for, at the entry's own sample size where the code leaves it open.
  init?(_ type: FourCC, bitsPerSample: Int) {
    switch type {
    case "twos": self.init(bits: bitsPerSample)
    case "sowt": self.init(bits: bitsPerSample, isBigEndian: false)
    case "raw ": self.init(bits: bitsPerSample == 16 ? 16 : 8, isSigned: bitsPerSample == 16)
    case "in24": self.init(bits: 24)
    case "in32": self.init(bits: 32)
    case "fl32": self.init(bits: 32, isFloat: true)
    case "fl64": self.init(bits: 64, isFloat: true)
    default: return nil
    }
  }

  init(bits: Int, isFloat: Bool = false, isBigEndian: Bool = true, isSigned: Bool = true) {
    (self.bits, self.isFloat) = (bits, isFloat)
    (self.isBigEndian, self.isSigned) = (isBigEndian, isSigned)
  }

  /// Bytes of one sample of one channel of an uncompressed codec; nil for other codecs.
  static func byteCount(_ codec: CodecID) -> Int? {
    switch codec.rawValue {
    case "pcm_s8", "pcm_u8", "pcm_mulaw", "pcm_alaw": return 1
    default:
      guard codec.rawValue.hasPrefix("pcm_") else { return nil }
      return Int(codec.rawValue.filter(\.isNumber)).map { $0 / 8 }
    }
  }
}
