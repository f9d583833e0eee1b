internal import Foundation
internal import ReelTestSupport
internal import Testing

/// A command line and the file that holds what it says.
struct CommandCase: Sendable, CustomStringConvertible {
  let name: String
  let arguments: [String]
  var description: String { name }

  init(_ name: String, _ line: String) {
    self.name = name
    arguments = line.split(separator: " ").map(String.init)
  }
}

@Suite("The command")
struct CommandTests {
  static let cases: [CommandCase] = [
    .init("help", "--help"), .init("version", "--version"), .init("help-decode", "help decode"),
    .init("probe-help", "probe --help"), .init("decode-help", "decode --help"),
    .init("render-help", "render --help"), .init("compare-help", "compare -h"),
    .init("download-help", "download --help"), .init("downloads-help", "downloads --help"),
    .init("bench-help", "bench --help"), .init("nothing", ""), .init("unknown-command", "decoed"),
    .init("unknown-topic", "help nonsense"),

    .init("probe", "probe demo.mp4"), .init("probe-stream", "probe odd.264"),
    .init("probe-variable", "probe variable.mp4 --packets"),
    .init("probe-anamorphic", "probe anamorphic.mp4 --json"),
    .init("probe-none", "probe nothing.mp4"), .init("probe-text", "probe ../README.md"),

    .init("decode-md5", "decode demo.mp4 --md5"),
    .init("decode-framemd5", "decode reorder.mp4 --framemd5 --threads 2"),
    .init("decode-variable", "decode variable.mp4 --framemd5"),
    .init("decode-stream", "decode odd.264 --framemd5 --frames 3"),
    .init("decode-anamorphic", "decode anamorphic.mp4 --framemd5"),
    .init("decode-ten-bit", "decode ten-bit.mp4 --md5 --threads=1"),
    .init("decode-422", "decode chroma-422.mp4 --md5"),
    .init("decode-damaged", "decode damaged.mp4 --md5"),
    .init("decode-cut", "decode cut.264 --md5"),
    .init("decode-no-output", "decode demo.mp4"), .init("decode-no-input", "decode --md5"),
    .init("decode-two-inputs", "decode demo.mp4 odd.264 --md5"),
    .init("decode-two-outputs", "decode demo.mp4 --md5 --framemd5"),
    .init("decode-typing-error", "decode demo.mp4 --framemd"),
    .init("decode-bad-threads", "decode demo.mp4 --md5 --threads none"),
    .init("decode-missing-value", "decode demo.mp4 --frames"),
    .init("decode-twice", "decode demo.mp4 --md5 --md5"),
    .init("decode-missing-folder", "decode demo.mp4 -o none/a.yuv"),
    .init("decode-full", "decode demo.mp4 -o /dev/full"),
    .init("decode-folder", "decode . --md5"),

    .init("render-md5", "render demo.mp4 -o md5:"),
    .init("render-loop", "render baseline.mp4 --loop 3 -o framemd5:"),
    .init("render-part", "render demo.mp4 --from 1 --duration 0.2 -o framemd5:"),
    .init("render-speed", "render variable.mp4 --speed 0.5 -o framemd5:"),
    .init("render-fps", "render demo.mp4 --fps 30000/1001 --duration 0.5 -o framemd5: --threads 1"),
    .init("render-seek", "render demo.mp4 --seek 2.5 -o framemd5:"),
    .init("render-one", "render demo.mp4 --seek 2.5 --duration 0 -o framemd5:"),
    .init("render-seek-end", "render demo.mp4 --seek 99 --duration 0 -o framemd5:"),
    .init("render-two", "render baseline.mp4 variable.mp4 -o md5:"),
    .init("render-script", "render demo.mp4 --script ../scripts/tour.reel --fps 10 -o framemd5:"),
    .init(
      "render-events", "render demo.mp4 --script ../scripts/tour.reel -o null: --events -"),
    .init(
      "render-events-empty", "render demo.mp4 --script ../scripts/empty.reel -o null: --events -"),
    .init("render-events-folder", "render demo.mp4 -o null: --events none/a.jsonl"),
    .init(
      "render-overlay",
      "render demo.mp4 --seek 1.5 --duration 0 --overlay ../drawings/badge.svg:x=-12,y=12,w=90 "
        + "--overlay rect:x=10%,y=10,w=80,h=40,fill=#ff000080,stroke=white,width=3 -o framemd5:"),
    .init(
      "render-inset",
      "render demo.mp4 --seek 1.5 --duration 0 --inset corner=topLeft,size=0.4 --background navy "
        + "-o framemd5:"),
    .init(
      "render-filters",
      "render demo.mp4 --seek 1.5 --duration 0 --filter CISepiaTone --filter CIGaussianBlur:radius=4 "
        + "--brightness 0.1 --size 320x240 --gravity resizeAspectFill -o framemd5:"),
    .init(
      "render-vectors", "render demo.mp4 --script ../scripts/vectors.reel --fps 2 -o framemd5:"),
    .init("render-overlay-bad-key", "render demo.mp4 -o null: --overlay rect:colour=red"),
    .init("render-overlay-missing", "render demo.mp4 -o null: --overlay none.svg"),
    .init("render-inset-bad", "render demo.mp4 -o null: --inset corner=middle"),
    .init(
      "render-subtitles", "render demo.mp4 --subtitles ../captions/tour.vtt --fps 4 -o framemd5:"),
    .init(
      "render-subtitles-style",
      "render demo.mp4 --subtitles ../captions/tour.vtt --caption-edge outline:#202020 "
        + "--caption-background clear --caption-size 150 --size 320x180 --fps 2 -o framemd5:"),
    .init("render-subtitles-missing", "render demo.mp4 -o null: --subtitles none.vtt"),
    .init("render-subtitles-video", "render demo.mp4 -o null: --subtitles demo.mp4"),
    .init("render-subtitles-track", "render demo.mp4 -o null: --subtitles track:0"),
    .init("render-subtitle-language", "render demo.mp4 -o null: --subtitle-language de"),
    .init("render-font-missing", "render demo.mp4 -o null: --font none.ttf --subtitles none.vtt"),
    .init("render-unknown-filter", "render demo.mp4 -o null: --filter CIBlurry"),
    .init("render-unknown-key", "render demo.mp4 -o null: --filter CIBloom:size=3"),
    .init("render-endless", "render demo.mp4 --loop -o md5:"),
    .init("render-no-output", "render demo.mp4"),
    .init("render-unknown-output", "render demo.mp4 -o movie.avi"),
    .init("render-pattern", "render demo.mp4 -o picture.jpg"),
    .init("render-bad-time", "render demo.mp4 -o null: --from yesterday"),
    .init("render-bad-rate", "render demo.mp4 -o null: --fps 0"),
    .init("render-missing-folder", "render demo.mp4 -o none/%05d.jpg"),
    .init("render-missing-script", "render demo.mp4 -o null: --script none.reel"),
    .init("render-bad-script", "render demo.mp4 -o null: --script ../scripts/broken.reel"),

    .init("compare-same", "compare demo.mp4 demo.mp4"),
    .init("compare-damaged", "compare reorder.mp4 damaged.mp4"),
    .init("compare-sizes", "compare demo.mp4 odd.264"),
    .init("compare-one", "compare demo.mp4"),
  ]

