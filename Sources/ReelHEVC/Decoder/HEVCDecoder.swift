// The decoder: packets in, frames out. ISO/IEC 23008-2:2020 §7.3.1, §7.4.2.4, §8.1.

public import ReelCore
import ReelVideoCore

/// How to decode.
public struct HEVCDecoderOptions: Sendable, Hashable {
  /// Pictures decoded at a time, ≥ 1. The frames are the same for any number.
  public var threads = 1
  public var concealment = ConcealmentPolicy.conceal
  public var limits = Limits.standard
  /// Pictures still waiting where a sequence begins are put out even where the stream says otherwise
  /// (no_output_of_prior_pics_flag): the flag spares a real-time decoder's buffer, which is not ours,
  /// and a file's samples are all meant to be seen. False: as §C.5.2.2 has it.
  public var outputsPriorPictures = true
  /// Pictures are compared with the hashes that the stream tells (decoded picture hash messages).
  public var checksPictureHashes = false
  public init() {}
}

/// Decodes HEVC video of version 1 and of the format range extensions up to 12 bits.
///
/// Frames come in output order, by bumping. Where ``ConcealmentPolicy/conceal`` is set, damage does not
/// throw: frames tell how much of them was made up, and only an input that gives no frame at all makes
/// ``flush()`` throw. Layers above the base layer are passed over.
public final class HEVCDecoder: VideoDecoder {
  private let framing: NALUnitFraming
  private let options: HEVCDecoderOptions
  private let executor: any PictureExecutor
  private let sequencer: PictureSequencer
  private var parameterSets = ParameterSets()
  private var messages = PendingMessages()
  /// Header of the last slice segment of the current picture.
  private var lastHeader: SliceHeader?
  /// The packet under way began a picture.
  private var hasPicture = false
  /// The slice segments that come are of a picture that is skipped.
  private var isSkipping = false
  /// Frames due, whose jobs may still run.
  private var due: [Picture] = []
  /// Frames that were ready when a call threw.
  private var held: [VideoFrame] = []
  private var packet: Packet?
  private var pictureNumber = 0
  private var frameCount = 0
  private var byteCount = 0

  /// The first thing that was wrong with the stream so far, and how much was.
  public private(set) var firstFault: MediaError?
  public private(set) var faultCount = 0
  /// Frames put out whose samples have the hash that the stream tells, and those that have another.
  public private(set) var matchingHashCount = 0
  public private(set) var wrongHashCount = 0

  /// A decoder for packets of the given framing.
  ///
  /// - Parameters:
  ///   - configuration: HEVCDecoderConfigurationRecord (ISO/IEC 14496-15 §8.3.3.1), or parameter sets
  ///     as a byte stream, or empty when they come in the packets.
  /// - Throws: `.damaged`, `.limitExceeded` for the configuration.
  public init(
    configuration: [UInt8], framing: NALUnitFraming,
    options: HEVCDecoderOptions = HEVCDecoderOptions()
  ) throws(MediaError) {
    self.framing = framing
    self.options = options
    executor =
      options.threads > 1
      ? ThreadedExecutor(threads: min(options.threads, 64)) : SerialExecutor()
    sequencer = PictureSequencer(executor: executor, options: options)
    try configure(configuration)
  }

  /// Takes the parameter sets of a configuration record, or of a byte stream in its place.
  private func configure(_ configuration: [UInt8]) throws(MediaError) {
    guard let first = configuration.first else { return }
    if first == 0 {
      for range in NALUnits.annexB(configuration) {
        try handle(NALUnits.unescape(configuration, range))
      }
      return
    }
    for unit in try DecoderConfigurationRecord(parsing: configuration).units {
      try handle(NALUnits.unescape(unit, 0..<unit.count))
    }
  }

  // MARK: Packets

  public func decode(_ packet: Packet) throws(MediaError) -> [VideoFrame] {
    self.packet = packet
    hasPicture = false
    byteCount = byteCount.addingReportingOverflow(packet.data.count).partialValue
    var units: [Range<Int>]
    switch framing {
    case .annexB: units = NALUnits.annexB(packet.data)
    case .lengthPrefixed(let bytes):
      let split = NALUnits.lengthPrefixed(packet.data, lengthBytes: min(max(bytes, 1), 4))
      units = split.units
      if let fault = split.fault { try note(fault) }
    }
    var failure: MediaError?
    for range in units {
      do throws(MediaError) {
        try handle(NALUnits.unescape(packet.data, range))
      } catch {
        if failure == nil { failure = error }
      }
    }
    // A sample of a file holds all of its picture; a byte stream may be cut anywhere.
    if framing != .annexB { finishPicture() }
    if let failure { throw failure }
    return try takeFrames(leaving: executor.delay)
  }

  public func flush() throws(MediaError) -> [VideoFrame] {
    finishPicture()
    sequencer.flush()
    let frames = try takeFrames(leaving: 0)
    if frameCount == 0, let firstFault { throw firstFault }
    return frames
  }

  public func reset() {
    sequencer.reset()
    for picture in due { picture.completion.wait(until: 1) }
    due.removeAll()
    held.removeAll()
    messages.reset()
    lastHeader = nil
    isSkipping = false
  }

  /// Records damage; throws it where damage is an error.
  private func note(_ fault: MediaError) throws(MediaError) {
    if firstFault == nil { firstFault = fault }
    faultCount += 1
    if options.concealment == .fail || fault.family != .damaged { throw fault }
  }

  // MARK: NAL units

