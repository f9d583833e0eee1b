// `reel compare`: how far two videos are from each other.

import Glibc
import ReelCore
import ReelKit
import ReelRendering

enum CompareCommand: Command {
  static let name = "compare"
  static let summary = "compare two inputs picture by picture: PSNR, SSIM"

  static let grammar = Grammar(
    [
      Option("--psnr"), Option("--ssim"), Option("--report", value: "FILE"),
      Option("--threads", value: "N"),
    ], operands: 2...2)

  static let help = """
    reel compare: compare the pictures of two inputs, one by one, in output order.

    usage: reel compare A B [--psnr] [--ssim] [--report FILE.html] [--threads N]

    Prints one line: how many pictures there are, how many are identical, and over all of them
      psnr  peak signal-to-noise ratio of Y, Cb, Cr and all samples, in dB; inf when identical
      ssim  mean structural similarity of luma, 1 when identical
    Both are measured when neither is asked for.

      --report FILE  also write an HTML page with the values of every picture
      --threads N    threads for decoding (default: one for each processor, at most 8)

    Sizes, chroma formats and depths have to be the same. Status: 0 when all pictures could be
    compared, 1 when one input is damaged or has more pictures than the other.

    examples:
      reel compare original.mp4 encoded.mp4
      reel compare a.mp4 b.mp4 --psnr --report difference.html

    """

  static func run(_ arguments: Arguments) throws(CommandFailure) -> ExitStatus {
    let paths = arguments.operands
    let both = arguments.has("--psnr") == arguments.has("--ssim")
    let wantsSimilarity = both || arguments.has("--ssim")
    let wantsNoise = both || arguments.has("--psnr")
    let threads = try arguments.threadCount
    var comparison = Comparison()
    let a = try reader(paths[0], threads)
    let b = try reader(paths[1], threads)
    var progress = Progress("compare", total: a.track.sampleCount)
    while true {
      let first = try next(a, paths[0])
      let second = try next(b, paths[1])
      guard let first, let second else {
        comparison.extra = [first != nil, second != nil]
        break
      }
      do throws(MediaError) {
        comparison.add(
          try PictureDifference(first.frame, second.frame, withSimilarity: wantsSimilarity))
      } catch {
        throw CommandFailure(
          status: .inputFailed, message: "picture \(comparison.pictures.count): \(error)")
      }
      progress.show(comparison.pictures.count)
    }
    progress.clear()
    let printed = StandardOutput.write(
      comparison.line(psnr: wantsNoise, ssim: wantsSimilarity) + "\n")
    guard printed == .done else { return printed }
    if let report = arguments.value("--report") {
      do throws(MediaError) {
        let output = try FileOutput(path: report)
        try output.write([UInt8](ComparisonPage(comparison, names: paths).text.utf8))
        try output.finish()
      } catch {
        throw CommandFailure(error, input: report)
      }
    }
    return try verdict(comparison, [a, b], paths)
  }

  private static func verdict(
    _ comparison: Comparison, _ readers: [LinearFrameReader], _ paths: [String]
  ) throws(CommandFailure) -> ExitStatus {
    for (reader, path) in zip(readers, paths) {
      if let fault = reader.faults.first { throw CommandFailure(fault, input: path) }
    }
    for (index, hasMore) in comparison.extra.enumerated() where hasMore {
      throw CommandFailure(
        status: .inputFailed,
        message: "\(paths[index]) has more pictures than the \(comparison.pictures.count) of "
          + paths[1 - index])
    }
    return .done
  }

  private static func reader(
    _ path: String, _ threads: Int
  ) throws(CommandFailure) -> LinearFrameReader {
    do throws(MediaError) {
      var options = DecodeOptions()
      options.threadCount = threads
      return try Asset.open(path: path).makeLinearFrameReader(options: options)
    } catch {
      throw CommandFailure(error, input: path)
    }
  }

  private static func next(
    _ reader: LinearFrameReader, _ path: String
  ) throws(CommandFailure) -> PresentedFrame? {
    do throws(MediaError) { return try reader.next() } catch {
      throw CommandFailure(error, input: path)
    }
  }
}

/// The differences of all pictures.
struct Comparison {
  struct Picture {
    let psnr: Double
    let ssim: Double?
  }

  private(set) var pictures: [Picture] = []
  private(set) var identicalCount = 0
  /// Which input has more pictures than the other.
  var extra = [false, false]
  private var sampleCounts = [0, 0, 0]
  private var squaredErrors: [UInt64] = [0, 0, 0]
  private var similarity = 0.0
  private var peak = 255.0

  mutating func add(_ difference: PictureDifference) {
    peak = Double(1 << difference.bitDepth - 1)
    if difference.isIdentical { identicalCount += 1 }
    for (plane, count) in difference.sampleCounts.enumerated() {
      sampleCounts[plane] += count
      squaredErrors[plane] += difference.squaredErrors[plane]
    }
    similarity += difference.similarity ?? 0
    let squares = difference.squaredErrors.reduce(0, +)
    pictures.append(
      Picture(
        psnr: psnr(squares, difference.sampleCounts.reduce(0, +)), ssim: difference.similarity))
  }

  /// The summary.
  func line(psnr wantsNoise: Bool, ssim wantsSimilarity: Bool) -> String {
    var line = "pictures \(pictures.count)  identical \(identicalCount)"
    if wantsNoise {
      let values = (0..<3).filter { sampleCounts[$0] > 0 }.map { plane in
        "\(["y", "cb", "cr"][plane]) \(text(psnr(squaredErrors[plane], sampleCounts[plane])))"
      }
      let all = psnr(squaredErrors.reduce(0, +), sampleCounts.reduce(0, +))
      let lowest = pictures.map(\.psnr).min() ?? .infinity
      line += "  psnr \(values.joined(separator: " ")) all \(text(all)) lowest \(text(lowest))"
    }
    if wantsSimilarity {
      let mean = pictures.isEmpty ? 1 : similarity / Double(pictures.count)
      let lowest = pictures.compactMap(\.ssim).min() ?? 1
      line += "  ssim \(text(mean, places: 6)) lowest \(text(lowest, places: 6))"
    }
    return line
  }

  private func psnr(_ squares: UInt64, _ count: Int) -> Double {
    guard squares > 0, count > 0 else { return .infinity }
    return 10 * log10(peak * peak * Double(count) / Double(squares))
  }

  func text(_ value: Double, places: Int = 2) -> String {
    value.isFinite ? Rational(rounding: value).decimal(places: places) : "inf"
  }
}
