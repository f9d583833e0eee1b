// Codecs by their Matroska names. RFC 9559 §5.1.4.1.25; draft-ietf-cellar-codec.

import ReelCore

/// What a track holds.
struct MatroskaCodec {
  let kind: MediaKind
  let codec: CodecID

  init(_ entry: TrackEntry) {
    switch entry.type {
    case 1: (kind, codec) = (.video, Self.video(entry))
    case 2: (kind, codec) = (.audio, Self.audio(entry))
    case 17: (kind, codec) = (.subtitle, Self.subtitle(entry.codecID))
    case 33: (kind, codec) = (.metadata, Self.subtitle(entry.codecID))
    default:
      (kind, codec) = (.data, Self.subtitles[entry.codecID] ?? .unknown)
    }
  }

  private static func video(_ entry: TrackEntry) -> CodecID {
    if entry.codecID == "V_MS/VFW/FOURCC" {
      return BitmapInfo(entry.codecPrivate).map { fourCC($0.compression) } ?? .unknown
    }
    return videos[entry.codecID] ?? .unknown
  }

  private static let videos: [String: CodecID] = [
    "V_MPEG4/ISO/AVC": .h264, "V_MPEGH/ISO/HEVC": .hevc, "V_MPEG4/ISO/SP": .mpeg4Visual,
    "V_MPEG4/ISO/ASP": .mpeg4Visual, "V_MPEG4/ISO/AP": .mpeg4Visual, "V_MPEG1": "mpeg1video",
    "V_MPEG2": "mpeg2video", "V_MPEG4/MS/V3": "msmpeg4v3", "V_VP8": "vp8", "V_VP9": "vp9",
    "V_AV1": "av1", "V_THEORA": "theora", "V_MJPEG": "mjpeg", "V_PRORES": "prores",
    "V_FFV1": "ffv1", "V_UNCOMPRESSED": "rawvideo", "V_DIRAC": "dirac", "V_SNOW": "snow",
    "V_REAL/RV10": "rv10", "V_REAL/RV20": "rv20", "V_REAL/RV30": "rv30", "V_REAL/RV40": "rv40",
    "V_AVS2": "avs2", "V_AVS3": "avs3", "V_MPEGI/ISO/VVC": "vvc",
  ]

  /// The codecs of Video for Windows that are met in Matroska.
  private static func fourCC(_ code: FourCC) -> CodecID {
    switch code {
    case "H264", "h264", "X264", "x264", "avc1", "AVC1", "DAVC", "VSSH": .h264
    case "HEVC", "hevc", "H265", "h265", "hvc1", "hev1", "X265", "x265": .hevc
    case "XVID", "xvid", "DIVX", "divx", "DX50", "MP4V", "mp4v", "FMP4", "3IV2": .mpeg4Visual
    case "DIV3", "div3", "MP43", "mp43", "DIV4": "msmpeg4v3"
    case "MP42", "mp42": "msmpeg4v2"
    case "WMV1": "wmv1"
    case "WMV2": "wmv2"
    case "WMV3": "wmv3"
    case "WVC1": "vc1"
    case "MJPG", "mjpg": "mjpeg"
    case "VP80": "vp8"
    case "VP90": "vp9"
    case "AV01": "av1"
    case "FFV1": "ffv1"
    default: .unknown
    }
  }

  private static func audio(_ entry: TrackEntry) -> CodecID {
    let bits = entry.audio.bitDepth
    switch entry.codecID {
    case "A_PCM/INT/LIT": return bits == 8 ? "pcm_u8" : CodecID(rawValue: "pcm_s\(bits)le")
    case "A_PCM/INT/BIG": return bits == 8 ? "pcm_u8" : CodecID(rawValue: "pcm_s\(bits)be")
    case "A_PCM/FLOAT/IEEE": return CodecID(rawValue: "pcm_f\(bits)le")
    case "A_MS/ACM": return acm(entry.codecPrivate, bits)
    case let id where id.hasPrefix("A_AAC"): return .aac
    case let id where id.hasPrefix("A_DTS"): return "dts"
    case let id where id.hasPrefix("A_AC3"): return "ac3"
    default: return audios[entry.codecID] ?? .unknown
    }
  }

  private static let audios: [String: CodecID] = [
    "A_MPEG/L3": .mp3, "A_MPEG/L2": "mp2", "A_MPEG/L1": "mp1", "A_EAC3": "eac3",
    "A_TRUEHD": "truehd", "A_MLP": "mlp", "A_VORBIS": "vorbis", "A_OPUS": "opus",
    "A_OPUS/EXPERIMENTAL": "opus", "A_FLAC": "flac", "A_ALAC": "alac", "A_TTA1": "tta",
    "A_WAVPACK4": "wavpack", "A_REAL/COOK": "cook", "A_REAL/ATRC": "atrac3",
    "A_REAL/28_8": "ra_288",
    "A_REAL/14_4": "ra_144", "A_QUICKTIME/QDM2": "qdm2",
  ]

  /// wFormatTag of a WAVEFORMATEX. RFC 2361.
  private static func acm(_ bytes: [UInt8], _ bits: Int) -> CodecID {
    guard bytes.count >= 2 else { return .unknown }
    return switch Int(bytes[0]) | Int(bytes[1]) << 8 {
    case 1: bits == 8 ? "pcm_u8" : CodecID(rawValue: "pcm_s\(bits)le")
    case 3: CodecID(rawValue: "pcm_f\(bits)le")
    case 2: "adpcm_ms"
    case 6: "pcm_alaw"
    case 7: "pcm_mulaw"
    case 0x11: "adpcm_ima_wav"
    case 0x50: "mp2"
    case 0x55: .mp3
    case 0xFF: .aac
    case 0x160: "wmav1"
    case 0x161: "wmav2"
    case 0x2000: "ac3"
    case 0x2001: "dts"
    default: .unknown
    }
  }

  private static func subtitle(_ id: String) -> CodecID { subtitles[id] ?? .unknown }

  private static let subtitles: [String: CodecID] = [
    "S_TEXT/UTF8": "subrip", "S_TEXT/ASCII": "subrip", "S_TEXT/SSA": "ass", "S_SSA": "ass",
    "S_TEXT/ASS": "ass", "S_ASS": "ass", "S_TEXT/WEBVTT": "webvtt", "D_WEBVTT/SUBTITLES": "webvtt",
    "D_WEBVTT/CAPTIONS": "webvtt", "D_WEBVTT/DESCRIPTIONS": "webvtt", "D_WEBVTT/METADATA": "webvtt",
    "S_VOBSUB": "dvd_subtitle", "S_HDMV/PGS": "hdmv_pgs_subtitle", "S_DVBSUB": "dvb_subtitle",
    "S_HDMV/TEXTST": "hdmv_text_subtitle", "S_ARIBSUB": "arib_caption", "S_KATE": "kate",
  ]
}

/// BITMAPINFOHEADER, what Video for Windows sets a codec up with.
struct BitmapInfo {
  let compression: FourCC
  /// The bytes behind the header.
  let extra: [UInt8]

  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 40 else { return nil }
    compression = FourCC(rawValue: bytes[16..<20].reduce(0) { $0 << 8 | UInt32($1) })
    extra = [UInt8](bytes[40...])
  }
}
