// A file on a server, read in ranges.

public import ReelCore
internal import Synchronization

/// Random access to the bytes at an address, over ranges (RFC 9110 §14), through a bounded cache.
///
/// Reads that follow each other fetch more and more at a time; a jump fetches one block. The content is pinned
/// to its entity tag and length: what changes while it is read is an error, never a mixture. A server that
/// ignores ranges is read once into memory, up to a limit.
public final class HTTPByteSource: ByteSource {
  /// Bounds on memory and transfers.
  public struct Limits: Sendable, Hashable {
    /// Bytes that are cached and asked for as a unit.
    public var blockByteCount = 256 << 10
    /// Blocks kept: 32 MiB with the default size.
    public var cachedBlocks = 128
    /// Blocks asked for in one request at most.
    public var readAheadBlocks = 16
    /// Bytes of content that is read into memory because the server has no ranges.
    public var maximumWholeBytes = 1 << 30
    public init() {}
  }

  private struct State {
    var blocks: [Int64: [UInt8]] = [:]
    /// Block numbers, the one used last at the end.
    var order: [Int64] = []
    /// The block behind the last fetch: a miss there is a sequential read.
    var expected: Int64 = -1
    var runLength = 1
    var requestCount = 0
  }

  private let client: HTTPClient
  private let address: WebAddress
  private let limits: Limits
  private let length: Int64
  private let entityTag: String?
  /// The content, when the server sends nothing but all of it.
  private let whole: MemorySource?
  private let state: Mutex<State>

  /// Asks for the first block.
  ///
  /// - Throws: as ``HTTPClient/load(_:)``.
  public init(
    _ address: String, client: HTTPClient, limits: Limits = Limits()
  ) throws(MediaError) {
    self.client = client
    self.limits = limits
    let asked = try WebAddress(address)
    let (receiver, last) = try client.retrying { (attempt) throws(MediaError) in
      let receiver = FirstBlockReceiver(asked, limits)
      var request = HTTPRequest(asked)
      request.opensConnection = attempt.isRetry
      request.fields = [("Range", "bytes=0-\(limits.blockByteCount - 1)")]
      let last = try client.get(request, receiver: receiver, attempt: attempt)
      return (receiver, last)
    }
    self.address = last
    entityTag = receiver.entityTag
    var state = State()
    state.requestCount = 1
    if receiver.isWhole {
      whole = MemorySource(receiver.bytes)
      length = Int64(receiver.bytes.count)
    } else {
      whole = nil
      length = receiver.total
      let isComplete = receiver.bytes.count == min(Int64(limits.blockByteCount), receiver.total)
      guard isComplete else {
        throw MediaError(.io, .connectionLost, at: .named(last.redacted))
      }
      state.blocks[0] = receiver.bytes
      state.order = [0]
      state.expected = 1
    }
    self.state = Mutex(state)
  }

  public var byteCount: Int64? { length }

  /// Requests made so far.
  public var requestCount: Int { state.withLock { $0.requestCount } }

  public func read(at offset: Int64, count: Int) throws(MediaError) -> [UInt8] {
    if let whole { return try whole.read(at: offset, count: count) }
    guard offset >= 0, offset < length, count > 0 else { return [] }
    let size = Int64(limits.blockByteCount)
    let number = offset / size
    let block = try block(number)
    let start = Int(offset - number * size)
    guard start < block.count else { return [] }
    return Array(block[start..<start + min(count, block.count - start)])
  }

  private func block(_ number: Int64) throws(MediaError) -> [UInt8] {
    // Readers wait for each other here: two that want the same block make one request.
    try state.withLock { (state) throws(MediaError) in
      if let block = state.blocks[number] {
        if state.order.last != number {
          state.order.removeAll { $0 == number }
          state.order.append(number)
        }
        return block
      }
      return try fetch(number, &state)
    }
  }

  private func fetch(_ number: Int64, _ state: inout State) throws(MediaError) -> [UInt8] {
    let size = Int64(limits.blockByteCount)
    let most = min(limits.readAheadBlocks, max(limits.cachedBlocks / 2, 1))
    state.runLength = number == state.expected ? min(state.runLength * 2, most) : 1
    let start = number * size
    let end = min(start + Int64(state.runLength) * size, length)
    let bytes = try client.retrying { (attempt) throws(MediaError) in
      state.requestCount += 1
      let receiver = RangeReceiver(address, start..<end, total: length, entityTag: entityTag)
      var request = HTTPRequest(address)
      request.opensConnection = attempt.isRetry
      request.fields = [("Range", "bytes=\(start)-\(end - 1)")]
      if let entityTag { request.fields.append(("If-Range", entityTag)) }
      try client.get(request, receiver: receiver, attempt: attempt)
      return try receiver.complete()
    }
    state.expected = (end + size - 1) / size
    var place = 0
    var next = number
    while place < bytes.count {
      let block = Array(bytes[place..<min(place + Int(size), bytes.count)])
      if state.blocks.updateValue(block, forKey: next) != nil {
        state.order.removeAll { $0 == next }
      }
      state.order.append(next)
      place += block.count
      next += 1
    }
    while state.order.count > max(limits.cachedBlocks, 1) {
      state.blocks[state.order.removeFirst()] = nil
    }
    return Array(bytes.prefix(Int(size)))
  }
}

