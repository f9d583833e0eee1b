// Lookup tables in .cube files, as Adobe's Cube LUT Specification 1.0 describes them.

public import ReelCore

extension ColourCube {
  /// Reads a three-dimensional table; `TITLE`, comments and a domain of 0…1 are taken, one-dimensional
  /// tables and other domains are not.
  ///
  /// - Throws: `.damaged` with the line, `.unsupported` for the other kinds.
  public init(cubeFile bytes: [UInt8]) throws(MediaError) {
    var dimension = 0
    var values: [Float] = []
    var number = 0
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      number += 1
      let words = line.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
      guard let first = words.first, first.first != UInt8(ascii: "#") else { continue }
      let word = String(decoding: first.prefix(40), as: UTF8.self)
      switch word {
      case "TITLE": continue
      case "LUT_3D_SIZE":
        let size = words.count == 2 ? Int(String(decoding: words[1].prefix(8), as: UTF8.self)) : nil
        guard dimension == 0, let size, (2...Self.largestDimension).contains(size) else {
          throw MediaError(.damaged, .cubeData, at: .line(number), detail: "size of the table")
        }
        dimension = size
        values.reserveCapacity(3 * size * size * size)
      case "LUT_1D_SIZE":
        throw MediaError(
          .unsupported, .cubeData, at: .line(number), detail: "a table of one dimension")
      case "DOMAIN_MIN", "DOMAIN_MAX":
        let wanted: Float = word == "DOMAIN_MIN" ? 0 : 1
        guard words.count == 4, words.dropFirst().allSatisfy({ Self.number($0) == wanted }) else {
          throw MediaError(
            .unsupported, .cubeData, at: .line(number), detail: "a domain other than 0…1")
        }
      default:
        guard dimension > 0, words.count == 3,
          values.count < 3 * dimension * dimension * dimension
        else { throw MediaError(.damaged, .cubeData, at: .line(number), detail: word) }
        for word in words {
          guard let value = Self.number(word) else {
            throw MediaError(.damaged, .cubeData, at: .line(number), detail: "a number")
          }
          values.append(value)
        }
      }
    }
    guard dimension > 0 else { throw MediaError(.damaged, .cubeData, detail: "no LUT_3D_SIZE") }
    try self.init(dimension: dimension, values: values)
  }

  private static func number(_ word: ArraySlice<UInt8>) -> Float? {
    guard word.count <= 40, let value = Float(String(decoding: word, as: UTF8.self)),
      value.isFinite
    else { return nil }
    return value
  }
}
