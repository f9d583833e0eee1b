// Cutting a byte stream into coded audio frames, streaming and in bounded memory.

public import ReelCore

/// Cuts a byte stream into audio frames: bytes in, frames out.
///
/// The first frame, and the first after damage, is believed only when another header follows where
/// it says it ends, or when the stream ends there.
public struct AudioFrameAssembler: Sendable {
  /// How the frames of this stream follow each other.
  public let framing: AudioFraming
  /// Bytes that belonged to no frame so far.
  public private(set) var skippedByteCount: Int64 = 0
  /// The format of the last frame.
  public private(set) var format: AudioFormat?
  /// The codec of the last frame.
  public private(set) var codec: CodecID?

  private var buffer: [UInt8] = []
  /// Offset in the stream of `buffer[0]`.
  private var base: Int64
  private var index = 0
  /// The last frame's header; nil until one is found, and after damage.
  private var locked: AudioFrameHeader?
  /// The next byte is known to begin a frame.
  private var isCertain = false
  private var muxConfig: StreamMuxConfig?
  /// Frames of a multiplex element that wait to be given out.
  private var waiting: [AudioFrame] = []

  /// An assembler for a stream whose first byte has `offset`.
  public init(_ framing: AudioFraming, offset: Int64 = 0) {
    self.framing = framing
    base = offset
  }

  /// Offset in the stream of the next byte to be appended.
  public var endOffset: Int64 { base + Int64(buffer.count) }

  /// Adds bytes to the end of the stream.
  public mutating func append(_ bytes: ArraySlice<UInt8>) {
    discardDone()
    buffer += bytes
  }

  /// Adds bytes to the end of the stream.
  public mutating func append(_ bytes: [UInt8]) { append(bytes[...]) }

  /// The next frame that is certain, or nil when more bytes are needed.
  public mutating func next() -> AudioFrame? { next(atEnd: false) }

  /// The frames that are left at the end of the stream, one a call; then nil.
  public mutating func finish() -> AudioFrame? { next(atEnd: true) }

  /// Forgets all bytes, keeping the format; the next byte has `offset`.
  ///
  /// - Parameter isFrame: a frame is known to begin there, so that no other has to follow it.
  public mutating func restart(offset: Int64, isFrame: Bool = false) {
    buffer.removeAll(keepingCapacity: true)
    waiting.removeAll()
    (base, index, locked, isCertain) = (offset, 0, nil, isFrame)
  }

  private mutating func next(atEnd: Bool) -> AudioFrame? {
    while true {
      if !waiting.isEmpty { return waiting.removeFirst() }
      guard index < buffer.count else { return nil }
      if let count = tagByteCount(at: index, atEnd: atEnd) {
        guard count > 0 else { return nil }
        index += count
        continue
      }
      switch frame(at: index, atEnd: atEnd) {
      case .found(let header, let count):
        let start = index
        index += count
        (locked, isCertain) = (header, false)
        if let frame = open(header, at: start, byteCount: count) { return frame }
      case .needsMore: return nil
      case .none:
        // What does not continue the stream may still begin another one.
        if locked != nil {
          locked = nil
        } else {
          index += 1
          skippedByteCount += 1
          isCertain = false
        }
      }
    }
  }

  /// Bytes of an ID3v2 tag, as they stand between frames of streams that were joined and of radio; 0
  /// when more bytes are needed to tell, nil when there is none.
  private func tagByteCount(at start: Int, atEnd: Bool) -> Int? {
    guard buffer[start] == 0x49 else { return nil }
    let head = buffer[start...].prefix(ID3v2Header.byteCount)
    if head.count == ID3v2Header.byteCount || atEnd { return ID3v2Header(head)?.tagByteCount }
    return head.prefix(3).elementsEqual("ID3".utf8.prefix(head.count)) ? 0 : nil
  }

  private enum Finding {
    case found(AudioFrameHeader, byteCount: Int)
    case needsMore
    case none
  }

