// Times as decimal seconds, without floating point.

import ReelCore

extension JSONWriter {
  /// `ticks / timescale` seconds with six decimals, the last one rounded to nearest.
  mutating func append(secondsOf ticks: Int64, timescale: Int32) {
    let scale = UInt64(timescale)
    let magnitude = ticks.magnitude
    var (whole, rest) = magnitude.quotientAndRemainder(dividingBy: scale)
    // rest < 2³¹, so that the product stays below 2⁵¹.
    var millionths = (rest &* 2_000_000 &+ scale) / (scale &* 2)
    if millionths == 1_000_000 { (whole, millionths) = (whole &+ 1, 0) }
    if ticks < 0 { append(raw: [0x2D]) }
    append(digits: whole)
    append(raw: [0x2E])
    append(digits: millionths, width: 6)
    rest = 0
  }

  /// A member with decimal seconds as text.
  mutating func member(_ key: String, secondsOf time: MediaTime) {
    guard time.isNumeric else { return }
    member(key, time.decimalSeconds)
  }
}

extension MediaTime {
  /// Seconds with six decimals; `N/A` when the time is no number.
  var decimalSeconds: String {
    guard isNumeric else { return "N/A" }
    var writer = JSONWriter()
    writer.append(secondsOf: value, timescale: timescale)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
