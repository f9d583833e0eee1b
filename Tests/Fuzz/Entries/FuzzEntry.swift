// What is fuzzed: functions that take any bytes, shared by the fuzzers and by the ordinary tests.

/// A function that must come back from any input: no trap, no hang, no unbounded memory.
public struct FuzzEntry: Sendable {
  /// Its name in Package.swift, FailCases and Dictionaries.
  public let name: String
  private let body: @Sendable ([UInt8]) -> Void

  public init(_ name: String, _ body: @escaping @Sendable ([UInt8]) -> Void) {
    self.name = name
    self.body = body
  }

  public func run(_ bytes: [UInt8]) { body(bytes) }

  /// One row an entry.
  public static let all: [FuzzEntry] = [
    .h264ParameterSets, .h264Decoder, .hevcDecoder, .isobmff, .mpegTS, .matroska, .audioFiles,
    .elementary,
    .captions, .captionLayout, .playerScript, .svg, .images, .playlists,
  ]
}
