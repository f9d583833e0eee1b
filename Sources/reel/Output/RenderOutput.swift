// What `-o OUT` of `reel render` stands for.

import ReelCore
import ReelJPEG
import ReelPNG
import ReelRendering

/// The sink that an output's form asks for.
struct RenderOutput {
  let sink: any Sink
  /// Only a log is written: a scenario that shows nothing is as good as any.
  let isLogOnly: Bool
  private let digest: MD5Sink?

  /// Opens the output.
  ///
  /// - Parameter hasEvents: An event log is written; `null:` then needs no pictures.
  init(
    _ target: String, quality: Int, threads: Int, hasEvents: Bool = false
  ) throws(CommandFailure) {
    isLogOnly = hasEvents && target == "null:"
    do throws(MediaError) {
      var digest: MD5Sink?
      let sink: any Sink
      switch target {
      case "md5:":
        let own = MD5Sink()
        (sink, digest) = (own, own)
      case "framemd5:": sink = FrameMD5Sink(try FileOutput(path: "-"))
      case "null:": sink = NullSink(needsPictures: !hasEvents)
      case "-": sink = RawVideoSink(try FileOutput(path: "-"))
      default: sink = try Self.files(target, quality: quality)
      }
      self.digest = digest
      // Hashing and encoding beside the decoder, where there is a thread for it.
      self.sink = threads > 1 && !(sink is NullSink) ? PipelinedSink(sink) : sink
    } catch {
      throw CommandFailure(error, input: target)
    }
  }

  private static func files(_ target: String, quality: Int) throws(MediaError) -> any Sink {
    let name = target.lowercased()
    if name.hasSuffix(".jpg") || name.hasSuffix(".jpeg") {
      let files = try NumberedFiles(pattern: target)
      try FileOutput.checkFolder(of: files.name(1))
      return ImageSequenceSink(files, encoder: JPEGEncoder(quality: quality))
    }
    if name.hasSuffix(".png") {
      let files = try NumberedFiles(pattern: target)
      try FileOutput.checkFolder(of: files.name(1))
      return ImageSequenceSink(files, encoder: PNGEncoder())
    }
    if name.hasSuffix(".y4m") { return Y4MSink(try FileOutput(path: target)) }
    if name.hasSuffix(".yuv") || name.hasPrefix("/dev/") {
      return RawVideoSink(try FileOutput(path: target))
    }
    throw MediaError(
      .usage, .outputForm, at: .named(target),
      advice: "write frames/%05d.jpg, frames/%05d.png, x.y4m, x.yuv, -, md5:, framemd5: or null:")
  }

  /// The line of `md5:`.
  func printSummary() -> ExitStatus {
    guard let digest else { return .done }
    return StandardOutput.write("\(digest.summary)\n")
  }
}

extension Rule {
  static let outputForm = Rule("reel.output-form", "an output must be of a known form")
}
