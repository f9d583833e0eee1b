// The decoder: packets in, frames out. ISO/IEC 14496-10:2020 §7.3.1, §7.4.1.2, §8.

public import ReelCore
import ReelVideoCore

/// How to decode.
public struct H264DecoderOptions: Sendable, Hashable {
  /// Pictures decoded at a time, ≥ 1. The frames are the same for any number.
  public var threads = 1
  /// Whether damage throws or is made up for. Frames that were made up in part say so.
  public var concealment = ConcealmentPolicy.conceal
  /// Bounds of what a stream may ask for: samples of a picture, pictures in a byte count.
  public var limits = Limits.standard
  /// Pictures still waiting at an IDR picture are put out even where it has
  /// no_output_of_prior_pics_flag: the flag spares a real-time decoder's buffer, which is not ours,
  /// and a file's samples are all meant to be seen. False: as §C.4.4 has it.
  public var outputsPriorPictures = true
  /// One thread, concealment, the standard limits.
  public init() {}
}

/// Decodes H.264 video of every profile of the base layer.
///
/// Frames come in output order: by bumping, or as soon as the stream's own reordering depth allows.
/// Where ``ConcealmentPolicy/conceal`` is set, damage does not throw: frames tell how much of them was
/// made up, and only an input that gives no frame at all makes ``flush()`` throw.
public final class H264Decoder: VideoDecoder {
  private let framing: NALUnitFraming
  private let options: H264DecoderOptions
  private let executor: any PictureExecutor
  let sequencer: PictureSequencer
  private var parameterSets = ParameterSets()
  private var messages = PendingMessages()
  /// Header of the last slice of the current picture.
  private var lastHeader: SliceHeader?
  /// Sets that the current picture's partition A was read with.
  private var lastSets: (sequence: SequenceParameterSet, picture: PictureParameterSet)?
  /// Frames due, whose jobs may still run.
  private var due: [FrameStore] = []
  /// Frames that were ready when a call threw.
  private var held: [VideoFrame] = []
  private var packet: Packet?
  private var pictureNumber = 0
  private var frameCount = 0
  private var byteCount = 0

  /// The first thing that was wrong with the stream so far; stays known over ``reset()``.
  public private(set) var firstFault: MediaError?
  /// How many things were wrong so far.
  public private(set) var faultCount = 0

  /// A decoder with an executor of its own making.
  init(
    configuration: [UInt8], framing: NALUnitFraming, options: H264DecoderOptions,
    executor: any PictureExecutor
  ) throws(MediaError) {
    self.framing = framing
    self.options = options
    self.executor = executor
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
    let record = try DecoderConfigurationRecord(parsing: configuration)
    for set in record.sequenceParameterSets + record.pictureParameterSets {
      try handle(NALUnits.unescape(set, 0..<set.count))
    }
  }

  // MARK: Packets

  /// Decodes a packet: a piece of a byte stream, cut anywhere, or a sample of a file with all its units.
  ///
  /// - Returns: the frames that are due, in output order; those of the last pictures come later.
  /// - Throws: `.limitExceeded`, `.unsupported`, and where damage is an error `.damaged` with the place of
  ///   the first fault. The packet is decoded to its end all the same, and the next call goes on behind it.
  public func decode(_ packet: Packet) throws(MediaError) -> [VideoFrame] {
    self.packet = packet
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
    if framing != .annexB { try finishPicture() }
    if let failure { throw failure }
    return try takeFrames(leaving: executor.delay)
  }

  /// The stream ends here: the frames that are left, in output order. What comes next begins a new one.
  ///
  /// - Throws: as ``decode(_:)``; also the first fault, where no frame at all was decoded.
  public func flush() throws(MediaError) -> [VideoFrame] {
    try finishPicture()
    sequencer.flush()
    let frames = try takeFrames(leaving: 0)
    if frameCount == 0, let firstFault { throw firstFault }
    return frames
  }

  /// Forgets all pictures, as for a seek. Parameter sets stay.
  public func reset() {
    sequencer.reset()
    for frame in due { frame.jobs.forEach(executor.wait) }
    due.removeAll()
    held.removeAll()
    messages.reset()
    lastHeader = nil
    lastSets = nil
  }

  /// Records damage; throws it where damage is an error.
  private func note(_ fault: MediaError) throws(MediaError) {
    if firstFault == nil { firstFault = fault }
    faultCount += 1
    if options.concealment == .fail || fault.family != .damaged { throw fault }
  }

  // MARK: NAL units

  /// Takes one NAL unit without emulation prevention.
  private func handle(_ payload: [UInt8]) throws(MediaError) {
    do throws(MediaError) {
      let unit = try NALUnitHeader(parsing: payload)
      switch unit.nalUnitType {
      case .nonIDRSlice, .idrSlice, .partitionA: try slice(payload, unit)
      case .partitionB, .partitionC: try partition(payload, unit)
      case .supplementalInformation:
        if let fault = messages.add(payload) { throw fault }
      case .sequenceParameterSet: try parameterSets.addSequence(payload)
      case .pictureParameterSet: try parameterSets.addPicture(payload)
      case .accessUnitDelimiter, .endOfSequence, .endOfStream: try finishPicture()
      default: break  // filler, other layers, auxiliary pictures, unspecified types
      }
    } catch {
      try note(error.place == .unknown ? error.at(.picture(pictureNumber, macroblock: nil)) : error)
    }
  }

