// The tree of boxes of a file, with what they say.

public import ReelCore

extension ISOBMFFDemuxer {
  /// The boxes of a file with offsets, sizes and fields, as far as it can be read. Where it breaks a
  /// rule, the node there has a fault; the tree goes on behind it when that is possible.
  ///
  /// - Throws: `io` only.
  public static func describe(
    _ source: any ByteSource, limits: Limits = .standard
  ) throws(MediaError) -> [ContainerNode] {
    var tree = BoxTree(limits: limits)
    return try tree.nodes(of: source)
  }
}

/// Builds nodes from boxes.
struct BoxTree {
  private var context: BoxContext
  /// Handler of the track that is being read: sample entries are laid out by it.
  private var handler: FourCC = "vide"

  init(limits: Limits) { context = BoxContext(limits: limits) }

  /// Media and padding: nothing inside is a box, and there may be much of it.
  private static let opaqueTypes: Set<FourCC> = ["mdat", "free", "skip", "wide", "idat"]

  mutating func nodes(of source: any ByteSource) throws(MediaError) -> [ContainerNode] {
    var walker = TopLevelWalker(source)
    var nodes: [ContainerNode] = []
    while true {
      let start = walker.offset
      do {
        guard let box = try walker.next(&context) else { return nodes }
        nodes.append(try node(of: box, walker))
      } catch {
        guard error.family != .io else { throw error }
        var node = ContainerNode(
          name: "damaged", offset: start, headerByteCount: 0, byteCount: nil)
        node.fault = error
        nodes.append(node)
        return nodes
      }
    }
  }

  private mutating func node(
    of box: TopLevelBox, _ walker: TopLevelWalker
  ) throws(MediaError) -> ContainerNode {
    var node = ContainerNode(
      name: "\(box.type)", offset: box.offset, headerByteCount: box.headerByteCount,
      byteCount: box.byteCount)
    let end = box.byteCount.map { box.offset.addingReportingOverflow($0) }
    if let length = walker.source.byteCount, let end, end.overflow || end.partialValue > length {
      node.fault = MediaError(
        .needsMoreData, .boxTruncated, at: .box(path: node.name, offset: box.offset),
        detail: "\(box.byteCount ?? 0) bytes stated, \(length - box.offset) there")
    }
    if Self.opaqueTypes.contains(box.type) { return node }
    do {
      let bytes = try walker.payload(of: box, limits: context.limits, acceptsLess: true)
      var reader = ByteReader(bytes.span, base: box.payloadOffset)
      try context.enter(box.type, at: box.offset)
      fill(&node, box.type, userType: nil, &reader)
      context.leave(to: 0)
    } catch {
      guard error.family != .io else { throw error }
      node.fault = node.fault ?? error
      context.leave(to: 0)
    }
    return node
  }

  /// Reads the fields and children of a box into its node.
  private mutating func fill(
    _ node: inout ContainerNode, _ type: FourCC, userType: [UInt8]?, _ reader: inout ByteReader
  ) {
    do {
      let layout = try BoxFields.read(
        type, userType: userType, handler: handler, from: &reader, &context, into: &node.fields)
      if type == "hdlr" { noteHandler(node) }
      guard layout.hasChildren else { return }
      try addChildren(to: &node, &reader, areSampleEntries: type == "stsd")
    } catch {
      node.fault = node.fault ?? context.located(error)
    }
  }

  private mutating func noteHandler(_ node: ContainerNode) {
    for field in node.fields where field.name == "handler_type" {
      guard case .text(let text) = field.value, text.utf8.count == 4 else { continue }
      let code = text.utf8.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      if context.depth <= 4 { handler = FourCC(rawValue: code) }
    }
  }

  private mutating func addChildren(
    to node: inout ContainerNode, _ reader: inout ByteReader, areSampleEntries: Bool
  ) throws(MediaError) {
    while reader.remaining >= 8 {
      let start = reader.offset
      let before = context.warnings.count
      let header = try reader.readBoxHeader(&context)
      var child = ContainerNode(
        name: "\(header.type)", offset: start, headerByteCount: header.headerByteCount,
        byteCount: header.byteCount)
      // A size that was read past is a fault of the box it stands in.
      if context.warnings.count > before { child.fault = context.warnings.last }
      var payload = try reader.sub(Int(header.byteCount) - header.headerByteCount)
      try context.enter(header.type, at: start)
      let depth = context.depth
      if areSampleEntries {
        fillEntry(&child, header.type, &payload)
      } else if !Self.opaqueTypes.contains(header.type) {
        fill(&child, header.type, userType: header.userType, &payload)
      }
      context.leave(to: depth - 1)
      node.children.append(child)
    }
  }

  private mutating func fillEntry(
    _ node: inout ContainerNode, _ type: FourCC, _ reader: inout ByteReader
  ) {
    do {
      try BoxFields.readEntry(type, handler: handler, from: &reader, into: &node.fields)
      if handler == "vide" || handler == "soun" || type == "wvtt" {
        try addChildren(to: &node, &reader, areSampleEntries: false)
      }
    } catch {
      node.fault = context.located(error)
    }
  }
}
