// `reel render`: what a player would show, in virtual time.

import ReelCore
import ReelImaging
import ReelJPEG
import ReelKit
import ReelPlayback
import ReelRendering

enum RenderCommand: Command {
  static let name = "render"
  static let summary = "render what a player shows: loops, speed, seeks, scripts"

  static let grammar = Grammar(
    [
      Option("-o", "--output", value: "OUT"), Option("--from", value: "T"),
      Option("--duration", value: "T"), Option("--fps", value: "R"),
      Option("--loop", optionalCount: "N"), Option("--speed", value: "R"),
      Option("--seek", value: "T"), Option("--script", value: "FILE"),
      Option("--events", value: "FILE"),
      Option("--size", value: "WxH"), Option("--gravity", value: "G"),
      Option("--filter", value: "NAME[:k=v,…]", isRepeatable: true),
      Option("--brightness", value: "B"), Option("--contrast", value: "C"),
      Option("--background", value: "COLOUR"), Option("--scaler", value: "NAME"),
      Option("--linear"), Option("--overlay", value: "SPEC", isRepeatable: true),
      Option("--inset", value: "KEYS"), Option("--corner-radius", value: "R"),
      Option("--tone-map", value: "CURVE"), Option("--as-coded"), Option("--quality", value: "Q"),
      Option("--threads", value: "N"),
    ] + RenderCaptions.options + NetworkArguments.options + Arguments.networkOptions,
    operands: 1...1024)

