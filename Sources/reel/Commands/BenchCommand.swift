// `reel bench`: how fast this machine is at it.

import Glibc
import ReelCore
import ReelJPEG
import ReelKit
import ReelRendering

enum BenchCommand: Command {
  static let name = "bench"
  static let summary = "measure decoding and the sinks on this machine"

  static let grammar = Grammar(
    [
      Option("--threads", value: "N"), Option("--runs", value: "N"), Option("--imaging"),
      Option("--json"),
    ],
    operands: 0...1024)

  static let help = """
    reel bench: measure how fast this machine decodes, hashes and encodes.

    usage: reel bench [INPUT…] [--threads N] [--runs N] [--json]
           reel bench --imaging [INPUT] [--threads N] [--runs N] [--json]

    Decodes every INPUT to nothing and tells the best of N runs (default 3): pictures a second,
    processor time, and peak memory so far. Without an INPUT it measures the sinks on a synthetic
    1080p picture. With --imaging it measures filters, scaling and overlays on a 1080p picture: the
    first one of INPUT, or a synthetic one; on one thread unless --threads says otherwise.

      --threads N  threads for decoding (default: one for each processor, at most 8)
      --runs N     runs of each measurement
      --imaging    measure what happens to pictures
      --json       for programs

    examples:
      reel bench clip.mp4 --threads 1
      reel bench

    """

  static func run(_ arguments: Arguments) throws(CommandFailure) -> ExitStatus {
    let threads = try arguments.threadCount
    let runs = try arguments.count("--runs", in: 1...1000) ?? 3
    var measurements: [Measurement] = []
    if arguments.has("--imaging") {
      do throws(MediaError) {
        measurements = try ImagingBench.run(
          arguments.operands.first, runs: runs,
          threads: arguments.value("--threads") == nil ? 1 : threads)
      } catch {
        throw CommandFailure(error, input: arguments.operands.first ?? "synthetic picture")
      }
      return StandardOutput.write(
        arguments.has("--json") ? json(measurements) : text(measurements))
    }
    for path in arguments.operands {
      do throws(MediaError) {
        measurements.append(
          try .best(of: runs, path) { () throws(MediaError) in try decode(path, threads) })
      } catch {
        throw CommandFailure(error, input: path)
      }
    }
    if arguments.operands.isEmpty {
      do throws(MediaError) {
        measurements = try sinks(runs)
      } catch {
        throw CommandFailure(error, input: "synthetic picture")
      }
    }
    return StandardOutput.write(
      arguments.has("--json") ? json(measurements) : text(measurements))
  }

  private static func decode(_ path: String, _ threads: Int) throws(MediaError) -> Int {
    var options = DecodeOptions()
    options.threadCount = threads
    let reader = try Asset.open(path: path).makeLinearFrameReader(options: options)
    var count = 0
    while try reader.next() != nil { count += 1 }
    if let fault = reader.faults.first, count == 0 { throw fault }
    return count
  }

  private static func sinks(_ runs: Int) throws(MediaError) -> [Measurement] {
    let frame = SyntheticPicture.frame(width: 1920, height: 1080)
    let jpeg = JPEGEncoder()
    let null = try FileOutput(path: "/dev/null")
    let count = 60
    return [
      try .best(of: runs, "MD5 of a 1080p picture") { () throws(MediaError) in
        for _ in 0..<count { _ = MD5.digest(of: frame) }
        return count
      },
      try .best(of: runs, "JPEG of a 1080p picture") { () throws(MediaError) in
        for _ in 0..<count { _ = try jpeg.encode(frame) }
        return count
      },
      try .best(of: runs, "raw 1080p picture to /dev/null") { () throws(MediaError) in
        for _ in 0..<count { try null.write(frame, prefix: []) }
        return count
      },
    ]
  }

  private static func text(_ measurements: [Measurement]) -> String {
    let width = measurements.map(\.name.count).max() ?? 0
    return measurements.map { measurement in
      let name =
        measurement.name + String(repeating: " ", count: width - measurement.name.count)
      return "\(name)  \(measurement.perSecond.decimal(places: 1)) pictures a second, "
        + "\(measurement.count) in \(measurement.wall.decimal(places: 3)) s, processor "
        + "\(measurement.processor.decimal(places: 3)) s, peak \(measurement.peakKilobytes / 1024) MB\n"
    }.joined()
  }

  private static func json(_ measurements: [Measurement]) -> String {
    let objects = measurements.map { measurement in
      let name = measurement.name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      return "  {\"name\": \"\(name)\", \"pictures\": \(measurement.count), "
        + "\"wall_seconds\": \(measurement.wall.decimal(places: 6)), "
        + "\"processor_seconds\": \(measurement.processor.decimal(places: 6)), "
        + "\"peak_kilobytes\": \(measurement.peakKilobytes)}"
    }
    return "[\n\(objects.joined(separator: ",\n"))\n]\n"
  }
}

/// The best of several runs.
struct Measurement {
  let name: String
  let count: Int
  let wall: Rational
  let processor: Rational
  let peakKilobytes: Int

  var perSecond: Rational { wall > .zero ? Rational(count) / wall : .zero }

  static func best(
    of runs: Int, _ name: String, _ body: () throws(MediaError) -> Int
  ) throws(MediaError) -> Measurement {
    var best: Measurement?
    for _ in 0..<runs {
      let (start, before) = (ContinuousClock.now, ProcessUsage())
      let count = try body()
      let elapsed = ContinuousClock.now - start
      let after = ProcessUsage()
      let wall = Rational(rounding: elapsed / .seconds(1))
      if let best, best.wall <= wall { continue }
      best = Measurement(
        name: name, count: count, wall: wall,
        processor: Rational(after.microseconds - before.microseconds, 1_000_000),
        peakKilobytes: after.peakKilobytes)
    }
    return best
      ?? Measurement(name: name, count: 0, wall: .zero, processor: .zero, peakKilobytes: 0)
  }
}

/// A picture with something in it, the same every time.
enum SyntheticPicture {
  static func frame(width: Int, height: Int) -> VideoFrame {
    let planes = FramePlanes<UInt8>(width: width, height: height, chromaFormat: .yuv420)
    for plane in 0..<3 {
      planes.withPlane(plane) { samples in
        var noise: UInt32 = 1
        for y in 0..<samples.height {
          for x in 0..<samples.width {
            noise = noise &* 1_664_525 &+ 1_013_904_223
            samples[y * samples.stride + x] = UInt8(
              truncatingIfNeeded: (x + y) / 8 + Int(noise >> 29))
          }
        }
      }
    }
    return VideoFrame(
      storage: .depth8(planes), lumaBitDepth: 8, chromaBitDepth: 8,
      crop: SampleRect(x: 0, y: 0, width: width, height: height))
  }
}
