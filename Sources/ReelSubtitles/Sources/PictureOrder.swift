// From the order of decoding to that of showing.

/// Puts what comes with pictures into the order in which they are shown.
struct PictureOrder<Value> {
  /// LIMIT: pictures that wait for one that is shown before them. Sixteen frames, or their fields, may wait in
  /// a decoder. ISO/IEC 14496-10:2020 §A.3.1.
  private static var mostWaiting: Int { 64 }
  /// By their times, those of one time in the order they came; the next is the last.
  private var waiting: [(ticks: Int64, value: Value)] = []

  /// Takes the value of the next picture that is decoded; gives one that nothing comes before any more.
  mutating func put(_ value: Value, at ticks: Int64) -> (ticks: Int64, value: Value)? {
    var place = waiting.count
    while place > 0, waiting[place - 1].ticks <= ticks { place -= 1 }
    waiting.insert((ticks, value), at: place)
    return waiting.count > Self.mostWaiting ? waiting.removeLast() : nil
  }

  /// The next of what waits, when no picture comes any more.
  mutating func take() -> (ticks: Int64, value: Value)? { waiting.popLast() }
}
