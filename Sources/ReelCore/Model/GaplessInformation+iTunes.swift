// iTunes' note on encoder delay, which MP4 and MP3 files carry as a text (iTunSMPB).

extension GaplessInformation {
  /// Reads the text of an `iTunSMPB` tag: hexadecimal words, of which the second is the delay, the
  /// third the padding and the fourth the length, all in audio frames; nil for any other text.
  public init?(iTunSMPB text: String) {
    let words = text.split(separator: " ").map { Int64($0, radix: 16) }
    guard words.count >= 4, let delay = words[1], let padding = words[2], let length = words[3],
      delay >= 0, padding >= 0, delay <= 1 << 20, padding <= 1 << 20
    else { return nil }
    self.init(delay: delay, padding: padding, length: length > 0 ? length : nil)
  }
}
