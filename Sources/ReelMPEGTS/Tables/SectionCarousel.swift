// Sections that are sent again and again. Rec. ITU-T H.222.0 §2.4.4.

import ReelCore

/// Gathers the sections of the PIDs that carry tables, and gives each of them once: tables are sent
/// several times a second, mostly the same.
struct SectionCarousel: Sendable {
  /// What tells a section from those that are sent beside it. Its version is not part of it: a new
  /// version takes the place of the old one, and the old one may come back. §2.4.4.11.
  private struct Identity: Hashable {
    var pid: Int
    var tableID: UInt8
    var tableIDExtension = 0
    var number: UInt8 = 0
    var isCurrent = true

    init(_ bytes: [UInt8], pid: Int) {
      (self.pid, tableID) = (pid, bytes[0])
      // The short form has none of the other fields.
      guard bytes.count >= 8, bytes[1] & 0x80 != 0 else { return }
      tableIDExtension = Int(bytes[3]) << 8 | Int(bytes[4])
      isCurrent = bytes[5] & 1 != 0
      number = bytes[6]
    }
  }

  private var assemblers: [Int: SectionAssembler] = [:]
  private var known: [Identity: [UInt8]] = [:]

  /// LIMIT: sections that are remembered, 4 kB each at most; where there are more, all are forgotten,
  /// and those that come again count as new.
  private static let maximumKnown = 4096

  init(pids: [Int]) { for pid in pids { open(pid) } }

  /// PIDs that carry tables.
  var pids: [Int] { Array(assemblers.keys) }
  var pidCount: Int { assemblers.count }
  func holds(_ pid: Int) -> Bool { assemblers[pid] != nil }

  /// Takes a PID up, unless it was before.
  mutating func open(_ pid: Int) {
    if assemblers[pid] == nil { assemblers[pid] = SectionAssembler() }
  }

  /// Forgets sections that were begun, for reading from elsewhere.
  mutating func restart() { for pid in pids { assemblers[pid] = SectionAssembler() } }

  /// The whole sections that end in the payload of a packet and differ from what was sent in their
  /// place before; none for a PID that carries no tables.
  mutating func append(pid: Int, _ payload: ArraySlice<UInt8>, startsUnit: Bool) -> [[UInt8]] {
    guard let sections = assemblers[pid]?.append(payload, startsUnit: startsUnit) else { return [] }
    return sections.filter { bytes in
      let identity = Identity(bytes, pid: pid)
      guard known[identity] != bytes else { return false }
      if known.count >= Self.maximumKnown { known.removeAll() }
      known[identity] = bytes
      return true
    }
  }
}
