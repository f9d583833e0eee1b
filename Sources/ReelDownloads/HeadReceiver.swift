// The begin of an answer, when that is all that is wanted.

internal import ReelCore
internal import ReelIO

extension Rule {
  /// Ends a transfer whose begin said enough; no user sees it.
  static let headIsEnough = Rule("download.head", "the begin of the answer is enough")
}

/// Takes the head and the first bytes of an answer and ends it.
final class HeadReceiver: HTTPReceiver {
  private let address: WebAddress
  private let byteLimit: Int
  private(set) var head: HTTPHead?
  private(set) var bytes: [UInt8] = []
  private var received = 0
  var isCancelled: Bool { false }

  /// - Parameter byteLimit: bytes of the body to take; with 0 the head is enough.
  init(_ address: WebAddress, byteLimit: Int) {
    self.address = address
    self.byteLimit = byteLimit
  }

  /// - Throws: what another status than success means.
  func receive(_ head: HTTPHead) throws(MediaError) {
    // No range of an empty file can be asked for.
    if head.status != 416, let failure = head.failure(at: address) { throw failure }
    self.head = head
    bytes = []
    received = 0
  }

  /// A short body is taken to its end, so that the connection can be used again.
  func receive(_ bytes: [UInt8]) throws(MediaError) {
    received += bytes.count
    self.bytes += bytes.prefix(byteLimit - self.bytes.count)
    if received > max(byteLimit, 1) { throw MediaError(.io, .headIsEnough) }
  }
}
