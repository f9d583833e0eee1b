// CEA-608 and CEA-708 captions inside of a video track. ATSC A/53 Part 4:2009 §6.2.3.

public import ReelAssets
public import ReelCaptions
public import ReelCore
internal import ReelVideoCore

/// Captions that come with pictures, in supplemental enhancement information of H.264 and HEVC.
public enum PictureCaptions {
  /// LIMIT: pairs of a picture; one message has 31, and a frame may be two fields with one each.
  private static let mostPairs = 64

  /// The cues of a channel of CEA-608, on the presentation's timeline. Reads all packets of the video
  /// track and decodes no picture.
  ///
  /// - Throws: `unsupported` without a video track of H.264 or HEVC, `limitExceeded` for too many cues,
  ///   and what the container throws.
  public static func track(
    _ asset: Asset, channel: CEA608Channel
  ) throws(MediaError) -> CaptionTrack {
    let source = try Source(asset)
    var decoder = CEA608Decoder(channel: channel)
    let end = try source.read { payload in
      CaptionPair.pairs(inUserData: payload).filter { $0.field == channel.field && !$0.isEmpty }
    } picture: { (pairs, time) throws(MediaError) in
      try decoder.decode(pairs, at: time)
    }
    return try source.present(decoder.finish(at: end))
  }

  /// The cues of a service of CEA-708, 1…63, in the same way.
  ///
  /// - Throws: as ``track(_:channel:)``.
  public static func track(_ asset: Asset, service: Int) throws(MediaError) -> CaptionTrack {
    let source = try Source(asset)
    var decoder = CEA708Decoder(service: service, isWide: source.isWide)
    let end = try source.read { payload in
      ChannelPair.pairs(inUserData: payload)
    } picture: { (pairs, time) throws(MediaError) in
      try decoder.decode(pairs, at: time)
    }
    return try source.present(decoder.finish(at: end))
  }

  /// A video track that may have captions.
  private struct Source {
    let asset: Asset
    let index: Int
    let isHEVC: Bool
    let framing: NALUnitFraming
    /// Nearer to 16:9 than to 4:3.
    let isWide: Bool

    init(_ asset: Asset) throws(MediaError) {
      guard let index = asset.videoTrackIndex, !asset.tracks[index].isProtected,
        let isHEVC = [.h264: false, "hevc": true][asset.tracks[index].codec]
      else { throw MediaError(.unsupported, .subtitleCodec, detail: "no H.264 or HEVC video") }
      (self.asset, self.index, self.isHEVC) = (asset, index, isHEVC)
      guard let format = asset.tracks[index].formats.first, case .video(let video) = format else {
        (framing, isWide) = (.annexB, true)
        return
      }
      framing = video.framing
      let aspect = video.pixelAspectRatio
      let isKnown = aspect.numerator > 0 && aspect.denominator > 0
      let stretch = isKnown ? Double(aspect.numerator) / Double(aspect.denominator) : 1
      let shape = Double(video.width) * stretch / Double(max(video.height, 1))
      isWide = video.width <= 0 || video.height <= 0 || shape > 1.55
    }

    /// Finds pairs in the payloads of messages and gives those of each picture, in the order of showing.
    ///
    /// - Returns: the end of the last picture.
    func read<Pair>(
      _ find: ([UInt8]) -> [Pair],
      picture: ([Pair], MediaTime) throws(MediaError) -> Void
    ) throws(MediaError) -> MediaTime {
      let timescale = asset.tracks[index].timescale
      let packets = try asset.demuxer.makePacketReader(trackIndices: [index])
      var order = PictureOrder<[Pair]>()
      var last: Int64 = 0
      while let packet = try packets.next() {
        guard let ticks = packet.presentationTicks ?? packet.decodeTicks else { continue }
        let end = ticks.addingReportingOverflow(packet.durationTicks ?? 0)
        if !end.overflow { last = max(last, end.partialValue) }
        let own = PictureCaptions.payloads(packet.data, framing, isHEVC: isHEVC).flatMap(find)
        if own.isEmpty { continue }
        if let next = order.put(Array(own.prefix(mostPairs)), at: ticks) {
          try picture(next.value, MediaTime(value: next.ticks, timescale: timescale))
        }
      }
      while let next = order.take() {
        try picture(next.value, MediaTime(value: next.ticks, timescale: timescale))
      }
      return MediaTime(value: last, timescale: timescale)
    }

    func present(_ cues: [Cue]) throws(MediaError) -> CaptionTrack {
      let times = PresentedTimes(
        asset.tracks[index], origin: asset.demuxer.presentationOrigin)
      return CaptionTrack(try times.present(all: cues))
    }
  }

  /// The payloads of registered user data in an access unit.
  static func payloads(
    _ data: [UInt8], _ framing: NALUnitFraming, isHEVC: Bool
  ) -> [[UInt8]] {
    let units: [Range<Int>]
    switch framing {
    case .annexB: units = NALUnits.annexB(data)
    case .lengthPrefixed(let bytes): units = NALUnits.lengthPrefixed(data, lengthBytes: bytes).units
    }
    var payloads: [[UInt8]] = []
    for unit in units {
      let first = data[unit.lowerBound]
      let isMessage = isHEVC ? first >> 1 & 0x3F == 39 : first & 0x1F == 6
      guard isMessage else { continue }
      let payload = NALUnits.unescape(data, unit)
      payloads += messages(payload[(isHEVC ? min(2, payload.count) : min(1, payload.count))...])
    }
    return payloads
  }

  /// sei_message()s: a run of type bytes, a run of size bytes, the payload.
  /// ISO/IEC 14496-10:2020 §7.3.2.3.1.
  private static func messages(_ bytes: ArraySlice<UInt8>) -> [[UInt8]] {
    var payloads: [[UInt8]] = []
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
      if type == 4 { payloads.append(Array(bytes[at..<at + size])) }
      at += size
    }
    return payloads
  }
}
