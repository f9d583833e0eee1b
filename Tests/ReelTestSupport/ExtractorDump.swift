// Golden dumps of androidx.media3's extractors, which stand beside its sample files.

public import Foundation

/// What a dump says of a file: tracks, formats, samples.
public struct ExtractorDump: Sendable {
  public struct Sample: Sendable, Equatable {
    /// Microseconds.
    public var time: Int64
    /// 1: sync sample.
    public var flags: Int
    public var byteCount: Int
    /// Java's hash of the sample's bytes.
    public var hash: UInt32
  }

  public struct Track: Sendable {
    public var id: Int
    /// Values by their name, of the first format.
    public var format: [String: String] = [:]
    /// Length and hash of the pieces of set-up data.
    public var initializationData: [(byteCount: Int, hash: UInt32)] = []
    public var samples: [Sample] = []
    /// Values of the track itself, such as `sample count`.
    public var values: [String: String] = [:]
  }

  public var tracks: [Track] = []
  /// Microseconds; nil for "UNSET TIME".
  public var duration: Int64?
  public var isSeekable = false

  /// Reads the text of a dump.
  public init(_ text: String) {
    var section = ""
    for line in text.split(separator: "\n") {
      let depth = line.prefix { $0 == " " }.count
      let words = line.drop { $0 == " " }
      if words.hasPrefix("track ") && depth == 0, let id = Int(words.dropFirst(6).dropLast()) {
        tracks.append(Track(id: id))
        section = "track"
      } else if words.hasPrefix("format "), words.hasSuffix(":") {
        section = words == "format 0:" ? "format" : "other format"
      } else if words.hasPrefix("sample "), words.hasSuffix(":") {
        tracks[tracks.count - 1].samples.append(Sample(time: 0, flags: 0, byteCount: 0, hash: 0))
        section = "sample"
      } else if let equals = words.range(of: " = ") {
        take(
          section, String(words[..<equals.lowerBound]), String(words[equals.upperBound...]))
      }
    }
  }

  /// Reads a dump file.
  public init(contentsOf file: URL) throws {
    self.init(try String(contentsOf: file, encoding: .utf8))
  }

  private mutating func take(_ section: String, _ key: String, _ value: String) {
    switch section {
    case "": takeHead(key, value)
    case "sample": takeSample(key, value)
    case "format":
      if key == "data", let data = Self.data(value) {
        tracks[tracks.count - 1].initializationData.append(data)
      } else {
        tracks[tracks.count - 1].format[key] = value
      }
    case "track": tracks[tracks.count - 1].values[key] = value
    default: break
    }
  }

  private mutating func takeHead(_ key: String, _ value: String) {
    if key == "duration" { duration = Int64(value) }
    if key == "isSeekable" { isSeekable = value == "true" }
  }

  private mutating func takeSample(_ key: String, _ value: String) {
    let track = tracks.count - 1
    let sample = tracks[track].samples.count - 1
    switch key {
    case "time": tracks[track].samples[sample].time = Int64(value) ?? -1
    case "flags": tracks[track].samples[sample].flags = Int(value) ?? -1
    case "data":
      guard let data = Self.data(value) else { return }
      tracks[track].samples[sample].byteCount = data.byteCount
      tracks[track].samples[sample].hash = data.hash
    default: break
    }
  }

  /// `length 856, hash C9A451E8`
  private static func data(_ value: String) -> (byteCount: Int, hash: UInt32)? {
    let words = value.split(whereSeparator: { $0 == " " || $0 == "," })
    guard words.count == 4, let count = Int(words[1]), let hash = UInt32(words[3], radix: 16) else {
      return nil
    }
    return (count, hash)
  }

  /// Java's `Arrays.hashCode(byte[])`.
  public static func hash(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var hash: UInt32 = 1
    for byte in bytes {
      hash = 31 &* hash &+ UInt32(bitPattern: Int32(Int8(bitPattern: byte)))
    }
    return hash
  }
}
