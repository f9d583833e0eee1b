// Running picture jobs at once, on the caller's thread.

public import ReelCore

/// The executor of a decoder with one thread.
final class SerialExecutor: PictureExecutor {
  private let decoder = PictureJobDecoder()
  let delay = 0

  func submit(_ job: PictureJob) { decoder.run(job) }
  func wait(for job: PictureJob) {}
}

extension H264Decoder {
  /// A decoder for packets of the given framing.
  ///
  /// - Parameters:
  ///   - configuration: AVCDecoderConfigurationRecord (ISO/IEC 14496-15 §5.3.3.1), or parameter sets
  ///     as a byte stream, or empty when they come in the packets.
  /// - Throws: `.damaged` or `.unsupported` for the configuration.
  public convenience init(
    configuration: [UInt8], framing: NALUnitFraming,
    options: H264DecoderOptions = H264DecoderOptions()
  ) throws(MediaError) {
    let executor: any PictureExecutor =
      options.threads > 1
      ? ThreadedExecutor(threads: min(options.threads, 64)) : SerialExecutor()
    try self.init(
      configuration: configuration, framing: framing, options: options, executor: executor)
  }
}
