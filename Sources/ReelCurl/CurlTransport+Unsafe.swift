// HTTP through libcurl.

internal import CCurl
internal import Glibc
public import ReelCore
public import ReelIO
internal import Synchronization

/// Exchanges messages with servers through libcurl, which is loaded when the first one is made.
///
/// Handles are kept with their connections and taken by whoever needs one, so that requests to one server
/// share connections. Proxies and `.netrc` of the environment are not used: the policy has to see the address a
/// connection really goes to.
@safe
public final class CurlTransport: HTTPTransport, @unchecked Sendable {
  private let library: CurlLibrary
  // The handles wait here while no thread uses them.
  private let idle = Mutex<[Handle]>([])

  @safe
  private struct Handle: @unchecked Sendable { let curl: UnsafeMutableRawPointer }

  /// - Throws: `unsupported` where this machine has no libcurl.
  public init() throws(MediaError) {
    guard let library = CurlLibrary.shared else {
      throw MediaError(.unsupported, .networkUnavailable, advice: "install libcurl4")
    }
    self.library = library
  }

  deinit {
    // SAFETY: nobody uses the transport any more, so all handles are idle and cleaned up once.
    for handle in idle.withLock({ $0 }) { unsafe library.functions.easy_cleanup(handle.curl) }
  }

  public func exchange(
    _ request: HTTPRequest, policy: NetworkPolicy, timeouts: HTTPTimeouts,
    receiver: any HTTPReceiver
  ) throws(MediaError) {
    let exchange = Exchange(request.address, policy, timeouts, receiver)
    // SAFETY: a handle is either idle or used by one call of this function.
    guard let handle = idle.withLock({ $0.popLast() }) ?? newHandle() else {
      throw MediaError(.io, .networkUnavailable, detail: "no handle")
    }
    defer {
      // SAFETY: resetting keeps the connections and forgets the context.
      unsafe library.functions.easy_reset(handle.curl)
      idle.withLock { $0.append(handle) }
    }
    let list = unsafe prepare(handle.curl, request, timeouts, exchange)
    // SAFETY: the list outlives the transfer; the exchange does too, and is reached only from its callbacks,
    // which run on this thread inside easy_perform.
    defer { unsafe library.functions.slist_free_all(list) }
    let code = withExtendedLifetime(exchange) {
      unsafe library.functions.easy_perform(handle.curl)
    }
    if let failure = exchange.failure { throw failure }
    guard code == CURLE_OK else {
      // SAFETY: asked of the handle whose transfer just ended.
      let system = unsafe withUnsafePointer(to: library.functions) {
        unsafe reel_curl_system_error($0, handle.curl)
      }
      throw error(code, Int32(truncatingIfNeeded: system), exchange)
    }
    guard exchange.headIsDone else {
      throw MediaError(.io, .httpMessage, at: exchange.place, detail: "no status line")
    }
  }

  private func newHandle() -> Handle? {
    // SAFETY: a new handle that nobody else has.
    unsafe library.functions.easy_init().map { unsafe Handle(curl: $0) }
  }

