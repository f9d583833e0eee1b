// From a script's lines to commands.

internal import ReelCore

extension ScriptLine {
  func command() throws(MediaError) -> PlayerCommand {
    var arguments = ScriptArguments(self)
    let command = try command(&arguments)
    try arguments.end()
    return command
  }

  private func command(_ arguments: inout ScriptArguments) throws(MediaError) -> PlayerCommand {
    if let plain = Self.plainCommands.first(where: { $0.0 == name })?.1 { return plain }
    switch name {
    case "seek":
      return .seek(to: try arguments.rational("to"), play: try playFlag(&arguments))
    case "volume": return .volume(try arguments.float("value"))
    case "speed", "playbackSpeed": return .playbackSpeed(try arguments.float("value"))
    case "rate": return .rate(try arguments.float("value"))
    case "loop": return .loop(passes: try passes(&arguments))
    case "loopDelay":
      let delay = try arguments.rational("value")
      guard delay >= .zero else { throw arguments.fault("the delay is below zero") }
      return .loopDelay(delay)
    case "subtitles":
      let value = try arguments.required("language")
      return .subtitles(value == .none || value == .word("off") ? nil : value.text)
    case "audioTrack":
      return .audioTrack(languageCode: try arguments.required("languageCode").text)
    case "brightness": return .brightness(try arguments.float("value"))
    case "contrast": return .contrast(try arguments.float("value"))
    case "filter": return try filter(&arguments)
    case "addVector": return try vector(&arguments)
    case "gravity":
      let word = try arguments.required("value").text
      guard let gravity = Gravity(rawValue: word) else {
        throw arguments.fault(
          "\"\(word)\" is no gravity",
          advice: Suggestion.advice(for: word, among: Gravity.allCases.map(\.rawValue)))
      }
      return .gravity(gravity)
    default:
      throw MediaError(
        .damaged, .scriptCommand, detail: "\"\(name)\"",
        advice: Suggestion.advice(for: name, among: Self.commandNames))
    }
  }

  /// All commands of a script.
  static var commandNames: [String] {
    plainCommands.map(\.0) + [
      "seek", "volume", "speed", "playbackSpeed", "rate", "loop", "loopDelay", "subtitles",
      "audioTrack", "brightness", "contrast", "filter", "addVector", "gravity",
    ]
  }

  private static let plainCommands: [(String, PlayerCommand)] = [
    ("idle", .idle), ("play", .play), ("pause", .pause), ("begin", .begin), ("end", .end),
    ("mute", .mute), ("unmute", .unmute), ("unloop", .unloop), ("next", .next),
    ("removeAllFilters", .removeAllFilters), ("removeAllVectors", .removeAllVectors),
    ("startPiP", .startPiP), ("stopPiP", .stopPiP),
  ]

  /// `play` or `pause` behind a seek; to play is the default.
  private func playFlag(_ arguments: inout ScriptArguments) throws(MediaError) -> Bool {
    guard let value = arguments.take("play") else { return true }
    switch value.text {
    case "play", "true": return true
    case "pause", "false": return false
    default: throw arguments.fault("\"\(value.text)\" is neither play nor pause")
    }
  }

  private func passes(_ arguments: inout ScriptArguments) throws(MediaError) -> Int? {
    guard let value = arguments.take("passes"), value != .none else { return nil }
    guard let passes = Int(value.text), passes > 0 else {
      throw arguments.fault("\"\(value.text)\" is no number of passes")
    }
    return passes
  }

  // MARK: Filters

  private func filter(_ arguments: inout ScriptArguments) throws(MediaError) -> PlayerCommand {
    let name = try arguments.required("name").text
    let clear = try arguments.takeFlag("clear")
    var parameters: [FilterParameter] = []
    for argument in arguments.takeAll() {
      guard let key = argument.name else {
        throw arguments.fault("\"\(argument.value.text)\" has no name=")
      }
      parameters.append(FilterParameter(key, try Self.filterValue(argument.value, arguments)))
    }
    return .filter(FilterDescription(name, parameters), clear: clear)
  }

  /// A number, `[1,2,3]`, a colour (`#ff0000`, `rgba(1,0,0,1)`), `0x…` data, or text.
  static func filterValue(
    _ value: Value, _ arguments: ScriptArguments
  ) throws(MediaError) -> FilterValue {
    switch value {
    case .list: return .vector(try arguments.numbers(value))
    case .quoted(let text): return .string(text)
    case .none: throw arguments.fault("a value is missing")
    case .word(let text):
      if let number = Double(text), number.isFinite, !text.hasPrefix("0x") {
        return .number(number)
      }
      if text.hasPrefix("0x") {
        guard let bytes = bytes(hexadecimal: text.dropFirst(2)) else {
          throw arguments.fault("\"\(text)\" is no hexadecimal data")
        }
        return .data(bytes)
      }
      if let color = try color(text, arguments) { return .color(color) }
      return .string(text)
    }
  }

  static func color(
    _ text: String, _ arguments: ScriptArguments
  ) throws(MediaError) -> RGBAColor? {
    if text.hasPrefix("rgba("), text.hasSuffix(")") {
      let parts = try arguments.numbers(.word(String(text.dropFirst(5).dropLast())))
      guard parts.count == 4 else { throw arguments.fault("rgba has four numbers") }
      return RGBAColor(red: parts[0], green: parts[1], blue: parts[2], alpha: parts[3])
    }
    guard text.hasPrefix("#") else { return nil }
    guard let color = RGBAColor(text) else { throw arguments.fault("\"\(text)\" is no colour") }
    return color
  }

  private static func bytes(hexadecimal text: Substring) -> [UInt8]? {
    let digits = text.compactMap(\.hexDigitValue)
    guard digits.count == text.utf8.count, digits.count % 2 == 0 else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map {
      UInt8(digits[$0] * 16 + digits[$0 + 1])
    }
  }
}