  /// Looks for a frame at `start`.
  private func frame(at start: Int, atEnd: Bool) -> Finding {
    guard let header = AudioFrameHeader(framing, buffer, at: start) else {
      let isCut = buffer.count - start < framing.headerByteCount
      return isCut && !atEnd ? .needsMore : .none
    }
    if let locked, !header.continues(locked) { return .none }
    guard let count = header.frameByteCount ?? freeFormatByteCount(header, at: start) else {
      return atEnd || buffer.count - start > Self.longestFreeFormat ? .none : .needsMore
    }
    let end = start + count
    if end > buffer.count { return atEnd ? .none : .needsMore }
    if locked != nil || isCertain { return .found(header, byteCount: count) }
    if end + framing.headerByteCount > buffer.count {
      return atEnd ? .found(header, byteCount: count) : .needsMore
    }
    let next = AudioFrameHeader(framing, buffer, at: end)
    let isContinued = next?.continues(header) ?? buffer[end...].starts(with: "ID3".utf8)
    return isContinued ? .found(header, byteCount: count) : .none
  }

  /// LIMIT: bytes of a free format frame; layer II at 32 kHz and 640 kbit/s has 2,880.
  private static let longestFreeFormat = 8192

  /// The distance to the next header that agrees, for frames that do not tell their length.
  private func freeFormatByteCount(_ header: AudioFrameHeader, at start: Int) -> Int? {
    let end = min(buffer.count - 4, start + Self.longestFreeFormat)
    var i = start + 32
    while i <= end {
      if buffer[i] == 0xFF, let next = AudioFrameHeader(framing, buffer, at: i),
        next.continues(header), next.frameByteCount == nil
      {
        return i - start
      }
      i += 1
    }
    return nil
  }

  /// The frame's payload; for LATM the first of its frames, the rest goes to `waiting`.
  private mutating func open(
    _ header: AudioFrameHeader, at start: Int, byteCount: Int
  ) -> AudioFrame? {
    let offset = base + Int64(start)
    switch header {
    case .adts(let adts):
      let end = start + byteCount
      let frame = AudioFrame(
        data: [UInt8](buffer[min(start + adts.headerByteCount, end)..<end]), offset: offset,
        byteCount: byteCount, sampleCount: adts.sampleCount, codec: .aac,
        format: format(adts, payload: start + adts.headerByteCount))
      (format, codec) = (frame.format, frame.codec)
      return frame
    case .mpegAudio(let mpeg):
      var format = AudioFormat()
      (format.sampleRate, format.channelCount) = (mpeg.sampleRate, mpeg.channelCount)
      let codec: CodecID = mpeg.layer == 3 ? .mp3 : mpeg.layer == 2 ? "mp2" : "mp1"
      (self.format, self.codec) = (format, codec)
      return AudioFrame(
        data: [UInt8](buffer[start..<start + byteCount]), offset: offset, byteCount: byteCount,
        sampleCount: mpeg.sampleCount, codec: codec, format: format)
    case .ac3(let ac3):
      var format = AudioFormat()
      (format.sampleRate, format.channelCount) = (ac3.sampleRate, ac3.channelCount)
      let codec: CodecID = ac3.isEnhanced ? "eac3" : "ac3"
      // A dependent substream tells only what it adds.
      if ac3.sampleCount == 0, let known = self.format { format = known }
      (self.format, self.codec) = (format, codec)
      return AudioFrame(
        data: [UInt8](buffer[start..<start + byteCount]), offset: offset, byteCount: byteCount,
        sampleCount: ac3.sampleCount, codec: codec, format: format)
    case .loas:
      openElement(start + AudioFraming.loasHeaderByteCount..<start + byteCount, offset: offset)
      return nil
    }
  }

  private func format(_ header: ADTSHeader, payload: Int) -> AudioFormat {
    var format = AudioFormat()
    format.sampleRate = header.sampleRate
    format.configuration = header.specificConfig
    let config = AudioSpecificConfig(header.specificConfig)
    format.channelCount = config?.channelCount ?? 0
    if header.channelConfiguration == 0 { readProgramConfig(&format, payload: payload) }
    return format
  }

