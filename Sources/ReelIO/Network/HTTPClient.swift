// Requests with everything around them: redirects, cookies, retries, limits.

public import ReelCore

/// A client for one session: its cookies are shared by all of its requests.
///
/// Redirects are followed here and not by the transport, so that every hop meets the policy. It may be used
/// on several threads at once.
public final class HTTPClient: ResourceLoader {
  public let policy: NetworkPolicy
  public let timeouts: HTTPTimeouts
  public let retry: RetryPolicy
  public let clock: any NetworkClock
  private let transport: any HTTPTransport
  private let cookies = CookieJar()

  public init(
    transport: any HTTPTransport, policy: NetworkPolicy = NetworkPolicy(),
    timeouts: HTTPTimeouts = HTTPTimeouts(), retry: RetryPolicy = RetryPolicy(),
    clock: any NetworkClock = SystemNetworkClock()
  ) {
    self.transport = transport
    self.policy = policy
    self.timeouts = timeouts
    self.retry = retry
    self.clock = clock
  }

  /// One attempt at a request, redirects followed; the body of a redirect is not handed on.
  ///
  /// - Returns: the address that answered in the end.
  /// - Throws: what `receiver` throws; `io`, `usage`, `limitExceeded` for too many redirects.
  @discardableResult
  public func get(
    _ request: HTTPRequest, receiver: any HTTPReceiver, attempt: HTTPAttempt? = nil
  ) throws(MediaError) -> WebAddress {
    var request = request
    let fields = request.fields
    for _ in 0...max(policy.maximumRedirects, 0) {
      try policy.check(request.address)
      request.fields = fields
      if let cookie = cookies.field(for: request.address) {
        request.fields.append(("Cookie", cookie))
      }
      let hop = RedirectReceiver(receiver)
      do throws(MediaError) {
        try transport.exchange(request, policy: policy, timeouts: timeouts, receiver: hop)
      } catch {
        attempt?.retryAfter = hop.head?.retryAfter
        throw error.place == .unknown ? error.at(.named(request.address.redacted)) : error
      }
      guard let head = hop.head else {
        throw MediaError(.io, .httpMessage, at: .named(request.address.redacted))
      }
      cookies.store(head, of: request.address)
      guard hop.isRedirect else { return request.address }
      guard let target = head["location"] else {
        throw MediaError(.io, .redirectTarget, at: .named(request.address.redacted))
      }
      request.address = try request.address.resolving(target)
    }
    // LIMIT: redirects in a circle.
    throw MediaError(
      .limitExceeded, .redirectCount, at: .named(request.address.redacted),
      detail: "more than \(policy.maximumRedirects)")
  }

  /// Calls `body` until it does not throw, or not an error that time may heal, or the retries are used up.
  ///
  /// - Parameter body: is told which attempt it is, and hands that on to ``get(_:receiver:attempt:)``.
  public func retrying<Result>(
    _ body: (HTTPAttempt) throws(MediaError) -> Result
  ) throws(MediaError) -> Result {
    for number in 0..<max(retry.maximumRetries, 0) {
      let attempt = HTTPAttempt(number)
      do throws(MediaError) {
        return try body(attempt)
      } catch {
        guard error.mayPass else { throw error }
        clock.sleep(for: retry.delay(beforeRetry: number, asked: attempt.retryAfter))
      }
    }
    return try body(HTTPAttempt(max(retry.maximumRetries, 0)))
  }

  /// The resource; `http` and `https` addresses alone.
  public func load(_ request: ResourceRequest) throws(MediaError) -> Resource {
    try policy.check(request.address, namedBy: request.namedBy)
    let address = try WebAddress(request.address)
    var message = HTTPRequest(address)
    message.acceptsCompression = request.range == nil
    if let range = request.range {
      guard range.lowerBound >= 0, !range.isEmpty else {
        throw MediaError(.usage, .httpRange, at: .named(address.redacted), detail: "\(range)")
      }
      message.fields.append(("Range", "bytes=\(range.lowerBound)-\(range.upperBound - 1)"))
    }
    return try retrying { (attempt) throws(MediaError) in
      message.opensConnection = attempt.isRetry
      let receiver = MemoryReceiver(request, address: address)
      let clock = ContinuousClock()
      let start = clock.now
      let last = try get(message, receiver: receiver, attempt: attempt)
      return try receiver.resource(last, time: clock.now - start)
    }
  }
}

extension MediaError {
  /// Whether the same request may succeed after some time.
  public var mayPass: Bool {
    switch rule {
    case .httpBusy, .connectionFailed, .connectionLost, .timeout, .httpMessage: true
    default: false
    }
  }
}

/// One of several attempts at a request.
public final class HTTPAttempt {
  /// From 0.
  public let number: Int
  /// What the server asked to wait, where it refused this attempt with a `Retry-After` field.
  public fileprivate(set) var retryAfter: Duration?

  init(_ number: Int) { self.number = number }

  /// It is not the first one: its request ``HTTPRequest/opensConnection``.
  public var isRetry: Bool { number > 0 }
}

