// What to download of a presentation.

public import ReelCore

/// Which variant of a master playlist to take.
public enum VariantChoice: Sendable, Hashable, CustomStringConvertible {
  case highest
  case lowest
  /// The highest one of at most so many lines.
  case lines(Int)
  /// The highest one of at most so many bits a second.
  case bitRate(Int64)

  /// `highest`, `lowest`, `720p` or a number of bits a second; nil for anything else.
  public init?(_ text: String) {
    switch text {
    case "highest": self = .highest
    case "lowest": self = .lowest
    default:
      if text.hasSuffix("p"), let lines = Int(text.dropLast()), lines > 0 {
        self = .lines(lines)
      } else if let rate = Int64(text), rate > 0 {
        self = .bitRate(rate)
      } else {
        return nil
      }
    }
  }

  public var description: String {
    switch self {
    case .highest: "highest"
    case .lowest: "lowest"
    case .lines(let lines): "\(lines)p"
    case .bitRate(let rate): "\(rate)"
    }
  }
}

/// What to download, and how.
public struct DownloadOptions: Sendable, Hashable {
  public var variant = VariantChoice.highest
  /// Languages of audio renditions (BCP 47); empty: the default one.
  public var audioLanguages: [String] = []
  /// Languages of subtitles; empty: none.
  public var subtitleLanguages: [String] = []
  /// How much of a live stream to record; nil: live streams are refused.
  public var liveDuration: Rational?
  /// Keep AES-128 keys in the store, in the clear, as the server sends them. Without it encrypted lists
  /// are refused.
  public var storesKeys = true
  /// Fetches at the same time.
  public var parallelFetches = 4
  /// LIMIT: bytes of one segment, and of one file that is no playlist.
  public var maximumSegmentBytes: Int64 = 1 << 30
  public var maximumFileBytes: Int64 = 1 << 40
  /// LIMIT: bytes of a playlist.
  public var maximumPlaylistBytes = 32 << 20
  public init() {}
}

/// How far a download is.
public struct DownloadProgress: Sendable, Hashable {
  /// Files that are complete, and files known of.
  public var completedPieces = 0
  public var totalPieces = 0
  /// Bytes that are stored, those of unfinished files too.
  public var byteCount: Int64 = 0
  /// The part of all that is there, 0…1, by files; by bytes when there is only one.
  public var fraction = 0.0
  public init() {}
}

/// The state of a download.
public enum DownloadState: Sendable, Hashable, CustomStringConvertible {
  /// Begun and not finished; a process may be working on it.
  case downloading
  case paused
  /// With the reason; may be resumed.
  case failed(String)
  case downloaded

  public var description: String {
    switch self {
    case .downloading: "downloading"
    case .paused: "paused"
    case .failed(let reason): "failed: \(reason)"
    case .downloaded: "downloaded"
    }
  }
}
