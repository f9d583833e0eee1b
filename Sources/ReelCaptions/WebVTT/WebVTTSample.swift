// WebVTT in ISO files (wvtt). ISO/IEC 14496-30:2018 §7.

public import ReelCore

/// Reads the samples of a WebVTT track.
public struct WebVTTSampleReader: Sendable {
  private var header: WebVTTHeader

  /// - Parameter header: the track's `vttC` or, in Matroska, its CodecPrivate: a WebVTT file without
  ///   cues, with its regions and styles.
  public init(header: [UInt8] = []) { self.header = WebVTTHeader(parsing: header) }

  /// The cues of a sample, all from `start` to `end`: boxes `vttc`, each a cue, or `vtte` where nothing
  /// is shown.
  ///
  /// - Throws: `.damaged` when the sample does not consist of whole boxes; `.limitExceeded` for a text of
  ///   more than 64 KiB, and by ``Rule/captionStyles`` when styles cost too much.
  public mutating func cues(
    parsing bytes: [UInt8], start: MediaTime, end: MediaTime
  ) throws(MediaError) -> [Cue] {
    var cues: [Cue] = []
    for (type, content) in try Self.boxes(bytes) where type == "vttc" {
      var text: [UInt8] = []
      var settings: [UInt8] = []
      var id = ""
      for (type, value) in try Self.boxes(content) {
        switch type {
        case "payl": text = value
        case "sttg": settings = value
        case "iden": id = String(decoding: value, as: UTF8.self)
        default: break
        }
      }
      guard text.count <= WebVTTCueText.mostBytes else {
        throw MediaError(.limitExceeded, .captionSize)
      }
      cues.append(
        try cue(text, id: id, settings: settings, start: start, end: end))
    }
    return cues
  }

  /// The cue of a block of Matroska.
  ///
  /// - Parameter hasCueHeader: a line for the identifier and one for the settings come first, as in
  ///   WebM; else the block is the cue's text alone.
  /// - Throws: `.limitExceeded` as ``cues(parsing:start:end:)``.
  public mutating func cue(
    block: [UInt8], hasCueHeader: Bool = false, start: MediaTime, end: MediaTime
  ) throws(MediaError) -> Cue {
    guard block.count <= WebVTTCueText.mostBytes else {
      throw MediaError(.limitExceeded, .captionSize)
    }
    guard hasCueHeader else {
      return try cue(block, id: "", settings: [], start: start, end: end)
    }
    let lines = block.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
    return try cue(
      lines.count > 2 ? Array(lines[2]) : [], id: lines.first?.text ?? "",
      settings: lines.count > 1 ? Array(lines[1]) : [], start: start, end: end)
  }

  private mutating func cue(
    _ text: [UInt8], id: String, settings: [UInt8], start: MediaTime, end: MediaTime
  ) throws(MediaError) -> Cue {
    var cue = Cue(start: start, end: end, content: WebVTTCueText.parse(text))
    // A line end in the settings is a blank as any other.
    let line = settings.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
    if let name = cue.settings.take(line[...]) { cue.region = header.region(name) }
    cue.id = id
    cue.source = String(decoding: text, as: UTF8.self)
    try header.style(&cue)
    return cue
  }

  private static func boxes(_ bytes: [UInt8]) throws(MediaError) -> [(FourCC, [UInt8])] {
    var reader = ByteReader(bytes.span)
    var boxes: [(FourCC, [UInt8])] = []
    while !reader.isAtEnd {
      let place = Place.offset(reader.offset)
      let size = Int(try reader.read(UInt32.self))
      let type = FourCC(rawValue: try reader.read())
      guard size >= 8, size - 8 <= reader.remaining else {
        throw MediaError(.damaged, .webVTTSample, at: place, detail: "size \(size)")
      }
      boxes.append((type, try reader.readBytes(size - 8)))
    }
    return boxes
  }
}
