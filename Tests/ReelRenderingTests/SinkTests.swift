internal import Foundation
internal import ReelCore
internal import ReelTestSupport
internal import Testing

@testable internal import ReelRendering

@Suite("Sinks")
struct SinkTests {
  static let timing = {
    var timing = OutputTiming(timeBase: Ratio(1001, 30000), frameRate: Ratio(30000, 1001))
    timing.repetition = .any
    return timing
  }()

  func frames(_ chroma: ChromaFormat, _ depth: Int) -> [VideoFrame] {
    (0..<3).map { .noise(width: 62, height: 34, chroma: chroma, depth: depth, seed: UInt64($0)) }
  }

  func write(_ frames: [VideoFrame], to sink: some Sink) throws {
    try sink.begin(Self.timing)
    for (i, frame) in frames.enumerated() {
      try sink.write(frame, key: nil, timing: PictureTiming(ticks: Int64(i), duration: 1))
    }
    try sink.finish()
  }

  @Test("framemd5 text has FFmpeg's header and columns")
  func frameMD5Text() throws {
    let output = MemoryOutput()
    var frame = VideoFrame.noise(width: 4, height: 2)
    frame.pixelAspectRatio = Ratio(4, 3)
    let sink = FrameMD5Sink(output)
    sink.begin(Self.timing)
    try sink.write(frame, key: nil, timing: PictureTiming(ticks: 1234, duration: 1001))
    try sink.finish()
    #expect(
      output.text == """
        #format: frame checksums
        #version: 2
        #hash: MD5
        #tb 0: 1001/30000
        #media_type 0: video
        #codec_id 0: rawvideo
        #dimensions 0: 4x2
        #sar 0: 4/3
        #stream#, dts,        pts, duration,     size, hash
        0,       1234,       1234,     1001,       12, \(MD5.digest(of: frame))

        """)
  }

  @Test("FFmpeg reads our Y4M and hashes the frames as we do", arguments: [8, 10, 12])
  func ffmpegAgrees(depth: Int) throws {
    guard let ffmpeg = findProgram("ffmpeg") else {
      print("skipped: ffmpeg is not installed")
      return
    }
    for chroma in [ChromaFormat.yuv420, .yuv422, .yuv444] {
      let folder = try TemporaryFolder()
      let frames = frames(chroma, depth).map {
        var frame = $0
        frame.pixelAspectRatio = .square
        return frame
      }
      try write(frames, to: Y4MSink(FileOutput(path: folder.path("a.y4m"))))
      let text = MemoryOutput()
      try write(frames, to: FrameMD5Sink(text))
      let result = try runProgram(
        ffmpeg,
        [
          "-v", "error", "-i", folder.path("a.y4m"), "-fflags", "+bitexact", "-f", "framemd5", "-",
        ])
      #expect(result.outputText == text.text, "\(chroma) \(depth)")
    }
  }

  @Test("one MD5 is that of the raw bytes")
  func oneDigest() throws {
    let frames = frames(.yuv422, 10)
    let raw = MemoryOutput()
    try write(frames, to: RawVideoSink(raw))
    let sink = MD5Sink()
    try write(frames, to: sink)
    var md5 = MD5()
    md5.update(raw.bytes)
    #expect(sink.digest == md5.finalize())
    #expect(sink.pictureCount == 3)
    #expect(sink.layout?.pixelFormatName == "yuv422p10le")
  }

  @Test("a Y4M file refuses a second size, raw video takes it")
  func sizeChanges() throws {
    let frames = [VideoFrame.noise(width: 16, height: 16), .noise(width: 18, height: 16)]
    let error = #expect(throws: MediaError.self) { try write(frames, to: Y4MSink(MemoryOutput())) }
    #expect(error?.rule == .outputOneSize)
    let raw = MemoryOutput()
    try write(frames, to: RawVideoSink(raw))
    #expect(raw.bytes == frames[0].bytes + frames[1].bytes)
  }

  @Test("a picture written again by its key equals the picture written twice")
  func keysRepeatBytes() throws {
    let folder = try TemporaryFolder()
    let frames = frames(.yuv420, 8)
    let order = [0, 1, 2, 0, 1, 2, 2]
    let makers: [(any ByteOutput) -> any Sink] = [
      { RawVideoSink($0) }, { Y4MSink($0) }, { FrameMD5Sink($0) },
    ]
    for make in makers {
      let plain = MemoryOutput()
      let (memory, file) = (MemoryOutput(), try FileOutput(path: folder.path("a")))
      let (whole, inMemory, inFile) = (make(plain), make(memory), make(file))
      for sink in [whole, inMemory, inFile] { try sink.begin(Self.timing) }
      for (i, picture) in order.enumerated() {
        let timing = PictureTiming(ticks: Int64(i), duration: 1)
        try whole.write(frames[picture], key: nil, timing: timing)
        for sink in [inMemory, inFile] {
          let key = CompositionKey(picture: picture)
          let known = try sink.writeAgain(key, timing: timing)
          #expect(known == (i > 2))
          if !known { try sink.write(frames[picture], key: key, timing: timing) }
        }
      }
      for sink in [whole, inMemory, inFile] { try sink.finish() }
      #expect(memory.bytes == plain.bytes)
      #expect(folder.bytes("a") == plain.bytes)
    }
  }
}

@Suite("Numbered files")
struct NumberedFilesTests {
  @Test(
    "count with the digits asked for",
    arguments: [
      ("a/%05d.jpg", 7, "a/00007.jpg"), ("%d.jpg", 12, "12.jpg"), ("x%03d", 12345, "x12345"),
      ("100%%-%02d.png", 3, "100%-03.png"),
    ])
  func names(pattern: String, number: Int, name: String) throws {
    #expect(try NumberedFiles(pattern: pattern).name(number) == name)
  }

  @Test(
    "refuse what is no pattern",
    arguments: [
      "a.jpg", "%d-%d.jpg", "%s.jpg", "%5d.jpg", "%", "%0999d.jpg", "%99999999999999999999d",
    ])
  func refused(pattern: String) {
    let error = #expect(throws: MediaError.self) { try NumberedFiles(pattern: pattern) }
    #expect(error?.family == .usage)
  }
}