  @Test("says what was recorded, with its status", arguments: cases)
  func saysWhatWasRecorded(command: CommandCase) throws {
    let result = try run(command.arguments)
    #expect(!result.wasKilled)
    let text = """
      $ reel \(command.arguments.joined(separator: " "))
      \(result.outputText)[error]
      \(result.errorText)[status \(result.status)]

      """
    let difference = try GoldenText.difference("command/\(command.name).txt", text)
    #expect(difference == nil, "\(difference ?? "")")
  }

  /// Runs the built command in the folder of the clips.
  func run(_ arguments: [String]) throws -> ProgramResult {
    let command = try #require(Places.command, "the built command stands beside the tests")
    return try runProgram(command, arguments, in: Places.testVector("clips"))
  }

  @Test("numbers JPEG files from 1, and a loop repeats them byte for byte")
  func numberedFiles() throws {
    let folder = try TemporaryFolder()
    let result = try run([
      "render", "baseline.mp4", "--loop", "2", "-o", folder.path("%03d.jpg"), "--quality", "70",
    ])
    #expect(result.status == 0 && result.output.isEmpty && result.error.isEmpty)
    #expect(folder.names == (1...60).map { "0\($0 < 10 ? "0" : "")\($0).jpg" })
    for number in 1...30 {
      let names = [number, number + 30].map { "0\($0 < 10 ? "0" : "")\($0).jpg" }
      #expect(!folder.bytes(names[0]).isEmpty)
      #expect(folder.bytes(names[0]) == folder.bytes(names[1]))
    }
  }

