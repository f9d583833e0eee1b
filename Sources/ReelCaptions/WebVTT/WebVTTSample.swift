// WebVTT in ISO files (wvtt). ISO/IEC 14496-30:2018 §7.

public import ReelCore

/// Samples of WebVTT tracks: boxes `vttc`, each a cue, or `vtte` where nothing is shown.
public enum WebVTTSample {
  /// The cues of a sample, all from `start` to `end`; none for an empty one.
  ///
  /// - Parameter header: the track's `vttC`: a WebVTT file without cues, with its regions and styles.
  /// - Throws: `.damaged` when the sample does not consist of whole boxes.
  public static func cues(
    parsing bytes: [UInt8], header: [UInt8] = [], start: MediaTime, end: MediaTime
  ) throws(MediaError) -> [Cue] {
    var cues: [Cue] = []
    for (type, content) in try boxes(bytes) where type == "vttc" {
      var text: [UInt8] = []
      var settings: [UInt8] = []
      var id = ""
      for (type, value) in try boxes(content) {
        switch type {
        case "payl": text = value
        case "sttg": settings = value
        case "iden": id = String(decoding: value, as: UTF8.self)
        default: break
        }
      }
      guard text.count <= WebVTTCueText.mostBytes else {
        throw MediaError(.limitExceeded, .captionSize)
      }
      cues.append(
        try cue(text, id: id, settings: settings, header: header, start: start, end: end))
    }
    return cues
  }

  /// The cue of a block of Matroska.
  ///
  /// - Parameters:
  ///   - header: the track's CodecPrivate: a WebVTT file without cues.
  ///   - hasCueHeader: a line for the identifier and one for the settings come first, as in WebM; else
  ///     the block is the cue's text alone.
  /// - Throws: `.limitExceeded` for a text of more than 64 KiB.
  public static func cue(
    block: [UInt8], header: [UInt8] = [], hasCueHeader: Bool = false, start: MediaTime,
    end: MediaTime
  ) throws(MediaError) -> Cue {
    guard block.count <= WebVTTCueText.mostBytes else {
      throw MediaError(.limitExceeded, .captionSize)
    }
    guard hasCueHeader else {
      return try cue(block, id: "", settings: [], header: header, start: start, end: end)
    }
    let lines = block.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
    return try cue(
      lines.count > 2 ? Array(lines[2]) : [], id: lines.first?.text ?? "",
      settings: lines.count > 1 ? Array(lines[1]) : [], header: header, start: start, end: end)
  }

  /// A cue as a file would hold it, so that styles and regions of the header apply.
  private static func cue(
    _ text: [UInt8], id: String, settings: [UInt8], header: [UInt8], start: MediaTime,
    end: MediaTime
  ) throws(MediaError) -> Cue {
    var file = header.isEmpty ? Array("WEBVTT".utf8) : header
    file += Array("\n\n".utf8)
    // Line ends and arrows would end an identifier.
    file += id.utf8.filter { $0 != 0x0A && $0 != 0x0D && $0 != 0x3E }
    file += Array("\n00:00.000 --> 00:01.000 ".utf8)
    file += settings.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
    file += Array("\n".utf8)
    var cue = Cue(start: start, end: end, content: WebVTTCueText.parse(text))
    if let parsed = try? WebVTTFile(parsing: file + [0x2E]).cues.first {
      cue.settings = parsed.settings
      cue.region = parsed.region
    }
    cue.id = id
    cue.source = String(decoding: text, as: UTF8.self)
    WebVTTFile.applyStyles(of: header, to: &cue)
    return cue
  }

  private static func boxes(_ bytes: [UInt8]) throws(MediaError) -> [(FourCC, [UInt8])] {
    var reader = ByteReader(bytes.span)
    var boxes: [(FourCC, [UInt8])] = []
    while !reader.isAtEnd {
      let place = Place.offset(reader.offset)
      let size = Int(try reader.read(UInt32.self))
      let type = FourCC(rawValue: try reader.read())
      guard size >= 8, size - 8 <= reader.remaining else {
        throw MediaError(.damaged, .webVTTSample, at: place, detail: "size \(size)")
      }
      boxes.append((type, try reader.readBytes(size - 8)))
    }
    return boxes
  }
}

extension WebVTTFile {
  /// Gives `cue` what the style sheets of a file say.
  static func applyStyles(of header: [UInt8], to cue: inout Cue) {
    guard !header.isEmpty, let lines = try? CaptionText(header, allowsOther: false).lines else {
      return
    }
    var sheet = StyleSheet()
    for block in lines.split(whereSeparator: { $0.isEmpty }) {
      guard block.first?.trimmed.text == "STYLE" else { continue }
      sheet.add(Array(block.dropFirst().joined(separator: [0x0A])))
    }
    sheet.apply(to: &cue)
  }
}
