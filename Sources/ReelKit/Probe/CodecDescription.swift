// What codecs and their codes are called.

import ReelCore

/// Names that FFmpeg's tools print for codecs, profiles and code points.
enum CodecDescription {
  static let longNames: [String: String] = [
    "h264": "H.264 / AVC / MPEG-4 AVC / MPEG-4 part 10",
    "hevc": "H.265 / HEVC (High Efficiency Video Coding)", "mpeg4": "MPEG-4 part 2",
    "h263": "H.263 / H.263-1996, H.263+ / H.263-1998 / H.263 version 2",
    "av1": "Alliance for Open Media AV1", "vp8": "On2 VP8", "vp9": "Google VP9",
    "mpeg1video": "MPEG-1 video", "mpeg2video": "MPEG-2 video", "mjpeg": "Motion JPEG",
    "png": "PNG (Portable Network Graphics) image", "rawvideo": "raw video",
    "vvc": "H.266 / VVC (Versatile Video Coding)", "prores": "Apple ProRes (iCodec Pro)",
    "aac": "AAC (Advanced Audio Coding)", "mp3": "MP3 (MPEG audio layer 3)",
    "mp2": "MP2 (MPEG audio layer 2)", "ac3": "ATSC A/52A (AC-3)",
    "eac3": "ATSC A/52B (AC-3, E-AC-3)", "opus": "Opus (Opus Interactive Audio Codec)",
    "flac": "FLAC (Free Lossless Audio Codec)", "alac": "ALAC (Apple Lossless Audio Codec)",
    "vorbis": "Vorbis", "amr_nb": "AMR-NB (Adaptive Multi-Rate NarrowBand)",
    "amr_wb": "AMR-WB (Adaptive Multi-Rate WideBand)", "truehd": "TrueHD",
    "dts": "DCA (DTS Coherent Acoustics)", "pcm_s16be": "PCM signed 16-bit big-endian",
    "pcm_s16le": "PCM signed 16-bit little-endian", "pcm_s24be": "PCM signed 24-bit big-endian",
    "pcm_s24le": "PCM signed 24-bit little-endian", "pcm_u8": "PCM unsigned 8-bit",
    "pcm_f32le": "PCM 32-bit floating point little-endian",
    "pcm_f32be": "PCM 32-bit floating point big-endian",
    "mov_text": "MOV text", "webvtt": "WebVTT subtitle", "subrip": "SubRip subtitle",
    "ass": "ASS (Advanced SSA) subtitle", "ttml": "Timed Text Markup Language",
    "eia_608": "EIA-608 closed captions", "timed_id3": "timed ID3 metadata",
  ]

  static let formatLongNames: [String: String] = [
    "mov,mp4,m4a,3gp,3g2,mj2": "QuickTime / MOV", "matroska,webm": "Matroska / WebM",
    "mpegts": "MPEG-TS (MPEG-2 Transport Stream)", "h264": "raw H.264 video",
    "hevc": "raw HEVC video",
    "mp3": "MP2/3 (MPEG audio layer 2/3)", "aac": "raw ADTS AAC (Advanced Audio Coding)",
    "wav": "WAV / WAVE (Waveform Audio)", "hls": "Apple HTTP Live Streaming",
    "loas": "LOAS AudioSyncStream",
  ]

  /// Profiles of H.264. ISO/IEC 14496-10:2020 Annex A.
  static func h264Profile(_ profile: UInt8, constraints: UInt8) -> String? {
    switch profile {
    case 66: constraints & 0x40 != 0 ? "Constrained Baseline" : "Baseline"
    case 77: "Main"
    case 88: "Extended"
    case 100: "High"
    case 110: constraints & 0x10 != 0 ? "High 10 Intra" : "High 10"
    case 122: constraints & 0x10 != 0 ? "High 4:2:2 Intra" : "High 4:2:2"
    case 244: constraints & 0x10 != 0 ? "High 4:4:4 Intra" : "High 4:4:4 Predictive"
    case 44: "CAVLC 4:4:4"
    default: nil
    }
  }

