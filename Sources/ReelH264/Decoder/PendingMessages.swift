// Supplemental messages on their way to the next picture. ISO/IEC 14496-10:2020 Annex D.

import ReelCore
import ReelVideoCore

/// Messages that came before a picture's first slice, and those that stay in force.
struct PendingMessages {
  /// What messages tell of one picture.
  struct Told {
    var recoveryPoint: RecoveryPoint?
    var picStruct: PictureTimingStructure?
    var registeredUserData: [[UInt8]] = []
    var sideData = FrameSideData()
  }

  private var messages: [SupplementalMessage] = []
  /// In force until cancelled, replaced, or until the next IDR picture.
  private var persistent = FrameSideData()

  /// Build of the x264 encoder that says it made the stream; stays known over seeks.
  private(set) var x264Build: Int?

  /// LIMIT: messages kept for one picture; real streams have a handful.
  private static let maximumCount = 256

  init() {}

  /// Forgets messages, as for a seek.
  mutating func reset() {
    messages.removeAll()
    persistent = FrameSideData()
  }

  /// Takes a NAL unit of messages (without emulation prevention).
  ///
  /// - Returns: what was wrong with it; the messages before that are kept.
  mutating func add(_ payload: [UInt8]) -> MediaError? {
    let (found, fault) = SupplementalMessage.messages(in: payload)
    messages += found.prefix(max(Self.maximumCount - messages.count, 0))
    return fault
  }

  /// What the messages say of the picture that starts now. A message that cannot be read is passed
  /// over: it does not change the samples.
  mutating func take(for header: SliceHeader, _ sequence: SequenceParameterSet) -> Told {
    if header.isIDR { persistent = FrameSideData() }
    var told = Told()
    told.sideData = persistent
    for message in messages { try? apply(message, sequence, &told) }
    messages.removeAll(keepingCapacity: true)
    return told
  }

  private mutating func apply(
    _ message: SupplementalMessage, _ sequence: SequenceParameterSet, _ told: inout Told
  ) throws(MediaError) {
    let payload = message.payload
    switch message.payloadType {
    case SupplementalMessage.recoveryPoint:
      told.recoveryPoint = try RecoveryPoint(parsing: payload)
    case SupplementalMessage.pictureTiming:
      told.picStruct = try PictureTiming(parsing: payload, sequence: sequence).picStruct
    case SupplementalMessage.unregisteredUserData:
      x264Build = EncoderIdentification.x264Build(in: payload) ?? x264Build
    case SupplementalMessage.registeredUserData:
      told.registeredUserData.append(payload)
    case SupplementalMessage.framePacking:
      set(try FramePacking.message(parsing: payload), \.framePacking, &told)
    case SupplementalMessage.displayOrientation:
      set(try DisplayOrientation.message(parsing: payload), \.displayOrientation, &told)
    case SupplementalMessage.filmGrain:
      try setFilmGrain(payload, &told)
    case SupplementalMessage.masteringDisplay:
      persistent.masteringDisplay = try MasteringDisplay(SyntaxReader(payload, from: 0))
      told.sideData.masteringDisplay = persistent.masteringDisplay
    case SupplementalMessage.contentLightLevel:
      persistent.contentLightLevel = try ContentLightLevel(SyntaxReader(payload, from: 0))
      told.sideData.contentLightLevel = persistent.contentLightLevel
    default: break
    }
  }

  private mutating func set<Value>(
    _ message: PersistentMessage<Value>, _ path: WritableKeyPath<FrameSideData, Value?>,
    _ told: inout Told
  ) {
    switch message {
    case .cancelled:
      persistent[keyPath: path] = nil
      told.sideData[keyPath: path] = nil
    case .set(let value, let isPersistent):
      persistent[keyPath: path] = isPersistent ? value : nil
      told.sideData[keyPath: path] = value
    }
  }

  private mutating func setFilmGrain(_ payload: [UInt8], _ told: inout Told) throws(MediaError) {
    switch try FilmGrain.message(parsing: payload) {
    case .cancelled:
      persistent.hasFilmGrain = false
      told.sideData.hasFilmGrain = false
    case .set(let value, let isPersistent):
      persistent.hasFilmGrain = value && isPersistent
      told.sideData.hasFilmGrain = value
    }
  }
}
