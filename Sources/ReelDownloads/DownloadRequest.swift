// What was asked for, so that another process can go on with it.

internal import ReelCore
internal import ReelIO

/// Address and options of a download as the store keeps them.
struct DownloadRequest: Sendable {
  static let name = "request"
  private static let title = "reel-request 1"
  let address: String
  let options: DownloadOptions

  /// Identity in the store: the same request is the same download.
  var id: String {
    get throws(MediaError) { String(try SHA256.digest(text).prefix(16)) }
  }

  var text: [UInt8] {
    Record.line([Self.title]) + Record.line(["address", address])
      + Record.line(["variant", options.variant.description])
      + Record.line(["audio"] + options.audioLanguages)
      + Record.line(["subtitles"] + options.subtitleLanguages)
      + Record.line(["live", options.liveDuration.map { "\($0)" } ?? "-"])
      + Record.line(["keys", options.storesKeys ? "stored" : "refused"])
  }

  init(address: String, options: DownloadOptions) {
    self.address = address
    self.options = options
  }

  /// - Parameter defaults: what the store does not keep: limits and the number of fetches.
  init(_ text: [UInt8], defaults: DownloadOptions, at place: Place) throws(MediaError) {
    let lines = Record.lines(text)
    guard lines.count == 7, lines[0] == [Self.title], lines[1].count == 2, lines[2].count == 2,
      let variant = VariantChoice(lines[2][1]), lines[5].count == 2, lines[6].count == 2
    else {
      throw MediaError(.damaged, .downloadPlan, at: place, advice: "delete it and begin anew")
    }
    var options = defaults
    address = lines[1][1]
    options.variant = variant
    options.audioLanguages = Array(lines[3].dropFirst())
    options.subtitleLanguages = Array(lines[4].dropFirst())
    options.liveDuration = Rational(lines[5][1])
    options.storesKeys = lines[6][1] == "stored"
    self.options = options
  }
}
