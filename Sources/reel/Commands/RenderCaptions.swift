// The options of `reel render` that say which subtitles are drawn and how.

import ReelCore
import ReelKit
import ReelPlayback
import ReelRendering
import ReelSubtitles
import ReelText

/// Subtitles and their looks as the command line has them.
struct RenderCaptions {
  /// A file, `track:N`, `track:N:cc3`, `cc1` … `cc4` or `service1` …; empty for none.
  let subtitles: String
  /// What the player is told at time 0.
  private(set) var commands: [PlayerCommand] = []
  private let fonts: [String]
  private let style: CaptionStyle
  private(set) var library: SubtitleLibrary?

  static let options = [
    Option("--subtitles", value: "FILE"), Option("--subtitle-language", value: "LANGUAGE"),
    Option("--font", value: "FILE", isRepeatable: true), Option("--caption-size", value: "PERCENT"),
    Option("--caption-color", value: "COLOUR"), Option("--caption-background", value: "COLOUR"),
    Option("--caption-edge", value: "EDGE[:COLOUR]"), Option("--caption-font", value: "FAMILY"),
    Option("--caption-override"),
  ]

  static let help = """
      --subtitles FILE  draw the subtitles of a WebVTT or SubRip file, told by its content; track:N is
                        track N of the input, counted as probe does, track:N:cc3 a channel of a track
                        of CEA-608; cc1 to cc4 are the CEA-608 captions inside of its pictures and
                        service1 to service63 those of CEA-708
      --subtitle-language L
                        draw the input's own subtitles in a language, such as en or pt-BR
      --font FILE       a font to take letters from before those of fonts-dejavu-core and
                        fonts-noto-core; several are tried in the order given. Chinese, Japanese and
                        Korean need one
      --caption-size P  size of subtitles in per cent of what it would be, 25 to 400
      --caption-color C, --caption-background C
                        colours of the letters and of what is behind them (clear for nothing)
      --caption-edge E  none, outline, dropShadow, raised or depressed; a colour may follow behind a
                        colon, such as outline:#202020
      --caption-font F  sansSerif, serif or monospace
      --caption-override
                        these go over what subtitles say of their own looks, not under it
    """

  init(_ arguments: Arguments) throws(CommandFailure) {
    subtitles = arguments.value("--subtitles") ?? ""
    fonts = arguments.all("--font")
    if let language = arguments.value("--subtitle-language") {
      guard subtitles.isEmpty else {
        throw .usage("--subtitles and --subtitle-language both choose subtitles: give one")
      }
      commands.append(.subtitles(language))
    }
    style = try Self.style(arguments)
  }

  private static func style(_ arguments: Arguments) throws(CommandFailure) -> CaptionStyle {
    var style = CaptionStyle()
    if let text = arguments.value("--caption-size") {
      guard let percent = Double(text), (25...400).contains(percent) else {
        throw .usage("--caption-size takes a number from 25 to 400, not '\(text)'")
      }
      style.scale = percent / 100
    }
    style.color = try color(arguments, "--caption-color")
    style.background = try color(arguments, "--caption-background")
    if let text = arguments.value("--caption-edge") {
      let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard let edge = CaptionStyle.Edge(rawValue: String(parts[0])) else {
        let names = CaptionStyle.Edge.allCases.map(\.rawValue).joined(separator: ", ")
        throw .usage("--caption-edge takes one of \(names), not '\(text)'")
      }
      style.edge = edge
      if parts.count == 2 {
        guard let color = RGBAColor(String(parts[1])) else {
          throw .usage("--caption-edge: '\(parts[1])' is no colour")
        }
        style.edgeColor = color
      }
    }
    if let text = arguments.value("--caption-font") {
      let families: [(String, FontFamily)] = [
        ("sansSerif", .sansSerif), ("serif", .serif), ("monospace", .monospace),
      ]
      guard let family = families.first(where: { $0.0 == text })?.1 else {
        throw .usage("--caption-font takes sansSerif, serif or monospace, not '\(text)'")
      }
      style.family = family
    }
    style.overridesCaptions = arguments.has("--caption-override")
    return style
  }

  private static func color(
    _ arguments: Arguments, _ name: String
  ) throws(CommandFailure) -> RGBAColor? {
    guard let text = arguments.value(name) else { return nil }
    guard let color = RGBAColor(text) else {
      throw .usage("\(name) takes a name such as white or #rrggbb or #rrggbbaa, not '\(text)'")
    }
    return color
  }

  /// Opens the fonts that were named.
  mutating func open() throws(CommandFailure) {
    do throws(MediaError) {
      library = SubtitleLibrary(book: try FontBook(files: fonts), style: style)
    } catch {
      throw CommandFailure(error, input: fonts.first ?? "")
    }
  }

  /// Reads what was chosen, so that a fault is told before a picture is made.
  func check(_ inputs: [RenderInput]) throws(MediaError) {
    for input in inputs {
      if !subtitles.isEmpty { _ = try library?.load(.external(subtitles), from: input) }
      for case .subtitles(let language?) in commands {
        guard
          let option = input.facts.legible.first(where: {
            LanguageTag.matches(language, $0.language)
          })
        else { throw Self.noSubtitles(language, input) }
        _ = try library?.load(.embedded(option), from: input)
      }
    }
  }

  private static func noSubtitles(_ language: String, _ input: RenderInput) -> MediaError {
    let languages = input.facts.legible.map { $0.language ?? "und" }
    return MediaError(
      .usage, .subtitleTrack, at: .named(input.name), detail: "no subtitles in \(language)",
      advice: languages.isEmpty
        ? "the input has no subtitle tracks"
        : "there are subtitles in \(languages.joined(separator: ", "))")
  }

  /// Tells characters that no font had.
  func tellMissing() {
    guard let missing = library?.missing, !missing.isEmpty else { return }
    let list = missing.prefix(8).map { scalar in
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "U+" + String(repeating: "0", count: max(4 - digits.count, 0)) + digits
    }
    StandardError.write(
      "reel render: no font has \(missing.count == 1 ? "a character" : "\(missing.count) characters")"
        + " of the subtitles: \(list.joined(separator: " "))\(missing.count > 8 ? " …" : "")"
        + "; name one that does with --font FILE\n")
  }
}
