// Coded audio frames and the streams that hold them without a container.

public import ReelCore

/// How coded audio frames follow each other in a stream of bytes.
public enum AudioFraming: Sendable, Hashable {
  /// AAC behind ADTS headers. ISO/IEC 14496-3:2019 §1.A.3.
  case adts
  /// AAC in LATM multiplex elements behind AudioSyncStream headers (LOAS). §1.7.2.
  case loas
  /// MPEG audio layers I to III. ISO/IEC 11172-3:1993, ISO/IEC 13818-3:1998.
  case mpegAudio
  /// AC-3 and E-AC-3, each frame of a substream for itself. ETSI TS 102 366 §4.3, Annex E.
  case ac3
}

/// One coded frame without the framing that a decoder does not want: no ADTS or LATM headers;
/// an MPEG audio frame keeps its own header.
public struct AudioFrame: Sendable, Hashable {
  /// What a decoder is given.
  public var data: [UInt8]
  /// Offset in the stream of the first byte of the frame's header.
  public var offset: Int64
  /// Bytes that the frame takes in the stream with its header.
  public var byteCount: Int
  /// PCM frames at ``AudioFormat/sampleRate``.
  public var sampleCount: Int
  /// `aac`, `mp1`, `mp2`, `mp3`, `ac3` or `eac3`.
  public var codec: CodecID
  /// Rate, channels and, for AAC, the AudioSpecificConfig.
  public var format: AudioFormat
}
