// CEA-608 captions inside of a video track. ATSC A/53 Part 4:2009 §6.2.3.

public import ReelAssets
public import ReelCaptions
public import ReelCore
internal import ReelVideoCore

/// Captions that come with pictures, in supplemental enhancement information of H.264 and HEVC.
public enum PictureCaptions {
  /// LIMIT: pairs of a picture; one message has 31, and a frame may be two fields with one each.
  private static let mostPairs = 64

  /// The cues of a channel, on the presentation's timeline. Reads all packets of the video track and
  /// decodes no picture.
  ///
  /// - Throws: `unsupported` without a video track of H.264 or HEVC, and what the container throws.
  public static func track(
    _ asset: Asset, channel: CEA608Channel
  ) throws(MediaError) -> CaptionTrack {
    guard let index = asset.videoTrackIndex, !asset.tracks[index].isProtected,
      let isHEVC = [.h264: false, "hevc": true][asset.tracks[index].codec]
    else { throw MediaError(.unsupported, .subtitleCodec, detail: "no H.264 or HEVC video") }
    let track = asset.tracks[index]
    var framing = NALUnitFraming.annexB
    if let format = track.formats.first, case .video(let video) = format { framing = video.framing }
    let packets = try asset.demuxer.makePacketReader(trackIndices: [index])
    // Captions belong to pictures as they are shown.
    var order = PictureOrder<[CaptionPair]>()
    var decoder = CEA608Decoder(channel: channel)
    func decode(_ picture: (ticks: Int64, value: [CaptionPair])) throws(MediaError) {
      try decoder.decode(
        picture.value, at: MediaTime(value: picture.ticks, timescale: track.timescale))
    }
    var last: Int64 = 0
    while let packet = try packets.next() {
      guard let ticks = packet.presentationTicks ?? packet.decodeTicks else { continue }
      let end = ticks.addingReportingOverflow(packet.durationTicks ?? 0)
      if !end.overflow { last = max(last, end.partialValue) }
      let own = pairs(packet.data, framing, isHEVC: isHEVC).filter {
        $0.field == channel.field && !$0.isEmpty
      }
      if own.isEmpty { continue }
      if let next = order.put(Array(own.prefix(mostPairs)), at: ticks) { try decode(next) }
    }
    while let next = order.take() { try decode(next) }
    let cues = try decoder.finish(at: MediaTime(value: last, timescale: track.timescale))
    let times = PresentedTimes(track, origin: asset.demuxer.presentationOrigin)
    return CaptionTrack(try times.present(all: cues))
  }

  /// The pairs of an access unit.
  static func pairs(
    _ data: [UInt8], _ framing: NALUnitFraming, isHEVC: Bool
  ) -> [CaptionPair] {
    let units: [Range<Int>]
    switch framing {
    case .annexB: units = NALUnits.annexB(data)
    case .lengthPrefixed(let bytes): units = NALUnits.lengthPrefixed(data, lengthBytes: bytes).units
    }
    var pairs: [CaptionPair] = []
    for unit in units {
      let first = data[unit.lowerBound]
      let isMessage = isHEVC ? first >> 1 & 0x3F == 39 : first & 0x1F == 6
      guard isMessage else { continue }
      let payload = NALUnits.unescape(data, unit)
      pairs += messages(payload[(isHEVC ? min(2, payload.count) : min(1, payload.count))...])
    }
    return pairs
  }

  /// sei_message()s: a run of type bytes, a run of size bytes, the payload.
  /// ISO/IEC 14496-10:2020 §7.3.2.3.1.
  private static func messages(_ bytes: ArraySlice<UInt8>) -> [CaptionPair] {
    var pairs: [CaptionPair] = []
    var at = bytes.startIndex
    func number() -> Int? {
      var value = 0
      while at < bytes.endIndex {
        let byte = bytes[at]
        at += 1
        value += Int(byte)
        if byte != 255 { return value }
      }
      return nil
    }
    while let type = number(), let size = number(), size <= bytes.endIndex - at {
      if type == 4 { pairs += CaptionPair.pairs(inUserData: Array(bytes[at..<at + size])) }
      at += size
    }
    return pairs
  }
}
