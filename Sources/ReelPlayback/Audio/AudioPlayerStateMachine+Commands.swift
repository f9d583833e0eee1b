// What a playlist player is told.

public import ReelCore

extension Rule {
  static let trackIndex = Rule("audio.track-index", "the track is in the playlist")
  static let playbackRate = Rule("audio.rate", "a playback rate is a finite number above zero")
  static let autoStopSeconds = Rule(
    "audio.auto-stop", "auto-stop comes after a finite number of seconds, not below zero")
}

extension AudioPlayerStateMachine {
  /// Replaces the playlist; what played stops. The first track becomes current but does not play.
  public mutating func setPlaylist(_ files: [MediaFile], at host: Rational) {
    change(at: host) { player in
      if player.isOn { player.performStop() }
      player.upNext = nil
      player.playlist = files
      player.trackIndex = files.isEmpty ? nil : 0
      if let first = files.first {
        player.replaceItem(with: first)
        player.tell(.didSwitchToTrack(index: 0, first))
      } else {
        player.queue.removeAllItems(at: player.now)
        player.dismissNowPlaying()
      }
      player.setStatus(.idle)
    }
  }

  /// Plays a track from its beginning. An index outside of the playlist is told as an error.
  public mutating func playTrack(at index: Int, at host: Rational) {
    change(at: host) { player in
      guard player.playlist.indices.contains(index) else {
        return player.refuse(.trackIndex, "\(index) of \(player.playlist.count)")
      }
      player.start(index)
    }
  }

  /// The next track; behind the last one the first with loop type list, else nothing happens.
  public mutating func playNextTrack(at host: Rational) {
    change(at: host) { player in
      guard let index = player.trackIndex else { return }
      if index + 1 < player.playlist.count {
        player.start(index + 1)
      } else if player.loopType == .list {
        player.start(0)
      }
    }
  }

  /// The track before; before the first one the last with loop type list, else the first again.
  public mutating func playPreviousTrack(at host: Rational) {
    change(at: host) { player in
      guard let index = player.trackIndex else { return }
      player.start(index > 0 ? index - 1 : player.loopType == .list ? player.playlist.count - 1 : 0)
    }
  }

  /// Plays on, or the current track again behind its end.
  public mutating func play(at host: Rational) {
    change(at: host) { player in
      guard let index = player.trackIndex, player.queue.rate == 0 else { return }
      if let next = player.upNext {
        player.start(next.index)
      } else if player.queue.hasPlayedToEnd || player.queue.currentItem?.status == .failed {
        player.start(index)
      } else {
        player.startedAt = player.now
        player.setUpNowPlaying()
        player.queue.setRate(player.playbackRate, at: player.now)
      }
    }
  }

  /// Holds the place. Nothing happens when nothing plays.
  public mutating func pause(at host: Rational) { change(at: host) { $0.performPause() } }

  /// Pauses and goes back to the beginning of the track.
  public mutating func stop(at host: Rational) { change(at: host) { $0.performStop() } }

  /// To an item time in seconds, clamped to the track; plays on if it played. Nothing happens while
  /// the track's length is unknown.
  public mutating func seek(to time: Rational, at host: Rational) {
    change(at: host) { player in player.performSeek(to: time) }
  }

  /// Forward by seconds, to the end at most.
  public mutating func seekForward(by seconds: Rational, at host: Rational) {
    change(at: host) { player in player.performSeek(to: player.queue.currentTime + seconds) }
  }

  /// Backward by seconds, to the start at most.
  public mutating func seekBackward(by seconds: Rational, at host: Rational) {
    change(at: host) { player in player.performSeek(to: player.queue.currentTime - seconds) }
  }

  /// The rate tracks play at from now on. Anything but a finite number above 0 is told as an error.
  public mutating func setPlaybackRate(to rate: Float, at host: Rational) {
    change(at: host) { player in
      guard rate.isFinite, rate > 0 else { return player.refuse(.playbackRate, "\(rate)") }
      player.playbackRate = rate
      if player.queue.rate != 0 { player.queue.setRate(rate, at: player.now) }
      player.updateNowPlaying()
    }
  }

