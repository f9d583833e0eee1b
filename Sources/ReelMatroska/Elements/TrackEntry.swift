// TrackEntry and what it holds. RFC 9559 §5.1.4.1.

import ReelCore

/// A track as the file tells it.
struct TrackEntry: Sendable {
  var number = 0
  var uid: UInt64 = 0
  /// 1 video, 2 audio, 17 subtitles …
  var type = 0
  var isEnabled = true
  var isDefault = true
  /// Nanoseconds of a frame; nil when not told.
  var defaultDuration: Int64?
  var name = ""
  var language = "eng"
  var languageBCP47 = ""
  var codecID = ""
  var codecPrivate: [UInt8] = []
  /// Nanoseconds that a decoder's output is late.
  var codecDelay: Int64 = 0
  var video = VideoSettings()
  var audio = AudioSettings()
  var encodings = ContentEncodings()

  init(_ element: EBMLElement, _ context: inout EBMLContext) throws(MediaError) {
    var entry = TrackEntry()
    try element.forEachChild(&context) { (id, child, context) throws(MediaError) in
      switch id {
      case ElementID.video: try entry.video.read(child, &context)
      case ElementID.audio: try entry.audio.read(child, &context)
      case ElementID.contentEncodings: try entry.encodings.read(child, &context)
      default: try entry.take(id, child)
      }
    }
    self = entry
  }

  private init() {}

  private mutating func take(_ id: UInt32, _ child: EBMLElement) throws(MediaError) {
    switch id {
    case ElementID.trackNumber: number = try child.integer()
    case ElementID.trackUID: uid = try child.unsigned()
    case ElementID.trackType: type = try child.integer()
    case ElementID.flagEnabled: isEnabled = try child.unsigned() != 0
    case ElementID.flagDefault: isDefault = try child.unsigned() != 0
    case ElementID.defaultDuration:
      let duration = Int64(clamping: try child.unsigned())
      // LIMIT: an hour; longer ones are nonsense and would only overflow.
      if duration > 0, duration <= 3_600_000_000_000 { defaultDuration = duration }
    case ElementID.name: name = child.text()
    case ElementID.language: language = child.text()
    case ElementID.languageBCP47: languageBCP47 = child.text()
    case ElementID.codecID: codecID = child.text()
    case ElementID.codecPrivate: codecPrivate = [UInt8](child.content)
    case ElementID.codecDelay:
      let delay = Int64(clamping: try child.unsigned())
      if delay <= 3_600_000_000_000 { codecDelay = delay }
    default: break
    }
  }
}

/// Video. RFC 9559 §5.1.4.1.28.
struct VideoSettings: Sendable {
  var pixelWidth = 0
  var pixelHeight = 0
  /// Left, right, top and bottom.
  var crop = (left: 0, right: 0, top: 0, bottom: 0)
  var displayWidth: Int?
  var displayHeight: Int?
  /// 0 pixels, 1 centimetres, 2 inches, 3 aspect ratio, 4 unknown.
  var displayUnit = 0
  var colour: ColourDescription?
  private var siting = (horizontal: 0, vertical: 0)
  var projectionType = 0
  /// Degrees.
  var poseRoll = 0.0

  mutating func read(_ element: EBMLElement, _ context: inout EBMLContext) throws(MediaError) {
    var video = self
    defer { self = video }
    try element.forEachChild(&context) { (id, child, context) throws(MediaError) in
      switch id {
      case ElementID.colour: try video.readColour(child, &context)
      case ElementID.projection:
        try child.forEachChild(&context) { (id, field, _) throws(MediaError) in
          if id == ElementID.projectionType { video.projectionType = try field.integer() }
          if id == ElementID.projectionPoseRoll { video.poseRoll = try field.float() }
        }
      default: try video.take(id, child)
      }
    }
  }

  /// LIMIT: a side in pixels; larger ones are taken for this.
  private static let maximumSide = 1 << 16

