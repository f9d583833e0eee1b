// One image file a picture.

public import ReelCore

/// Makes the bytes of an image file out of a picture.
public protocol ImageEncoder: AnyObject {
  /// The bytes of a whole file that shows the picture.
  func encode(_ frame: VideoFrame) throws(MediaError) -> [UInt8]
}

/// Writes numbered image files, from 1. A picture that comes again is a copy of its first file.
public final class ImageSequenceSink: Sink {
  private let files: NumberedFiles
  private let encoder: any ImageEncoder
  private var earlier = RepeatMemory<EarlierFile>()
  /// Files written so far; also the number of the last one.
  public private(set) var pictureCount = 0

  /// Where the picture lies on disk, and how to tell that nobody has changed it since.
  private struct EarlierFile {
    let number: Int
    let byteCount: Int
    let checksum: UInt64
  }

  /// Names of the files, and what makes them.
  public init(_ files: NumberedFiles, encoder: any ImageEncoder) {
    self.files = files
    self.encoder = encoder
  }

  /// Only what may come again matters: an image has no time.
  public func begin(_ timing: OutputTiming) { earlier.begin(timing) }

  /// Encodes a picture and writes it to the next file.
  ///
  /// - Throws: what the encoder and the file throw; files that are there stay.
  public func write(
    _ frame: VideoFrame, key: CompositionKey?, timing: PictureTiming
  ) throws(MediaError) {
    let image = try encoder.encode(frame)
    try writeFile(image)
    guard let key else { return }
    let entry = EarlierFile(
      number: pictureCount, byteCount: image.count, checksum: Self.checksum(of: image))
    earlier.remember(entry, for: key)
  }

  /// Copies the file of an earlier picture to the next number; false when somebody has changed that
  /// file since, or its place has been forgotten.
  public func writeAgain(
    _ key: CompositionKey, timing: PictureTiming
  ) throws(MediaError) -> Bool {
    guard let entry = earlier[key],
      let image = FileOutput.content(ofFile: files.name(entry.number), byteCount: entry.byteCount),
      Self.checksum(of: image) == entry.checksum
    else { return false }
    try writeFile(image)
    return true
  }

  /// Every file was finished as it was written.
  public func finish() {}
  /// The files that are there are whole, and stay.
  public func abandon() {}

  private func writeFile(_ image: [UInt8]) throws(MediaError) {
    let output = try FileOutput(path: files.name(pictureCount + 1))
    try output.write(image)
    try output.finish()
    pictureCount += 1
  }

  /// FNV-1a over words of eight bytes: a guard against changed files, not against forgers.
  private static func checksum(of bytes: [UInt8]) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    let whole = bytes.count & ~7
    for start in stride(from: 0, to: whole, by: 8) {
      var word: UInt64 = 0
      for i in 0..<8 { word |= UInt64(bytes[start &+ i]) &<< UInt64(8 &* i) }
      hash = (hash ^ word) &* 0x100_0000_01B3
      hash ^= hash &>> 29
    }
    for i in whole..<bytes.count { hash = (hash ^ UInt64(bytes[i])) &* 0x100_0000_01B3 }
    return hash
  }
}
