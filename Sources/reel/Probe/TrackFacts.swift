// What the reports tell of a track, in words.

import ReelCore

/// A track's numbers in the forms that both reports use.
struct TrackFacts {
  let track: Track
  let video: VideoFormat?
  let audio: AudioFormat?

  init(_ track: Track) {
    self.track = track
    var video: VideoFormat?
    var audio: AudioFormat?
    switch track.formats.first {
    case .video(let format): video = format
    case .audio(let format): audio = format
    case .subtitle, .other, nil: break
    }
    self.video = video
    self.audio = audio
  }

  /// The sample entry's code, where there is one.
  var sampleEntry: FourCC? {
    switch track.formats.first {
    case .video(let format): format.sampleEntry
    case .audio(let format): format.sampleEntry
    case .subtitle(let format): format.sampleEntry
    case .other(let code): code
    case nil: nil
    }
  }

  /// Frames a second on average; nil when unknown.
  var averageRate: Rational? {
    guard let count = track.sampleCount, count > 0, let ticks = track.mediaDuration, ticks > 0
    else { return nil }
    return Rational(count) * Rational(Int(track.timescale)) / Rational(ticks, 1)
  }
}

extension MediaTime {
  /// Seconds with six decimals, as FFmpeg prints them; nil when it is no number.
  var secondsText: String? {
    guard let time = Rational(self) else { return nil }
    return time.decimal(places: 6)
  }
}

extension Rational {
  /// The value with this many decimals, the last one rounded to nearest; exact integer arithmetic.
  func decimal(places: Int) -> String {
    var scale = 1
    for _ in 0..<places { scale *= 10 }
    let scaled = (magnitude * Rational(scale) + Rational(1, 2)).floor
    let whole = scaled / Int128(scale)
    let rest = String(scaled % Int128(scale))
    let sign = signum < 0 && scaled != 0 ? "-" : ""
    guard places > 0 else { return "\(sign)\(whole)" }
    return "\(sign)\(whole)." + String(repeating: "0", count: places - rest.count) + rest
  }

  /// The value with up to three decimals and no trailing zeros.
  var shortDecimal: String {
    var text = decimal(places: 3)
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }
}
