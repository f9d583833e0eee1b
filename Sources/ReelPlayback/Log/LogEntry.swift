// The log of a player: everything that happened, with its instant.

public import ReelCore

/// One line of a player's log.
public struct LogEntry: Sendable, Hashable, Codable {
  /// What happened.
  public enum What: Sendable, Hashable, Codable {
    /// An event of the contract.
    case event(PlayerEvent)
    /// What the queue tells beyond the contract.
    case queue(QueueEvent.Kind)
    /// The time that is published at an interval, in item seconds.
    case time(Rational)
    /// How an item's data is loaded.
    case stream(StreamEvent)
    /// Something that had no effect, and why.
    case diagnostic(String)
  }
  /// Host time.
  public let host: Rational
  /// The current item, its pass and its time, after what happened.
  public let item: ItemID?
  /// Times the item has started again.
  public let pass: Int
  /// Item seconds.
  public let itemTime: Rational
  /// What happened.
  public let what: What
}

extension LogEntry {
  /// One line of JSON: `{"host":1.5,"item":0,"pass":0,"itemTime":1.5,"event":"playing"}`.
  public var json: String {
    var object = JSONObject()
    object.set("host", host)
    if let item { object.set("item", item.rawValue) } else { object.setNull("item") }
    object.set("pass", pass)
    object.set("itemTime", itemTime)
    what.write(to: &object)
    return object.line
  }
}

extension LogEntry: CustomStringConvertible {
  /// One line for people: `1.5  #0 pass 0 at 1.5  seek finished=true currentTime=3`.
  public var description: String {
    let place = item.map { "\($0) pass \(pass) at \(itemTime)" } ?? "no item"
    return "\(host)  \(place)  \(what)"
  }
}

extension LogEntry.What: CustomStringConvertible {
  /// The event's name and its values: `seek finished=true currentTime=3`.
  public var description: String {
    var object = JSONObject()
    write(to: &object)
    return object.members.map { member in
      member.name == "event"
        ? String(member.value.dropFirst().dropLast()) : "\(member.name)=\(member.value)"
    }.joined(separator: " ")
  }

  fileprivate func write(to object: inout JSONObject) {
    switch self {
    case .event(let event): event.write(to: &object)
    case .queue(let kind): kind.write(to: &object)
    case .time(let time):
      object.set("event", "time")
      object.set("currentTime", time)
    case .stream(let event): event.write(to: &object)
    case .diagnostic(let text):
      object.set("event", "diagnostic")
      object.set("text", text)
    }
  }
}

extension PlayerEvent {
  fileprivate func write(to object: inout JSONObject) {
    object.set("event", name)
    switch self {
    case .seek(let finished, let time):
      object.set("finished", finished)
      object.set("currentTime", time)
    case .currentItemChanged(let item):
      if let item {
        object.set("newItem", item.id.rawValue)
        object.set("source", item.source)
      } else {
        object.setNull("newItem")
      }
    case .volumeChanged(let volume): object.set("newVolume", volume)
    case .error(let error): object.set("error", error.description)
    case .boundsChanged(let bounds):
      object.set(
        "bounds", [bounds.origin.x, bounds.origin.y, bounds.size.width, bounds.size.height])
    case .itemStatusChanged(let status): object.set("status", status.rawValue)
    case .duration(let duration):
      if let seconds = Rational(duration) {
        object.set("duration", seconds)
      } else {
        object.setNull("duration")
      }
    case .paused, .waitingToPlayAtSpecifiedRate, .playing, .currentItemRemoved, .startedPiP,
      .stoppedPiP:
      break
    }
  }

  /// The name of the case.
  var name: String {
    switch self {
    case .seek: "seek"
    case .paused: "paused"
    case .waitingToPlayAtSpecifiedRate: "waitingToPlayAtSpecifiedRate"
    case .playing: "playing"
    case .currentItemChanged: "currentItemChanged"
    case .currentItemRemoved: "currentItemRemoved"
    case .volumeChanged: "volumeChanged"
    case .error: "error"
    case .boundsChanged: "boundsChanged"
    case .startedPiP: "startedPiP"
    case .stoppedPiP: "stoppedPiP"
    case .itemStatusChanged: "itemStatusChanged"
    case .duration: "duration"
    }
  }
}

extension QueueEvent.Kind {
  fileprivate func write(to object: inout JSONObject) {
    func tell(_ name: String) { object.set("event", name) }
    switch self {
    case .timeControlStatusChanged(let status, let reason):
      tell("timeControlStatusChanged")
      object.set("status", status.rawValue)
      if let reason { object.set("reason", reason.rawValue) }
    case .rateChanged(let rate):
      tell("rateChanged")
      object.set("rate", rate)
    case .currentItemChanged(let item):
      tell("currentItemChanged")
      if let item { object.set("newItem", item.id.rawValue) } else { object.setNull("newItem") }
    case .itemStatusChanged(let item, let status):
      tell("itemStatusChanged")
      object.set("of", item.rawValue)
      object.set("status", status.rawValue)
    case .durationChanged(let item, _):
      tell("durationChanged")
      object.set("of", item.rawValue)
    case .didPlayToEnd(let item):
      tell("didPlayToEnd")
      object.set("of", item.rawValue)
    case .timeJumped(let item):
      tell("timeJumped")
      object.set("of", item.rawValue)
    case .playbackStalled(let item):
      tell("playbackStalled")
      object.set("of", item.rawValue)
    case .seekFinished(let id, let finished):
      tell("seekFinished")
      object.set("seek", id.rawValue)
      object.set("finished", finished)
    case .looperStatusChanged(let status):
      tell("looperStatusChanged")
      object.set("status", status.rawValue)
    case .loopCountChanged(let count):
      tell("loopCountChanged")
      object.set("loopCount", count)
    case .volumeChanged(let volume):
      tell("volumeChanged")
      object.set("newVolume", volume)
    case .mutedChanged(let isMuted):
      tell("mutedChanged")
      object.set("isMuted", isMuted)
    case .periodicTime(let id, let time):
      tell("periodicTime")
      object.set("observer", id.rawValue)
      object.set("currentTime", time)
    case .boundaryTime(let id, let time):
      tell("boundaryTime")
      object.set("observer", id.rawValue)
      object.set("currentTime", time)
    }
  }
}
