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
  /// The association in force, and which of its sections were met. §2.4.4.5.
  private struct Association {
    let streamID: Int
    let version: UInt8
    let lastNumber: UInt8
    var numbers: Set<UInt8> = []

    init(_ section: Section) {
      (streamID, version) = (section.tableIDExtension, section.version)
      lastNumber = section.lastNumber
    }

    func goesOn(with section: Section) -> Bool {
      (section.tableIDExtension, section.version, section.lastNumber)
        == (streamID, version, lastNumber)
    }
  }

  /// What a packet brought.
  struct News {
    /// Whole sections that are new or differ from those sent in their place before, damaged ones too.
    var sections: [[UInt8]] = []
    /// A program's map is new or another one.
    var mapsChanged = false
  }

  private var association: Association?
  private var carousel = SectionCarousel(pids: [ProgramAssociation.pid, ServiceDescription.pid])

  /// LIMIT: programs; a section of the association holds 253, real streams below 100.
  private static let maximumPrograms = 1024

  /// Whether packets of this PID carry tables.
  func holds(_ pid: Int) -> Bool { carousel.holds(pid) }
  /// PIDs that carry tables.
  var pids: [Int] { carousel.pids }
  var pidCount: Int { carousel.pidCount }
  var hasAssociation: Bool { association != nil }
  /// All sections of the association were met, and every program's map is known.
  var isComplete: Bool {
    guard let association, association.numbers.count > Int(association.lastNumber) else {
      return false
    }
    return programs.allSatisfy { $0.map != nil }
  }

  /// Forgets sections that were begun, for reading from elsewhere.
  mutating func restart() { carousel.restart() }

  /// Takes the payload of a packet.
  mutating func take(pid: Int, _ payload: ArraySlice<UInt8>, startsUnit: Bool) -> News {
    var news = News()
    news.sections = carousel.append(pid: pid, payload, startsUnit: startsUnit)
    // DVB has tables without a checksum on the same PIDs; they are of no use here.
    for bytes in news.sections where bytes[1] & 0x80 != 0 {
      do throws(MediaError) {
        if try take(Section(bytes), pid: pid) { news.mapsChanged = true }
      } catch {
        damagedSectionCount += 1
      }
    }
    return news
  }

  private mutating func take(_ section: Section, pid: Int) throws(MediaError) -> Bool {
    guard section.isCurrent else { return false }
    switch section.tableID {
    case ProgramAssociation.tableID where pid == ProgramAssociation.pid:
      associate(section)
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

  private mutating func associate(_ section: Section) {
    var current = association ?? Association(section)
    if !current.goesOn(with: section) { current = Association(section) }
    if section.number <= section.lastNumber { current.numbers.insert(section.number) }
    association = current
    for (number, pid) in ProgramAssociation(section).programs {
      if let index = programs.firstIndex(where: { $0.number == number }) {
        guard programs[index].mapPID != pid else { continue }
        programs[index] = Program(number: number, mapPID: pid, map: programs[index].map)
      } else if programs.count < Self.maximumPrograms {
        programs.append(Program(number: number, mapPID: pid))
      }
      carousel.open(pid)
    }
  }
}
