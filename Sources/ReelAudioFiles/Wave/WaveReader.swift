// Reading the blocks of a WAVE file.

import ReelCore

/// Gives the data of a WAVE file in packets of whole blocks.
final class WaveReader: PacketReader {
  private let source: any ByteSource
  private let format: WaveFormat
  private let data: Range<Int64>
  private let isEmpty: Bool
  /// Blocks of a packet.
  private let blocksPerPacket: Int64
  /// Number of the next block.
  private var block: Int64 = 0

  private static let packetByteCount = 4096

  init(source: any ByteSource, format: WaveFormat, data: Range<Int64>, isEmpty: Bool) {
    (self.source, self.format, self.data, self.isEmpty) = (source, format, data, isEmpty)
    blocksPerPacket =
      format.isPCM ? Int64(max(Self.packetByteCount / format.blockByteCount, 1)) : 1
  }

  func next() throws(MediaError) -> Packet? {
    let size = Int64(format.blockByteCount)
    let offset = data.lowerBound + block * size
    guard !isEmpty, offset < data.upperBound else { return nil }
    let count = min(blocksPerPacket * size, data.upperBound - offset)
    var bytes = try source.readFully(at: offset, count: Int(count))
    // A block of PCM that is cut off is no sample; one of a coded format may still be of use.
    if format.isPCM { bytes.removeLast(bytes.count % Int(size)) }
    guard !bytes.isEmpty else { return nil }
    var packet = Packet(trackIndex: 0, data: bytes)
    packet.number = Int(block / blocksPerPacket)
    packet.isSync = true
    packet.position = offset
    let blocks = (Int64(bytes.count) + size - 1) / size
    if let samples = format.samplesPerBlock.map(Int64.init) {
      packet.presentationTicks = block * samples
      packet.decodeTicks = block * samples
      packet.durationTicks = blocks * samples
    }
    block += blocks
    return packet
  }

  /// Moves to the packet that holds `ticks`; to the start where blocks do not tell their length.
  func seek(trackIndex: Int, toSyncAtOrBefore ticks: Int64) throws(MediaError) {
    guard trackIndex == 0 else {
      throw MediaError(.usage, .audioTrackIndex, detail: "\(trackIndex)")
    }
    guard let samples = format.samplesPerBlock else {
      block = 0
      return
    }
    let size = Int64(format.blockByteCount)
    // One less than the end, so that the last packet is found for any later time. Without an end
    // every block may be there.
    let total = (data.upperBound - data.lowerBound) / size
    let wanted = min(max(ticks, 0) / Int64(samples), max(total - 1, 0))
    block = wanted / blocksPerPacket * blocksPerPacket
  }
}
