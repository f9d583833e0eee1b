// Movie header. ISO/IEC 14496-12:2020 §8.2.2 (mvhd).

import ReelCore

/// MovieHeaderBox (`mvhd`): the timescale and length of the presentation.
struct MovieHeaderBox {
  /// Seconds since 1904-01-01, UTC.
  let creationTime: UInt64
  let modificationTime: UInt64
  /// Ticks a second, 1…2³¹−1.
  let timescale: Int32
  /// In movie ticks; nil when the file says it cannot be told.
  let duration: Int64?
  /// 16.16; 1.0 is normal.
  let rate: Int32
  /// 8.8; 1.0 is full.
  let volume: Int16
  let matrix: [Int32]
  let nextTrackID: UInt32

  init(parsing reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    let version = try reader.readVersion(upTo: 1, &context).version
    creationTime = try reader.readVersionedInteger(version)
    modificationTime = try reader.readVersionedInteger(version)
    timescale = try reader.readTimescale(&context)
    duration = try reader.readVersionedDuration(version)
    rate = try reader.read()
    volume = try reader.read()
    try reader.skip(10)
    matrix = try reader.readMatrix()
    try reader.skip(24)
    nextTrackID = try reader.read()
  }
}

extension ByteReader {
  /// A field of 64 bits in version 1, of 32 bits in version 0.
  mutating func readVersionedInteger(_ version: UInt8) throws(MediaError) -> UInt64 {
    version >= 1 ? try read(UInt64.self) : UInt64(try read(UInt32.self))
  }

  /// A duration; nil for "all ones" (unknown) and for what no Int64 holds.
  mutating func readVersionedDuration(_ version: UInt8) throws(MediaError) -> Int64? {
    let value = try readVersionedInteger(version)
    if version == 0 && value == UInt64(UInt32.max) { return nil }
    return Int64(exactly: value)
  }

  /// A timescale. 0 is read as 1, as the usual players do; above 2³¹−1 has no meaning.
  mutating func readTimescale(_ context: inout BoxContext) throws(MediaError) -> Int32 {
    let start = offset
    let value = try read(UInt32.self)
    if let timescale = Int32(exactly: value), timescale > 0 { return timescale }
    try context.note(
      MediaError(.damaged, .timescaleZero, at: .offset(start), detail: "timescale \(value)"))
    return value == 0 ? 1 : Int32.max
  }

  /// A 3×3 matrix in the order a, b, u, c, d, v, x, y, w. ISO/IEC 14496-12:2020 §6.2.2.
  mutating func readMatrix() throws(MediaError) -> [Int32] {
    var matrix: [Int32] = []
    for _ in 0..<9 { matrix.append(try read()) }
    return matrix
  }
}
