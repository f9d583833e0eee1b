// One request and its answer. Redirects, cookies, retries and policy are the client's business.

public import ReelCore

/// A request of the method GET.
public struct HTTPRequest: Sendable {
  public var address: WebAddress
  /// Header fields besides those that the transport writes itself.
  public var fields: [(name: String, value: String)] = []
  /// The answer may come compressed, and is handed on decompressed.
  public var acceptsCompression = false
  /// It is sent over a connection that is opened for it. Attempts after the first ask for that: what is left of
  /// an answer that was longer than it said cannot be taken for the next one.
  public var opensConnection = false

  public init(_ address: WebAddress) { self.address = address }
}

/// Status and header fields of an answer.
public struct HTTPHead: Sendable {
  public let status: Int
  public let fields: [(name: String, value: String)]

  /// - Parameter fields: names in lower case.
  public init(status: Int, fields: [(name: String, value: String)]) {
    self.status = status
    self.fields = fields
  }

  /// The first field of this name, which is given in lower case.
  public subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

  /// What the message is long; nil where it does not tell.
  public var contentLength: Int64? {
    self["content-length"].flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
  }

  /// The place of the body in the whole content, and the whole's length where it is told.
  public var contentRange: (range: Range<Int64>, total: Int64?)? {
    guard let text = self["content-range"], text.hasPrefix("bytes ") else { return nil }
    let parts = text.dropFirst(6).split(separator: "/")
    guard parts.count == 2 else { return nil }
    let ends = parts[0].split(separator: "-").map { Int64($0) }
    guard ends.count == 2, let first = ends[0], let last = ends[1], first >= 0, last >= first,
      last < .max
    else { return nil }
    return (first..<last + 1, Int64(parts[1]))
  }

  /// The validator: content with the same one is the same, byte for byte. Weak ones promise less.
  public var strongEntityTag: String? {
    self["etag"].flatMap { $0.hasPrefix("\"") && $0.count <= 1024 ? $0 : nil }
  }

  /// In lower case and without parameters.
  public var contentType: String? {
    self["content-type"].map {
      $0.prefix { $0 != ";" && $0 != " " }.lowercased()
    }
  }
}

/// Takes an answer as it comes in.
public protocol HTTPReceiver: AnyObject {
  /// Status and fields; throwing ends the transfer.
  func receive(_ head: HTTPHead) throws(MediaError)
  /// A part of the body, decompressed; throwing ends the transfer.
  func receive(_ bytes: [UInt8]) throws(MediaError)
  /// Asked now and then: whether the transfer is to end with `networkCancelled`.
  var isCancelled: Bool { get }
}

/// How long to wait for a server.
public struct HTTPTimeouts: Sendable, Hashable {
  /// Until the connection stands.
  public var connect = Duration.seconds(10)
  /// Without a byte.
  public var stall = Duration.seconds(15)
  /// Below this many bytes a second, on average from the first ``stall`` on, a transfer has failed.
  public var minimumRate = 64
  public init() {}
}

/// Sends a request and hands on the answer, whatever its status.
public protocol HTTPTransport: Sendable {
  /// Returns when the whole answer was received.
  ///
  /// - Throws: what `receiver` throws; `io` when the way to the server fails; `limitExceeded` when the
  ///   policy forbids the numerical address that the host has.
  func exchange(
    _ request: HTTPRequest, policy: NetworkPolicy, timeouts: HTTPTimeouts,
    receiver: any HTTPReceiver
  ) throws(MediaError)
}