  static let hevcProfiles = [1: "Main", 2: "Main 10", 3: "Main Still Picture", 4: "Rext"]

  /// Object types of AAC. ISO/IEC 14496-3:2019 Table 1.17.
  static let aacProfiles = [
    1: "Main", 2: "LC", 3: "SSR", 4: "LTP", 5: "HE-AAC", 23: "LD", 29: "HE-AACv2", 39: "ELD",
    42: "xHE-AAC",
  ]

  /// The pixel format of a chroma format and depth.
  static func pixelFormat(chromaFormat: Int, bitDepth: Int, isFullRange: Bool) -> String {
    if chromaFormat == 0 { return bitDepth > 8 ? "gray\(bitDepth)le" : "gray" }
    let array = ["", "420", "422", "444"][min(max(chromaFormat, 0), 3)]
    let family = isFullRange && bitDepth == 8 ? "yuvj" : "yuv"
    return "\(family)\(array)p" + (bitDepth > 8 ? "\(bitDepth)le" : "")
  }

  /// Names of the code points of ISO/IEC 23091-2:2021.
  static let primaries: [UInt8: String] = [
    1: "bt709", 4: "bt470m", 5: "bt470bg", 6: "smpte170m", 7: "smpte240m", 8: "film", 9: "bt2020",
    10: "smpte428", 11: "smpte431", 12: "smpte432", 22: "ebu3213",
  ]
  static let transfers: [UInt8: String] = [
    1: "bt709", 4: "bt470m", 5: "bt470bg", 6: "smpte170m", 7: "smpte240m", 8: "linear", 9: "log100",
    10: "log316", 11: "iec61966-2-4", 12: "bt1361e", 13: "iec61966-2-1", 14: "bt2020-10",
    15: "bt2020-12", 16: "smpte2084", 17: "smpte428", 18: "arib-std-b67",
  ]
  static let matrices: [UInt8: String] = [
    0: "gbr", 1: "bt709", 4: "fcc", 5: "bt470bg", 6: "smpte170m", 7: "smpte240m", 8: "ycgco",
    9: "bt2020nc", 10: "bt2020c", 11: "smpte2085", 12: "chroma-derived-nc",
    13: "chroma-derived-c", 14: "ictcp",
  ]
  static let chromaLocations = ["left", "center", "topleft", "top", "bottomleft", "bottom"]

  /// Names of the usual loudspeaker layouts, by the bitmap of Core Audio and WAVE.
  static let channelLayouts: [UInt32: String] = [
    0x4: "mono", 0x3: "stereo", 0x7: "3.0", 0xB: "2.1", 0x107: "4.0", 0x33: "quad",
    0x37: "5.0", 0x3F: "5.1", 0x607: "5.0(side)", 0x60F: "5.1(side)", 0x63F: "7.1",
    0x13F: "6.1(back)", 0xFF: "7.1(wide)",
  ]

  /// The layout that so many channels have when nothing is told.
  static let defaultLayouts = [
    1: "mono", 2: "stereo", 3: "3.0", 4: "4.0", 5: "5.0", 6: "5.1", 7: "6.1(back)", 8: "7.1",
  ]

  /// The sample format that FFmpeg's decoder of a codec gives; nil where it is not known.
  static func sampleFormat(_ codec: CodecID) -> String? {
    switch codec.rawValue {
    case "aac", "mp3", "mp2", "ac3", "eac3", "opus", "vorbis", "amr_nb", "amr_wb": "fltp"
    case "pcm_s8", "pcm_u8": "u8"
    case "pcm_s16be", "pcm_s16le", "pcm_mulaw", "pcm_alaw": "s16"
    case "pcm_s24be", "pcm_s24le", "pcm_s32be", "pcm_s32le": "s32"
    case "pcm_f32be", "pcm_f32le": "flt"
    case "pcm_f64be", "pcm_f64le": "dbl"
    case "alac": "s16p"
    case "flac": "s16"
    default: nil
    }
  }
}