  /// Sets all options of a transfer; the list of header fields is the caller's to free afterwards.
  private func prepare(
    _ curl: UnsafeMutableRawPointer, _ request: HTTPRequest, _ timeouts: HTTPTimeouts,
    _ exchange: Exchange
  ) -> UnsafeMutablePointer<curl_slist>? {
    // SAFETY: libcurl copies strings; the context is a reference that the caller keeps alive.
    let context = unsafe Unmanaged.passUnretained(exchange).toOpaque()
    var list: UnsafeMutablePointer<curl_slist>?
    var fields = request.fields.map { "\($0.name): \($0.value)" }
    if !request.acceptsCompression { fields.append("Accept-Encoding: identity") }
    for field in fields where !field.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
      unsafe list = library.functions.slist_append(list, field) ?? list
    }
    // SAFETY: as above; the list lives until the transfer ended.
    unsafe withUnsafePointer(to: library.functions) { curlFunctions in
      unsafe reel_curl_set_callbacks(
        curlFunctions, curl, context, receiveHead, receiveBody, openSocket, makeProgress)
      unsafe reel_curl_set_string(curlFunctions, curl, CURLOPT_URL, request.address.description)
      unsafe reel_curl_set_string(curlFunctions, curl, CURLOPT_USERAGENT, "reel")
      unsafe reel_curl_set_long(
        curlFunctions, curl, CURLOPT_FRESH_CONNECT, request.opensConnection ? 1 : 0)
      if request.acceptsCompression {
        unsafe reel_curl_set_string(curlFunctions, curl, CURLOPT_ACCEPT_ENCODING, "gzip")
      }
      // SAFETY: as above.
      unsafe reel_curl_set_list(curlFunctions, curl, list)
      unsafe reel_curl_set_long(
        curlFunctions, curl, CURLOPT_CONNECTTIMEOUT_MS, timeouts.connect.milliseconds)
      unsafe reel_curl_set_long(
        curlFunctions, curl, CURLOPT_LOW_SPEED_LIMIT, max(timeouts.minimumRate, 1))
      unsafe reel_curl_set_long(
        curlFunctions, curl, CURLOPT_LOW_SPEED_TIME, max(timeouts.stall.milliseconds / 1000, 1))
    }
    return unsafe list
  }

  private func error(_ code: CURLcode, _ system: Int32, _ exchange: Exchange) -> MediaError {
    // SAFETY: both give strings that are constants, or live until this thread's next call.
    let text =
      unsafe system != 0
      ? strerror(system) : UnsafeMutablePointer(mutating: library.functions.easy_strerror(code))
    let reason = unsafe text.map { unsafe String(cString: $0) } ?? "error \(code.rawValue)"
    let rule: Rule
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: rule = .hostUnknown
    case CURLE_OPERATION_TIMEDOUT:
      let what = exchange.headIsDone ? "no more bytes" : "no answer"
      return MediaError(
        .io, .timeout, at: exchange.place, detail: exchange.isConnected ? what : "no connection")
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM,
      CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR:
      rule = .secureConnection
    case CURLE_COULDNT_CONNECT: rule = .connectionFailed
    case CURLE_URL_MALFORMAT: rule = .webAddress
    case CURLE_BAD_CONTENT_ENCODING: rule = .httpCoding
    // The address was taken apart before: what is no protocol to libcurl is the answer, for one the rest
    // of an earlier answer that was longer than it said.
    case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL: rule = .httpMessage
    default: rule = .connectionLost
    }
    return MediaError(
      code == CURLE_COULDNT_RESOLVE_HOST ? .notFound : .io, rule, at: exchange.place, detail: reason
    )
  }
}

extension Duration {
  fileprivate var milliseconds: Int {
    let parts = components
    return Int(clamping: parts.seconds) &* 1000 &+ Int(parts.attoseconds / 1_000_000_000_000_000)
  }
}

/// The functions of libcurl. They never change once they are set.
private final class CurlLibrary: @unchecked Sendable {
  let functions: reel_curl

  /// Nil where there is no libcurl. It stays loaded until the process ends.
  static let shared = CurlLibrary()

  private init?() {
    // The structure is ours; all of its pointers are set when the result is 1.
    var functions = reel_curl()
    // SAFETY: the structure is written during the call only.
    guard unsafe reel_curl_load(&functions) == 1 else { return nil }
    self.functions = functions
  }
}

/// What a transfer's callbacks share.
private final class Exchange {
  let address: WebAddress
  private let policy: NetworkPolicy
  private let stall: Duration
  private let receiver: any HTTPReceiver
  private var status = 0
  private var fields: [(name: String, value: String)] = []
  private var headBytes = 0
  private(set) var headIsDone = false
  private(set) var isConnected = false
  private(set) var failure: MediaError?
  private var received: Int64 = 0
  private var lastChange = ContinuousClock.now

  init(
    _ address: WebAddress, _ policy: NetworkPolicy, _ timeouts: HTTPTimeouts,
    _ receiver: any HTTPReceiver
  ) {
    self.address = address
    self.policy = policy
    self.receiver = receiver
    stall = timeouts.stall
  }

  var place: Place { .named(address.redacted) }

