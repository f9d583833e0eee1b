// Rate, volume and the like of a queue player.

public import ReelCore
public import ReelPlayback

extension QueuePlayer {
  /// The state now, as a value.
  public var state: QueueStateMachine { driver.machine }

  /// Item time of the current item; zero without one.
  public var currentTime: MediaTime { MediaTime(driver.machine.currentTime) }
  /// Whether it is paused, waits, or plays.
  public var timeControlStatus: TimeControlStatus { driver.machine.timeControlStatus }
  /// Why it waits; nil when it does not.
  public var reasonForWaitingToPlay: WaitingReason? { driver.machine.reasonForWaitingToPlay }

  /// Plays at ``defaultRate``.
  public func play() { driver.perform { machine, now in machine.play(at: now) } }
  /// The same as a rate of 0.
  public func pause() { driver.perform { machine, now in machine.pause(at: now) } }

  /// Plays what is buffered at `rate` without waiting for more.
  public func playImmediately(atRate rate: Float) {
    driver.perform { machine, now in machine.playImmediately(atRate: rate, at: now) }
  }

  /// The rate asked for; any finite number, 0 pauses.
  public var rate: Float {
    get { driver.machine.rate }
    set { driver.perform { machine, now in machine.setRate(newValue, at: now) } }
  }

  /// What ``play()`` plays at.
  public var defaultRate: Float {
    get { driver.machine.defaultRate }
    set { driver.perform { machine, now in machine.setDefaultRate(newValue, at: now) } }
  }

  /// What happens at an item's end; reads `advance` while a loop lasts.
  public var actionAtItemEnd: ActionAtItemEnd {
    get { driver.machine.actionAtItemEnd }
    set { driver.perform { machine, now in machine.setActionAtItemEnd(newValue, at: now) } }
  }

  /// Whether a stall waits for data or pauses.
  public var automaticallyWaitsToMinimizeStalling: Bool {
    get { driver.machine.automaticallyWaitsToMinimizeStalling }
    set {
      driver.perform { machine, now in
        machine.setAutomaticallyWaitsToMinimizeStalling(newValue, at: now)
      }
    }
  }

  /// 0…1.
  public var volume: Float {
    get { driver.machine.volume }
    set { driver.perform { machine, now in machine.setVolume(newValue, at: now) } }
  }

  /// Silent, whatever the volume.
  public var isMuted: Bool {
    get { driver.machine.isMuted }
    set { driver.perform { machine, now in machine.setMuted(newValue, at: now) } }
  }

  /// What is loaded of an item, for sources that come over a network.
  public func setBuffer(_ buffer: ItemBuffer, of id: ItemID) {
    driver.perform { machine, now in machine.setBuffer(buffer, of: id, at: now) }
  }

  /// Where forward playback of an item ends; invalid: at its duration.
  public func setForwardPlaybackEndTime(_ time: MediaTime, of id: ItemID) {
    driver.perform { machine, now in machine.setForwardPlaybackEndTime(time, of: id, at: now) }
  }

  /// Where backward playback of an item ends; invalid: at zero.
  public func setReversePlaybackEndTime(_ time: MediaTime, of id: ItemID) {
    driver.perform { machine, now in machine.setReversePlaybackEndTime(time, of: id, at: now) }
  }

  /// Host time that seeks take from now on; 0 in the beginning. For testing code that seeks quickly.
  public func setSeekLatency(_ latency: Rational) {
    driver.perform { machine, now in machine.setSeekLatency(latency, at: now) }
  }
}

extension QueueStateMachine: DrivenMachine {
  mutating func takeOutputs() -> [QueueEvent] { takeEvents() }
}