  private mutating func take(_ id: UInt32, _ child: EBMLElement) throws(MediaError) {
    func side() throws(MediaError) -> Int { min(try child.integer(), Self.maximumSide) }
    switch id {
    case ElementID.pixelWidth: pixelWidth = try side()
    case ElementID.pixelHeight: pixelHeight = try side()
    case ElementID.pixelCropLeft: crop.left = try side()
    case ElementID.pixelCropRight: crop.right = try side()
    case ElementID.pixelCropTop: crop.top = try side()
    case ElementID.pixelCropBottom: crop.bottom = try side()
    case ElementID.displayWidth: displayWidth = try side()
    case ElementID.displayHeight: displayHeight = try side()
    case ElementID.displayUnit: displayUnit = try child.integer()
    default: break
    }
  }

  /// Colour, whose code points are those of ITU-T H.273. §5.1.4.1.28.16.
  private mutating func readColour(
    _ element: EBMLElement, _ context: inout EBMLContext
  ) throws(MediaError) {
    var colour = self.colour ?? ColourDescription()
    var siting = self.siting
    defer { (self.colour, self.siting) = (colour, siting) }
    try element.forEachChild(&context) { (id, child, _) throws(MediaError) in
      let value = child.content.count <= 8 ? UInt8(clamping: try child.unsigned()) : 2
      switch id {
      case ElementID.matrixCoefficients: colour.matrix = value
      case ElementID.transferCharacteristics: colour.transfer = value
      case ElementID.primaries: colour.primaries = value
      case ElementID.range: colour.isFullRange = value == 2
      case ElementID.chromaSitingHorz: siting.horizontal = Int(value)
      case ElementID.chromaSitingVert: siting.vertical = Int(value)
      default: break
      }
    }
    // 1 is collocated (left, top), 2 half way. H.273 counts left, centre, top left, top.
    switch siting {
    case (1, 2): colour.chromaLocation = 0
    case (2, 2): colour.chromaLocation = 1
    case (1, 1): colour.chromaLocation = 2
    case (2, 1): colour.chromaLocation = 3
    default: break
    }
  }
}

/// Audio. RFC 9559 §5.1.4.1.29.
struct AudioSettings: Sendable {
  /// Hz.
  var samplingFrequency = 8000.0
  var channels = 1
  var bitDepth = 0

  mutating func read(_ element: EBMLElement, _ context: inout EBMLContext) throws(MediaError) {
    var audio = self
    defer { self = audio }
    try element.forEachChild(&context) { (id, child, _) throws(MediaError) in
      switch id {
      case ElementID.samplingFrequency: audio.samplingFrequency = try child.float()
      case ElementID.channels: audio.channels = min(try child.integer(), 1 << 16)
      case ElementID.bitDepth: audio.bitDepth = min(try child.integer(), 1 << 16)
      default: break
      }
    }
  }
}

/// ContentEncodings: how frames were changed before they were stored. RFC 9559 §5.1.4.1.31.
struct ContentEncodings: Sendable {
  /// Bytes that every frame begins with and that are not stored.
  private(set) var strippedHeader: [UInt8] = []
  /// Frames are encrypted.
  private(set) var isEncrypted = false
  /// Frames are compressed in a way that is not undone.
  private(set) var isCompressed = false

  mutating func read(_ element: EBMLElement, _ context: inout EBMLContext) throws(MediaError) {
    var encodings = self
    defer { self = encodings }
    try element.forEachChild(&context) { (id, child, context) throws(MediaError) in
      if id == ElementID.contentEncoding { try encodings.readOne(child, &context) }
    }
  }

  private mutating func readOne(
    _ element: EBMLElement, _ context: inout EBMLContext
  ) throws(MediaError) {
    var (scope, type, algorithm) = (1, 0, 0)
    var settings: [UInt8] = []
    try element.forEachChild(&context) { (id, child, context) throws(MediaError) in
      switch id {
      case ElementID.contentEncodingScope: scope = try child.integer()
      case ElementID.contentEncodingType: type = try child.integer()
      case ElementID.contentEncryption: type = 1
      case ElementID.contentCompression:
        try child.forEachChild(&context) { (id, field, _) throws(MediaError) in
          if id == ElementID.contentCompAlgo { algorithm = try field.integer() }
          if id == ElementID.contentCompSettings { settings = [UInt8](field.content) }
        }
      default: break
      }
    }
    // Scope 1 is the frames; others concern the set-up data alone.
    guard scope & 1 != 0 else { return }
    if type == 1 {
      isEncrypted = true
    } else if algorithm == 3 {
      strippedHeader = settings + strippedHeader
    } else {
      isCompressed = true
    }
  }
}
