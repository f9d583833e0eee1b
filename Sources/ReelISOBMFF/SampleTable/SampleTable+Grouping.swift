// Uncompressed audio: packets of many samples.

import ReelCore

/// How the samples of a chunk are gathered into packets.
///
/// Files of uncompressed audio count every moment of sound as a sample of one tick; a packet for each
/// would be a few bytes long. As FFmpeg does, up to 1,024 of a chunk make a packet.
struct SampleGrouping {
  /// Samples of a packet.
  let sampleCount: Int
  /// Samples that cannot be parted, and their bytes.
  let unitSampleCount: Int
  let unitByteCount: Int

  /// Nil for a track whose samples are packets already.
  init?(_ track: TrackBox) {
    guard track.handler?.handlerType == "soun", track.times.deltas.entryCount == 1,
      track.times.deltas.entryValue(0) == 1, track.sizes.constantSize != 0,
      let entry = track.descriptions?.entries.first, case .audio(let format) = entry.format
    else { return nil }
    if entry.samplesPerPacket > 1 && entry.bytesPerFrame > 0 {
      // QuickTime's version 1 of compressed sound: so many samples in so many bytes.
      guard entry.samplesPerPacket <= 1 << 16, entry.bytesPerFrame <= 1 << 16 else { return nil }
      (unitSampleCount, unitByteCount) = (entry.samplesPerPacket, entry.bytesPerFrame)
    } else {
      // The stated size is that of one sample of one channel in some files, or just 1.
      let frame = PCMFormat.byteCount(entry.codec).map { $0 * max(format.channelCount, 1) }
      (unitSampleCount, unitByteCount) = (1, frame ?? Int(track.sizes.constantSize))
      guard unitByteCount <= 1 << 16 else { return nil }
    }
    sampleCount = max(1024 / unitSampleCount, 1) * unitSampleCount
  }
}

extension SampleTable {
  /// Adds the samples of a chunk as packets; returns their bytes.
  mutating func append(chunkOf length: Int, _ grouping: SampleGrouping) -> Int64 {
    let before = sizes.total
    let full = length / grouping.sampleCount
    let rest = length % grouping.sampleCount
    let fullBytes = grouping.sampleCount / grouping.unitSampleCount * grouping.unitByteCount
    sizes.append(UInt32(fullBytes), count: full)
    deltas.append(UInt32(grouping.sampleCount), count: full)
    if rest > 0 {
      let units = (rest + grouping.unitSampleCount - 1) / grouping.unitSampleCount
      sizes.append(UInt32(units * grouping.unitByteCount))
      deltas.append(UInt32(rest))
    }
    return sizes.total - before
  }
}
