// Item time as a piecewise-linear function of host time.

internal import ReelCore

/// Which picture an item time stands for.
public enum PictureSide: String, Sendable, Hashable, Codable {
  /// The last picture whose presentation time is ≤ the item time. Forward playback and seeks.
  case atOrBefore
  /// The last picture whose presentation time is < the item time, or the first picture when there is
  /// none. Backward playback, where a picture is left at its own time, and the end of a range, which
  /// is not part of the range.
  case before
}

/// Where playback stands at an instant.
struct Location: Sendable, Hashable, Codable {
  enum Phase: String, Sendable, Hashable, Codable {
    /// Time runs.
    case moving
    /// Time stands still.
    case resting
    /// Between two passes of a loop with a delay.
    case holding
    /// Behind the last end of the motion.
    case ended
  }
  var item: Rational
  /// Times the item has started again since it became current.
  var pass: Int
  var side: PictureSide
  var phase: Phase
}

/// Uniform motion from one instant on, with all its loop passes: closed form, so that the millionth
/// pass costs what the first does and is as exact.
///
/// ```
/// item  b ┐   ╱│hold╱│hold╱         ends lie at firstEnd + k · period,
///         │  ╱ └───╱ └───╱          the next pass begins a delay later
///       a ┘ ╱     ╱     ╱
///          host  firstEnd  +period → host time
/// ```
struct Motion: Sendable, Hashable, Codable {
  /// The instant this motion starts at, and the item time and pass there.
  let host: Rational
  let item: Rational
  let pass: Int
  /// Item seconds a host second; 0 at rest.
  let rate: Rational
  /// At rest.
  let side: PictureSide
  /// What is shown before `host`, when the motion begins with the rest of a delay.
  let before: Location?
  /// The host time at which the end is met first; nil when it never is.
  let firstEnd: Rational?
  /// Item times of the end and of the next pass's start in the direction of travel.
  let tail: Rational
  let lead: Rational
  /// Host time between ends; nil when the motion does not wrap.
  let period: Rational?
  /// Host time that the end of a pass is held for.
  let delay: Rational
  /// How many ends wrap; the next one is the last. nil: all wrap.
  let wrapLimit: Int?
  /// Time runs on behind the end, as with `actionAtItemEnd` none.
  let runsPastEnd: Bool

  /// A loop as a motion needs it.
  struct Wrapping: Sendable, Hashable, Codable {
    /// Host seconds between passes, ≥ 0.
    var delay: Rational
    /// How many ends wrap, ≥ 0; nil without limit.
    var limit: Int?
  }

  /// Rest at a place.
  init(restingAt location: Location, since host: Rational) {
    self.host = host
    item = location.item
    pass = location.pass
    rate = .zero
    side = location.side
    before = nil
    firstEnd = nil
    (tail, lead, delay) = (.zero, .zero, .zero)
    period = nil
    wrapLimit = nil
    runsPastEnd = false
  }

  /// Travel from `item` at `rate` (≠ 0) between `start` and `end`; nil: there is no end.
  ///
  /// Whoever is behind the end in the direction of travel meets it at once.
  init(
    from item: Rational, pass: Int, at host: Rational, rate: Rational, start: Rational,
    end: Rational?, wrapping: Wrapping?, runsPastEnd: Bool = false, before: Location? = nil
  ) {
    self.host = host
    self.item = item
    self.pass = pass
    self.rate = rate
    self.before = before
    self.runsPastEnd = runsPastEnd
    let isForward = rate.signum > 0
    side = isForward ? .atOrBefore : .before
    let target = isForward ? end : start
    tail = target ?? .zero
    lead = (isForward ? start : end) ?? .zero
    if let target {
      let distance = (target - item) / rate
      firstEnd = host + (distance.signum > 0 ? distance : .zero)
    } else {
      firstEnd = nil
    }
    if let wrapping, let end, end > start {
      delay = wrapping.delay
      period = (end - start) / rate.magnitude + wrapping.delay
      wrapLimit = wrapping.limit
    } else {
      delay = .zero
      period = nil
      wrapLimit = nil
    }
  }

  /// The end as it is held: the last picture of the pass.
  private func held(pass: Int, _ phase: Location.Phase) -> Location {
    Location(
      item: tail, pass: pass, side: rate.signum > 0 ? .before : .atOrBefore, phase: phase)
  }

  /// Where the end number `index` lies.
  func held(atEnd index: Int) -> Location { held(pass: pass.addingClamped(index), .ended) }

  private func travelled(_ time: Rational, from item: Rational, pass: Int) -> Location {
    Location(item: item + time * rate, pass: pass, side: side, phase: .moving)
  }

  func locate(at time: Rational) -> Location {
    if rate.isZero { return Location(item: item, pass: pass, side: side, phase: .resting) }
    if time < host, let before { return before }
    let elapsed = time > host ? time - host : .zero
    guard let firstEnd, time >= firstEnd else {
      return travelled(elapsed, from: item, pass: pass)
    }
    guard let period else {
      return runsPastEnd
        ? travelled(elapsed, from: item, pass: pass) : held(pass: pass, .ended)
    }
    let behind = time - firstEnd
    let wraps = Int(clamping: (behind / period).floor)
    if let wrapLimit, wraps >= wrapLimit {
      return held(pass: pass.addingClamped(wrapLimit), .ended)
    }
    let inPeriod = behind - Rational(wraps) * period
    if inPeriod < delay { return held(pass: pass.addingClamped(wraps), .holding) }
    var place = travelled(
      inPeriod - delay, from: lead, pass: pass.addingClamped(wraps.addingClamped(1)))
    // Only rounded fractions can leave the pass, see Rational.
    place.item = min(max(place.item, min(lead, tail)), max(lead, tail))
    return place
  }

  /// Host time of the end number `index`, from 0; nil when there is no such end.
  func end(_ index: Int) -> Rational? {
    guard let firstEnd, index >= 0 else { return nil }
    guard index > 0 else { return firstEnd }
    guard let period, index <= wrapLimit ?? .max else { return nil }
    return firstEnd + Rational(index) * period
  }

  /// Whether a pass begins behind the end number `index`.
  func wraps(at index: Int) -> Bool { period != nil && index < wrapLimit ?? .max }

  /// Passes too short to be told of one by one; see ``QueueStateMachine/shortestTold``.
  var isTooFastToTell: Bool { period.map { $0 < QueueStateMachine.shortestTold } ?? false }
}

extension FixedWidthInteger {
  /// The sum, or the nearest number that fits.
  func addingClamped(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? other < 0 ? .min : .max : sum
  }
}
