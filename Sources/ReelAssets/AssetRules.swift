// What asking an asset for something can run into.

public import ReelCore

extension Rule {
  public static let assetFormat = Rule("asset.format", "the input is of a known format")
  public static let assetEmpty = Rule("asset.empty", "the input has bytes")
  public static let assetNoVideo = Rule("asset.no-video", "the input has a video track")
  public static let assetTrackIndex = Rule(
    "asset.track-index", "a track index lies inside the asset's tracks")
  public static let assetTrackKind = Rule("asset.track-kind", "frames are read from video tracks")
  public static let assetCodec = Rule("asset.codec", "video of this codec")
  public static let assetProtected = Rule(
    "asset.protected", "encrypted samples are decoded with a key")
  public static let assetSampleCount = Rule(
    "asset.sample-count", "a track has no more samples than the limit")
  public static let assetPresentedFrames = Rule(
    "asset.presented-frames", "an edit list shows no more frames than the limit")
  public static let assetFormatIndex = Rule(
    "asset.format-index", "a packet names one of its track's formats")
}
