// WebVTT files. W3C WebVTT: The Web Video Text Tracks Format, §6.1.

public import ReelCore

/// What a WebVTT file holds.
public struct WebVTTFile: Sendable, Hashable {
  public var cues: [Cue] = []
  public var regions: [CueRegion] = []
  /// The text behind WEBVTT in the first line.
  public var title = ""
  /// `X-TIMESTAMP-MAP` of HLS segments: this time of the cues is that time of the transport stream, in
  /// ticks of 90 kHz. RFC 8216 §3.5.
  public var timestampMap: (local: MediaTime, transport: Int64)?

  public static func == (a: WebVTTFile, b: WebVTTFile) -> Bool {
    a.cues == b.cues && a.regions == b.regions && a.title == b.title
      && a.timestampMap?.local == b.timestampMap?.local
      && a.timestampMap?.transport == b.timestampMap?.transport
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(cues)
    hasher.combine(regions)
    hasher.combine(title)
  }
}

extension WebVTTFile {
  /// Reads a file. Faults inside are passed over as the standard says.
  ///
  /// - Throws: `.damaged` when it does not begin with WEBVTT, `.limitExceeded` for too many cues or bytes.
  public init(parsing bytes: [UInt8]) throws(MediaError) {
    let text = try CaptionText(bytes, allowsOther: false)
    var parser = WebVTTParser(text.lines)
    self = try parser.parse()
  }
}

/// What comes before the cues and holds for all of them: regions and style sheets.
struct WebVTTHeader: Sendable {
  private let regions: [String: CueRegion]
  private var sheet: StyleSheet

  /// Of regions with one name, the last is meant.
  fileprivate init(regions: [CueRegion], sheet: StyleSheet) {
    self.regions = Dictionary(regions.map { ($0.id, $0) }) { _, last in last }
    self.sheet = sheet
  }

  /// A file without cues, as samples in containers have it; what is no such file says nothing.
  init(parsing bytes: [UInt8]) {
    guard let text = try? CaptionText(bytes, allowsOther: false) else {
      self.init(regions: [], sheet: StyleSheet())
      return
    }
    var parser = WebVTTParser(text.lines)
    let file = try? parser.parse()
    self.init(regions: file?.regions ?? [], sheet: file == nil ? StyleSheet() : parser.sheet)
  }

  func region(_ name: String) -> CueRegion? { regions[name] }

  /// Gives a cue what the style sheets say.
  mutating func style(_ cue: inout Cue) throws(MediaError) { try sheet.apply(to: &cue) }
}

private struct WebVTTParser {
  private let lines: [ArraySlice<UInt8>]
  private var index = 0
  private var file = WebVTTFile()
  private(set) var sheet = StyleSheet()
  private var hasCues = false
  /// The regions that cues name, for cues of any later line.
  private var regionNames: [String?] = []

  init(_ lines: [ArraySlice<UInt8>]) { self.lines = lines }

  mutating func parse() throws(MediaError) -> WebVTTFile {
    guard let first = lines.first, first.starts(with: Array("WEBVTT".utf8)),
      first.count == 6 || first.dropFirst(6).first == 0x20 || first.dropFirst(6).first == 0x09
    else { throw MediaError(.damaged, .webVTTSignature, at: .line(1)) }
    file.title = first.dropFirst(6).trimmed.text
    index = 1
    parseHeader()
    while index < lines.count {
      if lines[index].isEmpty { index += 1 } else { try parseBlock() }
    }
    var header = WebVTTHeader(regions: file.regions, sheet: sheet)
    for i in file.cues.indices {
      if let name = regionNames[i] { file.cues[i].region = header.region(name) }
      try header.style(&file.cues[i])
    }
    return file
  }

  /// The lines up to the first empty one; a line of times ends them too.
  private mutating func parseHeader() {
    while index < lines.count, !lines[index].isEmpty {
      let line = lines[index]
      // Regions of drafts before 2015, whose names may hold anything.
      let isRegion = line.starts(with: Array("Region:".utf8))
      if !isRegion && line.contains(sequence: arrow) { break }
      if line.starts(with: Array("X-TIMESTAMP-MAP=".utf8)) { takeTimestampMap(line.dropFirst(16)) }
      if isRegion {
        var region = CueRegion()
        region.take(line.dropFirst(7), separator: 0x3D)
        if !region.id.isEmpty { file.regions.append(region) }
      }
      index += 1
    }
  }

