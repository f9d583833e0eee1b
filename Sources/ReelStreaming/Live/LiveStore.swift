// Segments of live playlists, kept while they can be had.

public import ReelCore
import ReelHLS
import Synchronization

/// A loader that has what it was told to keep, and asks another one for everything else.
final class LiveStore: ResourceLoader {
  private struct Key: Hashable {
    let address: String
    let range: Range<Int64>?
  }

  private struct State {
    var resources: [Key: Resource] = [:]
    var byteCount = 0
  }

  private let loader: any ResourceLoader
  private let maximumSegmentBytes: Int
  private let maximumBytes: Int
  private let state = Mutex(State())

  init(_ loader: any ResourceLoader, maximumSegmentBytes: Int, maximumBytes: Int) {
    (self.loader, self.maximumSegmentBytes) = (loader, maximumSegmentBytes)
    self.maximumBytes = maximumBytes
  }

  func load(_ request: ResourceRequest) throws(MediaError) -> Resource {
    let key = Key(address: request.address, range: request.range)
    if let kept = state.withLock({ $0.resources[key] }) { return kept }
    return try loader.load(request)
  }

  /// Loads a segment with its initialization section and keys. What is not there is told when it is asked
  /// for: one segment that cannot be had does not end a live stream.
  ///
  /// - Throws: `limitExceeded` when more is kept than may be.
  func keep(_ segment: Segment, of list: PlaylistAddress) throws(MediaError) {
    try keep(segment.uri, segment.byteRange.map { $0.offset..<$0.end }, list)
    if let section = segment.initializationSection {
      try keep(section.uri, section.byteRange.map { $0.offset..<$0.end }, list)
    }
  }

  /// Loads what a server says will come. A hint may turn out wrong, so its failures do not count.
  func keep(_ hint: PreloadHint, of list: PlaylistAddress) {
    guard hint.type == "PART", let address = try? list.resolve(hint.uri).address else { return }
    var range: Range<Int64>?
    if let length = hint.byteRangeLength {
      guard let own = ByteRange(offset: hint.byteRangeStart ?? 0, length: length) else { return }
      range = own.offset..<own.end
    } else if hint.byteRangeStart ?? 0 > 0 {
      return
    }
    try? keep(address, range, list)
  }

  private func keep(
    _ reference: String, _ range: Range<Int64>?, _ list: PlaylistAddress
  ) throws(MediaError) {
    guard !DataAddress.isOne(reference), let address = try? list.resolve(reference).address
    else { return }
    let key = Key(address: address, range: range)
    guard state.withLock({ $0.resources[key] == nil }) else { return }
    let request = ResourceRequest(
      address, namedBy: list.address, range: range, maximumByteCount: maximumSegmentBytes)
    guard let resource = try? loader.load(request) else { return }
    let total = state.withLock { state in
      state.resources[key] = resource
      state.byteCount += resource.bytes.count
      return state.byteCount
    }
    guard total <= maximumBytes else {
      throw MediaError(
        .limitExceeded, .streamingKept, at: .named(list.address), detail: "\(total) bytes",
        advice: "follow the list for a shorter time")
    }
  }
}

extension Rule {
  public static let streamingKept = Rule(
    "streaming.kept", "the segments of a live playlist that are kept fit the memory for them")
}
