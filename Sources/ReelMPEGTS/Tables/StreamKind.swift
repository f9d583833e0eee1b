// What a stream of a program holds: stream types, registrations and DVB descriptors.

import ReelCore

/// The codec of a stream and how its access units are found.
struct StreamKind: Hashable {
  enum Framing: Hashable {
    case h264, hevc, mpeg2, mpeg4Visual, adts, latm, mpegAudio, ac3
    /// A PES packet is a sample.
    case packets
    /// A section is a sample.
    case sections
  }

  let kind: MediaKind
  let codec: CodecID
  let framing: Framing

  private init(_ kind: MediaKind, _ codec: CodecID, _ framing: Framing) {
    (self.kind, self.codec, self.framing) = (kind, codec, framing)
  }

  /// What a stream of the program map is. Types are those of Table 2-34, and of ATSC, Blu-ray and
  /// DVB where registrations or descriptors say so.
  init(_ stream: ProgramMap.Stream, program: Descriptors) {
    let isBluray = program.registration == "HDMV"
    if isBluray, let kind = Self.bluray(stream.type) {
      self = kind
    } else if let kind = Self.standard(stream.type) {
      self = kind
    } else {
      self =
        Self.described(stream.descriptors) ?? Self.fallback(stream.type)
        ?? Self(.data, "bin_data", .packets)
    }
  }

  /// Rec. ITU-T H.222.0 Table 2-34, and user private types whose meaning is settled.
  private static func standard(_ type: UInt8) -> StreamKind? {
    switch type {
    case 0x01: Self(.video, "mpeg1video", .mpeg2)
    case 0x02: Self(.video, "mpeg2video", .mpeg2)
    case 0x03, 0x04: Self(.audio, .mp3, .mpegAudio)
    case 0x0F: Self(.audio, .aac, .adts)
    case 0x10: Self(.video, .mpeg4Visual, .mpeg4Visual)
    case 0x11: Self(.audio, .aac, .latm)
    case 0x1B: Self(.video, .h264, .h264)
    case 0x24: Self(.video, .hevc, .hevc)
    case 0x21: Self(.video, "jpeg2000", .packets)
    case 0x2D, 0x2E: Self(.audio, "mpegh_3d_audio", .packets)
    case 0x33: Self(.video, "vvc", .packets)
    case 0x42: Self(.video, "cavs", .packets)
    case 0x86: Self(.data, "scte_35", .sections)
    case 0xD1: Self(.video, "dirac", .packets)
    case 0xD2: Self(.video, "avs2", .packets)
    case 0xD4: Self(.video, "avs3", .packets)
    case 0xEA: Self(.video, "vc1", .packets)
    default: nil
    }
  }

  /// Blu-ray's types. (AACS and BDA publish them; every player knows them.)
  private static func bluray(_ type: UInt8) -> StreamKind? {
    switch type {
    case 0x80: Self(.audio, "pcm_bluray", .packets)
    case 0x81: Self(.audio, "ac3", .ac3)
    case 0x82, 0x85, 0x86: Self(.audio, "dts", .packets)
    case 0x83: Self(.audio, "truehd", .packets)
    case 0x84, 0xA1: Self(.audio, "eac3", .ac3)
    case 0xA2: Self(.audio, "dts", .packets)
    case 0x90: Self(.subtitle, "hdmv_pgs_subtitle", .packets)
    case 0x92: Self(.subtitle, "hdmv_text_subtitle", .packets)
    default: nil
    }
  }

  /// Private data that a registration or a DVB descriptor names. EN 300 468 Tables 12, 109.
  private static func described(_ descriptors: Descriptors) -> StreamKind? {
    switch descriptors.registration {
    case "AC-3"?: return Self(.audio, "ac3", .ac3)
    case "AC-4"?: return Self(.audio, "ac4", .packets)
    case "EAC3"?: return Self(.audio, "eac3", .ac3)
    case "DTS1"?, "DTS2"?, "DTS3"?: return Self(.audio, "dts", .packets)
    case "Opus"?: return Self(.audio, "opus", .packets)
    case "BSSD"?: return Self(.audio, "s302m", .packets)
    case "HEVC"?: return Self(.video, .hevc, .hevc)
    case "VC-1"?: return Self(.video, "vc1", .packets)
    case "AV01"?: return Self(.video, "av1", .packets)
    case "drac"?: return Self(.video, "dirac", .packets)
    case "ID3 "?: return Self(.metadata, "timed_id3", .packets)
    case "KLVA"?: return Self(.metadata, "klv", .packets)
    case "CUEI"?: return Self(.data, "scte_35", .sections)
    default: break
    }
    for (tag, payload) in descriptors.list {
      switch tag {
      case 0x6A: return Self(.audio, "ac3", .ac3)
      case 0x7A: return Self(.audio, "eac3", .ac3)
      case 0x7B: return Self(.audio, "dts", .packets)
      case 0x7C: return Self(.audio, .aac, .latm)
      case 0x56: return Self(.subtitle, "dvb_teletext", .packets)
      case 0x59: return Self(.subtitle, "dvb_subtitle", .packets)
      case 0x7F where payload.first == 0x15: return Self(.audio, "ac4", .packets)
      case 0x26 where payload.count >= 6 && Array(payload[2..<6]) == Array("ID3 ".utf8):
        return Self(.metadata, "timed_id3", .packets)
      case 0x26 where payload.count >= 6 && Array(payload[2..<6]) == Array("KLVA".utf8):
        return Self(.metadata, "klv", .packets)
      default: continue
      }
    }
    return nil
  }

  /// Types of ATSC and others that mean this unless a descriptor says otherwise; and what remains.
  private static func fallback(_ type: UInt8) -> StreamKind? {
    switch type {
    case 0x05, 0x07...0x09, 0x0A...0x0E, 0x14, 0x16...0x1A:
      Self(.data, "bin_data", .sections)
    case 0x15: Self(.metadata, "timed_id3", .packets)
    case 0x80: Self(.video, "mpeg2video", .mpeg2)
    case 0x81: Self(.audio, "ac3", .ac3)
    case 0x82, 0x8A: Self(.audio, "dts", .packets)
    case 0x87: Self(.audio, "eac3", .ac3)
    default: nil
    }
  }
}
