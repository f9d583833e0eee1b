// Tracks, their formats, and the packets they hold.

/// What the samples of a track are for.
public enum MediaKind: String, Sendable, Hashable {
  /// Pictures.
  case video
  /// Sound.
  case audio
  /// Text or pictures that are laid over the video.
  case subtitle
  /// Facts that belong to points of time, such as timed ID3 tags.
  case metadata
  /// Anything else, known or not.
  case data
}

/// A codec, named as FFmpeg names it, so that tools can match on it.
public struct CodecID: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  /// FFmpeg's name, in lower case.
  public let rawValue: String
  /// A codec by its name, known or not.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// A codec by its name, as a literal.
  public init(stringLiteral value: String) { rawValue = value }
  public var description: String { rawValue }

  /// ISO/IEC 14496-10, Rec. ITU-T H.264.
  public static let h264: CodecID = "h264"
  /// ISO/IEC 23008-2, Rec. ITU-T H.265.
  public static let hevc: CodecID = "hevc"
  /// ISO/IEC 14496-2.
  public static let mpeg4Visual: CodecID = "mpeg4"
  /// AAC of any object type. ISO/IEC 14496-3 subpart 4.
  public static let aac: CodecID = "aac"
  /// MPEG audio layer III. ISO/IEC 11172-3, ISO/IEC 13818-3.
  public static let mp3: CodecID = "mp3"
  /// The input names no codec, or one that nobody has met.
  public static let unknown: CodecID = "unknown"
}

/// How the access units of a video packet are laid out.
public enum NALUnitFraming: Sendable, Hashable {
  /// Each NAL unit behind its length in this many bytes, 1…4.
  case lengthPrefixed(bytes: Int)
  /// Start codes. ISO/IEC 14496-10 Annex B.
  case annexB
}

/// What a container says of a video track's samples (one sample description).
public struct VideoFormat: Sendable, Hashable {
  /// Four-character code of the sample entry, where the container has one.
  public var sampleEntry: FourCC?
  /// Coded width and height as the container tells them; 0 when it does not.
  public var width = 0
  /// As ``width``, down.
  public var height = 0
  /// Width of a pixel to its height.
  public var pixelAspectRatio: Ratio = .unknown
  /// What the container says of colours, which goes before what the stream says; nil when nothing.
  public var colour: ColourDescription?
  /// How packets hold NAL units; without meaning for other codecs.
  public var framing: NALUnitFraming = .annexB
  /// The codec's configuration record without its box header (avcC, hvcC, esds payload …).
  public var configuration: [UInt8] = []
  /// The part of the picture to show; nil for all of it.
  public var cleanAperture: CleanAperture?
  /// What the content was graded on; nil when not told.
  public var masteringDisplay: MasteringDisplay?
  /// How bright the content is at most; nil when not told.
  public var contentLightLevel: ContentLightLevel?
  /// Order of the fields; nil when not told.
  public var fieldOrder: FieldOrder?
  /// Bits a second; 0 when not told.
  public var bitRate = 0
  /// A format of which nothing is known.
  public init() {}
}

/// The part of the picture to show, in pixels. ISO/IEC 14496-12:2020 §12.1.4.2.
///
/// Sizes and offsets are fractions; the offsets are those of the aperture's centre from the picture's.
public struct CleanAperture: Sendable, Hashable {
  /// Pixels: a size > 0 within the picture, and the centre's distance to the right and down.
  public var width, height, horizontalOffset, verticalOffset: Rational
  /// An aperture by its size and its centre.
  public init(
    width: Rational, height: Rational, horizontalOffset: Rational, verticalOffset: Rational
  ) {
    (self.width, self.height) = (width, height)
    (self.horizontalOffset, self.verticalOffset) = (horizontalOffset, verticalOffset)
  }
}

/// What a container says of an audio track's samples.
public struct AudioFormat: Sendable, Hashable {
  /// Four-character code of the sample entry, where the container has one.
  public var sampleEntry: FourCC?
  /// Hz; 0 when unknown.
  public var sampleRate = 0
  /// Channels, the low frequency one counted; 0 when unknown.
  public var channelCount = 0
  /// Bits of a sample of PCM; 0 when unknown, or when coding leaves no such number.
  public var bitsPerSample = 0
  /// The codec's configuration record without its box header, such as AudioSpecificConfig.
  public var configuration: [UInt8] = []
  /// Bits a second; 0 when not told.
  public var bitRate = 0
  /// Loudspeakers as a bitmap in the order of Core Audio and WAVE; nil when not told.
  public var channelBitmap: UInt32?
  /// A format of which nothing is known.
  public init() {}
}

