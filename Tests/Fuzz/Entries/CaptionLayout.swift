// Captions from bytes to pictures.

import ReelCaptions
import ReelCore
import ReelImaging
import ReelSubtitles
import ReelText
import Synchronization

extension FuzzEntry {
  /// Captions laid out and drawn over small pictures. The first byte tells their kind, the second how the
  /// viewer wants them, the third the size of the picture.
  public static let captionLayout = FuzzEntry("CaptionLayout") { input in
    guard input.count > 3 else { return }
    let track = CaptionTrack(cues([UInt8](input.dropFirst(3)), kind: input[0]))
    if track.cues.isEmpty { return }
    fonts.withLock { book in
      if book == nil { book = try? FontBook() }
      guard let own = book else { return }
      draw(track, CaptionPainter(book: own, style: style(input[1])), size: input[2])
    }
  }

  /// Opened once: reading them takes longer than most inputs.
  private static let fonts = Mutex<FontBook?>(nil)

  private static func draw(_ track: CaptionTrack, _ painter: CaptionPainter, size: UInt8) {
    let (width, height) = sizes[Int(size) % sizes.count]
    var time = MediaTime.zero
    // LIMIT: pictures an input, so that each stays fast.
    for _ in 0..<4 {
      if let moment = CaptionPainter.moment(of: track, at: time),
        let layers = try? painter.layers(
          moment, of: track, trackID: 0, width: width, height: height)
      {
        draw(layers, width: width, height: height)
      }
      guard let next = track.change(after: time) else { return }
      time = next
    }
  }

  private static let sizes = [(160, 90), (90, 160), (16, 16), (1, 1), (640, 36), (3, 200)]

  private static func cues(_ bytes: [UInt8], kind: UInt8) -> [Cue] {
    let end = MediaTime(value: 1, timescale: 1)
    switch kind % 6 {
    case 0: return (try? SubtitleFile.cues(parsing: bytes)) ?? []
    case 1: return (try? WebVTTFile(parsing: Array("WEBVTT\n\n".utf8) + bytes).cues) ?? []
    case 2: return (try? SubRipFile.cues(parsing: bytes)) ?? []
    case 3:
      let entry = (try? TimedTextEntry(parsing: [UInt8](bytes.prefix(40)))) ?? TimedTextEntry()
      let cue = try? TimedTextSample.cue(
        parsing: [UInt8](bytes.dropFirst(40)), entry: entry, start: .zero, end: end, width: 320,
        height: 240)
      return cue.map { [$0] } ?? []
    case 4: return (try? digital(bytes)) ?? []
    default:
      var decoder = CEA608Decoder(channel: .cc1)
      let pairs = stride(from: 0, to: bytes.count - 1, by: 2).map {
        CaptionPair(field: 1, first: odd(bytes[$0]), second: odd(bytes[$0 + 1]))
      }
      guard (try? decoder.decode(pairs, at: .zero)) != nil else { return [] }
      return (try? decoder.finish(at: end)) ?? []
    }
  }

  /// With odd parity, or most pairs would be damaged.
  private static func odd(_ byte: UInt8) -> UInt8 {
    byte.nonzeroBitCount & 1 == 1 ? byte : byte ^ 0x80
  }

  private static func style(_ byte: UInt8) -> CaptionStyle {
    var style = CaptionStyle()
    style.edge = CaptionStyle.Edge.allCases[Int(byte & 7) % CaptionStyle.Edge.allCases.count]
    style.scale = [1, 0.25, 4, .nan][Int(byte >> 3 & 3)]
    style.overridesCaptions = byte & 32 != 0
    if byte & 64 != 0 { style.family = .serif }
    if byte & 128 != 0 { style.background = .white }
    return style
  }

  private static func draw(_ layers: [OverlayLayer], width: Int, height: Int) {
    let frame = VideoFrame(
      storage: .depth8(FramePlanes(width: width, height: height, chromaFormat: .yuv420)),
      lumaBitDepth: 8, chromaBitDepth: 8,
      crop: SampleRect(x: 0, y: 0, width: width, height: height))
    var composition = Composition()
    composition.captions = layers
    _ = try? Compositor().compose(frame, composition)
  }
}
