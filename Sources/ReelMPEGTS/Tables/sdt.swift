// service_description_section(): names of programs. ETSI EN 300 468 V1.17.1 §5.2.3, §6.2.33.

import ReelCore

/// Names of the services of a transport stream.
struct ServiceDescription {
  static let tableID: UInt8 = 0x42
  static let pid = 0x11

  /// Tags for each program number, named as FFmpeg names them.
  let services: [(number: Int, tags: [Tag])]

  init(_ section: Section) {
    let bytes = section.payload
    var services: [(Int, [Tag])] = []
    var i = 3
    while i + 5 <= bytes.count {
      let number = Int(bytes[i]) << 8 | Int(bytes[i + 1])
      let length = Int(bytes[i + 3] & 15) << 8 | Int(bytes[i + 4])
      let end = min(i + 5 + length, bytes.count)
      if let service = Descriptors(bytes[i + 5..<end])[0x48] {
        services.append((number, Self.tags(service)))
      }
      i += 5 + length
    }
    self.services = services
  }

  /// service_descriptor(). §6.2.33.
  private static func tags(_ bytes: [UInt8]) -> [Tag] {
    guard bytes.count >= 2, 2 + Int(bytes[1]) < bytes.count else { return [] }
    let providerEnd = 2 + Int(bytes[1])
    let nameEnd = min(providerEnd + 1 + Int(bytes[providerEnd]), bytes.count)
    return [
      Tag("service_name", text(bytes[(providerEnd + 1)..<nameEnd])),
      Tag("service_provider", text(bytes[2..<providerEnd])),
    ].filter { !$0.value.isEmpty }
  }

  /// Annex A: a first byte below 0x20 names the character table; 0x15 is UTF-8. What is not UTF-8 is
  /// taken as Latin-1, which agrees with the default table in all unaccented letters.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    guard let first = bytes.first else { return "" }
    if first == 0x15 { return String(decoding: bytes.dropFirst(), as: UTF8.self) }
    let rest = first >= 0x20 ? bytes : first == 0x10 ? bytes.dropFirst(3) : bytes.dropFirst()
    var text = ""
    for byte in rest where byte >= 0x20 && !(0x80..<0xA0).contains(byte) {
      text.unicodeScalars.append(Unicode.Scalar(byte))
    }
    return text
  }
}
