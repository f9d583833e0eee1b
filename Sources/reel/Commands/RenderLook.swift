// The options of `reel render` that say how pictures look.

import ReelCore
import ReelImaging
import ReelPlayback
import ReelRendering
import ReelText

/// Size, gravity, filters and colours as the command line has them.
struct RenderLook {
  /// What does not change while the render runs.
  private(set) var base = Composition()
  /// Size of the pictures of a presentation whose variants differ in theirs; `--size` goes before it.
  var streamSize: PixelSize?
  /// What the player is told at time 0.
  private(set) var commands: [PlayerCommand] = []
  /// What lies over the pictures.
  private var overlays: [any OverlayBuilder] = []
  private var inset = Inset()

  init(_ arguments: Arguments) throws(CommandFailure) {
    if let text = arguments.value("--size") {
      base.size = try Self.size(text)
    }
    if let text = arguments.value("--gravity") {
      guard let gravity = Gravity(rawValue: text) else {
        throw .usage(
          "--gravity takes one of \(Gravity.allCases.map(\.rawValue).joined(separator: ", ")), not "
            + "'\(text)'")
      }
      commands.append(.gravity(gravity))
    }
    if let text = arguments.value("--background") {
      guard let colour = RGBAColor(css: text.lowercased()) ?? RGBAColor(text) else {
        throw .usage("--background takes a name such as white or #rrggbb, not '\(text)'")
      }
      base.background = colour
    }
    if let text = arguments.value("--scaler") {
      guard let filter = ScaleFilter(rawValue: text) else {
        throw .usage(
          "--scaler takes one of \(ScaleFilter.allCases.map(\.rawValue).joined(separator: ", ")), "
            + "not '\(text)'")
      }
      base.scaleFilter = filter
    }
    base.usesLinearLight = arguments.has("--linear")
    base.followsTrack = !arguments.has("--as-coded")
    if let text = arguments.value("--tone-map") {
      guard let curve = ToneCurve(rawValue: text) else {
        throw .usage(
          "--tone-map takes one of \(ToneCurve.allCases.map(\.rawValue).joined(separator: ", ")), not "
            + "'\(text)'")
      }
      base.toneCurve = curve
    }
    if let text = arguments.value("--corner-radius") {
      guard let radius = Double(text), (0...1e5).contains(radius) else {
        throw .usage("--corner-radius takes pixels from 0 up, not '\(text)'")
      }
      base.cornerRadius = radius
    }
    try takeOverlays(arguments)
    if let text = arguments.value("--inset") {
      inset = try InsetArgument.inset(text)
      commands.append(.startPiP)
    }
    for text in arguments.all("--filter") {
      commands.append(.filter(try FilterArgument(text).filter, clear: false))
    }
    if let number = try Self.number(arguments, "--brightness", in: -1...1) {
      commands.append(.brightness(number))
    }
    if let number = try Self.number(arguments, "--contrast", in: 0...4) {
      commands.append(.contrast(number))
    }
  }

  private mutating func takeOverlays(_ arguments: Arguments) throws(CommandFailure) {
    let texts = arguments.all("--overlay")
    guard !texts.isEmpty else { return }
    let fonts = arguments.all("--font")
    let outliner: FontOutliner
    do throws(MediaError) {
      outliner = FontOutliner(try FontBook(files: fonts))
    } catch {
      throw CommandFailure(error, input: fonts.first ?? "")
    }
    for text in texts { overlays.append(try OverlayArgument.builder(text, outliner)) }
  }

  /// Makes the pictures, and checks the filters before there are any.
  func composer(
    threads: Int, captions: (any CaptionSource)?
  ) throws(CommandFailure) -> PresentationComposer {
    do throws(MediaError) {
      let compositor = Compositor(executor: ConcurrentExecutor(threadCount: threads))
      var base = base
      base.size = base.size ?? streamSize
      var all = base
      for case .filter(let filter, _) in commands { all.filters.append(filter) }
      try compositor.check(all)
      return try PresentationComposer(
        base: base, compositor: compositor, overlays: overlays, inset: inset, captions: captions)
    } catch {
      throw CommandFailure(status: .usage, message: error.description)
    }
  }

  private static func size(_ text: String) throws(CommandFailure) -> PixelSize {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]), width > 0,
      height > 0
    else { throw .usage("--size takes WIDTHxHEIGHT such as 1280x720, not '\(text)'") }
    return PixelSize(width: width, height: height)
  }

  private static func number(
    _ arguments: Arguments, _ name: String, in range: ClosedRange<Float>
  ) throws(CommandFailure) -> Float? {
    guard let text = arguments.value(name) else { return nil }
    guard let number = Float(text), range.contains(number) else {
      throw .usage(
        "\(name) takes a number from \(range.lowerBound) to \(range.upperBound), not '\(text)'")
    }
    return number
  }
}

/// `NAME[:key=value,key=value…]` of `--filter`.
private struct FilterArgument {
  let filter: FilterDescription

  init(_ text: String) throws(CommandFailure) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    if name == "CIColorCube", parts.count == 2, parts[1].hasPrefix("@") {
      filter = try Self.cube(String(parts[1].dropFirst()))
      return
    }
    var parameters: [FilterParameter] = []
    for pair in Self.pairs(parts.count == 2 ? parts[1] : "") {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2, !sides[0].isEmpty else {
        throw .usage("--filter \(name): '\(pair)' is no key=value")
      }
      parameters.append(FilterParameter(String(sides[0]), try Self.value(sides[1], name)))
    }
    filter = FilterDescription(name, parameters)
  }

  /// The text cut at commas outside of brackets.
  private static func pairs(_ text: Substring) -> [Substring] {
    var pairs: [Substring] = []
    var depth = 0
    var start = text.startIndex
    for index in text.indices {
      switch text[index] {
      case "[": depth += 1
      case "]": depth -= 1
      case "," where depth == 0:
        pairs.append(text[start..<index])
        start = text.index(after: index)
      default: break
      }
    }
    pairs.append(text[start...])
    return pairs.filter { !$0.isEmpty }
  }

  private static func value(
    _ text: Substring, _ name: String
  ) throws(CommandFailure) -> FilterValue {
    if text.hasPrefix("["), text.hasSuffix("]") {
      let words = text.dropFirst().dropLast().split(separator: ",")
      let numbers = words.compactMap { Double($0) }
      guard numbers.count == words.count else {
        throw .usage("--filter \(name): '\(text)' is no list of numbers")
      }
      return .vector(numbers)
    }
    if let number = Double(text) { return .number(number) }
    if let colour = RGBAColor(String(text)) { return .color(colour) }
    return .string(String(text))
  }

  private static func cube(_ path: String) throws(CommandFailure) -> FilterDescription {
    do throws(MediaError) {
      return try ColourCube(cubeFile: try FileText.readBytes(path)).filter
    } catch {
      throw CommandFailure(error, input: path)
    }
  }
}
