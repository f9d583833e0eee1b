/// Fixtures that are refused, or read otherwise than the expectation beside them says, and why.
enum FixtureExceptions {
  /// Values for lists that import variables of a master playlist that is not there.
  static let importedVariables = ["auth": "?token=1"]

  /// Name of the fixture: why it is refused.
  static let refused: [String: String] = {
    var all = others
    for name in [
      "emptyMediaSequence", "invalidMediaSequence", "invalidTargetDuration",
      "liveMissingSegmentDuration", "manifestExtTTargetdurationNegative", "manifestNoExtM3u",
      "missingExtinf", "negativeMediaSequence",
    ] {
      all["videojs+m3u8-parser/test/fixtures/integration/\(name).m3u8"] = damaged[name]
      all["videojs+http-streaming/test/manifests/\(name).m3u8"] = damaged[name]
    }
    for name in [
      "allow_cache", "byte_range", "extinf", "media_sequence", "target_duration", "type",
    ] {
      all["videojs+http-streaming/test/manifests/playlist_\(name)_template.m3u8"] =
        "a template of a list, with a line that stands for others"
    }
    return all
  }()

  /// Faults that leave no sure meaning: a guess at a sequence number gives wrong decryption vectors, a
  /// guess at a length a wrong timeline.
  private static let damaged = [
    "emptyMediaSequence": "EXT-X-MEDIA-SEQUENCE without a number",
    "invalidMediaSequence": "EXT-X-MEDIA-SEQUENCE is a word",
    "invalidTargetDuration": "EXT-X-TARGETDURATION is a word",
    "liveMissingSegmentDuration": "addresses without EXTINF; expected is the target duration",
    "manifestExtTTargetdurationNegative": "EXT-X-TARGETDURATION is negative",
    "manifestNoExtM3u": "without #EXTM3U, a client must not read it",
    "missingExtinf": "an address without EXTINF; expected is the duration of the one before",
    "negativeMediaSequence": "EXT-X-MEDIA-SEQUENCE is negative",
  ]

  private static let others = [
    "videojs+m3u8-parser/test/fixtures/integration/start.m3u8": "without #EXTM3U",
    "videojs+m3u8-parser/test/fixtures/integration/llhls-byte-range.m3u8":
      "EXT-X-BYTERANGE:587500@ without an offset behind the @",
    "Comcast+mamba/mambaTests/Fixtures/hls_master_playlist_sap.m3u8":
      "EXT-X-STREAM-INF with an attribute URI instead of an address in the next line",
    "carlanton+m3u8-parser/media/iframe.m3u8":
      "a byte range without an offset behind one of another resource",
    "carlanton+m3u8-parser/open-m3u8/negativeDurationMediaPlaylist.m3u8":
      "EXT-X-TARGETDURATION is negative",
    "grafov+m3u8/sample-playlists/master-with-i-frame-stream-inf.m3u8": "BANDWIDTH is a word",
  ]

  /// Name of the fixture: begin of the place in the expectation, and why it differs.
  static let differences: [String: [(place: String, why: String)]] = [
    "videojs+m3u8-parser/test/fixtures/integration/zeroDuration.m3u8": [
      ("segments[0].duration", "0 is what is written; expected is 0.01 to please a buffer")
    ],
    "videojs+m3u8-parser/test/fixtures/integration/llhls-delta-byte-range.m3u8": [
      (
        "preloadSegment.parts[0].byterange.offset",
        "a part without an offset continues the part before, of the same resource"
      )
    ],
  ]
}