/// What a container says of a text track's samples.
public struct SubtitleFormat: Sendable, Hashable {
  /// Four-character code of the sample entry, where the container has one.
  public var sampleEntry: FourCC?
  /// What the codec needs beside its samples: the WebVTT header of `wvtt`, the sample description of
  /// `tx3g` from its display flags on, the namespaces of `stpp` (null-terminated).
  public var configuration: [UInt8] = []
  /// A format by its code and what the codec needs.
  public init(sampleEntry: FourCC? = nil, configuration: [UInt8] = []) {
    self.sampleEntry = sampleEntry
    self.configuration = configuration
  }
}

/// The format of a track's samples.
public enum TrackFormat: Sendable, Hashable {
  /// Of a track of pictures.
  case video(VideoFormat)
  /// Of a track of sound.
  case audio(AudioFormat)
  /// Of a track of texts or pictures over the video.
  case subtitle(SubtitleFormat)
  /// Of any other track, by its four-character code where the container has one.
  case other(sampleEntry: FourCC?)
}

/// One stretch of a track's presentation. ISO/IEC 14496-12:2020 §8.6.6.
public struct TimelineEdit: Sendable, Hashable {
  /// Length in presentation time.
  public var duration: MediaTime
  /// Media time in track ticks that the stretch starts with; nil for an empty edit.
  public var mediaStart: Int64?
  /// Media rate in 1/65,536; 65,536 is normal, 0 dwells on one sample.
  public var rate: Int32 = 65536
  /// A stretch at normal rate, unless another one is given.
  public init(duration: MediaTime, mediaStart: Int64?, rate: Int32 = 65536) {
    self.duration = duration
    self.mediaStart = mediaStart
    self.rate = rate
  }
}

/// How the content of a track is encrypted.
public struct ContentProtection: Sendable, Hashable {
  /// Scheme, such as `cenc` or `cbcs`; nil when not told.
  public var scheme: FourCC?
  /// Identity of the key, 16 bytes; empty when not told.
  public var keyID: [UInt8] = []
  /// Bytes of each sample's initialization vector; 0 for a constant one.
  public var initializationVectorByteCount = 0
  /// Protection of which nothing is known.
  public init() {}
}

/// Other tracks that a track names. ISO/IEC 14496-12:2020 §8.3.3 (tref).
public struct TrackReference: Sendable, Hashable {
  /// Why: `chap` chapters, `tmcd` timecode, `cdsc` described content …
  public var type: FourCC
  /// Numbers (``Track/id``) of those tracks.
  public var trackIDs: [Int]
  /// A reference of a kind to some tracks.
  public init(type: FourCC, trackIDs: [Int]) {
    self.type = type
    self.trackIDs = trackIDs
  }
}

/// Audio that a codec added and a player leaves out again.
public struct GaplessInformation: Sendable, Hashable {
  /// Audio frames before the first one of the recording.
  public var delay: Int64
  /// Audio frames behind the last one.
  public var padding: Int64
  /// Audio frames of the recording; nil when not told.
  public var length: Int64?
  /// Counts at the track's sample rate, each ≥ 0.
  public init(delay: Int64, padding: Int64, length: Int64? = nil) {
    (self.delay, self.padding, self.length) = (delay, padding, length)
  }
}

/// A part of the presentation with a name.
public struct Chapter: Sendable, Hashable {
  /// Presentation times; `end` is not before `start`.
  public var start, end: MediaTime
  /// May be empty.
  public var title: String
  /// A part from `start` up to `end`.
  public init(start: MediaTime, end: MediaTime, title: String) {
    (self.start, self.end, self.title) = (start, end, title)
  }
}

