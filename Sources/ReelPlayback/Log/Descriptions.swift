// States as text.

internal import ReelCore

extension QueueStateMachine: CustomStringConvertible {
  /// One line: status, rate, place, queue.
  public var description: String {
    var parts = ["\(timeControlStatus)"]
    if let reason = reasonForWaitingToPlay { parts.append("because \(reason)") }
    parts.append("rate \(rate)")
    if let item = currentItem {
      parts.append("item \(item.id) \(item.status)")
      parts.append("pass \(pass) at \(currentTime)\(side == .before ? " (before)" : "")")
      if let length = item.length { parts.append("of \(length)") }
    } else {
      parts.append("no item")
    }
    if location.phase == .holding { parts.append("between passes") }
    if hasPlayedToEnd { parts.append("played to end") }
    if let looper { parts.append("loop \(looper.status) count \(loopCount)") }
    if pendingSeek != nil { parts.append("seeking") }
    if entries.count > 1 { parts.append("\(entries.count) in queue") }
    if volume != 1 { parts.append("volume \(volume)") }
    if isMuted { parts.append("muted") }
    return parts.joined(separator: ", ")
  }
}

extension PlayerStateMachine: CustomStringConvertible {
  /// One line: the queue and what differs from a plain presentation.
  public var description: String {
    var parts = ["\(now): \(queue)"]
    let plain = Presentation()
    if presentation.gravity != plain.gravity { parts.append("\(presentation.gravity)") }
    if !presentation.filters.isEmpty {
      parts.append(
        "filters [" + presentation.filters.map(\.description).joined(separator: "; ") + "]")
    }
    if presentation.brightness != plain.brightness {
      parts.append("brightness \(presentation.brightness)")
    }
    if presentation.contrast != plain.contrast { parts.append("contrast \(presentation.contrast)") }
    if !presentation.vectors.isEmpty {
      parts.append("overlays [" + presentation.vectors.map(\.id).joined(separator: ", ") + "]")
    }
    switch presentation.subtitles {
    case .off: break
    case .external(let name): parts.append("subtitles \"\(name)\"")
    case .embedded(let option): parts.append("subtitles track \(option.trackID)")
    }
    if let audio = presentation.audio { parts.append("audio track \(audio.trackID)") }
    if presentation.isInset { parts.append("inset") }
    return parts.joined(separator: ", ")
  }
}