  /// One loop type for all tracks; nil: each track's own.
  public mutating func setLoopType(_ type: LoopType?, at host: Rational) {
    change(at: host) { $0.loopTypeForAll = type }
  }

  /// When to stop of itself; negative or infinite seconds are told as an error.
  public mutating func setAutoStop(_ autoStop: AutoStop, at host: Rational) {
    change(at: host) { player in
      var timer: StopTimer?
      if case .after(let seconds) = autoStop {
        guard seconds >= 0, let exact = Rational(simplest: seconds) else {
          return player.refuse(.autoStopSeconds, "\(seconds)")
        }
        timer = StopTimer(start: player.now, seconds: exact)
      }
      player.stopTimer = timer
      player.autoStop = autoStop
      player.tell(.didUpdateAutoStopType(autoStop))
      if let timer { player.tell(.didUpdateAutoStopTime(timer.seconds.seconds)) }
    }
  }

  /// A track's source is open.
  public mutating func itemDidLoad(_ id: ItemID, _ facts: ItemFacts, at host: Rational) {
    change(at: host) { player in player.queue.itemDidLoad(id, facts, at: player.now) }
  }

  /// A track's source could not be opened or read on.
  public mutating func itemDidFail(_ id: ItemID, _ failure: VPErrors, at host: Rational) {
    change(at: host) { player in player.queue.itemDidFail(id, failure, at: player.now) }
  }

  /// The audio session could not be set.
  public mutating func sessionDidFail(_ reason: String, at host: Rational) {
    change(at: host) { $0.tell(.didFailedSetAudioSession(reason)) }
  }

  // MARK: Doing it

  private mutating func refuse(_ rule: Rule, _ detail: String) {
    tell(.didHandleError(.failedToLoad(MediaError(.usage, rule, detail: detail).description)))
  }

  mutating func performPause() {
    guard isOn else { return }
    queue.pause(at: now)
    drainQueue()
    setStatus(.paused)
    tell(.didPause)
    // What was to follow begins when playback goes on.
    if let next = upNext { upNext = UpNext(host: .greatest, index: next.index) }
  }

  mutating func performStop() {
    guard let item = queue.currentItem else { return }
    upNext = nil
    queue.pause(at: now)
    if item.status != .failed {
      queue.seek(to: .zero, tolerance: .zero, id: SeekID(rawValue: 0), at: now)
    }
    drainQueue()
    setStatus(.stopped)
    tell(.didStop)
    dismissNowPlaying()
  }

  private mutating func performSeek(to time: Rational) {
    guard let length = queue.currentItem?.length else { return }
    // Behind a track's end, in the delay before the next, playback goes on from the new place.
    let playsOn = upNext.map { $0.host < .greatest } ?? false
    upNext = nil
    queue.seek(
      to: min(max(time, .zero), length), tolerance: .zero, id: SeekID(rawValue: 0), at: now)
    if playsOn { queue.setRate(playbackRate, at: now) }
    updateNowPlaying()
  }

  // MARK: Now playing

  mutating func setUpNowPlaying() {
    guard options.showsNowPlaying else { return }
    if !isNowPlayingUp {
      isNowPlayingUp = true
      actions.append(.setUpNowPlaying)
    }
    updateNowPlaying()
  }

  mutating func updateNowPlaying() {
    guard isNowPlayingUp, let index = trackIndex, let file = currentTrack else { return }
    actions.append(
      .updateNowPlaying(
        NowPlayingInfo(
          title: file.title, artist: file.artist, cover: file.cover,
          duration: queue.currentItem?.length, elapsedPlaybackTime: queue.currentTime,
          playbackRate: queue.effectiveRate, queueIndex: index, queueCount: playlist.count)))
  }

  private mutating func dismissNowPlaying() {
    guard isNowPlayingUp else { return }
    isNowPlayingUp = false
    actions.append(.dismissNowPlaying)
  }
}
