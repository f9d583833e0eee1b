// Commands of the contract, §2.

public import ReelCore

extension PlayerStateMachine {
  /// Executes a command at a host time.
  public mutating func execute(_ command: PlayerCommand, at host: Rational) {
    advance(to: host)
    perform(command)
    drainQueue()
  }

  /// Executes commands at one instant, in order.
  public mutating func execute(_ commands: [PlayerCommand], at host: Rational) {
    for command in commands { execute(command, at: host) }
  }

  private mutating func perform(_ command: PlayerCommand) {
    switch command {
    case .idle: break
    case .play: queue.play(at: now)
    case .pause: queue.pause(at: now)
    case .seek(let time, let play): seek(to: time, thenPlay: play)
    case .begin: seek(to: .zero, thenPlay: false)
    case .end: seekToEnd()
    case .mute: queue.setMuted(true, at: now)
    case .unmute: queue.setMuted(false, at: now)
    case .volume(let volume): queue.setVolume(volume, at: now)
    case .playbackSpeed(let speed): queue.setRate(speed.isNaN ? .nan : max(speed, 0), at: now)
    case .rate(let rate): queue.setRate(rate, at: now)
    case .loop(let passes):
      let delay = loopDelay
      queue.loopCurrentItem(delay: delay, passLimit: passes, at: now)
    case .loopDelay(let delay):
      loopDelay = max(delay, .zero)
      queue.setLoopDelay(loopDelay, at: now)
    case .unloop: queue.disableLooping(at: now)
    case .next: queue.advanceToNextItem(at: now)
    case .subtitles, .audioTrack: performSelection(command)
    case .brightness, .contrast, .filter, .removeAllFilters, .gravity: performPicture(command)
    case .addVector, .removeAllVectors, .startPiP, .stopPiP: performOverlay(command)
    }
  }

  private mutating func performPicture(_ command: PlayerCommand) {
    switch command {
    case .brightness(let value) where value.isFinite:
      presentation.brightness = min(max(value, -1), 1)
    case .contrast(let value) where value.isFinite: presentation.contrast = min(max(value, 0), 4)
    case .filter(let filter, let clear):
      if clear { presentation.filters = [] }
      presentation.filters.append(filter)
      filtersChanged()
    case .removeAllFilters:
      guard !presentation.filters.isEmpty else { return }
      presentation.filters = []
      filtersChanged()
    case .gravity(let gravity): presentation.gravity = gravity
    default: record(.diagnostic("not a number: ignored"))
    }
  }

  private mutating func filtersChanged() {
    guard compatibility.contains(.filtersTellPause), queue.timeControlStatus == .playing else {
      return
    }
    tell(.paused)
    tell(.playing)
  }

  private mutating func performOverlay(_ command: PlayerCommand) {
    switch command {
    case .addVector(let layer, let clear):
      guard isVectorEnabled else { return record(.diagnostic("addVector needs EnableVector")) }
      if clear { presentation.vectors = [] }
      presentation.vectors.append(layer)
    case .removeAllVectors:
      guard isVectorEnabled else {
        return record(.diagnostic("removeAllVectors needs EnableVector"))
      }
      presentation.vectors = []
    case .startPiP:
      guard isPictureInPictureEnabled else {
        return record(.diagnostic("startPiP needs PictureInPicture"))
      }
      guard isPictureInPictureSupported else { return fail(.notSupportedPiP) }
      guard !presentation.isInset else { return }
      presentation.isInset = true
      tell(.startedPiP)
    case .stopPiP:
      guard isPictureInPictureEnabled else {
        return record(.diagnostic("stopPiP needs PictureInPicture"))
      }
      leaveInset()
    default: break
    }
  }

  mutating func leaveInset() {
    guard presentation.isInset else { return }
    presentation.isInset = false
    tell(.stoppedPiP)
  }

  // MARK: Seeks

  /// Below 0 the start, from the duration on the end, else exactly there; then play or pause.
  ///
  /// With an unknown duration or none nothing moves and the asked time is told with `false`.
  private mutating func seek(to time: Rational, thenPlay: Bool) {
    guard let length = queue.currentItem?.length, !length.isZero else {
      return tell(.seek(false, currentTime: time.seconds))
    }
    let target = min(max(time, .zero), length)
    let id = SeekID(rawValue: nextSeekID)
    nextSeekID = nextSeekID.addingClamped(1)
    seeks.append(CommandSeek(id: id, asked: time, target: target))
    queue.seek(
      to: target, tolerance: .zero, thenRate: thenPlay ? queue.defaultRate : 0, id: id, at: now)
  }

  private mutating func seekToEnd() {
    seek(to: queue.currentItem?.length ?? .zero, thenPlay: false)
  }

  /// A seek of the queue has ended: the command's event comes with it.
  mutating func commandSeekFinished(_ id: SeekID, _ isFinished: Bool) -> PlayerEvent? {
    guard let index = seeks.firstIndex(where: { $0.id == id }) else { return nil }
    let seek = seeks.remove(at: index)
    return .seek(isFinished, currentTime: (isFinished ? seek.target : seek.asked).seconds)
  }

  // MARK: Tracks

  private mutating func performSelection(_ command: PlayerCommand) {
    switch command {
    case .subtitles(let language): subtitleRequest = language.map { .language($0) } ?? .off
    case .audioTrack(let language): audioRequest = language
    default: break
    }
    selectMedia()
  }

  /// Finds the tracks of the current item that the requests ask for.
  mutating func selectMedia() {
    guard let item = queue.currentItem, item.status == .readyToPlay else { return }
    defer { selectAudio(of: item) }
    switch subtitleRequest {
    case .off: presentation.subtitles = .off
    case .settings:
      let name = settings?.subtitles ?? externalSubtitles
      presentation.subtitles = name.isEmpty ? .off : .external(name)
    case .language(let language):
      if let option = item.facts.legible.first(where: { LanguageTag.matches(language, $0.language) }
      ) {
        presentation.subtitles = .embedded(option)
      } else {
        record(.diagnostic("no subtitles in \"\(language)\""))
      }
    }
  }

  private mutating func selectAudio(of item: PlayerItem) {
    guard let audioRequest else { return }
    if let option = item.facts.audible.first(where: {
      LanguageTag.matches(audioRequest, $0.language)
    }) {
      presentation.audio = option
    } else {
      record(.diagnostic("no audio in \"\(audioRequest)\""))
    }
  }
}
