// Live playlists whose versions were recorded.

public import ReelCore
import ReelHLS
import Synchronization

/// A server of recorded versions of playlists, with a clock of its own that moves when somebody waits: the
/// same recording gives the same session on every machine.
///
/// A recording is text, a line for each version: `SECONDS ADDRESS FILE`, times ascending; `#` begins a
/// comment. From that time on a request for the address, whatever its query, is answered with the file. An
/// address without a version is asked for where the recording says nothing of it.
public final class RecordedLists: ResourceLoader {
  private struct Version: Sendable {
    let time: Int64
    let address: String
    let file: String
  }

  private let versions: [Version]
  private let loader: any ResourceLoader
  private let time = Mutex<Int64>(0)

  /// LIMIT: versions of a day at one a second.
  public static let maximumVersions = 100_000

  /// Reads a recording.
  ///
  /// - Parameter loader: loads the files, and everything that the recording says nothing of.
  /// - Throws: `damaged` with the line; `limitExceeded`.
  public init(
    parsing text: some StringProtocol, loader: any ResourceLoader
  ) throws(MediaError) {
    var versions: [Version] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let words = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" || $0 == "\r" }
      if words.isEmpty { continue }
      guard words.count == 3, let seconds = Rational(words[0]), seconds >= .zero,
        seconds < Rational(1_000_000_000)
      else {
        throw MediaError(
          .damaged, .liveRecording, at: .line(index + 1), detail: "\(line.prefix(60))")
      }
      let time = Int64(clamping: (seconds * Rational(1_000_000)).floor)
      guard time >= versions.last?.time ?? 0 else {
        throw MediaError(
          .damaged, .liveRecording, at: .line(index + 1), detail: "times do not ascend")
      }
      guard versions.count < Self.maximumVersions else {
        throw MediaError(.limitExceeded, .liveRecording, at: .line(index + 1))
      }
      versions.append(
        Version(time: time, address: String(words[1]), file: String(words[2])))
    }
    guard !versions.isEmpty else {
      throw MediaError(.damaged, .liveRecording, at: .line(1), detail: "no versions")
    }
    (self.versions, self.loader) = (versions, loader)
  }

  /// The clock, which stands still unless somebody sleeps.
  public var clock: LiveFeed.Clock {
    LiveFeed.Clock(
      now: { self.time.withLock { $0 } },
      sleep: { until in self.time.withLock { $0 = max($0, until) } })
  }

  public func load(_ request: ResourceRequest) throws(MediaError) -> Resource {
    var own = request
    let plain = String(request.address.prefix { $0 != "?" })
    let now = time.withLock { $0 }
    guard let version = version(of: plain, at: now) else { return try loader.load(request) }
    own.address = version.file
    own.namedBy = nil
    let resource = try loader.load(own)
    return Resource(bytes: resource.bytes, address: plain, contentType: resource.contentType)
  }

  /// The last version by a time, else the first one, which the server has as soon as it is asked.
  private func version(of address: String, at now: Int64) -> Version? {
    let own = versions.filter { $0.address == address }
    return own.last { $0.time <= now } ?? own.first
  }
}

extension Rule {
  public static let liveRecording = Rule(
    "streaming.recording", "a recording has lines of ascending seconds, an address and a file")
}
