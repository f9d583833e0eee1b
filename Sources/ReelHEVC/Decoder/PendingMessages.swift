// Supplemental messages on their way to the next picture. ISO/IEC 23008-2:2020 Annex D.

import ReelCore
import ReelVideoCore

/// Messages that came before a picture's first slice, and those that stay in force.
struct PendingMessages {
  private var messages: [SupplementalMessage] = []
  /// In force until cancelled, replaced, or until the next sequence.
  private var persistent = FrameSideData()

  /// LIMIT: messages kept for one picture; real streams have a handful.
  private static let maximumCount = 256

  init() {}

  /// Forgets messages, as for a seek.
  mutating func reset() {
    messages.removeAll()
    persistent = FrameSideData()
  }

  /// Takes a prefix NAL unit of messages (without emulation prevention).
  ///
  /// - Returns: what was wrong with it; the messages before that are kept.
  mutating func add(_ unit: [UInt8]) -> MediaError? {
    let (found, fault) = SupplementalMessage.messages(in: unit)
    messages += found.prefix(max(Self.maximumCount - messages.count, 0))
    return fault
  }

  /// Adds to `properties` what the messages say of the picture that starts now. A message that cannot
  /// be read is passed over: it does not change the samples.
  mutating func apply(
    to properties: inout FrameProperties, _ header: SliceHeader, _ sequence: SequenceParameterSet
  ) {
    if header.unit.type.isIDR || header.unit.type.isBLA { persistent = FrameSideData() }
    properties.sideData = persistent
    for message in messages { try? apply(message, sequence, &properties) }
    messages.removeAll(keepingCapacity: true)
  }

  private mutating func apply(
    _ message: SupplementalMessage, _ sequence: SequenceParameterSet,
    _ properties: inout FrameProperties
  ) throws(MediaError) {
    let payload = message.payload
    switch message.payloadType {
    case SupplementalMessage.pictureTiming:
      guard let vui = sequence.vui, vui.frameFieldInfoPresentFlag, let first = payload.first else {
        return
      }
      properties.setPicStruct(Int(first >> 4))
    case SupplementalMessage.registeredUserData:
      properties.registeredUserData.append(payload)
    case SupplementalMessage.framePacking:
      set(try FramePacking.message(parsing: payload), \.framePacking, &properties)
    case SupplementalMessage.displayOrientation:
      set(try DisplayOrientation.message(parsing: payload), \.displayOrientation, &properties)
    case SupplementalMessage.filmGrain:
      // film_grain_characteristics_cancel_flag
      let isAsked = (payload.first ?? 0x80) & 0x80 == 0
      persistent.hasFilmGrain = isAsked
      properties.sideData.hasFilmGrain = isAsked
    case SupplementalMessage.masteringDisplay:
      persistent.masteringDisplay = try MasteringDisplay(SyntaxReader(payload, from: 0))
      properties.sideData.masteringDisplay = persistent.masteringDisplay
    case SupplementalMessage.contentLightLevel:
      persistent.contentLightLevel = try ContentLightLevel(SyntaxReader(payload, from: 0))
      properties.sideData.contentLightLevel = persistent.contentLightLevel
    default: break
    }
  }

  private mutating func set<Value>(
    _ message: PersistentMessage<Value>, _ path: WritableKeyPath<FrameSideData, Value?>,
    _ properties: inout FrameProperties
  ) {
    switch message {
    case .cancelled:
      persistent[keyPath: path] = nil
      properties.sideData[keyPath: path] = nil
    case .set(let value, let isPersistent):
      persistent[keyPath: path] = isPersistent ? value : nil
      properties.sideData[keyPath: path] = value
    }
  }
}