  /// Takes one NAL unit without emulation prevention.
  private func handle(_ unit: [UInt8]) throws(MediaError) {
    do throws(MediaError) {
      let header = try NALUnitHeader(parsing: unit)
      guard header.layerID == 0 else { return }
      switch header.type {
      case let type where type.isSliceSegment: try slice(unit, header)
      case .video: try parameterSets.addVideo(unit)
      case .sequence: try parameterSets.addSequence(unit, limits: options.limits)
      case .picture: try parameterSets.addPicture(unit)
      case .prefixSupplement:
        if let fault = messages.add(unit) { throw fault }
      case .suffixSupplement: takeHash(unit)
      case .delimiter: finishPicture()
      case .endOfSequence, .endOfBitstream:
        finishPicture()
        sequencer.endSequence()
      default: break  // filler, reserved and unspecified types
      }
    } catch {
      try note(error.place == .unknown ? error.at(.picture(pictureNumber, macroblock: nil)) : error)
    }
  }

  private func takeHash(_ unit: [UInt8]) {
    guard options.checksPictureHashes else { return }
    for message in SupplementalMessage.messages(in: unit).messages
    where message.payloadType == SupplementalMessage.decodedPictureHash {
      sequencer.setHash(message)
    }
  }

  private func slice(_ unit: [UInt8], _ header: NALUnitHeader) throws(MediaError) {
    let isFirst = unit.count > 2 && unit[2] & 0x80 != 0
    if isFirst {
      // A sample of a file holds one picture: another beginning in it is damage, as of a start code
      // where there was none.
      guard framing == .annexB || !hasPicture else {
        throw MediaError(
          .damaged, .hevcSliceValue, detail: "a second first_slice_segment_in_pic_flag in a sample")
      }
      hasPicture = true
      finishPicture()
    }
    if isSkipping { return }
    let id = try SliceHeader.pictureParameterSetID(in: unit, header)
    let layout = try parameterSets.active(id)
    let slice = try SliceHeader(
      parsing: unit, unit: header, layout: layout, previous: lastHeader)
    if lastHeader == nil {
      try begin(slice, layout)
      if isSkipping { return }
    }
    lastHeader = slice
    try sequencer.add(slice, layout: layout, payload: unit)
  }

  private func begin(_ header: SliceHeader, _ layout: PictureLayout) throws(MediaError) {
    let limit = options.limits.maximumPicturesPerByte.multipliedReportingOverflow(by: byteCount)
    guard limit.overflow || pictureNumber <= limit.partialValue + 1000 else {
      throw MediaError(
        .limitExceeded, .hevcPictureCount, detail: "\(pictureNumber) pictures in \(byteCount) bytes"
      )
    }
    var properties = FrameProperties(layout.sequence)
    properties.presentationTicks = packet?.presentationTicks
    properties.durationTicks = packet?.durationTicks
    packet?.presentationTicks = nil
    packet?.durationTicks = nil
    properties.isKeyFrame = header.unit.type.isIRAP
    messages.apply(to: &properties, header, layout.sequence)
    isSkipping = !sequencer.begin(header, layout: layout, properties: properties)
    if isSkipping { return }
    if sequencer.missingReferenceCount > 0 {
      try note(
        MediaError(
          .damaged, .hevcMissingReference, at: .picture(pictureNumber, macroblock: nil),
          detail: "\(sequencer.missingReferenceCount) reference pictures are missing"))
    }
  }

  private func finishPicture() {
    isSkipping = false
    guard lastHeader != nil else { return }
    lastHeader = nil
    sequencer.finish()
    pictureNumber += 1
  }

  // MARK: Frames

  /// Frames that are due and done, but for the last `count`, which may still be decoded.
  private func takeFrames(leaving count: Int) throws(MediaError) -> [VideoFrame] {
    due += sequencer.takeOutput()
    var frames = held
    held = []
    while due.count > count {
      do throws(MediaError) {
        frames.append(try finish(due.removeFirst()))
      } catch {
        held = frames
        throw error
      }
    }
    return frames
  }

  /// Waits for a frame's samples and makes it ready to show.
  private func finish(_ picture: Picture) throws(MediaError) -> VideoFrame {
    picture.completion.wait(until: 1)
    let outcome = picture.outcome ?? PictureOutcome()
    if let matches = outcome.matchesHash {
      if matches { matchingHashCount += 1 } else { wrongHashCount += 1 }
    }
    if let fault = outcome.firstFault { try note(fault) }
    if outcome.damagedReferenceCount > 0 && options.concealment == .fail {
      throw MediaError(
        .damaged, .hevcDamagedReference,
        at: .picture(picture.properties.decodeIndex, macroblock: nil),
        advice: "decode with concealment")
    }
    frameCount += 1
    return picture.videoFrame(outcome)
  }
}

extension Picture {
  /// The frame as it is handed out.
  fileprivate func videoFrame(_ outcome: PictureOutcome) -> VideoFrame {
    var frame = VideoFrame(
      storage: storage, lumaBitDepth: properties.lumaBitDepth,
      chromaBitDepth: properties.chromaBitDepth, crop: properties.crop)
    frame.pixelAspectRatio = properties.pixelAspectRatio
    frame.colour = properties.colour
    frame.fieldOrder = properties.fieldOrder
    frame.repeatedFieldCount = properties.repeatedFieldCount
    frame.presentationTicks = properties.presentationTicks
    frame.durationTicks = properties.durationTicks
    frame.isKeyFrame = properties.isKeyFrame
    frame.concealedBlockCount = outcome.concealedCount
    frame.missingReferenceCount = outcome.damagedReferenceCount
    frame.decodeIndex = properties.decodeIndex
    frame.registeredUserData = properties.registeredUserData
    frame.sideData = properties.sideData
    return frame
  }
}
