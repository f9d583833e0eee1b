// What the packets of a transport stream hold, PID by PID: sections with their fields, PES headers.

public import ReelCore

extension TransportStreamDemuxer {
  /// The PIDs of a stream in the order in which they are met, each with its counts and with the sections
  /// or PES packets that it carries. A section that is sent again unchanged is listed once.
  ///
  /// - Throws: `io` only.
  public static func describe(
    _ source: any ByteSource, limits: Limits = .standard
  ) throws(MediaError) -> [ContainerNode] {
    var tree = TransportTree(limits: limits)
    return try tree.nodes(of: source)
  }
}

/// Builds nodes from transport packets.
struct TransportTree {
  private typealias Field = ContainerNode.Field

  /// A PID while its packets are counted.
  private struct Entry {
    var node: ContainerNode
    var packets = 0
    var gaps = 0
    var scrambled = 0
    var errors = 0
    var clockReferences = 0
    var firstClock: Int64?
    var lastClock: Int64?
    var continuity: UInt8?
  }

  private let limits: Limits
  private var entries: [Entry] = []
  /// Index into `entries` by PID; −1 for one that was not met.
  private var places = [Int](repeating: -1, count: 8192)
  private var tables = ProgramTables()
  private var nodeCount = 0
  private var stride = TransportPacket.byteCount

  init(limits: Limits) { self.limits = limits }

  mutating func nodes(of source: any ByteSource) throws(MediaError) -> [ContainerNode] {
    let head = try source.readFully(at: 0, count: 1 << 16)
    guard let layout = TransportPacketLayout.detect(head) else {
      var node = ContainerNode(name: "damaged", offset: 0, headerByteCount: 0, byteCount: nil)
      node.fault = MediaError(.damaged, .transportSync, at: .offset(0))
      return [node]
    }
    stride = layout.stride
    var scanner = TransportPacketScanner(source, layout: layout)
    while let index = try scanner.next() {
      take(scanner.bytes, at: index, offset: scanner.offset(of: index))
    }
    return entries.map { finished($0) }
  }

  private mutating func take(_ bytes: [UInt8], at index: Int, offset: Int64) {
    let pid = TransportPacket.pid(of: bytes, at: index)
    if places[pid] < 0 {
      places[pid] = entries.count
      entries.append(
        Entry(
          node: ContainerNode(
            name: "PID \(pid)", offset: offset, headerByteCount: 4, byteCount: nil)))
    }
    let place = places[pid]
    entries[place].packets += 1
    guard let packet = TransportPacket(bytes, at: index), !packet.hasError else {
      entries[place].errors += 1
      return
    }
    readClock(bytes, at: index, place)
    guard let payload = packet.payload, !payload.isEmpty else { return }
    if let last = entries[place].continuity, !packet.isDiscontinuity, pid != 0x1FFF,
      packet.continuity != last, packet.continuity != (last + 1) & 15
    {
      entries[place].gaps += 1
    }
    entries[place].continuity = packet.continuity
    guard !packet.isScrambled else {
      entries[place].scrambled += 1
      return
    }
    if tables.holds(pid) {
      let news = tables.take(pid: pid, bytes[payload], startsUnit: packet.startsUnit)
      for section in news.sections { add(Self.node(section: section, offset: offset), place) }
    } else if packet.startsUnit {
      takeHeader([UInt8](bytes[payload]), offset: offset, place)
    }
  }

  /// program_clock_reference_base. §2.4.3.4.
  private mutating func readClock(_ bytes: [UInt8], at index: Int, _ place: Int) {
    guard bytes[index + 3] & 0x20 != 0, bytes[index + 4] >= 7, bytes[index + 5] & 0x10 != 0 else {
      return
    }
    let clock =
      bytes[index + 6..<index + 10].reduce(Int64(0)) { $0 << 8 | Int64($1) } << 1
      | Int64(bytes[index + 10] >> 7)
    entries[place].clockReferences += 1
    entries[place].firstClock = entries[place].firstClock ?? clock
    entries[place].lastClock = clock
  }

