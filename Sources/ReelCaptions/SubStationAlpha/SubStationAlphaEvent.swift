// Events of SubStation Alpha as Matroska has them. Matroska's subtitle specification, "SSA/ASS Subtitles".

public import ReelCore

/// A line of SubStation Alpha as plain text: bold, italic, underlined and struck letters and the nine places
/// are taken, fonts, colours, moves, drawings and effects are not.
public enum SubStationAlphaEvent {
  /// The cue of an event: ReadOrder, Layer, Style, Name, three margins, Effect, Text.
  ///
  /// - Returns: nil for an event without text.
  /// - Throws: `limitExceeded` for a text of more than 64 KiB.
  public static func cue(
    parsing bytes: [UInt8], start: MediaTime, end: MediaTime
  ) throws(MediaError) -> Cue? {
    let fields = bytes.split(separator: 0x2C, maxSplits: 8, omittingEmptySubsequences: false)
    guard fields.count == 9, let text = fields.last else { return nil }
    guard text.count <= WebVTTCueText.mostBytes else {
      throw MediaError(.limitExceeded, .captionSize, detail: "a cue's text")
    }
    let plain = tagged(Array(text))
    guard !plain.isEmpty else { return nil }
    return try SubRipFile.cue(text: plain, start: start, end: end)
  }

  /// The text with SubRip's tags in the place of override codes.
  private static func tagged(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var isDrawing = false
    var i = 0
    while i < text.count {
      if text[i] == 0x7B, let close = text[i...].prefix(4096).firstIndex(of: 0x7D) {
        codes(text[(i + 1)..<close], &result, &isDrawing)
        i = close + 1
        continue
      }
      defer { i += 1 }
      if isDrawing { continue }
      if text[i] == 0x5C, i + 1 < text.count {
        switch text[i + 1] {
        case 0x4E, 0x6E: result.append(0x0A)
        case 0x68: result += [0xC2, 0xA0]
        default:
          result.append(text[i])
          continue
        }
        i += 1
      } else if text[i] == 0x3C {
        // A sign of the text, which SubRip would take for a tag.
        result += Array("&lt;".utf8)
      } else {
        result.append(text[i])
      }
    }
    return result
  }

  /// Override codes `\b1`, `\i0`, `\an8`, `\p1` …
  private static func codes(
    _ block: ArraySlice<UInt8>, _ result: inout [UInt8], _ isDrawing: inout Bool
  ) {
    for code in block.split(separator: 0x5C) {
      let name = code.trimmed.text
      switch name {
      case "b1", "i1", "u1", "s1": result += Array("<\(name.prefix(1))>".utf8)
      case "b0", "i0", "u0", "s0": result += Array("</\(name.prefix(1))>".utf8)
      case "p0": isDrawing = false
      case _ where name.hasPrefix("p") && name.dropFirst().allSatisfy(\.isNumber) && name.count > 1:
        isDrawing = true
      case _ where name.hasPrefix("an") && name.utf8.count == 3:
        result += Array("{\\\(name)}".utf8)
      default: break
      }
    }
  }
}
