// Subtitle files, told by their content.

public import ReelCaptions
public import ReelCore
internal import ReelIO

/// Files of subtitles.
public enum SubtitleFile {
  /// LIMIT: as the parsers.
  private static let mostBytes = 64 << 20

  /// The cues of a file at a path or `file://` address. A name without an extension has `.vtt` added
  /// when there is no file of that name alone. Contract §1, `Subtitles`.
  ///
  /// - Throws: `notFound`, `io`; `unsupported` when it is neither WebVTT nor SubRip; `limitExceeded`.
  public static func track(named name: String) throws(MediaError) -> CaptionTrack {
    var path = name
    if name.hasPrefix("file://") {
      path = String(name.dropFirst(7))
    } else if name.contains("://") {
      throw MediaError(.unsupported, .subtitleAddress, at: .named(name))
    }
    return CaptionTrack(try cues(parsing: try bytes(path), name: name))
  }

  private static func bytes(_ path: String) throws(MediaError) -> [UInt8] {
    do throws(MediaError) {
      return try read(path)
    } catch {
      let last = path.split(separator: "/").last ?? ""
      guard error.family == .notFound, !last.contains(".") else { throw error }
      return try read(path + ".vtt")
    }
  }

  private static func read(_ path: String) throws(MediaError) -> [UInt8] {
    let source = try FileSource.open(path: path, maximumStreamBytes: mostBytes)
    let bytes = try source.readFully(at: 0, count: mostBytes + 1)
    guard bytes.count <= mostBytes else {
      throw MediaError(.limitExceeded, .captionSize, at: .named(path))
    }
    return bytes
  }

  /// The cues of a file's bytes: WebVTT by its signature, else SubRip by its lines of times.
  ///
  /// - Throws: `unsupported` when it is neither, `limitExceeded`.
  public static func cues(parsing bytes: [UInt8], name: String = "") throws(MediaError) -> [Cue] {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    if start.starts(with: Array("WEBVTT".utf8)) { return try WebVTTFile(parsing: bytes).cues }
    do throws(MediaError) {
      return try SubRipFile.cues(parsing: bytes)
    } catch {
      guard error.rule == .subRipTimes else { throw error }
      throw MediaError(
        .unsupported, .subtitleFormat, at: .named(name),
        detail: "neither WEBVTT at its start nor a line of times hh:mm:ss,mmm --> hh:mm:ss,mmm")
    }
  }
}