  static let help = """
    reel render: render what a player shows of an input, in virtual time.

    usage: reel render INPUT… -o OUT [--from T] [--duration T] [--fps R] [--loop [N]] [--speed R]
                       [--seek T] [--script FILE] [--events FILE] [--size WxH] [--gravity G]
                       [--filter NAME[:k=v,…]]… [--brightness B] [--contrast C]
                       [--background COLOUR] [--scaler NAME] [--linear] [--overlay SPEC]…
                       [--inset KEYS] [--corner-radius R] [--tone-map CURVE] [--as-coded]
                       [--quality Q] [--threads N]
                       [--subtitles FILE | --subtitle-language L] [--font FILE]… [--caption-size P]
                       [--caption-color C] [--caption-background C] [--caption-edge E]
                       [--caption-font F] [--caption-override]
                       [--network TRACE] [--recording FILE] [--max-bandwidth BITS] [--max-height N]
                       [--buffer SECONDS]
                       [--allow-private-network]

    Plays INPUT from its start to its end; several play one after the other. It may be an http or https
    address. The same inputs give the
    same bytes on every machine, however fast it is.

      -o, --output OUT  what to make, told by its form:
                          frames/%05d.jpg  numbered JPEG files, from 1
                          frames/%05d.png  numbered PNG files, from 1
                          x.y4m, x.yuv     one file of Y4M or raw video
                          -                raw video to standard output
                          md5:             one MD5 of all raw bytes, to standard output
                          framemd5:        an MD5 a picture, in FFmpeg's form
                          null:            nothing: only to see how fast it is, or for --events
      --from T          begin at this time of the playback (default 0)
      --duration T      render this much of it (default: to its end); 0 is a single picture
      --fps R           pictures a second, such as 25 or 30000/1001 (default: a picture whenever the
                        source has a new one, so that variable rates stay variable)
      --loop [N]        play N times; without N for ever, which needs a --duration
      --speed R         play R times as fast; 0.5 is half the speed
      --seek T          begin at this time of the input
      --script FILE     commands at times, one a line; - is standard input
      --events FILE     what the player tells, one JSON object a line; - is standard output. With
                        -o null: no picture is decoded
      --size WxH        size of the pictures, such as 1280x720 (default: the source's, upright)
      --gravity G       how the source fits them: resizeAspect (whole, with bars; the default),
                        resizeAspectFill (no bars, cut), resize (stretched)
      --filter F        a filter by its Core Image name, such as CIGaussianBlur:inputRadius=4; several
                        run in the order given. Lists are [1,2,3], colours #rrggbb, files @look.cube
      --brightness B    -1 to 1, after the filters
      --contrast C      0 to 4, after brightness
      --background C    colour of the bars: a name or #rrggbb (default black)
      --scaler NAME     nearest, bilinear, bicubic (the default) or lanczos3
      --linear          filters work on linear light instead of coded values
      --overlay SPEC    draw over the pictures; several are drawn in the order given:
                          FILE.svg|FILE.png|FILE.jpg[:x=,y=,w=,h=,opacity=]
                          rect:x=,y=,w=,h=,fill=C,stroke=C,width=,dash=[8,4],opacity=
                          roundrect:… and r=, ellipse:…, path:d="M 0 0 L 9 9",…
                        lengths are pixels, or 25% of the output; -40 is 40 from the far side
      --inset KEYS      the picture as an inset from the start; corner=topLeft|topRight|
                        bottomLeft|bottomRight, size= and margin= as parts of the output, radius=
                        as a part of the inset, over=FILE.png|FILE.jpg (default: the background)
      --corner-radius R pixels; the corners show the background
      --tone-map CURVE  bring PQ and HLG pictures to BT.709 with bt2390, reinhard, hable or clip
      --as-coded        do not turn or cut the picture as its track says
    \(RenderCaptions.help)
    \(NetworkArguments.help)
                        With --network, a playlist is played as over that network: playback waits,
                        variants change, and the pictures with them. They have the size of the largest
                        variant unless --size says another
      --quality Q       quality of JPEG files, 1 to 100 (default 90)
      --threads N       threads to use (default: one for each processor, at most 8)
      --allow-private-network
                        ask servers on this machine and in private networks too

    A script's lines are TIME COMMAND [ARGUMENTS]; # begins a comment. Times are seconds of playback.
      play · pause · seek T [play|pause] · begin · end · speed R · rate R · loop [N] · loopDelay T ·
      unloop · next · idle · gravity G · filter NAME [k=v]… [clear] · removeAllFilters ·
      brightness B · contrast C · subtitles LANGUAGE|off · startPiP · stopPiP (as --inset says) ·
      addVector ID rect=x,y,w,h|ellipse=…|path="M 0 0 L 9 9" [fill=C] [stroke=C]… [clear] ·
      removeAllVectors
    These are told in --events and change no picture here:
      mute · unmute · volume V · audioTrack LANGUAGE
    A line may also be JSON: {"time": 1.5, "command": "seek", "to": 3, "play": true}

    A loop decodes each picture once, however many passes it has.

    examples:
      reel render clip.mp4 -o frames/%05d.jpg
      reel render clip.mp4 --loop 3 -o framemd5:
      reel render clip.mp4 --seek 12 --duration 0 -o thumbnail%d.jpg
      printf '0 loop\\n1.5 speed 2\\n4 seek 1\\n6 pause\\n' |
        reel render clip.mp4 --script - --fps 25 --duration 8 -o out.y4m

    """

  static func run(_ arguments: Arguments) throws(CommandFailure) -> ExitStatus {
    guard let target = arguments.value("-o") else {
      throw .usage("name an output: -o OUT; see --help")
    }
    let threads = try arguments.threadCount
    let commands = try playerCommands(arguments)
    let script = try script(arguments)
    let options = try rendererOptions(arguments)
    var look = try RenderLook(arguments)
    var captions = try RenderCaptions(arguments)
    try captions.open()
    let streams = try RenderStreams(arguments)
    look.streamSize = streams.pictureSize
    let composer = try look.composer(threads: threads, captions: captions.library)
    let events = try eventLog(arguments)
    let output = try RenderOutput(
      target, quality: arguments.count("--quality", in: 1...100) ?? 90, threads: threads,
      hasEvents: events != nil)
    var current = arguments.operands[0]
    do throws(MediaError) {
      let opener = arguments.inputs
      var inputs: [RenderInput] = []
      for path in arguments.operands {
        current = path
        var reading = FrameReader.Options()
        reading.decode.threadCount = threads
        if let input = try streams.input(path, reading) {
          inputs.append(input)
          continue
        }
        let asset = try opener.asset(path)
        inputs.append(
          try RenderInput(name: path, asset: asset, options: reading, facts: try? asset.facts()))
      }
      if !captions.subtitles.isEmpty { current = captions.subtitles }
      try captions.check(inputs)
      let renderer = try OfflineRenderer(
        inputs: inputs, commands: look.commands + captions.commands + commands, script: script,
        subtitles: captions.subtitles, composer: composer, options: options)
      if let events {
        renderer.onLog = { (entry) throws(MediaError) in try events.write(entry) }
      }
      let status = try render(renderer, inputs, output)
      captions.tellMissing()
      try events?.finish()
      return status
    } catch {
      output.sink.abandon()
      events?.abandon()
      throw CommandFailure(error, input: current)
    }
  }

