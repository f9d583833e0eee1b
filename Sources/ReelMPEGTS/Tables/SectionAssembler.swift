// Sections: tables that are cut into transport packets. Rec. ITU-T H.222.0 §2.4.4.

import ReelCore

/// Gathers the sections of one PID.
struct SectionAssembler {
  private var buffer: [UInt8] = []
  /// The start of a section was seen, and nothing lost since.
  private var isOpen = false

  /// Longest section: 3 bytes of header and section_length ≤ 4,093. §2.4.4.11.
  private static let longest = 4096

  /// The whole sections that end in `payload`, the payload of a packet.
  mutating func append(_ payload: ArraySlice<UInt8>, startsUnit: Bool) -> [[UInt8]] {
    var sections: [[UInt8]] = []
    var rest = payload
    if startsUnit {
      guard let pointer = rest.popFirst(), Int(pointer) <= rest.count else {
        reset()
        return []
      }
      if isOpen {
        buffer += rest.prefix(Int(pointer))
        take(&sections)
      }
      rest = rest.dropFirst(Int(pointer))
      buffer.removeAll(keepingCapacity: true)
      isOpen = true
    }
    guard isOpen else { return [] }
    buffer += rest
    take(&sections)
    return sections
  }

  /// Forgets a section that was begun.
  mutating func reset() {
    buffer.removeAll(keepingCapacity: true)
    isOpen = false
  }

  private mutating func take(_ sections: inout [[UInt8]]) {
    while buffer.count >= 3, buffer[0] != 0xFF {
      let count = 3 + (Int(buffer[1] & 0x0F) << 8 | Int(buffer[2]))
      guard count <= Self.longest else { return reset() }
      guard buffer.count >= count else { return }
      sections.append([UInt8](buffer[..<count]))
      buffer.removeFirst(count)
    }
    // Stuffing fills the rest of the packet.
    if buffer.first == 0xFF { reset() }
  }
}

/// A section in the long form: its identity and its payload without the checksum. §2.4.4.11.
struct Section {
  let tableID: UInt8
  /// program_number, transport_stream_id or another number that tells tables of a kind apart.
  let tableIDExtension: Int
  let version: UInt8
  let isCurrent: Bool
  /// section_number and last_section_number: a table may lie in up to 256 sections.
  let number: UInt8
  let lastNumber: UInt8
  let payload: [UInt8]

  /// - Throws: `damaged` when it is too short or its checksum is wrong.
  init(_ bytes: [UInt8]) throws(MediaError) {
    guard bytes.count >= 12, bytes[1] & 0x80 != 0, CRC32.isIntact(bytes) else {
      throw MediaError(.damaged, .transportSection, detail: "\(bytes.count) bytes")
    }
    tableID = bytes[0]
    tableIDExtension = Int(bytes[3]) << 8 | Int(bytes[4])
    version = bytes[5] >> 1 & 31
    isCurrent = bytes[5] & 1 != 0
    (number, lastNumber) = (bytes[6], bytes[7])
    payload = [UInt8](bytes[8..<bytes.count - 4])
  }
}

/// The checksum of sections. Rec. ITU-T H.222.0 Annex A.
enum CRC32 {
  /// The checksum over all bytes, the stored one included, is 0.
  static func isIntact(_ bytes: [UInt8]) -> Bool {
    var register: UInt32 = .max
    for byte in bytes {
      register ^= UInt32(byte) << 24
      for _ in 0..<8 {
        register = register & 0x8000_0000 != 0 ? register << 1 ^ 0x04C1_1DB7 : register << 1
      }
    }
    return register == 0
  }
}
