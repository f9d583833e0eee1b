// program_association_section(). Rec. ITU-T H.222.0 §2.4.4.4.

/// Which PIDs carry the maps of which programs.
struct ProgramAssociation {
  /// program_number and program_map_PID, in order; the network PID (program 0) left out.
  let programs: [(number: Int, pid: Int)]

  static let tableID: UInt8 = 0x00
  static let pid = 0

  init(_ section: Section) {
    var programs: [(Int, Int)] = []
    let bytes = section.payload
    var i = 0
    while i + 4 <= bytes.count {
      let number = Int(bytes[i]) << 8 | Int(bytes[i + 1])
      let pid = Int(bytes[i + 2] & 0x1F) << 8 | Int(bytes[i + 3])
      if number != 0, pid != 0 { programs.append((number, pid)) }
      i += 4
    }
    self.programs = programs
  }
}