  /// A line of the head. - Returns: whether to go on.
  func takeHead(_ line: String) -> Bool {
    isConnected = true
    lastChange = .now
    headBytes += line.utf8.count
    // LIMIT: header fields without an end.
    guard headBytes <= policy.maximumHeadBytes else {
      return fail(
        MediaError(
          .limitExceeded, .httpHeadSize, at: place,
          detail: "more than \(policy.maximumHeadBytes) bytes"))
    }
    if headIsDone { return true }
    if line.hasPrefix("HTTP/") {
      fields = []
      let words = line.split(separator: " ")
      status = words.count > 1 ? Int(words[1]) ?? 0 : 0
    } else if line.isEmpty {
      guard status >= 200 else { return true }
      headIsDone = true
      return attempt { (receiver) throws(MediaError) in
        try receiver.receive(HTTPHead(status: status, fields: fields))
      }
    } else if let colon = line.firstIndex(of: ":") {
      var value = line[line.index(after: colon)...]
      while value.first == " " || value.first == "\t" { value = value.dropFirst() }
      while value.last == " " || value.last == "\t" { value = value.dropLast() }
      fields.append((line[..<colon].lowercased(), String(value)))
    }
    return true
  }

  func takeBody(_ bytes: [UInt8]) -> Bool {
    attempt { (receiver) throws(MediaError) in try receiver.receive(bytes) }
  }

  /// Whether a connection to an address may be made.
  func allows(_ address: IPAddress?) -> Bool {
    guard let address else { return false }
    do throws(MediaError) {
      try policy.check(address, of: self.address)
      return true
    } catch {
      return fail(error)
    }
  }

  /// Called about once a second and oftener. - Returns: whether to go on.
  func goesOn(received: Int64) -> Bool {
    if receiver.isCancelled { return fail(MediaError(.io, .networkCancelled, at: place)) }
    if received != self.received {
      self.received = received
      lastChange = .now
    } else if lastChange.duration(to: .now) > stall {
      let what = headIsDone ? "no more bytes" : "no answer"
      return fail(MediaError(.io, .timeout, at: place, detail: what))
    }
    return true
  }

  private func attempt(_ body: (any HTTPReceiver) throws(MediaError) -> Void) -> Bool {
    do throws(MediaError) {
      try body(receiver)
      return true
    } catch {
      return fail(error)
    }
  }

  private func fail(_ error: MediaError) -> Bool {
    failure = failure ?? error
    return false
  }
}

/// The exchange behind a callback's context.
private func exchange(_ context: UnsafeMutableRawPointer?) -> Exchange? {
  // SAFETY: every context is an exchange that `CurlTransport.exchange` keeps alive during the transfer.
  unsafe context.map { unsafe Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue() }
}

/// A copy of the bytes that libcurl hands to a callback.
private func bytes(_ start: UnsafeMutablePointer<CChar>?, _ count: Int) -> [UInt8] {
  // SAFETY: libcurl gives `count` bytes at `start` for the time of the call.
  unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
}

private let receiveHead: reel_curl_data = { start, size, count, context in
  let total = size &* count
  // SAFETY: as the helpers say.
  var line = unsafe bytes(start, total)
  while line.last == 0x0A || line.last == 0x0D { line.removeLast() }
  guard let exchange = unsafe exchange(context) else { return 0 }
  return exchange.takeHead(String(decoding: line, as: UTF8.self)) ? total : 0
}

private let receiveBody: reel_curl_data = { start, size, count, context in
  let total = size &* count
  // SAFETY: as the helpers say.
  guard let exchange = unsafe exchange(context) else { return 0 }
  return exchange.takeBody(unsafe bytes(start, total)) ? total : 0
}

private let openSocket: reel_curl_socket = { context, _, address in
  // SAFETY: libcurl gives an address for the time of the call; the buffer has room for the longest.
  guard let address = unsafe address, let exchange = unsafe exchange(context) else { return -1 }
  var numerical = [UInt8](repeating: 0, count: 16)
  let count = unsafe Int(reel_curl_address(address, &numerical))
  guard exchange.allows(IPAddress(bytes: Array(numerical.prefix(count)))) else { return -1 }
  // SAFETY: three numbers; the socket becomes libcurl's.
  return unsafe socket(
    address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
    address.pointee.protocol)
}

private let makeProgress: reel_curl_progress = { context, _, received, _, _ in
  // SAFETY: as the helper says.
  guard let exchange = unsafe exchange(context) else { return 1 }
  return exchange.goesOn(received: Int64(received)) ? 0 : 1
}
