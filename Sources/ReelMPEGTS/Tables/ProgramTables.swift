// The tables of a transport stream as they come and change.

import ReelCore

/// Follows the program association, the program maps and the service descriptions.
struct ProgramTables: Sendable {
  /// A program: its streams in the order of the map.
  struct Program {
    let number: Int
    let mapPID: Int
    var map: ProgramMap?
  }

  private(set) var programs: [Program] = []
  private(set) var services: [(number: Int, tags: [Tag])] = []
  private(set) var damagedSectionCount = 0
  private(set) var hasAssociation = false
  private var assemblers: [Int: SectionAssembler] = [
    ProgramAssociation.pid: SectionAssembler(), ServiceDescription.pid: SectionAssembler(),
  ]

  /// The last section of each PID: tables are sent several times a second, mostly the same.
  private var lastSections: [Int: [UInt8]] = [:]

  /// LIMIT: programs; a section of the association holds 253, real streams below 100.
  private static let maximumPrograms = 1024

  /// Whether packets of this PID carry tables.
  func holds(_ pid: Int) -> Bool { assemblers[pid] != nil }
  /// PIDs that carry tables.
  var pids: [Int] { Array(assemblers.keys) }
  var pidCount: Int { assemblers.count }
  /// Every program's map is known.
  var isComplete: Bool { hasAssociation && programs.allSatisfy { $0.map != nil } }

  /// Forgets sections that were begun, for reading from elsewhere.
  mutating func restart() { for pid in pids { assemblers[pid] = SectionAssembler() } }

  /// Takes the payload of a packet; true when a program's map is new or another one.
  mutating func take(pid: Int, _ payload: ArraySlice<UInt8>, startsUnit: Bool) -> Bool {
    guard let sections = assemblers[pid]?.append(payload, startsUnit: startsUnit) else {
      return false
    }
    var changed = false
    for bytes in sections where bytes != lastSections[pid] {
      do throws(MediaError) {
        // DVB has tables without a checksum on the same PIDs; they are of no use here.
        guard bytes[1] & 0x80 != 0 else { continue }
        if try take(Section(bytes), pid: pid) { changed = true }
        lastSections[pid] = bytes
      } catch {
        damagedSectionCount += 1
      }
    }
    return changed
  }

  private mutating func take(_ section: Section, pid: Int) throws(MediaError) -> Bool {
    guard section.isCurrent else { return false }
    switch section.tableID {
    case ProgramAssociation.tableID where pid == ProgramAssociation.pid:
      associate(ProgramAssociation(section))
    case ProgramMap.tableID where pid != ProgramAssociation.pid:
      let map = try ProgramMap(section)
      guard let index = programs.firstIndex(where: { $0.number == map.number && $0.mapPID == pid })
      else { return false }
      let old = programs[index].map
      programs[index].map = map
      return old?.streams != map.streams
    case ServiceDescription.tableID where pid == ServiceDescription.pid:
      for service in ServiceDescription(section).services
      where services.count < Self.maximumPrograms
        && !services.contains(where: { $0.number == service.number })
      {
        services.append(service)
      }
    default: break
    }
    return false
  }

  private mutating func associate(_ association: ProgramAssociation) {
    hasAssociation = true
    for (number, pid) in association.programs {
      if let index = programs.firstIndex(where: { $0.number == number }) {
        guard programs[index].mapPID != pid else { continue }
        programs[index] = Program(number: number, mapPID: pid, map: programs[index].map)
      } else if programs.count < Self.maximumPrograms {
        programs.append(Program(number: number, mapPID: pid))
      }
      if assemblers[pid] == nil { assemblers[pid] = SectionAssembler() }
    }
  }
}
