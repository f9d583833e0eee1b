// A movie. ISO/IEC 14496-12:2020 §8.2.1 (moov).

import ReelCore

/// MovieBox (`moov`) with its tracks.
struct MovieBox {
  private(set) var header: MovieHeaderBox?
  private(set) var tracks: [TrackBox] = []
  /// A `mvex` box announces movie fragments. ISO/IEC 14496-12:2020 §8.8.1.
  private(set) var isFragmented = false
  private(set) var extends: [TrackExtendsBox] = []
  /// Length of the movie with its fragments, in movie ticks.
  private(set) var fragmentDuration: Int64?
  private(set) var userData: UserDataBox?
  private(set) var metadata: MetadataBox?
  private(set) var protectionSystems: [ProtectionSystemBox] = []

  init(parsing reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    let start = reader.offset
    try reader.forEachBox(&context) { (header, reader, context) throws(MediaError) in
      switch header.type {
      case "mvhd": self.header = try MovieHeaderBox(parsing: &reader, &context)
      case "trak": try parseTrack(&reader, &context)
      case "mvex": try parseExtends(&reader, &context)
      case "udta": userData = try UserDataBox(parsing: &reader, &context)
      case "meta": metadata = try MetadataBox(parsing: &reader, &context)
      case "pssh": protectionSystems.append(try ProtectionSystemBox(parsing: &reader, &context))
      case "cmov":
        throw MediaError(
          .unsupported, .compressedMovie, at: .offset(header.offset),
          advice: "remux the file with another tool")
      default: break
      }
    }
    if header == nil {
      try context.note(MediaError(.damaged, .boxMissing, at: .offset(start), detail: "mvhd"))
    }
  }

  /// MovieExtendsBox (`mvex`). ISO/IEC 14496-12:2020 §8.8.1.
  private mutating func parseExtends(
    _ reader: inout ByteReader, _ context: inout BoxContext
  ) throws(MediaError) {
    isFragmented = true
    try reader.forEachBox(&context) { (header, reader, context) throws(MediaError) in
      switch header.type {
      case "trex": extends.append(try TrackExtendsBox(parsing: &reader, &context))
      case "mehd":
        fragmentDuration = try MovieExtendsHeaderBox(parsing: &reader, &context).fragmentDuration
      default: break
      }
    }
  }

  private mutating func parseTrack(
    _ reader: inout ByteReader, _ context: inout BoxContext
  ) throws(MediaError) {
    guard tracks.count < context.limits.maximumTracks else {
      throw MediaError(
        .limitExceeded, .trackCount, at: .offset(reader.offset),
        detail: "more than \(context.limits.maximumTracks)")
    }
    tracks.append(try TrackBox(parsing: &reader, &context))
  }
}
