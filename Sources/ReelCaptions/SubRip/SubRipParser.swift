// SubRip (.srt) files. There is no standard; this takes what files in the wild have.

public import ReelCore

/// The cues of a SubRip file.
public enum SubRipFile {
  /// Reads a file. Numbers before the times may be missing; texts end at an empty line or at the next
  /// line of times, which takes a number above it along. Cues whose times are damaged are passed over, as is
  /// text without times.
  ///
  /// - Throws: `.damaged` when there is no line of times in a file with text, `.limitExceeded` for too many
  ///   cues or bytes.
  public static func cues(parsing bytes: [UInt8]) throws(MediaError) -> [Cue] {
    let lines = try CaptionText(bytes, allowsOther: true).lines
    var cues: [Cue] = []
    var current: (start: Int64, end: Int64)?
    var text: [ArraySlice<UInt8>] = []
    var sawTimes = false

    func finish() throws(MediaError) {
      defer {
        current = nil
        text = []
      }
      guard let times = current, !text.isEmpty, times.end > times.start else { return }
      guard cues.count < CaptionTrack.mostCues else {
        throw MediaError(.limitExceeded, .captionCount)
      }
      let source = Array(text.joined(separator: [0x0A]))
      cues.append(
        try cue(
          text: source, start: MediaTime(milliseconds: times.start),
          end: MediaTime(milliseconds: times.end)))
    }

    for line in lines {
      if line.contains(sequence: arrow) {
        sawTimes = true
        // The number above belongs to this cue.
        if let last = text.last, last.trimmed.allSatisfy({ (0x30...0x39).contains($0) }) {
          text.removeLast()
        }
        try finish()
        current = times(line)
      } else if line.trimmed.isEmpty {
        try finish()
      } else if current != nil {
        text.append(line)
      }
    }
    try finish()
    guard sawTimes || lines.allSatisfy({ $0.trimmed.isEmpty }) else {
      throw MediaError(.damaged, .subRipTimes)
    }
    return cues
  }

  /// A cue of a text with its marks, as other containers hold one.
  ///
  /// - Throws: `.limitExceeded` for a text of more than 64 KiB.
  public static func cue(
    text: [UInt8], start: MediaTime, end: MediaTime
  ) throws(MediaError) -> Cue {
    guard text.count <= WebVTTCueText.mostBytes else {
      throw MediaError(.limitExceeded, .captionSize, detail: "a cue's text")
    }
    var cue = Cue(start: start, end: end, content: [])
    cue.source = String(decoding: text, as: UTF8.self)
    let parsed = SubRipText.parse(text)
    cue.content = parsed.content
    cue.settings = (parsed.placement ?? .bottom).settings
    return cue
  }

  /// `hh:mm:ss,mmm --> hh:mm:ss,mmm` and what old files put behind it: `X1:… X2:… Y1:… Y2:…`.
  private static func times(
    _ line: ArraySlice<UInt8>
  ) -> (start: Int64, end: Int64)? {
    var scanner = WebVTTScanner(line)
    scanner.skipBlanks()
    guard let start = scanner.looseTimestamp() else { return nil }
    scanner.skipBlanks()
    guard scanner.take(arrow) else { return nil }
    scanner.skipBlanks()
    guard let end = scanner.looseTimestamp() else { return nil }
    return (start, end)
  }
}

extension WebVTTScanner {
  /// Hours may be missing, the fraction too; a comma or point stands before its one to three digits.
  fileprivate mutating func looseTimestamp() -> Int64? {
    guard let first = digits(), take(0x3A), let second = digits() else { return nil }
    var (hours, minutes, seconds): (Int64, Int64, Int64) = (0, first.value, second.value)
    if take(0x3A) {
      guard let third = digits() else { return nil }
      (hours, minutes, seconds) = (first.value, second.value, third.value)
    }
    guard minutes < 60, seconds < 60, hours < 1_000_000_000 else { return nil }
    var milliseconds: Int64 = 0
    skipBlanks()
    if take(0x2C) || take(0x2E) {
      skipBlanks()
      guard let fraction = digits(), fraction.count <= 3 else { return nil }
      milliseconds = fraction.value * [1000, 100, 10, 1][fraction.count]
    }
    return ((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds
  }
}
