// Event messages. ISO/IEC 23009-1:2022 §5.10.3.3 (emsg).

import ReelCore

/// A message that belongs to a point of the presentation.
public struct EventMessage: Sendable, Hashable {
  /// What kind of message it is.
  public let schemeIDURI: String
  /// Tells messages of one scheme apart, as the scheme says; may be empty.
  public let value: String
  /// Ticks a second of the times.
  public let timescale: Int32
  /// Ticks from the begin of the presentation (version 1), or from the segment's (version 0).
  public let time: UInt64
  /// ``time`` counts from the begin of the segment that the message stands in (version 0).
  public let isTimeOfSegment: Bool
  /// Ticks; nil when unknown.
  public let duration: UInt32?
  /// Messages of one scheme, value and number are the same message, sent again.
  public let id: UInt32
  /// message_data: what the scheme says it is.
  public let data: [UInt8]
}

/// EventMessageBox (`emsg`).
struct EventMessageBox {
  let message: EventMessage

  init(parsing reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    let version = try reader.readVersion(upTo: 1, &context).version
    var (scheme, value) = ("", "")
    if version == 0 {
      scheme = try reader.readTerminatedString()
      value = try reader.readTerminatedString()
    }
    let timescale = try reader.readTimescale(&context)
    let time = try reader.readVersionedInteger(version)
    let duration = try reader.read(UInt32.self)
    let id = try reader.read(UInt32.self)
    if version >= 1 {
      scheme = try reader.readTerminatedString()
      value = try reader.readTerminatedString()
    }
    message = EventMessage(
      schemeIDURI: scheme, value: value, timescale: timescale, time: time,
      isTimeOfSegment: version == 0, duration: duration == .max ? nil : duration, id: id,
      data: try reader.readBytes(reader.remaining))
  }
}