  private mutating func takeTimestampMap(_ line: ArraySlice<UInt8>) {
    var local: Int64?
    var transport: Int64?
    for part in line.split(separator: 0x2C) {
      guard let (name, value) = part.split(at: 0x3A) else { continue }
      switch name.trimmed.text {
      case "LOCAL":
        var scanner = WebVTTScanner(value)
        local = scanner.timestamp()
      case "MPEGTS": transport = Int64(value.trimmed.text)
      default: break
      }
    }
    if let local, let transport {
      file.timestampMap = (MediaTime(milliseconds: local), transport)
    }
  }

  /// A cue, a comment, a style sheet or a region: up to an empty line or the next line of times.
  private mutating func parseBlock() throws(MediaError) {
    var text: [ArraySlice<UInt8>] = []
    var cue: Cue?
    var regionName: String?
    while index < lines.count, !lines[index].isEmpty {
      let line = lines[index]
      if line.contains(sequence: arrow) {
        // A second line of times begins a cue of its own.
        if cue != nil || text.count > 1 { break }
        guard let (times, settings) = Self.times(line) else {
          // Not a line of times after all: the block is no cue.
          skipBlock()
          return
        }
        var fresh = Cue(start: times.0, end: times.1, content: [])
        fresh.id = text.first?.text ?? ""
        regionName = fresh.settings.take(settings)
        text = []
        cue = fresh
      } else {
        if cue == nil && text.count == 1 && !hasCues {
          if try parseDefinition(text[0]) { return }
        }
        text.append(line)
      }
      index += 1
    }
    guard var cue else { return }
    hasCues = true
    try addCue(&cue, text, regionName)
  }

  private mutating func addCue(
    _ cue: inout Cue, _ text: [ArraySlice<UInt8>], _ regionName: String?
  ) throws(MediaError) {
    guard file.cues.count < CaptionTrack.mostCues else {
      throw MediaError(.limitExceeded, .captionCount, at: .line(index))
    }
    let bytes = Array(text.joined(separator: [0x0A]))
    guard bytes.count <= WebVTTCueText.mostBytes else {
      throw MediaError(.limitExceeded, .captionSize, at: .line(index), detail: "a cue's text")
    }
    cue.source = String(decoding: bytes, as: UTF8.self)
    cue.content = WebVTTCueText.parse(bytes)
    file.cues.append(cue)
    regionNames.append(regionName)
  }

  private mutating func skipBlock() {
    while index < lines.count, !lines[index].isEmpty { index += 1 }
  }

  /// A block that begins with STYLE or REGION, before the first cue.
  private mutating func parseDefinition(_ first: ArraySlice<UInt8>) throws(MediaError) -> Bool {
    let name = first.trimmed.text
    let isExact = first.count == first.trimmed.count || first.first != 0x20
    guard isExact, name == "STYLE" || name == "REGION" else { return false }
    let start = index
    while index < lines.count, !lines[index].isEmpty, !lines[index].contains(sequence: arrow) {
      index += 1
    }
    let block = lines[start..<index]
    if name == "STYLE" {
      sheet.add(Array(block.joined(separator: [0x0A])))
    } else {
      var region = CueRegion()
      for line in block { region.take(line, separator: 0x3A) }
      if !region.id.isEmpty { file.regions.append(region) }
    }
    return true
  }

  /// The times of a line and what is behind them. WebVTT §6.3.
  private static func times(
    _ line: ArraySlice<UInt8>
  ) -> ((MediaTime, MediaTime), ArraySlice<UInt8>)? {
    var scanner = WebVTTScanner(line)
    scanner.skipBlanks()
    guard let start = scanner.timestamp() else { return nil }
    scanner.skipBlanks()
    guard scanner.take(arrow) else { return nil }
    scanner.skipBlanks()
    guard let end = scanner.timestamp() else { return nil }
    let rest = line[scanner.index...]
    return ((MediaTime(milliseconds: start), MediaTime(milliseconds: end)), rest)
  }
}