  private func slice(_ payload: [UInt8], _ unit: NALUnitHeader) throws(MediaError) {
    let id = try SliceHeader.pictureParameterSetID(in: payload)
    let sets = try parameterSets.active(picParameterSetID: id)
    let header = try SliceHeader(
      parsing: payload, unit: unit, sequence: sets.sequence, picture: sets.picture)
    // The primary picture is always there in streams we are given; redundant ones repeat it.
    guard header.redundantPicCnt == 0 else { return }
    // Whatever the header says, slices under another sequence parameter set are no part of a picture
    // that was begun under this one.
    if let lastHeader,
      header.startsPicture(after: lastHeader, sets.sequence) || sets.sequence != lastSets?.sequence
    {
      try finishPicture()
    }
    if lastHeader == nil { try begin(header, sets.sequence) }
    lastHeader = header
    lastSets = sets
    try sequencer.add(header, picture: sets.picture, payload: payload)
  }

  private func begin(
    _ header: SliceHeader, _ sequence: SequenceParameterSet
  ) throws(MediaError) {
    let limit = options.limits.maximumPicturesPerByte.multipliedReportingOverflow(by: byteCount)
    guard limit.overflow || pictureNumber <= limit.partialValue + 1000 else {
      throw MediaError(
        .limitExceeded, .h264PictureCount, detail: "\(pictureNumber) pictures in \(byteCount) bytes"
      )
    }
    let told = messages.take(for: header, sequence)
    sequencer.hasEarlyFlagContexts = messages.x264Build.map { $0 < 151 } ?? false
    var properties = FrameProperties(sequence)
    properties.presentationTicks = packet?.presentationTicks
    properties.durationTicks = packet?.durationTicks
    packet?.presentationTicks = nil
    packet?.durationTicks = nil
    properties.isKeyFrame = header.isIDR || told.recoveryPoint?.recoveryFrameCnt == 0
    properties.registeredUserData = told.registeredUserData
    properties.sideData = told.sideData
    properties.picStruct = told.picStruct
    try sequencer.begin(
      header, sequence: sequence, properties: properties, recoveryPoint: told.recoveryPoint)
    if sequencer.isSecondField { sequencer.currentFrame?.addSecondField(properties) }
  }

  private func partition(_ payload: [UInt8], _ unit: NALUnitHeader) throws(MediaError) {
    guard let lastSets else { return }
    let header = try SliceDataPartitionHeader(
      parsing: payload, sequence: lastSets.sequence, picture: lastSets.picture)
    guard header.redundantPicCnt == 0 else { return }
    guard sequencer.addPartition(unit.nalUnitType, header, payload: payload) else {
      throw MediaError(
        .damaged, .h264PartitionOrder, detail: "slice_id is \(header.sliceID)")
    }
  }

  private func finishPicture() throws(MediaError) {
    guard lastHeader != nil else { return }
    lastHeader = nil
    lastSets = nil
    let fault = sequencer.finish()
    let place = Place.picture(pictureNumber, macroblock: nil)
    pictureNumber += 1
    if let fault { try note(fault.at(place)) }
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
  private func finish(_ store: FrameStore) throws(MediaError) -> VideoFrame {
    var concealed = 0
    for job in store.jobs {
      executor.wait(for: job)
      guard let outcome = job.outcome else { continue }
      concealed += outcome.concealedMacroblockCount
      store.missingReferenceCount = max(
        store.missingReferenceCount, outcome.damagedReferenceCount)
      if let fault = outcome.firstFault { try note(fault) }
      if outcome.damagedReferenceCount > 0 && options.concealment == .fail {
        throw MediaError(
          .damaged, .h264DamagedReference, at: .picture(job.number, macroblock: nil),
          advice: "decode with concealment")
      }
    }
    frameCount += 1
    // The lines of a field that never came are those of the other.
    if store.fields != 3 { concealed += store.picture?.motion.half ?? 0 }
    guard let frame = store.videoFrame(concealedBlockCount: concealed) else {
      throw MediaError(.damaged, .h264MissingReference)
    }
    return frame
  }
}

extension FrameStore {
  /// What the second field's packet and messages add to the frame.
  fileprivate func addSecondField(_ second: FrameProperties) {
    if let duration = second.durationTicks {
      properties.durationTicks =
        (properties.durationTicks ?? 0)
        .addingReportingOverflow(duration).partialValue
    }
    properties.registeredUserData += second.registeredUserData
  }

  /// The frame as it is handed out; nil for frames that do not exist.
  fileprivate func videoFrame(concealedBlockCount: Int) -> VideoFrame? {
    guard let picture else { return nil }
    var frame = VideoFrame(
      storage: picture.storage, lumaBitDepth: properties.lumaBitDepth,
      chromaBitDepth: properties.chromaBitDepth, crop: properties.crop)
    frame.pixelAspectRatio = properties.pixelAspectRatio
    frame.colour = properties.colour
    frame.fieldOrder = properties.fieldOrder
    frame.repeatedFieldCount = properties.picStruct?.repeatedFieldCount ?? 0
    frame.presentationTicks = properties.presentationTicks
    frame.durationTicks = properties.durationTicks
    frame.isKeyFrame = properties.isKeyFrame
    frame.concealedBlockCount = concealedBlockCount
    frame.missingReferenceCount = missingReferenceCount
    frame.decodeIndex = properties.decodeIndex
    frame.registeredUserData = properties.registeredUserData
    frame.sideData = properties.sideData
    return frame
  }
}
