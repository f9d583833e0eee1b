// Settings, sources and what the outside tells. Contract §1 and §5.

public import ReelCore

extension PlayerStateMachine {
  /// Applies settings at a host time.
  ///
  /// With the source that is set already, only what differs is applied and playback goes on. With
  /// another one the player stops (pause, unloop, filters removed, queue cleared; brightness and
  /// contrast stay), loads it, loops if asked, and plays unless told not to. Settings that are not
  /// unique are an error and change nothing else.
  public mutating func apply(_ settings: VideoSettings, at host: Rational) {
    advance(to: host)
    defer { drainQueue() }
    guard settings.areUnique else {
      let events = self.settings
      if events == nil { self.settings = settings }
      fail(.settingsNotUnique)
      self.settings = events
      return
    }
    let old = self.settings
    let isSameSource = old?.source == settings.source
    if isSameSource, compatibility.contains(.sameSourceIsIgnored) { return }
    self.settings = settings
    if !isSameSource || queue.currentItem?.status == .failed {
      stop()
      applyValues(settings, replacing: nil)
      load(settings)
    } else {
      applyValues(settings, replacing: old)
    }
  }

  /// What can be changed while an item plays; all of it when there were no settings before.
  private mutating func applyValues(_ settings: VideoSettings, replacing old: VideoSettings?) {
    presentation.gravity = settings.gravity
    if old?.mute != settings.mute { queue.setMuted(settings.mute, at: now) }
    if old?.subtitles != settings.subtitles {
      subtitleRequest = .settings
      selectMedia()
    }
    if old?.enableVector != settings.enableVector {
      isVectorEnabled = settings.enableVector
      if !isVectorEnabled { presentation.vectors = [] }
    }
    if old?.pictureInPicture != settings.pictureInPicture {
      isPictureInPictureEnabled = settings.pictureInPicture
      if !isPictureInPictureEnabled { leaveInset() }
    }
    if old?.timePublishing != settings.timePublishing { publish(every: settings.timePublishing) }
    if let old, old.loop != settings.loop {
      if settings.loop {
        queue.loopCurrentItem(delay: loopDelay, at: now)
      } else {
        queue.disableLooping(at: now)
      }
    }
  }

  private mutating func publish(every interval: MediaTime?) {
    if let publishing { queue.removeTimeObserver(publishing, at: now) }
    publishing = nil
    guard let interval else { return }
    do {
      guard let seconds = Rational(interval) else {
        throw MediaError(.usage, .observerInterval, detail: "\(interval)")
      }
      publishing = try queue.addPeriodicTimeObserver(interval: seconds, at: now)
    } catch {
      record(.diagnostic("TimePublishing: \(error)"))
    }
  }

  /// Pause, unloop, filters removed, queue cleared. Brightness and contrast stay.
  mutating func stop() {
    queue.pause(at: now)
    queue.disableLooping(at: now)
    presentation.filters = []
    presentation.subtitles = .off
    presentation.audio = nil
    audioRequest = nil
    for item in queue.entries where item.status == .unknown {
      actions.append(.cancelLoading(item.id))
    }
    queue.removeAllItems(at: now)
    drainQueue()
  }

  private mutating func load(_ settings: VideoSettings) {
    let source = settings.source
    let item = queue.makeItem(
      asset: AssetID(rawValue: nextAssetID), source: source.description)
    nextAssetID = nextAssetID.addingClamped(1)
    queue.append(item, at: now)
    drainQueue()
    tell(.itemStatusChanged(.unknown))
    if settings.loop { queue.loopCurrentItem(delay: loopDelay, at: now) }
    if !settings.notAutoPlay { queue.play(at: now) }
    drainQueue()
    if settings.name.isEmpty {
      queue.itemDidFail(item.id, .sourceNotFound(""), at: now)
    } else {
      actions.append(.load(item.id, source))
    }
  }

  // MARK: What the outside tells

  /// Asks again for the source that a restored player was waiting for.
  public mutating func resumeLoading(at host: Rational) {
    advance(to: host)
    guard let settings, let item = queue.currentItem, item.status == .unknown,
      item.source == settings.source.description,
      !actions.contains(.load(item.id, settings.source))
    else { return }
    actions.append(.load(item.id, settings.source))
  }

  /// A source is open. Ignored for an item that nobody waits for any more.
  public mutating func itemDidLoad(_ id: ItemID, _ facts: ItemFacts, at host: Rational) {
    advance(to: host)
    queue.itemDidLoad(id, facts, at: now)
    drainQueue()
  }

  /// A source could not be opened or read on.
  public mutating func itemDidFail(_ id: ItemID, _ failure: VPErrors, at host: Rational) {
    advance(to: host)
    queue.itemDidFail(id, failure, at: now)
    drainQueue()
  }

  /// What is loaded of an item has changed.
  public mutating func setBuffer(_ buffer: ItemBuffer, of id: ItemID, at host: Rational) {
    advance(to: host)
    queue.setBuffer(buffer, of: id, at: now)
    drainQueue()
  }

  /// Something beside the item failed, such as its external subtitles.
  public mutating func report(_ error: VPErrors, at host: Rational) {
    advance(to: host)
    fail(error)
  }

  /// The output has other bounds; the overlays are built again for them.
  public mutating func setBounds(_ bounds: Rect, at host: Rational) {
    advance(to: host)
    guard bounds != self.bounds, bounds.isFinite else { return }
    self.bounds = bounds
    tell(.boundsChanged(bounds))
    if !presentation.vectors.isEmpty {
      actions.append(.buildVectors(presentation.vectors.map(\.id), bounds))
    }
  }

  /// A layer's shapes were built for the current bounds.
  public mutating func vectorWasBuilt(_ layer: VectorLayer, at host: Rational) {
    advance(to: host)
    for index in presentation.vectors.indices where presentation.vectors[index].id == layer.id {
      presentation.vectors[index] = layer
    }
  }

  /// Whether the output can show an inset.
  public mutating func setPictureInPictureSupported(_ isSupported: Bool, at host: Rational) {
    advance(to: host)
    isPictureInPictureSupported = isSupported
    if !isSupported { leaveInset() }
  }

  /// Changes the queue directly, as a queue player does, and takes over what it tells.
  public mutating func withQueue<R, E: Error>(
    at host: Rational, _ body: (inout QueueStateMachine) throws(E) -> R
  ) throws(E) -> R {
    advance(to: host)
    defer {
      queue.advance(to: queue.now)
      drainQueue()
    }
    return try body(&queue)
  }
}