  private static func render(
    _ renderer: OfflineRenderer, _ inputs: [RenderInput], _ output: RenderOutput
  ) throws(MediaError) -> ExitStatus {
    var progress = Progress("render", total: nil)
    try renderer.render(to: output.sink) { summary, done in
      progress.show(summary.pictureCount, of: done)
      return true
    }
    progress.clear()
    let summary = renderer.summary
    let names = inputs.map(\.name).joined(separator: ", ")
    if summary.pictureCount == 0, !output.isLogOnly {
      throw inputs.lazy.compactMap(\.faults.first).first ?? MediaError(.damaged, .noPictures)
    }
    let printed = output.printSummary()
    guard printed == .done else { return printed }
    if summary.concealedCount > 0 {
      StandardError.write(
        "reel render: \(names): \(summary.concealedCount) of \(summary.decodedCount) decoded "
          + "pictures are concealed: \(summary.concealedBlockCount) blocks were made up\n")
    }
    guard let fault = inputs.lazy.compactMap(\.faults.first).first else { return .done }
    let line = CommandFailure(fault, input: names).message
    StandardError.write("reel render: \(line) (\(summary.missingCount) pictures left out)\n")
    return .inputFailed
  }

  /// What the player is told at time 0.
  private static func playerCommands(
    _ arguments: Arguments
  ) throws(CommandFailure) -> [PlayerCommand] {
    var commands: [PlayerCommand] = []
    if let passes = arguments.value("--loop") {
      if passes.isEmpty {
        commands.append(.loop(passes: nil))
      } else {
        commands.append(
          .loop(passes: try arguments.count("--loop", in: 1...Int(Int32.max))))
      }
    }
    let target = try arguments.time("--seek")
    if let speed = try arguments.ratio("--speed", example: "0.5 or 2") {
      if let target { commands.append(.seek(to: target, play: false)) }
      // A speed above 0 plays; to play behind it would set the default rate again.
      return commands + [.playbackSpeed(Float(speed.seconds))]
    }
    // A seek plays of itself; to play behind one to the end would start again from zero.
    return commands + [target.map { .seek(to: $0, play: true) } ?? .play]
  }

  private static func eventLog(_ arguments: Arguments) throws(CommandFailure) -> EventLog? {
    guard let path = arguments.value("--events") else { return nil }
    do throws(MediaError) {
      return try EventLog(path: path)
    } catch {
      throw CommandFailure(error, input: path)
    }
  }

  private static func script(_ arguments: Arguments) throws(CommandFailure) -> Script {
    guard let path = arguments.value("--script") else { return Script() }
    do throws(MediaError) {
      let text = try FileText.read(path)
      return try Script(parsing: text)
    } catch {
      // A script is the user's own word, so a fault in it is wrong usage, not a bad input.
      let line = CommandFailure(error, input: path).message
      throw CommandFailure(status: .usage, message: line)
    }
  }

  private static func rendererOptions(
    _ arguments: Arguments
  ) throws(CommandFailure) -> OfflineRenderer.Options {
    var options = OfflineRenderer.Options()
    if let from = try arguments.time("--from") { options.from = from }
    options.duration = try arguments.time("--duration")
    if let rate = try arguments.ratio("--fps", example: "25 or 30000/1001") {
      options.sampling = .rate(rate)
    }
    return options
  }
}
