// The packets of one PID: continuity, duplicates, PES headers or sections, payload.

import ReelCore

/// What went wrong on a PID but was read past.
struct TransportFaults: Hashable {
  var lostPackets = 0
  var badHeaders = 0
  var scrambledPackets = 0
}

/// Takes the transport packets of one PID and feeds its elementary stream.
struct PacketIdentifierStream {
  private enum State { case waiting, header, payload }

  let stream: any ElementaryStream
  private(set) var faults = TransportFaults()
  private let holdsSections: Bool
  private var sections = SectionAssembler()
  private var state = State.waiting
  private var header: [UInt8] = []
  /// Offset in the input of the packet that `header` begins in.
  private var position: Int64 = -1
  /// Bytes of payload still to come, where the header told their number.
  private var remaining: Int?
  private var continuity: UInt8?
  private var lastFingerprint = Fingerprint()
  /// Bytes of the elementary stream that are not wanted.
  private var unwanted: Int64 = 0

  init(_ stream: any ElementaryStream, holdsSections: Bool) {
    self.stream = stream
    self.holdsSections = holdsSections
  }

  /// Takes a packet whose payload lies in `bytes`; `offset` is its place in the input.
  mutating func take(
    _ packet: TransportPacket, _ bytes: [UInt8], offset: Int64, clock: inout TransportClock
  ) {
    guard !packet.hasError, let range = packet.payload, !range.isEmpty else { return }
    let payload = bytes[range]
    guard !isDuplicate(packet, bytes, range) else { return }
    guard !packet.isScrambled else {
      faults.scrambledPackets += 1
      state = .waiting
      return
    }
    if holdsSections {
      for section in sections.append(payload, startsUnit: packet.startsUnit) {
        stream.append(section[...])
      }
      return
    }
    if packet.startsUnit {
      if state == .payload { stream.end() }
      header.removeAll(keepingCapacity: true)
      (state, position) = (.header, offset)
    }
    switch state {
    case .waiting: break
    case .header: readHeader(payload, clock: &clock)
    case .payload: feed(payload)
    }
  }

  /// Ends what is unfinished, for the end of the input.
  mutating func finish() {
    if state == .payload { stream.end() }
    state = .waiting
  }

  /// Forgets what was begun, for reading from elsewhere.
  mutating func restart() {
    stream.restart()
    sections.reset()
    header.removeAll()
    lastFingerprint = Fingerprint()
    (state, continuity, remaining, unwanted) = (.waiting, nil, nil, 0)
  }

  /// Leaves out the first `count` bytes of payload that come.
  mutating func skip(_ count: Int64) { unwanted = count }

  /// A packet may be sent twice in a row; the second is no news. §2.4.3.3. Counts gaps.
  private mutating func isDuplicate(
    _ packet: TransportPacket, _ bytes: [UInt8], _ payload: Range<Int>
  ) -> Bool {
    let fingerprint = Fingerprint(bytes, payload)
    defer {
      continuity = packet.continuity
      lastFingerprint = fingerprint
    }
    guard let last = continuity, !packet.isDiscontinuity else { return false }
    if packet.continuity == last, fingerprint == lastFingerprint { return true }
    if packet.continuity != (last + 1) & 15 { faults.lostPackets += 1 }
    return false
  }

  private mutating func readHeader(_ payload: ArraySlice<UInt8>, clock: inout TransportClock) {
    header += payload
    switch PESHeader.read(header) {
    case .needsMore: break
    case .none:
      faults.badHeaders += 1
      state = .waiting
    case .header(let pes, _) where pes.isPadding: state = .waiting
    case .header(let pes, _) where pes.isScrambled:
      faults.scrambledPackets += 1
      state = .waiting
    case .header(let pes, let count):
      begin(pes, clock: &clock)
      let rest = header[count...]
      feed(rest)
    }
  }

  private mutating func begin(_ pes: PESHeader, clock: inout TransportClock) {
    let before = clock
    // The decoding time is the smaller one, so the first of a stream fixes where its line begins.
    let decoding = pes.decodingTime.map { clock.time($0) }
    let presentation = pes.presentationTime.map { clock.time($0) }
    stream.begin(
      PESMark(presentation: presentation, decoding: decoding, position: position, clock: before))
    remaining = stream.endsWithLength ? pes.payloadByteCount : nil
    state = .payload
  }

  private mutating func feed(_ payload: ArraySlice<UInt8>) {
    guard unwanted <= 0 else {
      let count = Int(min(unwanted, Int64(payload.count)))
      unwanted -= Int64(count)
      if count < payload.count { feed(payload.dropFirst(count)) }
      return
    }
    guard let remaining else { return stream.append(payload) }
    stream.append(payload.prefix(remaining))
    self.remaining = max(remaining - payload.count, 0)
    if payload.count >= remaining {
      stream.end()
      state = .waiting
    }
  }
}

/// What tells the payload of a repeated packet from that of a multiplexer that does not count: its
/// length, and eight bytes each from its start, middle and end.
private struct Fingerprint: Equatable {
  private var count = 0
  private var words: (UInt64, UInt64, UInt64) = (0, 0, 0)

  init() {}

  init(_ bytes: [UInt8], _ range: Range<Int>) {
    count = range.count
    words.0 = Self.word(bytes, from: range.lowerBound, to: range.upperBound)
    words.1 = Self.word(bytes, from: range.lowerBound + count / 2, to: range.upperBound)
    words.2 = Self.word(
      bytes, from: max(range.upperBound - 8, range.lowerBound), to: range.upperBound)
  }

  /// Up to eight bytes as a number.
  private static func word(_ bytes: [UInt8], from start: Int, to end: Int) -> UInt64 {
    if end - start >= 8 { return bytes.span.word(at: start) }
    var word: UInt64 = 0
    for i in start..<end { word = word << 8 | UInt64(bytes[i]) }
    return word
  }

  static func == (a: Fingerprint, b: Fingerprint) -> Bool {
    a.count == b.count && a.words == b.words
  }
}
