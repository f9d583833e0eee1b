// Sample entry codes and object types with the names FFmpeg gives their codecs.

import ReelCore

/// Which codec a code stands for.
enum CodecNames {
  static let video: [FourCC: CodecID] = [
    "avc1": .h264, "avc2": .h264, "avc3": .h264, "avc4": .h264, "dvav": .h264, "dva1": .h264,
    "hvc1": .hevc, "hev1": .hevc, "dvh1": .hevc, "dvhe": .hevc,
    "mp4v": .mpeg4Visual, "s263": "h263", "h263": "h263", "av01": "av1", "vp08": "vp8",
    "vp09": "vp9", "vvc1": "vvc", "vvi1": "vvc", "jpeg": "mjpeg", "mjpa": "mjpeg",
    "mjpb": "mjpegb", "png ": "png", "raw ": "rawvideo", "2vuy": "rawvideo", "yuv2": "rawvideo",
    "apch": "prores", "apcn": "prores", "apcs": "prores", "apco": "prores", "ap4h": "prores",
    "ap4x": "prores", "rle ": "qtrle", "SVQ1": "svq1", "SVQ3": "svq3", "cvid": "cinepak",
    "mp1v": "mpeg1video", "mp2v": "mpeg2video", "dvc ": "dvvideo", "dvcp": "dvvideo",
    "mjp2": "jpeg2000", "vc-1": "vc1",
  ]

  static let audio: [FourCC: CodecID] = [
    "mp4a": .aac, ".mp3": .mp3, "ms\u{0}U": .mp3, "samr": "amr_nb", "sawb": "amr_wb",
    "ac-3": "ac3", "ec-3": "eac3", "ac-4": "ac4", "Opus": "opus", "fLaC": "flac", "alac": "alac",
    "twos": "pcm_s16be", "sowt": "pcm_s16le", "in24": "pcm_s24be", "in32": "pcm_s32be",
    "fl32": "pcm_f32be", "fl64": "pcm_f64be", "raw ": "pcm_u8", "ulaw": "pcm_mulaw",
    "alaw": "pcm_alaw", "ima4": "adpcm_ima_qt", "dtsc": "dts", "dtsh": "dts", "dtsl": "dts",
    "dtse": "dts", "mlpa": "truehd", "mhm1": "mpegh_3d_audio", "mha1": "mpegh_3d_audio",
  ]

  static let other: [FourCC: CodecID] = [
    "tx3g": "mov_text", "text": "mov_text", "wvtt": "webvtt", "stpp": "ttml", "c608": "eia_608",
  ]

  /// Children of sample entries that hold a codec's configuration and nothing else.
  static let configurationBoxes: Set<FourCC> = [
    "av1C", "vpcC", "vvcC", "dOps", "dfLa", "alac", "dac3", "dec3", "dac4", "ddts", "dmlp", "mhaC",
    "iacb", "d263", "damr", "glbl",
  ]

  /// objectTypeIndication. ISO/IEC 14496-1:2010 Table 5 and the MP4 registration authority.
  static let objectType: [UInt8: CodecID] = [
    0x20: .mpeg4Visual, 0x21: .h264, 0x23: .hevc, 0x40: .aac, 0x60: "mpeg2video",
    0x61: "mpeg2video", 0x62: "mpeg2video", 0x63: "mpeg2video", 0x64: "mpeg2video",
    0x65: "mpeg2video", 0x66: .aac, 0x67: .aac, 0x68: .aac, 0x69: .mp3, 0x6A: "mpeg1video",
    0x6B: .mp3, 0x6C: "mjpeg", 0x6D: "png", 0x6E: "jpeg2000", 0xA3: "vc1", 0xA5: "ac3",
    0xA6: "eac3", 0xA9: "dts", 0xAD: "opus", 0xB1: "vp9", 0xC1: "flac", 0xDD: "vorbis",
    0xE1: "qcelp",
  ]
}