/// A track (stream) of an input.
public struct Track: Sendable {
  /// The container's number: track_ID, PID, TrackNumber.
  public var id: Int
  /// What its samples are for.
  public var kind: MediaKind
  /// Codec of the first sample description.
  public var codec: CodecID
  /// Ticks a second of all packet times, > 0.
  public var timescale: Int32
  /// Length in track ticks without edits; nil when unknown.
  public var mediaDuration: Int64?
  /// Length of the presentation with edits; indefinite when unknown.
  public var duration: MediaTime = .indefinite
  /// Edit list; empty means the media as it is.
  public var edits: [TimelineEdit] = []
  /// BCP 47 or ISO 639-2 code; nil when not told ("und").
  public var language: String?
  /// False where the container says that it is not to be played unless asked for.
  public var isEnabled = true
  /// Content is encrypted; packets cannot be decoded without a key.
  public var isProtected = false
  /// What is known of the encryption; nil when there is none.
  public var protection: ContentProtection?
  /// Number of samples the container's tables hold; nil when only reading tells.
  public var sampleCount: Int?
  /// Number of samples that the container states, which may be more than are there, or count moments
  /// of sound where packets hold many; nil when it states none.
  public var declaredSampleCount: Int?
  /// Bytes of all samples; nil when only reading tells.
  public var byteCount: Int64?
  /// Samples a second on average; nil when only reading tells.
  public var averageFrameRate: Ratio?
  /// The least rate that the times of all samples are multiples of; nil when only reading tells.
  public var commonFrameRate: Ratio?
  /// Formats of the sample descriptions, in order; packets name theirs by index.
  public var formats: [TrackFormat]
  /// Tags of the track, in order of appearance.
  public var tags: [Tag] = []
  /// Tracks that belong to this one, by why they do.
  public var references: [TrackReference] = []
  /// Audio to leave out at both ends; nil when not told.
  public var gapless: GaplessInformation?
  /// Extended language tag (BCP 47) where the container tells one beside `language`.
  public var extendedLanguage: String?
  /// 3×3 display matrix in row order, as tkhd has it (16.16, last column 2.30); nil for identity.
  public var matrix: [Int32]?

  /// A track of which no more is known.
  public init(id: Int, kind: MediaKind, codec: CodecID, timescale: Int32, formats: [TrackFormat]) {
    self.id = id
    self.kind = kind
    self.codec = codec
    self.timescale = timescale
    self.formats = formats
  }
}

/// A metadata entry.
public struct Tag: Sendable, Hashable {
  /// FFmpeg's name where there is one, else the container's.
  public var key: String
  /// Its value as text; numbers are decimal.
  public var value: String
  /// An entry; nothing is changed of either text.
  public init(_ key: String, _ value: String) {
    self.key = key
    self.value = value
  }
}

/// Everything of a packet but its bytes.
public struct PacketHeader: Sendable, Hashable {
  /// Index of the track in the demuxer's `tracks`.
  public var trackIndex: Int
  /// Index into the track's `formats`.
  public var formatIndex = 0
  /// Number of the sample in its track, decoding order, from 0.
  public var number = 0
  /// Bytes of the packet.
  public var byteCount: Int
  /// Track ticks; nil when the container does not tell.
  public var presentationTicks: Int64?
  /// As ``presentationTicks``, in decoding order.
  public var decodeTicks: Int64?
  /// Track ticks, ≥ 0; nil when the container does not tell.
  public var durationTicks: Int64?
  /// Decoding can begin with it.
  public var isSync = false
  /// Offset of the first byte in the input; −1 when the packet lies in several pieces.
  public var position: Int64 = -1

  /// A header without times.
  public init(trackIndex: Int, byteCount: Int) {
    self.trackIndex = trackIndex
    self.byteCount = byteCount
  }
}

/// One coded sample (access unit) of a track.
public struct Packet: Sendable {
  /// Index of the track in the demuxer's `tracks`.
  public var trackIndex: Int
  /// Index into the track's `formats`.
  public var formatIndex = 0
  /// Number of the sample in its track, decoding order, from 0.
  public var number = 0
  /// What the decoder is given.
  public var data: [UInt8]
  /// Track ticks; nil when the container does not tell.
  public var presentationTicks: Int64?
  /// As ``presentationTicks``, in decoding order.
  public var decodeTicks: Int64?
  /// Track ticks, ≥ 0; nil when the container does not tell.
  public var durationTicks: Int64?
  /// Decoding can begin with it.
  public var isSync = false
  /// Offset of the first byte in the input; −1 when the packet lies in several pieces.
  public var position: Int64 = -1

  /// A packet without times.
  public init(trackIndex: Int, data: [UInt8]) {
    self.trackIndex = trackIndex
    self.data = data
  }
}

extension Packet {
  /// The packet that has this header and these bytes.
  public init(_ header: PacketHeader, data: [UInt8]) {
    self.init(trackIndex: header.trackIndex, data: data)
    (formatIndex, number) = (header.formatIndex, header.number)
    (presentationTicks, decodeTicks) = (header.presentationTicks, header.decodeTicks)
    (durationTicks, isSync, position) = (header.durationTicks, header.isSync, header.position)
  }

  /// All but the bytes.
  public var header: PacketHeader {
    var header = PacketHeader(trackIndex: trackIndex, byteCount: data.count)
    (header.formatIndex, header.number) = (formatIndex, number)
    (header.presentationTicks, header.decodeTicks) = (presentationTicks, decodeTicks)
    (header.durationTicks, header.isSync, header.position) = (durationTicks, isSync, position)
    return header
  }
}
