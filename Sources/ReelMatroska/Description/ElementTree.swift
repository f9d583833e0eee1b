// The tree of elements of a file, with what they say.

public import ReelCore

extension MatroskaDemuxer {
  /// The elements of a file with offsets, sizes and values, as far as it can be read. Where it breaks a
  /// rule, the node there has a fault; the tree goes on behind the parent where its size is known.
  ///
  /// - Throws: `io` only.
  public static func describe(
    _ source: any ByteSource, limits: Limits = .standard
  ) throws(MediaError) -> [ContainerNode] {
    var tree = ElementTree(source, limits: limits)
    return try tree.nodes()
  }
}

/// Builds nodes from elements.
struct ElementTree {
  /// What children are read from.
  private struct Parent {
    let id: UInt32?
    /// Offset behind it; the largest number when its size is not known.
    let end: Int64
    let isUnknown: Bool
    let depth: Int
  }

  private let source: any ByteSource
  private var window: SourceWindow
  private var context: EBMLContext
  /// A limit was reached: no more nodes are made.
  private var isOver = false

  /// LIMIT: bytes of a binary element that are shown, and of a text that is read.
  private static let (shownBytes, readBytes) = (32, Int64(1 << 16))

  init(_ source: any ByteSource, limits: Limits) {
    self.source = source
    window = SourceWindow(source)
    context = EBMLContext(limits: limits)
  }

  mutating func nodes() throws(MediaError) -> [ContainerNode] {
    let end = source.byteCount ?? .max
    return try children(
      from: 0, of: Parent(id: nil, end: end, isUnknown: source.byteCount == nil, depth: 1)
    ).nodes
  }

  /// The children from `start` on, and where the last one ends.
  private mutating func children(
    from start: Int64, of parent: Parent
  ) throws(MediaError) -> (nodes: [ContainerNode], end: Int64) {
    var nodes: [ContainerNode] = []
    var position = start
    while position < parent.end, !isOver {
      do throws(MediaError) {
        try context.count(depth: parent.depth, at: position)
        guard let header = try window.header(at: position) else { break }
        if parent.isUnknown, let id = parent.id, Self.ends(id, before: header.id) { break }
        let (node, end) = try node(header, at: position, in: parent)
        nodes.append(node)
        position = end
      } catch {
        guard error.family != .io else { throw error }
        var node = ContainerNode(
          name: "damaged", offset: position, headerByteCount: 0, byteCount: nil)
        node.fault = error
        nodes.append(node)
        // What follows a limit is not read; what follows damage in a parent begins behind it.
        isOver = error.family == .limitExceeded
        return (nodes, parent.isUnknown ? .max : parent.end)
      }
    }
    return (nodes, position)
  }

  /// Whether an element of unknown size is over before an element. RFC 8794 §6.2.
  private static func ends(_ id: UInt32, before next: UInt32) -> Bool {
    if next == ElementID.segment || next == ElementID.ebml { return true }
    return id == ElementID.cluster && ElementID.isTopLevel(next)
  }

  private mutating func node(
    _ header: ElementHeader, at position: Int64, in parent: Parent
  ) throws(MediaError) -> (ContainerNode, Int64) {
    let schema = ElementSchema.element(header.id)
    let content = position + Int64(header.byteCount)
    let stated = header.size.map { content.saturatingAdd($0) }
    var node = ContainerNode(
      name: schema.name, offset: position, headerByteCount: header.byteCount,
      byteCount: stated.map { $0 - position })
    let end = min(stated ?? parent.end, parent.end)
    if let stated, stated > parent.end { node.fault = overrun(stated, parent, at: position) }
    guard schema.kind == .master else {
      guard header.size != nil else {
        throw MediaError(.damaged, .ebmlElement, at: .offset(position), detail: "unknown size")
      }
      do throws(MediaError) {
        node.fields = try fields(schema.kind, at: content, count: end - content)
      } catch {
        guard error.family != .io else { throw error }
        node.fault = node.fault ?? error
      }
      return (node, end)
    }
    let (children, last) = try children(
      from: content,
      of: Parent(id: header.id, end: end, isUnknown: stated == nil, depth: parent.depth + 1))
    node.children = children
    return (node, stated == nil ? last : end)
  }

  private func overrun(_ stated: Int64, _ parent: Parent, at position: Int64) -> MediaError {
    MediaError(
      parent.id == nil ? .needsMoreData : .damaged, .ebmlElement, at: .offset(position),
      detail: "\(stated - position) bytes stated, \(parent.end - position) there")
  }

  /// What an element without children says.
  private mutating func fields(
    _ kind: ElementSchema.Kind, at offset: Int64, count: Int64
  ) throws(MediaError) -> [ContainerNode.Field] {
    let limit = kind == .text ? Self.readBytes : Int64(Self.shownBytes)
    let bytes = try window.bytes(at: offset, count: Int(min(max(count, 0), limit)))
    // A number that is longer than any number is told by its length.
    let isNumber = kind == .unsigned || kind == .signed || kind == .float || kind == .date
    guard !isNumber || count <= 8 else {
      throw MediaError(.damaged, .ebmlValue, at: .offset(offset), detail: "\(count) bytes")
    }
    let element = EBMLElement([UInt8](bytes), base: offset)
    switch kind {
    case .master: return []
    case .unsigned:
      let value = try element.unsigned()
      return [Int64(exactly: value).map { .init("value", $0) } ?? .init("value", "\(value)")]
    case .signed, .date: return [.init("value", try element.signed())]
    case .float: return [.init("value", "\(try element.float())")]
    case .text: return [.init("value", element.text())]
    case .binary: return bytes.isEmpty ? [] : [.init("bytes", Self.hexadecimal(bytes, of: count))]
    case .identifier:
      return [
        .init("value", ElementSchema.element(UInt32(try element.unsigned() & 0xFFFF_FFFF)).name)
      ]
    case .block: return Self.blockFields(bytes)
    }
  }

  private static func blockFields(_ bytes: ArraySlice<UInt8>) -> [ContainerNode.Field] {
    guard let header = BlockHeader(bytes) else { return [] }
    var fields: [ContainerNode.Field] = [
      .init("track", header.trackNumber), .init("timestamp", header.timestamp),
      .init("flags", header.flags),
    ]
    if header.lacing != .none {
      fields.append(.init("lacing", "\(header.lacing)"))
      let count = bytes.dropFirst(header.byteCount).first
      if let count { fields.append(.init("frames", Int(count) + 1)) }
    }
    return fields
  }

  private static func hexadecimal(_ bytes: ArraySlice<UInt8>, of count: Int64) -> String {
    let text = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    return Int64(bytes.count) < count ? text + "…" : text
  }
}