  private mutating func takeHeader(_ payload: [UInt8], offset: Int64, _ place: Int) {
    guard case .header(let header, let count) = PESHeader.read(payload) else { return }
    var node = ContainerNode(
      name: "PES_packet", offset: offset, headerByteCount: count,
      byteCount: header.payloadByteCount.map { Int64($0 + count) })
    node.fields = [Field("stream_id", header.streamID)]
    if let time = header.presentationTime { node.fields.append(Field("PTS", time)) }
    if let time = header.decodingTime { node.fields.append(Field("DTS", time)) }
    add(node, place)
  }

  private mutating func add(_ node: ContainerNode, _ place: Int) {
    nodeCount += 1
    guard nodeCount <= limits.maximumBoxes else {
      // LIMIT: counting goes on, listing does not.
      entries[place].node.fault =
        entries[place].node.fault
        ?? MediaError(
          .limitExceeded, .transportListing, at: .offset(node.offset),
          detail: "\(limits.maximumBoxes)")
      return
    }
    entries[place].node.children.append(node)
  }

  private func finished(_ entry: Entry) -> ContainerNode {
    var node = entry.node
    node.byteCount = Int64(entry.packets * stride)
    node.fields = [Field("packets", entry.packets)]
    let pid = Int(node.name.dropFirst(4)) ?? -1
    for program in tables.programs {
      for stream in program.map?.streams ?? [] where stream.pid == pid {
        let kind = StreamKind(stream, program: program.map?.descriptors ?? Descriptors([]))
        node.fields += [
          Field("program_number", program.number), Field("stream_type", stream.type),
          Field("codec", kind.codec.rawValue),
        ]
      }
    }
    let counts = [
      ("continuity_gaps", entry.gaps), ("scrambled", entry.scrambled), ("errors", entry.errors),
      ("PCR", entry.clockReferences),
    ]
    for (name, count) in counts where count > 0 { node.fields.append(Field(name, count)) }
    if let first = entry.firstClock, let last = entry.lastClock {
      node.fields += [Field("first_PCR", first), Field("last_PCR", last)]
    }
    return node
  }

  // MARK: Sections

  private static func node(section bytes: [UInt8], offset: Int64) -> ContainerNode {
    let tableID = bytes[0]
    var node = ContainerNode(
      name: names[tableID] ?? "section", offset: offset, headerByteCount: 8,
      byteCount: Int64(bytes.count))
    node.fields = [Field("table_id", tableID)]
    guard bytes[1] & 0x80 != 0 else { return node }
    do throws(MediaError) {
      let section = try Section(bytes)
      node.fields += [
        Field("table_id_extension", section.tableIDExtension),
        Field("version_number", section.version),
        Field("current_next_indicator", section.isCurrent ? 1 : 0),
      ]
      switch tableID {
      case ProgramAssociation.tableID:
        let rows = ProgramAssociation(section).programs.map { [Int64($0.number), Int64($0.pid)] }
        node.fields.append(
          Field("programs", .table(columns: ["program_number", "program_map_PID"], rows: rows)))
      case ProgramMap.tableID:
        let rows = try ProgramMap(section).streams.map { [Int64($0.type), Int64($0.pid)] }
        node.fields += [
          Field("PCR_PID", Int(section.payload[0] & 0x1F) << 8 | Int(section.payload[1])),
          Field("streams", .table(columns: ["stream_type", "elementary_PID"], rows: rows)),
        ]
      default: break
      }
    } catch {
      node.fault = error.at(.offset(offset))
    }
    return node
  }

  private static let names: [UInt8: String] = [
    0x00: "program_association_section", 0x01: "CA_section", 0x02: "TS_program_map_section",
    0x42: "service_description_section", 0x46: "service_description_section",
  ]
}
