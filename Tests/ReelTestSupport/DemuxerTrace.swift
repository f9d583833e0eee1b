// Everything a demuxer says, as values that compare.

public import ReelCore

/// What reading an input gave: either all of it or the error, and the packets up to there.
public struct DemuxerTrace: Equatable, Sendable {
  public struct Entry: Equatable, Sendable {
    public let track: Int
    public let number: Int
    public let data: [UInt8]
    public let times: [Int64?]
    public let isSync: Bool
    public let position: Int64
  }

  public var entries: [Entry] = []
  public var trackCount = 0
  public var fault: MediaError?

  /// Opens and reads an input to its end, trying again after injected failures.
  public init(_ open: () throws(MediaError) -> any Demuxer) {
    do {
      let demuxer = try retrying(open)
      trackCount = demuxer.tracks.count
      let reader = try demuxer.makePacketReader(trackIndices: Array(demuxer.tracks.indices))
      while let packet = try retrying({ () throws(MediaError) in try reader.next() }) {
        entries.append(Entry(packet))
      }
    } catch {
      fault = error
    }
  }
}

extension DemuxerTrace.Entry {
  public init(_ packet: Packet) {
    self.init(
      track: packet.trackIndex, number: packet.number, data: packet.data,
      times: [packet.presentationTicks, packet.decodeTicks, packet.durationTicks],
      isSync: packet.isSync, position: packet.position)
  }
}
