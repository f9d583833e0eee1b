// Reading the text of a playlist, line by line. RFC 8216 §4.1.

public import ReelCore

extension Playlist {
  /// Reads a playlist.
  ///
  /// With ``Strictness/lenient``, the default, what breaks a rule and leaves a meaning is read past
  /// and told in the warnings; otherwise it is an error. ``PlaylistValidation`` checks what reading
  /// does not need.
  ///
  /// - Throws: `damaged` with line and column; `limitExceeded`.
  public static func parse(
    _ text: [UInt8], _ context: PlaylistContext = PlaylistContext()
  ) throws(MediaError) -> ParsedPlaylist {
    var reader = PlaylistReader(text, context)
    return try reader.read()
  }

  /// Whether a resource that begins with these bytes is a playlist: `#EXTM3U` and the end of a line.
  /// RFC 8216 §4.3.1.1.
  public static func probe(_ prefix: [UInt8]) -> Bool {
    guard prefix.starts(with: "#EXTM3U".utf8) else { return false }
    return prefix.count == 7 || prefix[7] <= UInt8(ascii: " ")
  }
}

/// Reads a playlist of either kind; the first tag of one kind decides which it is.
struct PlaylistReader {
  enum Kind { case undecided, media, master }

  let text: [UInt8]
  let context: PlaylistContext
  let limits: PlaylistLimits
  let tags = PlaylistTagTable.standard
  var warnings: [MediaError] = []
  /// The current line without its end and the blanks around it, and its number from 1.
  var line = 0..<0
  var lineStart = 0
  var lineNumber = 0

  var hasHeader = false
  var kind = Kind.undecided
  var header = PlaylistHeader()
  var media = MediaPlaylist()
  var master = MasterPlaylist()
  var pending = PendingSegment()
  var pendingVariant: Variant?
  var variables = PlaylistVariables()
  var unknownTagCount = 0
  var partCount = 0
  /// A tag of a segment or variant has been seen: unknown tags belong to the next one from there.
  var hasBody = false
  /// Unknown tags of a master playlist since the last variant.
  var looseTags: [UnknownTag] = []

  init(_ text: [UInt8], _ context: PlaylistContext) {
    self.text = text
    self.context = context
    limits = context.limits
  }

  mutating func read() throws(MediaError) -> ParsedPlaylist {
    // LIMIT: offsets in the text are held in 32 bits.
    guard text.count <= min(limits.maximumBytes, Int(UInt32.max)) else {
      throw MediaError(
        .limitExceeded, .playlistSize,
        detail: "\(text.count) bytes, at most \(limits.maximumBytes)",
        advice: "raise PlaylistLimits.maximumBytes if the playlist is trusted")
    }
    try checkCharacters()
    let bytes = text
    let count = bytes.count
    var position = 0
    while position < count {
      let end = Self.lineEnd(bytes.span, from: position)
      try enterLine(position, end)
      if !line.isEmpty { try readLine() }
      position = end + 1
    }
    return try finish()
  }

  /// Offset of the next line feed, or of the end.
  private static func lineEnd(_ bytes: Span<UInt8>, from start: Int) -> Int {
    var position = start
    while position < bytes.count, bytes[position] != 10 { position &+= 1 }
    return position
  }

  private mutating func enterLine(_ start: Int, _ end: Int) throws(MediaError) {
    lineNumber += 1
    lineStart = start
    var (first, last) = (start, end)
    if last > first, text[last - 1] == 13 { last -= 1 }
    let isBlankAtEdge = last > first && (Self.isBlank(text[first]) || Self.isBlank(text[last - 1]))
    if isBlankAtEdge {
      while first < last, Self.isBlank(text[first]) { first += 1 }
      while last > first, Self.isBlank(text[last - 1]) { last -= 1 }
    }
    line = first..<last
    guard line.count <= limits.maximumLineBytes else {
      throw tooMuch("a line of \(line.count) bytes, at most \(limits.maximumLineBytes)")
    }
  }

  private mutating func readLine() throws(MediaError) {
    if text[line.lowerBound] == UInt8(ascii: "#") { return try readTag() }
    guard hasHeader else { throw error(.playlistHeader, "it begins with another line") }
    switch kind {
    case .master: try endVariant()
    case .media, .undecided: try endSegment()
    }
  }

