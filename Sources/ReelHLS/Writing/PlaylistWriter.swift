// Writing playlists. RFC 8216 §4.

public import ReelCore

extension Playlist {
  /// The playlist as text, lines ended by line feeds. Reading it gives an equal playlist.
  ///
  /// - Throws: `usage` for a value that a playlist cannot express: a quotation mark or line end in an
  ///   address or name, a segment without an initialization section behind one that has one.
  public func write() throws(MediaError) -> [UInt8] {
    var writer = PlaylistWriter()
    switch self {
    case .master(let master): try writer.write(master)
    case .media(let media): try writer.write(media)
    }
    return writer.text
  }
}

extension MediaPlaylist {
  /// As ``Playlist/write()``.
  public func write() throws(MediaError) -> [UInt8] { try Playlist.media(self).write() }
}

extension MasterPlaylist {
  /// As ``Playlist/write()``.
  public func write() throws(MediaError) -> [UInt8] { try Playlist.master(self).write() }
}

/// Gathers the lines of a playlist.
struct PlaylistWriter {
  private(set) var text: [UInt8] = []

  mutating func line(_ words: String) {
    text += words.utf8
    text.append(10)
  }

  /// An address on a line of its own.
  mutating func address(_ uri: String) throws(MediaError) {
    let isTag = uri.utf8.first == UInt8(ascii: "#")
    guard !uri.isEmpty, !isTag, isPlain(uri), !hasBlankEdge(uri) else {
      throw Self.unwritable("address", uri)
    }
    line(uri)
  }

  mutating func tag(_ tag: PlaylistTag) { line("#" + tag.rawValue) }

  mutating func tag(_ tag: PlaylistTag, _ value: some CustomStringConvertible) {
    line("#\(tag.rawValue):\(value)")
  }

  mutating func tag(_ tag: PlaylistTag, _ attributes: AttributeWriter) {
    line("#\(tag.rawValue):\(attributes.words.joined(separator: ","))")
  }

  mutating func unknown(_ tags: [UnknownTag]) throws(MediaError) {
    for tag in tags {
      let isName =
        tag.name.utf8.starts(with: "EXT".utf8) && !tag.name.utf8.contains(UInt8(ascii: ":"))
      guard isName, isPlain(tag.name), isPlain(tag.value ?? "") else {
        throw Self.unwritable("tag", tag.name)
      }
      line("#\(tag.name)\(tag.value.map { ":" + $0 } ?? "")")
    }
  }

  mutating func header(_ header: PlaylistHeader) throws(MediaError) {
    tag(.header)
    if let version = header.version { tag(.version, version) }
    for definition in header.definitions {
      var list = AttributeWriter()
      switch definition {
      case .value(let name, let value):
        try list.quoted("NAME", name)
        try list.quoted("VALUE", value)
      case .imported(let name): try list.quoted("IMPORT", name)
      case .queryParameter(let name): try list.quoted("QUERYPARAM", name)
      }
      tag(.define, list)
    }
    if header.hasIndependentSegments { tag(.independentSegments) }
    if let start = header.start {
      var list = AttributeWriter()
      list.plain("TIME-OFFSET", start.timeOffset)
      if start.isPrecise { list.plain("PRECISE", "YES") }
      tag(.start, list)
    }
    try unknown(header.unknownTags)
  }

  mutating func key(_ key: Key, as tag: PlaylistTag) throws(MediaError) {
    var list = AttributeWriter()
    try list.word("METHOD", key.method.name)
    try list.quoted("URI", key.uri)
    list.hexadecimal("IV", key.initializationVector)
    try list.quoted("KEYFORMAT", key.format)
    try list.quoted("KEYFORMATVERSIONS", key.formatVersions)
    try list.unknown(key.unknownAttributes)
    self.tag(tag, list)
  }

  func isPlain(_ text: String) -> Bool { AttributeWriter.isPlain(text) }

  func hasBlankEdge(_ text: String) -> Bool {
    let edges = [text.utf8.first ?? 0, text.utf8.last ?? 0]
    return edges.contains(UInt8(ascii: " ")) || edges.contains(UInt8(ascii: "\t"))
  }

  static func unwritable(_ what: String, _ value: String) -> MediaError {
    MediaError(.usage, .playlistWriting, detail: "\(what) \"\(value.prefix(80))\"")
  }
}

/// Gathers the attributes of a tag.
struct AttributeWriter {
  private(set) var words: [String] = []

  /// No control characters.
  static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 32 && $0 != 127 || $0 == 9 }
  }

  mutating func plain(_ name: String, _ value: (some CustomStringConvertible)?) {
    if let value { words.append("\(name)=\(value)") }
  }

  /// An enumerated string.
  mutating func word(_ name: String, _ value: String?) throws(MediaError) {
    guard let value else { return }
    let isWord = !value.utf8.contains { $0 == 44 || $0 == 34 || $0 <= 32 || $0 == 127 }
    guard isWord else { throw PlaylistWriter.unwritable(name, value) }
    words.append("\(name)=\(value)")
  }

  mutating func flag(_ name: String, _ value: Bool) { if value { words.append("\(name)=YES") } }

  mutating func quoted(_ name: String, _ value: String?) throws(MediaError) {
    guard let value else { return }
    guard Self.isPlain(value), !value.utf8.contains(UInt8(ascii: "\"")) else {
      throw PlaylistWriter.unwritable(name, value)
    }
    words.append("\(name)=\"\(value)\"")
  }

  mutating func hexadecimal(_ name: String, _ value: [UInt8]?) {
    guard let value else { return }
    let digits = value.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
    words.append("\(name)=0x\(digits.joined())")
  }

  mutating func unknown(_ attributes: [UnknownAttribute]) throws(MediaError) {
    for attribute in attributes {
      guard Self.isPlain(attribute.name), Self.isPlain(attribute.value), !attribute.name.isEmpty
      else { throw PlaylistWriter.unwritable("attribute", attribute.name) }
      words.append("\(attribute.name)=\(attribute.value)")
    }
  }
}
