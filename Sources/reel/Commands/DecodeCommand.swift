// `reel decode`: what the decoder puts out, as it is.

import ReelCore
import ReelKit
import ReelRendering

enum DecodeCommand: Command {
  static let name = "decode"
  static let summary = "decode all pictures of an input: raw video, Y4M, or hashes"

  static let grammar = Grammar(
    [
      Option("-o", "--output", value: "FILE"), Option("--md5"), Option("--framemd5"),
      Option("--threads", value: "N"), Option("--frames", value: "N"),
    ] + Arguments.networkOptions, operands: 1...1)

  static let help = """
    reel decode: decode all pictures of an input, in output order.

    usage: reel decode INPUT [-o FILE] [--md5] [--framemd5] [--threads N] [--frames N]
                       [--allow-private-network]

    INPUT is a video file of any kind that Reel reads, its edit list applied, or an H.264 byte stream
    (.264, .h264, .jsv …); `-` is standard input, http and https addresses are read in ranges. What it
    is, is told by its content, not its name.
    Pictures come out cropped, planar, in their own chroma format and depth: 8 bits a byte each, more
    in two bytes, the low one first; pictures without chroma as 4:2:0 with mid-grey chroma.

      -o, --output FILE  write raw video (.yuv, or any other name), Y4M (.y4m), or raw video to
                         standard output (-)
      --md5              print the MD5 of all output bytes, the number of pictures, their size and
                         pixel format
      --framemd5         print an MD5 a picture, as `ffmpeg -fflags +bitexact -f framemd5 -` does
      --threads N        decode with N threads (default: one for each processor, at most 8);
                         the output is the same for every N
      --frames N         stop after N pictures
      --allow-private-network
                         ask servers on this machine and in private networks too

    Damaged pictures are concealed and written, and standard error tells how many there were. When an
    input cannot be read to its end, what was decoded until then is written, and the status is 1.

    examples:
      reel decode clip.mp4 --md5
      reel decode clip.264 -o clip.y4m
      reel decode clip.mov -o - | ffplay -f rawvideo -video_size 1280x720 -
      diff <(reel decode clip.mp4 --framemd5) golden.framemd5

    """

  static func run(_ arguments: Arguments) throws(CommandFailure) -> ExitStatus {
    let input = arguments.operands[0]
    let limit = try arguments.count("--frames", in: 1...Int.max) ?? .max
    let threads = try arguments.threadCount
    let outputs = try Outputs(arguments)
    do throws(MediaError) {
      let asset = try arguments.inputs.asset(input)
      var options = DecodeOptions()
      options.threadCount = threads
      let reader = try asset.makeLinearFrameReader(options: options)
      return try decode(reader, asset, outputs, limit, input)
    } catch {
      outputs.abandon()
      throw CommandFailure(error, input: input)
    }
  }

  private static func decode(
    _ reader: LinearFrameReader, _ asset: Asset, _ outputs: Outputs, _ limit: Int, _ input: String
  ) throws(MediaError) -> ExitStatus {
    let timing =
      outputs.needsTiming
      ? try SourceTiming(asset, trackIndex: asset.videoTrackIndex ?? 0).outputTiming
      : OutputTiming(timeBase: Ratio(1, 25), frameRate: Ratio(25, 1))
    for sink in outputs.sinks { try sink.begin(timing) }
    var tally = Tally()
    var failure: MediaError?
    var progress = Progress("decode", total: reader.track.sampleCount.map { min($0, limit) })
    do throws(MediaError) {
      while tally.pictureCount < limit, let presented = try reader.next() {
        tally.add(presented.frame)
        let start = timing.ticks(presented.start)
        let own = PictureTiming(
          ticks: start, duration: max(0, timing.ticks(presented.end) - start))
        for sink in outputs.sinks { try sink.write(presented.frame, key: nil, timing: own) }
        progress.show(tally.pictureCount)
      }
    } catch {
      if error.isOutputFailure { throw error }
      failure = error
    }
    progress.clear()
    failure = failure ?? reader.faults.first
    if tally.pictureCount == 0 {
      _ = outputs.printSummary(0)
      throw failure ?? MediaError(.damaged, .noPictures)
    }
    for sink in outputs.sinks { try sink.finish() }
    let printed = outputs.printSummary(tally.pictureCount)
    guard printed == .done else { return printed }
    tally.tell(name, input)
    guard let failure else { return .done }
    let missing = reader.faults.count
    let more = missing > 1 ? " (and \(missing - 1) more samples without a picture)" : ""
    let line = CommandFailure(failure, input: input).message
    StandardError.write("reel decode: \(line)\(more)\n")
    return .inputFailed
  }
}

extension Rule {
  static let noPictures = Rule("reel.no-pictures", "the input must hold at least one picture")
}

/// What came out, and how much of it was made up.
struct Tally {
  private(set) var pictureCount = 0
  private var concealedPictures = 0
  private var concealedBlocks = 0
  private var missingReferences = 0

  mutating func add(_ frame: VideoFrame) {
    pictureCount += 1
    if frame.concealedBlockCount > 0 || frame.missingReferenceCount > 0 { concealedPictures += 1 }
    concealedBlocks += frame.concealedBlockCount
    missingReferences += frame.missingReferenceCount
  }

  /// A line on standard error, if anything was made up.
  func tell(_ command: String, _ input: String) {
    guard concealedPictures > 0 else { return }
    StandardError.write(
      "reel \(command): \(input): \(concealedPictures) of \(pictureCount) pictures are not whole: "
        + "\(concealedBlocks) blocks were made up, "
        + "\(missingReferences) references were missing or not whole\n")
  }
}

/// Where `reel decode` sends its pictures.
private struct Outputs {
  let sinks: [any Sink]
  private let digest: MD5Sink?

  init(_ arguments: Arguments) throws(CommandFailure) {
    let file = arguments.value("-o")
    let hashes = (arguments.has("--md5") ? 1 : 0) + (arguments.has("--framemd5") ? 1 : 0)
    if hashes + (file == "-" ? 1 : 0) > 1 {
      throw .usage("only one of -o -, --md5 and --framemd5 can have standard output")
    }
    if file == nil && hashes == 0 {
      throw .usage("say what to do with the pictures: -o FILE, --md5 or --framemd5; see --help")
    }
    digest = arguments.has("--md5") ? MD5Sink() : nil
    var sinks: [any Sink] = []
    do throws(MediaError) {
      if let file { sinks.append(try Self.fileSink(file)) }
      if let digest { sinks.append(digest) }
      if arguments.has("--framemd5") { sinks.append(FrameMD5Sink(try FileOutput(path: "-"))) }
    } catch {
      throw CommandFailure(error, input: "")
    }
    self.sinks = sinks
  }

  private static func fileSink(_ file: String) throws(MediaError) -> any Sink {
    let output = try FileOutput(path: file)
    return file.lowercased().hasSuffix(".y4m") ? Y4MSink(output) : RawVideoSink(output)
  }

  /// Whether any of the outputs tells times.
  var needsTiming: Bool { sinks.contains { $0 is FrameMD5Sink || $0 is Y4MSink } }

  func abandon() { for sink in sinks { sink.abandon() } }

  /// The line of `--md5`.
  func printSummary(_ pictureCount: Int) -> ExitStatus {
    guard let digest else { return .done }
    return StandardOutput.write("\(digest.summary)\n")
  }
}