  private mutating func readTag() throws(MediaError) {
    guard text[line].starts(with: "#EXT".utf8) else { return }
    let nameStart = line.lowerBound + 1
    let colon = text[line].firstIndex(of: UInt8(ascii: ":")) ?? line.upperBound
    var value = min(colon + 1, line.upperBound)..<line.upperBound
    let tag = tags.tag(text[nameStart..<colon])
    guard hasHeader else {
      guard tag == .header else { throw error(.playlistHeader, "it begins with another tag") }
      hasHeader = true
      if lineNumber > 1 { try complain(.playlistHeader, "comments or empty lines before it") }
      return
    }
    guard let tag else {
      return try takeUnknownTag(nameStart..<colon, colon < line.upperBound ? value : nil)
    }
    if !value.isEmpty, Self.isBlank(text[value.lowerBound]) {
      if tag != .duration {
        try complain(.playlistBlank, "a blank behind the colon", at: colon + 1)
      }
      while !value.isEmpty, Self.isBlank(text[value.lowerBound]) {
        value = value.lowerBound + 1..<value.upperBound
      }
    }
    try read(tag, value)
  }

  private mutating func read(_ tag: PlaylistTag, _ value: Range<Int>) throws(MediaError) {
    switch tag.scope {
    case .both: try readHeaderTag(tag, value)
    case .media:
      try decide(.media, tag)
      try readMediaTag(tag, value)
    case .segment:
      try decide(.media, tag)
      hasBody = true
      try readSegmentTag(tag, value)
    case .master:
      try decide(.master, tag)
      hasBody = true
      try readMasterTag(tag, value)
    }
  }

  private mutating func decide(_ kind: Kind, _ tag: PlaylistTag) throws(MediaError) {
    if self.kind == .undecided { self.kind = kind }
    guard self.kind == kind else {
      throw error(
        .playlistKind, "\(tag.rawValue) in a \(self.kind == .media ? "media" : "master") playlist")
    }
  }

  private mutating func takeUnknownTag(
    _ name: Range<Int>, _ value: Range<Int>?
  ) throws(MediaError) {
    unknownTagCount += 1
    guard unknownTagCount <= limits.maximumUnknownTags else {
      throw tooMuch("more than \(limits.maximumUnknownTags) unknown tags")
    }
    let tag = UnknownTag(
      name: String(decoding: text[name], as: UTF8.self),
      value: value.map { String(decoding: text[$0], as: UTF8.self) })
    if !hasBody {
      header.unknownTags.append(tag)
    } else if kind == .master {
      looseTags.append(tag)
    } else {
      pending.unknownTags.append(tag)
    }
  }

  private mutating func finish() throws(MediaError) -> ParsedPlaylist {
    guard hasHeader else {
      (line, lineStart, lineNumber) = (0..<0, 0, 1)
      throw error(.playlistHeader, "it has none")
    }
    // Nothing of a master playlist was left: written, it would say nothing of its kind.
    if kind == .master, pendingVariant == nil, master == MasterPlaylist() { kind = .media }
    switch kind {
    case .master:
      if pendingVariant != nil {
        throw error(.playlistVariantAddress, "the playlist ends behind EXT-X-STREAM-INF")
      }
      header.unknownTags += looseTags
      master.header = header
      return ParsedPlaylist(playlist: .master(master), warnings: warnings)
    case .media, .undecided:
      try finishMedia()
      header.unknownTags += looseTags
      media.header = header
      return ParsedPlaylist(playlist: .media(media), warnings: warnings)
    }
  }

  // MARK: Errors

  /// An error in the current line, at a byte of the text or the line's begin.
  func error(_ rule: Rule, _ detail: String, at offset: Int? = nil) -> MediaError {
    MediaError(.damaged, rule, at: place(offset), detail: detail)
  }

  func tooMuch(_ detail: String, at offset: Int? = nil) -> MediaError {
    MediaError(
      .limitExceeded, .playlistSize, at: place(offset), detail: detail,
      advice: "raise PlaylistLimits if the playlist is trusted")
  }

  private func place(_ offset: Int?) -> Place {
    .column((offset ?? line.lowerBound) - lineStart + 1, line: lineNumber)
  }

  /// A fault that leaves a meaning: a warning, or an error unless reading is lenient.
  mutating func complain(
    _ rule: Rule, _ detail: String, at offset: Int? = nil
  ) throws(MediaError) {
    let fault = error(rule, detail, at: offset)
    guard context.strictness == .lenient else { throw fault }
    if warnings.count < limits.maximumWarnings { warnings.append(fault) }
  }
}
