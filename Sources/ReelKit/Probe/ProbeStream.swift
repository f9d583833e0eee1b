// What a report says of one track.

import ReelAudioCore
public import ReelCore

/// A track as a report tells it.
public struct ProbeStream: Sendable {
  /// Index of the track.
  public let index: Int
  /// The track as its container tells it.
  public let track: Track
  /// Ticks at which the presentation of the track begins; nil when it has no samples.
  public internal(set) var startTicks: Int64?
  /// Length of the presentation in ticks; nil when only reading tells.
  public internal(set) var durationTicks: Int64?
  /// Bits a second on average; nil when only reading tells.
  public internal(set) var bitRate: Int64?
  /// Packets whose bytes are inside the input, counted; nil when only reading tells.
  public internal(set) var readablePacketCount: Int?
  /// Frames that the edit list shows; nil for other tracks than video or when only reading tells.
  public internal(set) var presentedFrameCount: Int?
  /// Anticlockwise rotation in degrees that undoes the recording's; nil for none or for no multiple
  /// of 90.
  public let rotation: Int?

  let video: VideoDetails?
  let audio: AudioDetails?

  init(index: Int, track: Track) {
    self.index = index
    self.track = track
    rotation = track.matrix.flatMap(Self.rotation)
    switch track.formats.first {
    case .video(let format): (video, audio) = (VideoDetails(track.codec, format), nil)
    case .audio(let format): (video, audio) = (nil, AudioDetails(track.codec, format))
    default: (video, audio) = (nil, nil)
    }
  }

  /// The rotation of a matrix a, b, u, c, d, v, …
  private static func rotation(_ matrix: [Int32]) -> Int? {
    guard matrix.count == 9 else { return nil }
    let (a, b, c, d) = (matrix[0], matrix[1], matrix[3], matrix[4])
    switch (a.signum(), b.signum(), c.signum(), d.signum()) {
    case (1, 0, 0, 1): return nil
    case (0, 1, -1, 0), (0, 1, 1, 0): return -90
    case (-1, 0, 0, -1), (-1, 0, 0, 1): return 180
    case (0, -1, 1, 0), (0, -1, -1, 0): return 90
    default: return nil
    }
  }

  var sampleEntry: FourCC? {
    switch track.formats.first {
    case .video(let format): format.sampleEntry
    case .audio(let format): format.sampleEntry
    case .subtitle(let format): format.sampleEntry
    case .other(let entry): entry
    case nil: nil
    }
  }

  var configurationByteCount: Int {
    switch track.formats.first {
    case .video(let format): format.configuration.count
    case .audio(let format): format.configuration.count
    case .subtitle(let format): format.configuration.count
    default: 0
    }
  }
}

/// The description of an audio track.
struct AudioDetails {
  var profile: String?
  var sampleRate = 0
  var channelCount = 0
  var layout: String?
  var sampleFormat: String?
  var bitsPerSample = 0

  init(_ codec: CodecID, _ format: AudioFormat) {
    (sampleRate, channelCount) = (format.sampleRate, format.channelCount)
    sampleFormat = CodecDescription.sampleFormat(codec)
    if codec.rawValue.hasPrefix("pcm_") { bitsPerSample = format.bitsPerSample }
    if codec == .aac, let config = AudioSpecificConfig(format.configuration) {
      profile = CodecDescription.aacProfiles[config.objectType]
      if config.extensionSampleRate != nil {
        profile = config.hasParametricStereo ? "HE-AACv2" : "HE-AAC"
      }
      sampleRate = config.extensionSampleRate ?? config.sampleRate
      if config.channelCount > 0 { channelCount = config.channelCount }
      if config.hasParametricStereo { channelCount = 2 }
    }
    layout =
      format.channelBitmap.flatMap { CodecDescription.channelLayouts[$0] }
      ?? CodecDescription.defaultLayouts[channelCount]
  }
}