extension HTTPHead {
  /// The error that a status means; nil for 200 and 206.
  public func failure(at address: WebAddress) -> MediaError? {
    guard status != 200 && status != 206 else { return nil }
    let place = Place.named(address.redacted)
    let text = Self.reasons[status].map { "\(status) \($0)" } ?? "\(status)"
    switch status {
    case 408, 425, 429, 500, 502, 503, 504:
      let after = retryAfter.map { "; retry after \($0.components.seconds) s" }
      return MediaError(.io, .httpBusy, at: place, detail: text + (after ?? ""))
    case 404, 410: return MediaError(.notFound, .httpStatus, at: place, detail: text)
    default: return MediaError(.io, .httpStatus, at: place, detail: text)
    }
  }

  /// What the server asks to wait, in whole seconds; at most an hour. A date is not followed: clocks differ.
  public var retryAfter: Duration? {
    guard let seconds = self["retry-after"].flatMap({ Int($0) }), seconds >= 0 else { return nil }
    return .seconds(min(seconds, 3600))
  }

  /// Names of the statuses that users meet. RFC 9110 §15.
  private static let reasons: [Int: String] = [
    204: "No Content", 304: "Not Modified", 400: "Bad Request", 401: "Unauthorized",
    402: "Payment Required", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
    406: "Not Acceptable", 407: "Proxy Authentication Required", 408: "Request Timeout",
    410: "Gone", 416: "Range Not Satisfiable", 425: "Too Early", 429: "Too Many Requests",
    451: "Unavailable For Legal Reasons", 500: "Internal Server Error", 502: "Bad Gateway",
    503: "Service Unavailable", 504: "Gateway Timeout",
  ]
}

/// Keeps the body of a redirect from the receiver, and the head for the client.
private final class RedirectReceiver: HTTPReceiver {
  private let inner: any HTTPReceiver
  private(set) var head: HTTPHead?
  private(set) var isRedirect = false
  private var skipped = 0

  init(_ inner: any HTTPReceiver) { self.inner = inner }

  var isCancelled: Bool { inner.isCancelled }

  func receive(_ head: HTTPHead) throws(MediaError) {
    self.head = head
    isRedirect = [301, 302, 303, 307, 308].contains(head.status)
    if !isRedirect { try inner.receive(head) }
  }

  func receive(_ bytes: [UInt8]) throws(MediaError) {
    guard isRedirect else { return try inner.receive(bytes) }
    skipped += bytes.count
    // LIMIT: a page that says "moved" is short.
    guard skipped <= 1 << 16 else { throw MediaError(.limitExceeded, .httpBodySize) }
  }
}

/// Collects an answer in memory and checks that it is the one that was asked for.
final class MemoryReceiver: HTTPReceiver {
  private let request: ResourceRequest
  private let address: WebAddress
  private var head: HTTPHead?
  private var bytes: [UInt8] = []
  /// Bytes before the range, where the server sends everything from the start.
  private var toSkip: Int64 = 0
  var isCancelled: Bool { false }

  init(_ request: ResourceRequest, address: WebAddress) {
    self.request = request
    self.address = address
  }

  func receive(_ head: HTTPHead) throws(MediaError) {
    if let failure = head.failure(at: address) { throw failure }
    self.head = head
    guard let range = request.range else {
      guard head.status == 200 else { throw wrongRange("a part, and all was asked for") }
      // Stated before the body comes: no byte of a body that is too long is waited for.
      if let length = head.contentLength, length > Int64(request.maximumByteCount) {
        throw tooLong("\(length) bytes")
      }
      return
    }
    guard range.upperBound - range.lowerBound <= Int64(request.maximumByteCount) else {
      throw tooLong("\(range.upperBound - range.lowerBound) bytes")
    }
    if head.status == 200 {
      // LIMIT: a server without ranges may be made to send what lies before, within reason.
      guard range.upperBound <= Int64(request.maximumByteCount) else {
        throw wrongRange("all of it")
      }
      toSkip = range.lowerBound
    } else if head.contentRange?.range != range {
      throw wrongRange(head["content-range"] ?? "no range told")
    }
  }

  func receive(_ bytes: [UInt8]) throws(MediaError) {
    var bytes = bytes[...]
    if toSkip > 0 {
      let count = Int(min(toSkip, Int64(bytes.count)))
      bytes = bytes.dropFirst(count)
      toSkip -= Int64(count)
    }
    if let range = request.range {
      let missing = Int(range.upperBound - range.lowerBound) - self.bytes.count
      if head?.status == 206 && bytes.count > missing { throw wrongRange("more bytes") }
      bytes = bytes.prefix(missing)
    }
    guard self.bytes.count + bytes.count <= request.maximumByteCount else {
      throw tooLong("more than \(request.maximumByteCount) bytes")
    }
    self.bytes += bytes
  }

  func resource(_ last: WebAddress, time: Duration) throws(MediaError) -> Resource {
    if let range = request.range, Int64(bytes.count) != range.upperBound - range.lowerBound {
      throw wrongRange("\(bytes.count) bytes")
    }
    return Resource(
      bytes: bytes, address: last.description, contentType: head?.contentType, transferTime: time)
  }

  private func tooLong(_ detail: String) -> MediaError {
    MediaError(
      .limitExceeded, .httpBodySize, at: .named(address.redacted),
      detail: "\(detail), the limit is \(request.maximumByteCount)")
  }

  private func wrongRange(_ what: String) -> MediaError {
    MediaError(
      .io, .httpRange, at: .named(address.redacted),
      detail:
        "asked for \(request.range.map { "\($0.lowerBound)-\($0.upperBound - 1)" } ?? "all"), "
        + "the server sends \(what)")
  }
}
