// Transport streams made in code.

/// Writes tables and PES packets as transport packets. Rec. ITU-T H.222.0 §2.4.
public struct TransportStreamBuilder: Sendable {
  public private(set) var bytes: [UInt8] = []
  private var continuity: [Int: UInt8] = [:]

  public init() {}

  /// Where the next packet begins.
  public var count: Int { bytes.count }

  /// A packet with this payload (at most 184 bytes), stuffed by an adaptation field.
  public mutating func packet(
    pid: Int, _ payload: ArraySlice<UInt8>, startsUnit: Bool, isScrambled: Bool = false
  ) {
    let count = continuity[pid, default: 0]
    continuity[pid] = (count + 1) & 15
    let stuffing = 184 - payload.count
    var packet: [UInt8] = [
      0x47, (startsUnit ? 0x40 : 0) | UInt8(pid >> 8), UInt8(pid & 255),
      (isScrambled ? 0x80 : 0) | (stuffing > 0 ? 0x30 : 0x10) | count,
    ]
    if stuffing > 0 {
      packet.append(UInt8(stuffing - 1))
      if stuffing > 1 { packet += [0] + [UInt8](repeating: 0xFF, count: stuffing - 2) }
    }
    bytes += packet + payload
  }

  /// Adds bytes as they are.
  public mutating func raw(_ more: [UInt8]) { bytes += more }

  /// A section in the long form with its checksum.
  public mutating func section(
    pid: Int, tableID: UInt8, extension number: Int, version: UInt8 = 0,
    section: (number: UInt8, last: UInt8) = (0, 0), _ payload: [UInt8]
  ) {
    let place = section
    let length = payload.count + 9
    var section: [UInt8] = [
      tableID, 0xB0 | UInt8(length >> 8), UInt8(length & 255), UInt8(number >> 8),
      UInt8(number & 255), 0xC1 | version << 1, place.number, place.last,
    ]
    section += payload
    let checksum = Self.checksum(section)
    section += (0..<4).map { UInt8(truncatingIfNeeded: checksum >> UInt32(24 - 8 * $0)) }
    send(pid: pid, [0] + section)
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    bytes.reduce(UInt32.max) { register, byte in
      (0..<8).reduce(register ^ UInt32(byte) << 24) { word, _ in
        word & 0x8000_0000 != 0 ? word << 1 ^ 0x04C1_1DB7 : word << 1
      }
    }
  }

  /// The program association of these programs, or one section of it: number and PID of the map.
  public mutating func association(
    _ programs: [(number: Int, pid: Int)], version: UInt8 = 0,
    section place: (number: UInt8, last: UInt8) = (0, 0)
  ) {
    section(
      pid: 0, tableID: 0, extension: 1, version: version, section: place,
      programs.flatMap { program -> [UInt8] in
        [
          UInt8(program.number >> 8), UInt8(program.number & 255), 0xE0 | UInt8(program.pid >> 8),
          UInt8(program.pid & 255),
        ]
      })
  }

  /// The map of a program: stream types, PIDs and descriptors.
  public mutating func map(
    pid: Int, number: Int, version: UInt8 = 0,
    _ streams: [(type: UInt8, pid: Int, descriptors: [UInt8])]
  ) {
    var payload: [UInt8] = [0xFF, 0xFF, 0xF0, 0]
    for stream in streams {
      payload += [
        stream.type, 0xE0 | UInt8(stream.pid >> 8), UInt8(stream.pid & 255),
        0xF0 | UInt8(stream.descriptors.count >> 8), UInt8(stream.descriptors.count & 255),
      ]
      payload += stream.descriptors
    }
    section(pid: pid, tableID: 2, extension: number, version: version, payload)
  }

  /// A PES packet with times of 33 bits.
  public mutating func pes(
    pid: Int, streamID: UInt8 = 0xE0, pts: Int64?, dts: Int64? = nil, hasLength: Bool = false,
    isScrambled: Bool = false, _ payload: [UInt8]
  ) {
    var times: [UInt8] = []
    if let pts { times += Self.time(pts, dts == nil ? 2 : 3) }
    if let dts { times += Self.time(dts, 1) }
    let length = hasLength ? payload.count + times.count + 3 : 0
    let flags: UInt8 = pts == nil ? 0 : dts == nil ? 0x80 : 0xC0
    let header: [UInt8] =
      [
        0, 0, 1, streamID, UInt8(length >> 8), UInt8(length & 255), 0x80, flags,
        UInt8(times.count),
      ] + times
    send(pid: pid, header + payload, isScrambled: isScrambled)
  }

  private static func time(_ time: Int64, _ prefix: UInt8) -> [UInt8] {
    let first = prefix << 4 | UInt8(time >> 30 & 7) << 1 | 1
    let second = UInt8(time >> 15 & 127) << 1 | 1
    let third = UInt8(time & 127) << 1 | 1
    return [first, UInt8(time >> 22 & 255), second, UInt8(time >> 7 & 255), third]
  }

  private mutating func send(pid: Int, _ bytes: [UInt8], isScrambled: Bool = false) {
    var rest = bytes[...]
    var isFirst = true
    while !rest.isEmpty {
      packet(pid: pid, rest.prefix(184), startsUnit: isFirst, isScrambled: isScrambled)
      rest = rest.dropFirst(184)
      isFirst = false
    }
  }

  /// The same packets, `before` and `after` bytes around each.
  public func wrapped(before: Int, after: Int) -> [UInt8] {
    var wrapped: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 188) {
      wrapped += [UInt8](repeating: 0x11, count: before)
      wrapped += bytes[start..<min(start + 188, bytes.count)]
      wrapped += [UInt8](repeating: 0x22, count: after)
    }
    return wrapped
  }
}
