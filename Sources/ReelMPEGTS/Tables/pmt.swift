// TS_program_map_section(). Rec. ITU-T H.222.0 §2.4.4.9.

import ReelCore

/// The streams of a program.
struct ProgramMap {
  struct Stream: Hashable {
    let type: UInt8
    let pid: Int
    let descriptors: Descriptors
  }

  let number: Int
  let version: UInt8
  let descriptors: Descriptors
  let streams: [Stream]

  static let tableID: UInt8 = 0x02

  /// - Throws: `damaged` when a length reaches past the section.
  init(_ section: Section) throws(MediaError) {
    number = section.tableIDExtension
    version = section.version
    let bytes = section.payload
    guard bytes.count >= 4 else { throw Self.fault("no program_info_length") }
    let programLength = Int(bytes[2] & 15) << 8 | Int(bytes[3])
    guard 4 + programLength <= bytes.count else {
      throw Self.fault("program_info_length \(programLength)")
    }
    descriptors = Descriptors(bytes[4..<4 + programLength])
    var streams: [Stream] = []
    var i = 4 + programLength
    while i + 5 <= bytes.count {
      let pid = Int(bytes[i + 1] & 0x1F) << 8 | Int(bytes[i + 2])
      let length = Int(bytes[i + 3] & 15) << 8 | Int(bytes[i + 4])
      // A length that reaches too far is cut: the stream itself is still there.
      let end = min(i + 5 + length, bytes.count)
      streams.append(
        Stream(type: bytes[i], pid: pid, descriptors: Descriptors(bytes[i + 5..<end])))
      i += 5 + length
    }
    self.streams = streams
  }

  private static func fault(_ detail: String) -> MediaError {
    MediaError(.damaged, .transportSection, at: .named("program map"), detail: detail)
  }
}
