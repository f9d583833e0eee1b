// The time base that an output of source frames is told in.

public import ReelAssets
public import ReelCore

/// How long the frames of a track are.
public enum SourceTiming: Sendable, Hashable {
  /// All frames are equally long: this many seconds.
  case constant(Rational)
  /// Frames differ; times are told in ticks of the track.
  case variable(timescale: Int32)

  /// What the packets of a track say, without decoding. A container without tables is not read for
  /// it: there, the first packets stand for all.
  ///
  /// - Throws: what the container throws.
  public init(_ asset: Asset, trackIndex: Int) throws(MediaError) {
    let timescale = asset.tracks[trackIndex].timescale
    let reader = try asset.demuxer.makePacketReader(trackIndices: [trackIndex])
    var duration: Int64?
    var count = 0
    while asset.demuxer.hasIndex || count < Self.sampleOfPackets {
      guard let header = try? reader.nextHeader() else { break }
      count += 1
      let own = header.durationTicks ?? 0
      // The last sample's duration is often rounded to the track's end: one that stands alone at the
      // end says nothing, so a difference counts when another packet follows it.
      if let duration, own != duration {
        guard (try? reader.nextHeader()) != nil else { break }
        self = .variable(timescale: timescale)
        return
      }
      duration = own
    }
    if let duration, duration > 0 {
      self = .constant(Rational(duration, timescale))
    } else {
      self = .variable(timescale: timescale)
    }
  }

  /// Packets that are looked at where looking means reading.
  private static let sampleOfPackets = 64

  /// The output's time base. An exact frame length makes a tick of a frame, as FFmpeg does for
  /// constant rates.
  public var outputTiming: OutputTiming {
    switch self {
    case .constant(let length):
      if let (numerator, denominator) = length.terms {
        return OutputTiming(
          timeBase: Ratio(numerator, denominator), frameRate: Ratio(denominator, numerator))
      }
      return OutputTiming(timeBase: Ratio(1, 1_000_000), frameRate: Ratio(25, 1))
    case .variable(let timescale):
      return OutputTiming(timeBase: Ratio(1, Int(timescale)), frameRate: Ratio(25, 1))
    }
  }
}

extension Rational {
  /// Both terms where they fit a machine word.
  var terms: (Int, Int)? {
    guard let numerator = Int(exactly: numerator), let denominator = Int(exactly: denominator)
    else { return nil }
    return (numerator, denominator)
  }
}

extension OutputTiming {
  /// The time base of an output of `rate` (> 0) pictures a second.
  public init(rate: Rational) {
    let (numerator, denominator) = rate.terms ?? (25, 1)
    self.init(
      timeBase: Ratio(denominator, numerator), frameRate: Ratio(numerator, denominator))
  }

  /// A time in ticks, the nearest one.
  public func ticks(_ time: Rational) -> Int64 {
    let count = time * Rational(timeBase.denominator) / Rational(timeBase.numerator)
    let rounded = (count + Rational(1, 2)).floor
    return Int64(clamping: rounded)
  }
}
