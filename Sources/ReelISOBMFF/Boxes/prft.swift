// Reference times of a producer. ISO/IEC 14496-12:2020 §8.16.5 (prft).

import ReelCore

/// ProducerReferenceTimeBox (`prft`): wall-clock time at which a fragment was made.
struct ProducerReferenceTimeBox {
  let trackID: UInt32
  /// NTP format: seconds since 1900 in 32.32.
  let ntpTimestamp: UInt64
  /// In media ticks of the track.
  let mediaTime: UInt64

  init(parsing reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    let version = try reader.readVersion(upTo: 1, &context).version
    trackID = try reader.read()
    ntpTimestamp = try reader.read()
    mediaTime = try reader.readVersionedInteger(version)
  }
}
