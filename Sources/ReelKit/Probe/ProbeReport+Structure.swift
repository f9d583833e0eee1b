// The tree of boxes or elements.

import ReelCore

extension ProbeReport {
  /// Writes a node and what lies in it as JSON.
  func write(
    _ node: ContainerNode, _ writer: inout JSONWriter, _ sink: Sink
  ) throws(MediaError) {
    writer.beginObject()
    writer.member("type", node.name)
    writer.member("offset", node.offset)
    if let byteCount = node.byteCount { writer.member("size", byteCount) }
    writer.member("header_size", node.headerByteCount)
    if !node.fields.isEmpty {
      writer.beginObject("fields")
      for field in node.fields { write(field, &writer) }
      writer.endObject()
    }
    if let fault = node.fault { writer.member("fault", fault.description) }
    if !node.children.isEmpty {
      writer.beginArray("boxes")
      for child in node.children { try write(child, &writer, sink) }
      writer.endArray()
    }
    writer.endObject()
    if writer.bytes.count > 1 << 16 {
      try sink(writer.bytes)
      writer.removeAll()
    }
  }

  private func write(_ field: ContainerNode.Field, _ writer: inout JSONWriter) {
    switch field.value {
    case .integer(let value): writer.member(field.name, value)
    case .text(let text): writer.member(field.name, text)
    case .list(let values):
      writer.beginArray(field.name)
      for value in values {
        switch value {
        case .integer(let number): writer.element(number)
        case .text(let text): writer.element(text)
        case .list, .table: break
        }
      }
      writer.endArray()
    case .table(let columns, let rows):
      writer.beginObject(field.name)
      writer.beginArray("columns")
      for column in columns { writer.element(column) }
      writer.endArray()
      writer.beginArray("rows")
      for row in rows { writer.element(row: row) }
      writer.endArray()
      writer.endObject()
    }
  }

  /// Lines of a node and what lies in it: type, offset, size, fields.
  func lines(_ node: ContainerNode, depth: Int) -> [String] {
    let indent = String(repeating: "  ", count: depth)
    let size = node.byteCount.map { "\($0) bytes" } ?? "to the end"
    var line = "\(indent)\(node.name)  at \(node.offset), \(size)"
    for field in node.fields { line += "  \(field.name)=\(Self.text(field.value))" }
    var lines = [line]
    if let fault = node.fault { lines.append("\(indent)  ! \(fault)") }
    for child in node.children { lines += self.lines(child, depth: depth + 1) }
    return lines
  }

  private static func text(_ value: ContainerNode.Value) -> String {
    switch value {
    case .integer(let number): "\(number)"
    case .text(let text): text.contains(" ") ? "'\(text)'" : text
    case .list(let values): "[" + values.map(text).joined(separator: " ") + "]"
    case .table(_, let rows):
      "[" + rows.map { $0.map { "\($0)" }.joined(separator: ",") }.joined(separator: " ") + "]"
    }
  }
}
