// Track header. ISO/IEC 14496-12:2020 §8.3.2 (tkhd).

import ReelCore

/// TrackHeaderBox (`tkhd`): identity, length and place of a track.
struct TrackHeaderBox {
  /// bit 0 enabled, 1 in movie, 2 in preview, 3 size is aspect ratio.
  let flags: UInt32
  let creationTime: UInt64
  let trackID: UInt32
  /// In movie ticks; nil when the file says it cannot be told.
  let duration: Int64?
  let layer: Int16
  let alternateGroup: Int16
  /// 8.8.
  let volume: Int16
  let matrix: [Int32]
  /// 16.16 visual presentation size.
  let width: UInt32
  let height: UInt32

  var isEnabled: Bool { flags & 1 != 0 }

  init(parsing reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    let (version, flags) = try reader.readVersion(upTo: 1, &context)
    self.flags = flags
    creationTime = try reader.readVersionedInteger(version)
    _ = try reader.readVersionedInteger(version)
    let start = reader.offset
    trackID = try reader.read()
    if trackID == 0 {
      try context.note(MediaError(.damaged, .trackIDZero, at: .offset(start), detail: "track_ID 0"))
    }
    try reader.skip(4)
    duration = try reader.readVersionedDuration(version)
    try reader.skip(8)
    layer = try reader.read()
    alternateGroup = try reader.read()
    volume = try reader.read()
    try reader.skip(2)
    matrix = try reader.readMatrix()
    width = try reader.read()
    height = try reader.read()
  }
}
