// A small XML reader: elements, attributes and text. Extensible Markup Language (XML) 1.0 (Fifth Edition).

internal import ReelCore

/// An element with everything inside of it.
struct XMLElement: Sendable {
  /// Name without its namespace prefix.
  let name: String
  /// Without their prefixes, in the order of the document.
  fileprivate(set) var attributes: [(name: String, value: String)] = []
  fileprivate(set) var children: [XMLElement] = []
  /// Character data directly inside of it: each piece with the number of children before it.
  fileprivate(set) var texts: [(place: Int, text: String)] = []

  subscript(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
}

/// Reads a document into its elements. Comments, processing instructions and the document type are passed
/// over; entities that a document type declares are not known.
struct XMLReader {
  /// LIMIT: bytes of a document; drawings are smaller by far.
  static let mostBytes = 8 << 20
  /// LIMIT: elements in each other; the reader keeps its own stack, but who walks the tree does not.
  static let mostDepth = 64
  /// LIMIT: elements of a document.
  static let mostElements = 50_000
  /// LIMIT: attributes of an element.
  static let mostAttributes = 256

  private let bytes: [UInt8]
  private var index = 0
  private var open: [XMLElement] = []
  private var count = 0
  private var root: XMLElement?

  /// The document's element.
  ///
  /// - Throws: `.damaged` with the offset, `.limitExceeded` beyond the limits.
  static func read(_ bytes: [UInt8]) throws(MediaError) -> XMLElement {
    guard bytes.count <= mostBytes else {
      throw MediaError(.limitExceeded, .svgSize, detail: "\(bytes.count) bytes")
    }
    var reader = XMLReader(bytes)
    return try reader.document()
  }

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  private func fault(_ detail: String) -> MediaError {
    MediaError(.damaged, .xmlSyntax, at: .offset(Int64(index)), detail: detail)
  }

  private mutating func document() throws(MediaError) -> XMLElement {
    if starts(with: "\u{FEFF}") { index = 3 }
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "<") { try markup() } else { try characters() }
    }
    guard open.isEmpty, let root else {
      throw fault(open.last.map { "<\($0.name.prefix(40))> is not closed" } ?? "no element")
    }
    return root
  }

  private func starts(with text: StaticString) -> Bool {
    let text = "\(text)".utf8
    return index + text.count <= bytes.count
      && bytes[index..<index + text.count].elementsEqual(text)
  }

  /// Moves behind the next `text`.
  private mutating func skip(to text: StaticString, _ what: String) throws(MediaError) {
    let first = "\(text)".utf8.first
    while index < bytes.count {
      if bytes[index] == first, starts(with: text) {
        index += "\(text)".utf8.count
        return
      }
      index += 1
    }
    throw fault("\(what) does not end")
  }

  private mutating func markup() throws(MediaError) {
    if starts(with: "<!--") {
      index += 4
      try skip(to: "-->", "a comment")
    } else if starts(with: "<![CDATA[") {
      index += 9
      let start = index
      try skip(to: "]]>", "character data")
      try append(String(decoding: bytes[start..<index - 3], as: UTF8.self))
    } else if starts(with: "<?") {
      try skip(to: "?>", "an instruction")
    } else if starts(with: "<!") {
      try skipDocumentType()
    } else if starts(with: "</") {
      index += 2
      try close(try name())
      skipBlanks()
      try expect(">")
    } else {
      index += 1
      try element()
    }
  }

  /// `<!DOCTYPE … [ … ]>`; what it declares is not used.
  private mutating func skipDocumentType() throws(MediaError) {
    var depth = 0
    var quote: UInt8?
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if let open = quote {
        if byte == open { quote = nil }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
      case UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ">") where depth <= 0: return
      default: break
      }
    }
    throw fault("a declaration does not end")
  }

  private mutating func element() throws(MediaError) {
    count += 1
    guard count <= Self.mostElements, open.count < Self.mostDepth else {
      throw MediaError(
        .limitExceeded, .svgSize, at: .offset(Int64(index)),
        detail: "element \(count), \(open.count) deep")
    }
    guard root == nil else { throw fault("a second document element") }
    var element = XMLElement(name: try name())
    while true {
      skipBlanks()
      if starts(with: "/>") {
        index += 2
        open.append(element)
        try close(element.name)
        return
      }
      if starts(with: ">") {
        index += 1
        open.append(element)
        return
      }
      guard element.attributes.count < Self.mostAttributes else {
        throw MediaError(.limitExceeded, .svgSize, at: .offset(Int64(index)), detail: "attributes")
      }
      let key = try name()
      skipBlanks()
      try expect("=")
      skipBlanks()
      element.attributes.append((key, try quoted()))
    }
  }

  private mutating func close(_ name: String) throws(MediaError) {
    guard let element = open.popLast(), element.name == name else {
      throw fault("</\(name.prefix(40))> closes nothing")
    }
    if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
  }

  private mutating func append(_ text: String) throws(MediaError) {
    if open.isEmpty {
      guard text.allSatisfy(\.isWhitespace) else { throw fault("text outside of the element") }
    } else {
      let place = open[open.count - 1].children.count
      open[open.count - 1].texts.append((place, text))
    }
  }

  private mutating func characters() throws(MediaError) {
    let start = index
    while index < bytes.count, bytes[index] != UInt8(ascii: "<") { index += 1 }
    try append(try text(start..<index))
  }

  private mutating func skipBlanks() {
    while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
  }

  private mutating func expect(_ text: StaticString) throws(MediaError) {
    guard starts(with: text) else { throw fault("\(text) is missing") }
    index += "\(text)".utf8.count
  }

  /// A name, without what stands before a colon.
  private mutating func name() throws(MediaError) -> String {
    var start = index
    while index < bytes.count {
      let byte = bytes[index]
      let isName =
        byte >= 0x80 || (0x30...0x3A).contains(byte) || (0x41...0x5A).contains(byte)
        || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
        || byte == UInt8(ascii: ".")
      guard isName else { break }
      index += 1
      if byte == UInt8(ascii: ":") { start = index }
    }
    guard index > start, index - start <= 200 else { throw fault("a name is missing") }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func quoted() throws(MediaError) -> String {
    guard index < bytes.count,
      bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'")
    else { throw fault("a value is not quoted") }
    let quote = bytes[index]
    index += 1
    let start = index
    while index < bytes.count, bytes[index] != quote {
      guard bytes[index] != UInt8(ascii: "<") else { throw fault("< inside of a value") }
      index += 1
    }
    guard index < bytes.count else { throw fault("a value does not end") }
    index += 1
    return try text(start..<index - 1)
  }

  /// Bytes with their references replaced.
  private func text(_ range: Range<Int>) throws(MediaError) -> String {
    guard bytes[range].contains(UInt8(ascii: "&")) else {
      return String(decoding: bytes[range], as: UTF8.self)
    }
    var result: [UInt8] = []
    var at = range.lowerBound
    while at < range.upperBound {
      guard bytes[at] == UInt8(ascii: "&") else {
        result.append(bytes[at])
        at += 1
        continue
      }
      let limit = min(at + 12, range.upperBound)
      guard let end = bytes[at..<limit].firstIndex(of: UInt8(ascii: ";")),
        let scalar = Self.reference(String(decoding: bytes[at + 1..<end], as: UTF8.self))
      else { throw fault("an unknown reference") }
      result += Array(String(Character(scalar)).utf8)
      at = end + 1
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func reference(_ name: String) -> Unicode.Scalar? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default: break
    }
    if name.hasPrefix("#x") {
      return UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
    }
    guard name.hasPrefix("#") else { return nil }
    return UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init)
  }
}