  /// Channels that only a program config element at the start of the frame tells: it has to stand in
  /// the AudioSpecificConfig. Where a frame has none, the one before it still counts. §4.4.1.1.
  private func readProgramConfig(_ format: inout AudioFormat, payload: Int) {
    let head = [UInt8](buffer[min(payload, buffer.count)..<min(payload + 300, buffer.count)])
    if let element = ProgramConfigElement(rawDataBlock: head) {
      format.channelCount = element.channelCount
      format.configuration = element.specificConfig(format.configuration)
    } else if let known = self.format, known.sampleRate == format.sampleRate {
      format = known
    }
  }

  /// AudioMuxElement(1). ISO/IEC 14496-3:2019 Table 1.41.
  private mutating func openElement(_ range: Range<Int>, offset: Int64) {
    let bytes = [UInt8](buffer[range])
    var bits = BitReader(bytes)
    if !bits.readFlag() { muxConfig = StreamMuxConfig(&bits) }
    guard let mux = muxConfig else { return }
    var format = AudioFormat()
    format.sampleRate = mux.config.sampleRate
    format.channelCount = mux.config.channelCount
    format.configuration = mux.configBytes
    (self.format, codec) = (format, .aac)
    for _ in 0..<mux.frameCount {
      let count = mux.readFrameBitCount(&bits)
      guard !bits.overrun, count > 0, count <= bits.bitsLeft else { return }
      waiting.append(
        AudioFrame(
          data: bits.readBits(count), offset: offset,
          byteCount: range.count + AudioFraming.loasHeaderByteCount,
          sampleCount: mux.config.frameSampleCount, codec: .aac, format: format))
    }
  }

  /// Drops the bytes that were given out or skipped.
  private mutating func discardDone() {
    // A tag that is passed over may end behind the bytes there are.
    let done = min(index, buffer.count)
    guard done > 0 else { return }
    buffer.removeFirst(done)
    base += Int64(done)
    index -= done
  }
}

extension AudioFraming {
  static let loasHeaderByteCount = 3

  /// Bytes that tell whether a header is there.
  var headerByteCount: Int {
    switch self {
    case .adts: ADTSHeader.byteCount
    case .loas: Self.loasHeaderByteCount
    case .mpegAudio: MPEGAudioHeader.byteCount
    case .ac3: AC3Header.byteCount
    }
  }
}

/// The header of a frame of any framing.
enum AudioFrameHeader: Sendable, Hashable {
  case adts(ADTSHeader)
  /// AudioSyncStream(): bytes of the multiplex element.
  case loas(byteCount: Int)
  case mpegAudio(MPEGAudioHeader)
  case ac3(AC3Header)

  init?(_ framing: AudioFraming, _ bytes: [UInt8], at index: Int) {
    switch framing {
    case .adts:
      guard let header = ADTSHeader(bytes, at: index) else { return nil }
      self = .adts(header)
    case .mpegAudio:
      guard let header = MPEGAudioHeader(bytes, at: index) else { return nil }
      self = .mpegAudio(header)
    case .ac3:
      guard let header = AC3Header(bytes, at: index) else { return nil }
      self = .ac3(header)
    case .loas:
      // ISO/IEC 14496-3:2019 Table 1.36: syncword 0x2B7 and 13 bits of length.
      guard index <= bytes.count - 3, bytes[index] == 0x56, bytes[index + 1] & 0xE0 == 0xE0 else {
        return nil
      }
      self = .loas(byteCount: Int(bytes[index + 1] & 31) << 8 | Int(bytes[index + 2]))
    }
  }

  /// Bytes of the whole frame; nil when only the next header tells.
  var frameByteCount: Int? {
    switch self {
    case .adts(let header): header.frameByteCount
    case .mpegAudio(let header): header.frameByteCount
    case .ac3(let header): header.frameByteCount
    case .loas(let count): count + AudioFraming.loasHeaderByteCount
    }
  }

  func continues(_ other: AudioFrameHeader) -> Bool {
    switch (self, other) {
    case (.adts(let a), .adts(let b)): a.continues(b)
    case (.mpegAudio(let a), .mpegAudio(let b)): a.continues(b)
    case (.loas, .loas): true
    case (.ac3(let a), .ac3(let b)): a.continues(b)
    default: false
    }
  }
}
