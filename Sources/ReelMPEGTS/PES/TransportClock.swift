// Times of 33 bits on a line without an end. Rec. ITU-T H.222.0 §2.4.3.7.

/// Continues times that wrap every 26½ hours: each is taken to be the nearest to the one before.
struct TransportClock {
  private static let period: Int64 = 1 << 33
  private(set) var last: Int64?

  /// A clock whose last time was `last`, in 90 kHz.
  init(last: Int64? = nil) { self.last = last }

  /// The time that `raw`, 33 bits, stands for. The first is taken as it is.
  mutating func time(_ raw: Int64) -> Int64 {
    guard let last else {
      self.last = raw
      return raw
    }
    var difference = (raw - last) % Self.period
    if difference < 0 { difference += Self.period }
    if difference >= Self.period / 2 { difference -= Self.period }
    let time = last + difference
    self.last = time
    return time
  }
}
