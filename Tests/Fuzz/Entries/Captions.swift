// Captions: files and samples. The first byte says which.

import ReelCaptions
import ReelCore

extension FuzzEntry {
  public static let captions = FuzzEntry("Captions") { input in
    guard let kind = input.first else { return }
    let bytes = [UInt8](input.dropFirst())
    let end = MediaTime(value: 1, timescale: 1)
    switch kind & 7 {
    case 0: use((try? WebVTTFile(parsing: bytes).cues) ?? [])
    case 1: use((try? SubRipFile.cues(parsing: bytes)) ?? [])
    case 2:
      var reader = WebVTTSampleReader()
      use((try? reader.cues(parsing: bytes, start: .zero, end: end)) ?? [])
    case 3:
      // A length, the track's header, the sample.
      let split = min(Int(bytes.first ?? 0), bytes.count)
      var reader = WebVTTSampleReader(header: [UInt8](bytes.prefix(split)))
      use(
        (try? reader.cues(parsing: [UInt8](bytes.dropFirst(split)), start: .zero, end: end)) ?? [])
    case 4:
      let entry = (try? TimedTextEntry(parsing: [UInt8](bytes.prefix(40)))) ?? TimedTextEntry()
      let sample = [UInt8](bytes.dropFirst(40))
      if let cue = try? TimedTextSample.cue(
        parsing: sample, entry: entry, start: .zero, end: end, width: 320, height: 240)
      {
        use([cue])
      }
    case 5:
      var decoder = CEA608Decoder(channel: CEA608Channel.allCases[bytes.count & 3])
      guard (try? decoder.decode(CaptionPair.pairs(inSample: bytes), at: .zero)) != nil else {
        return
      }
      use((try? decoder.finish(at: end)) ?? [])
    case 6:
      var decoder = CEA608Decoder(channel: CEA608Channel.allCases[bytes.count & 3])
      guard (try? decoder.decode(CaptionPair.pairs(inUserData: bytes), at: .zero)) != nil else {
        return
      }
      use((try? decoder.finish(at: end)) ?? [])
    default: use((try? Self.digital(bytes)) ?? [])
    }
  }

  /// CEA-708: packets of at most 31 bytes of one service, a tenth of a second each.
  static func digital(_ bytes: [UInt8]) throws(MediaError) -> [Cue] {
    var decoder = CEA708Decoder(service: 1, isWide: bytes.count & 1 == 0)
    var time: Int64 = 0
    for start in stride(from: 0, to: bytes.count, by: 31) {
      let data = bytes[start..<min(start + 31, bytes.count)]
      var packet = [UInt8(time & 3) << 6, 0x20 | UInt8(data.count)] + data
      if packet.count % 2 == 1 { packet.append(0) }
      packet[0] |= UInt8(packet.count / 2)
      let pairs = stride(from: 0, to: packet.count, by: 2).map {
        ChannelPair(isStart: $0 == 0, first: packet[$0], second: packet[$0 + 1])
      }
      try decoder.decode(pairs, at: MediaTime(value: time, timescale: 10))
      time += 1
    }
    return try decoder.finish(at: MediaTime(value: time, timescale: 10))
  }

  private static func use(_ cues: [Cue]) {
    let track = CaptionTrack(cues)
    _ = track.cues(at: .zero)
    _ = track.change(after: .zero)
  }
}
