// Recording live lists: reading them again, and taking each segment exactly once. RFC 8216 §6.2 and §6.3.4.

internal import ReelCore
internal import ReelHLS
internal import ReelIO

/// Follows the open lists of a plan.
final class LiveLists {
  private let client: HTTPClient
  private let options: DownloadOptions
  private var unchanged: [String: Int] = [:]
  /// The last version of each list; none before the first reload after a begin or a kill.
  private var versions: [String: MediaPlaylist] = [:]

  /// Reloads without anything new after which a list is given up.
  private static let maximumUnchanged = 30
  /// LIMIT: seconds between two reloads, whatever target duration a list tells.
  private static let longestWait = 60

  init(client: HTTPClient, options: DownloadOptions) {
    self.client = client
    self.options = options
  }

  /// Reads the open lists again and adds what is new to the plan; closes them when enough is recorded.
  ///
  /// - Returns: the time to wait before the next call.
  /// - Throws: `io` with `downloadLost` when segments are gone, `downloadStale` when a list does not go on.
  func advance(_ plan: inout DownloadPlan) throws(MediaError) -> Duration {
    let wanted = options.liveDuration ?? .zero
    var recorded: [Rational] = []
    var wait = 1
    var hasNews = false
    for index in plan.lists.indices where plan.lists[index].isOpen {
      var local = try media(plan.lists[index].text)
      let before = local.segments.count
      if local.duration < wanted {
        let isEnded = try reload(plan.lists[index], &local, &plan)
        local.isEnded = true
        plan.lists[index].text = try local.write()
        plan.lists[index].isOpen = !isEnded
      }
      let name = plan.lists[index].name
      if local.segments.count > before {
        hasNews = true
        unchanged[name] = 0
      } else if plan.lists[index].isOpen, local.duration < wanted {
        unchanged[name, default: 0] += 1
        guard unchanged[name, default: 0] <= Self.maximumUnchanged else {
          throw MediaError(
            .io, .downloadStale, at: .named(plan.lists[index].address),
            detail: "nothing new in \(Self.maximumUnchanged) reloads")
        }
      }
      wait = max(wait, min(local.effectiveTargetDuration, Self.longestWait))
      recorded.append(local.duration)
    }
    if recorded.allSatisfy({ $0 >= wanted }) {
      for index in plan.lists.indices { plan.lists[index].isOpen = false }
    }
    // §6.3.4: a target duration after news, half of it when there were none.
    return hasNews ? .seconds(wait) : .milliseconds(500 * wait)
  }

  private func media(_ text: [UInt8]) throws(MediaError) -> MediaPlaylist {
    guard case .media(let media) = try Playlist.parse(text).playlist else {
      throw MediaError(.damaged, .downloadPlan)
    }
    return media
  }

  /// Appends what a list has that the local one has not. - Returns: whether the list has ended.
  private func reload(
    _ list: StoredList, _ local: inout MediaPlaylist, _ plan: inout DownloadPlan
  ) throws(MediaError) -> Bool {
    let planner = DownloadPlanner(loader: client, options: options)
    let (playlist, address) = try planner.list(list.address, list.parent)
    guard case .media(let remote) = playlist else {
      throw MediaError(.damaged, .downloadNesting, at: .named(list.address))
    }
    if let known = versions[list.name] {
      switch PlaylistDifference(from: known, to: remote) {
      // An older version, as caches give: wait for the next one.
      case .older: return false
      case .same, .grown: break
      case .other(let reason):
        guard remote.mediaSequence > known.mediaSequence, reason.rule == .reloadLost else {
          throw MediaError(
            .io, .downloadStale, at: .named(list.address), detail: reason.detail)
        }
      }
    }
    versions[list.name] = remote
    if local.segments.isEmpty {
      local.mediaSequence = remote.mediaSequence
      local.discontinuitySequence = remote.discontinuitySequence
    }
    let next = local.mediaSequence + Int64(local.segments.count)
    let end = remote.mediaSequence + Int64(remote.segments.count)
    guard remote.mediaSequence <= next else {
      throw MediaError(
        .io, .downloadLost, at: .named(list.address),
        detail: "segments \(next) to \(remote.mediaSequence - 1)",
        advice: "record again with fewer or smaller variants")
    }
    // An older version, as caches give: wait for the next one. One that begins anew is another stream.
    guard end >= next else {
      if end < local.mediaSequence {
        throw MediaError(
          .io, .downloadStale, at: .named(list.address),
          detail: "it went back from segment \(next) to \(end)")
      }
      return false
    }
    let fresh = Array(remote.segments.suffix(Int(end - next)))
    try planner.append(fresh, of: address, to: &local, &plan)
    if let target = remote.targetDuration {
      local.targetDuration = max(target, local.targetDuration ?? 0)
    }
    return remote.isEnded
  }
}