  @Test("files, standard output and hashes agree, for any number of threads")
  func outputsAgree() throws {
    let folder = try TemporaryFolder()
    for threads in ["1", "2", "3"] {
      let file = try run([
        "decode", "reorder.mp4", "-o", folder.path("a.yuv"), "--threads", threads,
      ])
      #expect(file.status == 0 && folder.names == ["a.yuv"])
      let piped = try run(["decode", "reorder.mp4", "-o", "-", "--threads", threads])
      #expect(piped.output == folder.bytes("a.yuv"))
      let rendered = try run(["render", "reorder.mp4", "-o", "-", "--threads", threads])
      #expect(rendered.output == piped.output)
      let line = try run(["decode", "reorder.mp4", "--md5", "--threads", threads]).outputText
      let again = try run(["render", "reorder.mp4", "-o", "md5:", "--threads", threads]).outputText
      #expect(line == again && line.hasSuffix("  50  320x180  yuv420p\n"))
    }
  }

  @Test("both raw loops of a file equal one pass twice")
  func rawLoop() throws {
    let once = try run(["render", "odd.264", "-o", "-"])
    let folder = try TemporaryFolder()
    let twice = try run(["render", "odd.264", "--loop", "2", "-o", folder.path("a.yuv")])
    #expect(twice.status == 0)
    #expect(folder.bytes("a.yuv") == once.output + once.output)
  }

  @Test("an input comes from standard input")
  func standardInput() throws {
    let command = try #require(Places.command)
    let line = "\(command.path) decode - --md5 < baseline.mp4"
    let result = try runProgram(
      URL(fileURLWithPath: "/bin/sh"), ["-c", line], in: Places.testVector("clips"))
    let direct = try run(["decode", "baseline.mp4", "--md5"])
    #expect(result.outputText == direct.outputText && result.status == 0)
  }

  @Test("a reader who goes away is told of, with status 3")
  func brokenPipe() throws {
    let command = try #require(Places.command)
    let line = "{ \(command.path) decode demo.mp4 -o - ; echo $? >&2 ; } | head -c 1000 > /dev/null"
    let result = try runProgram(
      URL(fileURLWithPath: "/bin/sh"), ["-c", line], in: Places.testVector("clips"))
    #expect(
      result.errorText == """
        reel decode: standard output: the reader of the output went away: broken pipe
        3

        """)
  }

  @Test("what is there of an unfinished output is removed")
  func nothingHalfWritten() throws {
    let folder = try TemporaryFolder()
    // A Y4M file cannot change its size on the way, which two inputs of two sizes make it do.
    let result = try run(["render", "demo.mp4", "odd.264", "-o", folder.path("a.y4m")])
    #expect(result.status == 1 || result.status == 3)
    #expect(folder.names.isEmpty)
  }

  @Test(
    "a playlist opens nothing outside of its folder through names that look like addresses or escapes",
    arguments: [("", "file%3A"), ("", "FILE%3A//localhost"), ("file://", "%252e%252e")])
  func playlistNames(scheme: String, escape: String) throws {
    let folder = try TemporaryFolder()
    let inner = folder.url.appendingPathComponent("inner")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    let secret = folder.url.appendingPathComponent("secret.ts")
    try FileManager.default.copyItem(at: Places.testVector("hls/wrap/0.ts"), to: secret)
    let target = escape + (scheme.isEmpty ? secret.path : "/secret.ts")
    let text = "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:1,\n\(target)\n#EXT-X-ENDLIST\n"
    try Data(text.utf8).write(to: inner.appendingPathComponent("list.m3u8"))
    let name = scheme.isEmpty ? "list.m3u8" : "\(scheme)\(inner.path)/list.m3u8"
    let result = try runProgram(try #require(Places.command), ["probe", name], in: inner)
    #expect(result.status == 1)
    #expect(result.errorText.contains("the file cannot be opened: No such file or directory"))
  }

  @Test("a command that is killed leaves nothing behind")
  func killed() throws {
    let command = try #require(Places.command)
    let folder = try TemporaryFolder()
    let line = """
      \(command.path) render baseline.mp4 --loop 2000 -o \(folder.path("a.yuv")) & child=$!
      sleep 0.2; kill -KILL $child && wait $child
      """
    let result = try runProgram(
      URL(fileURLWithPath: "/bin/bash"), ["-c", line], in: Places.testVector("clips"))
    #expect(result.status > 128)
    #expect(folder.names.isEmpty)
  }

  @Test("a comparison's page is written whole")
  func comparisonPage() throws {
    let folder = try TemporaryFolder()
    let result = try run([
      "compare", "reorder.mp4", "damaged.mp4", "--report", folder.path("page.html"),
    ])
    #expect(result.status == 0)
    let page = String(decoding: folder.bytes("page.html"), as: UTF8.self)
    #expect(page.hasPrefix("<!doctype html>") && page.hasSuffix("</html>\n"))
    #expect(page.split(separator: "\n").filter { $0.hasPrefix("<tr><td>") }.count == 50)
  }
}