/// The answer to the first request: a block, or everything.
private final class FirstBlockReceiver: HTTPReceiver {
  private let address: WebAddress
  private let limits: HTTPByteSource.Limits
  private(set) var bytes: [UInt8] = []
  private(set) var total: Int64 = 0
  private(set) var entityTag: String?
  private(set) var isWhole = false
  private var isEmpty = false
  var isCancelled: Bool { false }

  init(_ address: WebAddress, _ limits: HTTPByteSource.Limits) {
    self.address = address
    self.limits = limits
  }

  func receive(_ head: HTTPHead) throws(MediaError) {
    if head.status == 416, head["content-range"] == "bytes */0" {
      // An empty file has no first byte to ask for.
      (isWhole, isEmpty) = (true, true)
      return
    }
    if let failure = head.failure(at: address) { throw failure }
    try head.checkCoding(address)
    entityTag = head.strongEntityTag
    if head.status == 200 {
      isWhole = true
      if let length = head.contentLength, length > Int64(limits.maximumWholeBytes) {
        throw tooLong(length)
      }
      return
    }
    guard let (range, total) = head.contentRange, range.lowerBound == 0, let total,
      range.upperBound == min(Int64(limits.blockByteCount), total)
    else {
      throw MediaError(
        .io, .httpRange, at: .named(address.redacted), detail: head["content-range"] ?? "none told")
    }
    self.total = total
  }

  func receive(_ bytes: [UInt8]) throws(MediaError) {
    if isEmpty { return }
    self.bytes += bytes
    guard self.bytes.count <= (isWhole ? limits.maximumWholeBytes : limits.blockByteCount) else {
      throw tooLong(Int64(self.bytes.count))
    }
  }

  private func tooLong(_ count: Int64) -> MediaError {
    MediaError(
      .limitExceeded, .httpBodySize, at: .named(address.redacted),
      detail: "the server sends no ranges, and \(count) bytes or more are too many for memory",
      advice: "download it first")
  }
}

/// The answer to a request for a range of content that is known already.
final class RangeReceiver: HTTPReceiver {
  private let address: WebAddress
  private let range: Range<Int64>
  private let total: Int64
  private let entityTag: String?
  private var bytes: [UInt8] = []
  var isCancelled: Bool { false }

  init(_ address: WebAddress, _ range: Range<Int64>, total: Int64, entityTag: String?) {
    self.address = address
    self.range = range
    self.total = total
    self.entityTag = entityTag
  }

  func receive(_ head: HTTPHead) throws(MediaError) {
    if let failure = head.failure(at: address) { throw failure }
    let tag = head.strongEntityTag
    let place = head.contentRange
    // A server that sends everything although it knew ranges found the content changed (If-Range).
    guard head.status == 206, tag == nil || entityTag == nil || tag == entityTag,
      place?.total == nil || place?.total == total
    else {
      throw MediaError(
        .io, .httpChanged, at: .named(address.redacted), detail: tag.map { "now \($0)" } ?? "",
        advice: "open it anew")
    }
    guard place?.range == range else {
      throw MediaError(
        .io, .httpRange, at: .named(address.redacted),
        detail: "asked for \(range.lowerBound)-\(range.upperBound - 1), the server sends "
          + (head["content-range"] ?? "no range told"))
    }
    try head.checkCoding(address)
  }

  func receive(_ bytes: [UInt8]) throws(MediaError) {
    guard Int64(self.bytes.count + bytes.count) <= range.upperBound - range.lowerBound else {
      throw MediaError(
        .io, .httpRange, at: .named(address.redacted), detail: "more bytes than the range has")
    }
    self.bytes += bytes
  }

  func complete() throws(MediaError) -> [UInt8] {
    guard Int64(bytes.count) == range.upperBound - range.lowerBound else {
      throw MediaError(.io, .connectionLost, at: .named(address.redacted))
    }
    return bytes
  }
}

extension HTTPHead {
  /// Ranges are of the content as it is stored: a coding that nobody asked for would be read as media.
  public func checkCoding(_ address: WebAddress) throws(MediaError) {
    guard let coding = self["content-encoding"]?.lowercased(), coding != "identity" else { return }
    throw MediaError(.io, .httpCoding, at: .named(address.redacted), detail: coding)
  }
}
