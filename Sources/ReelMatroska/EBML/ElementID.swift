// Identifiers of elements, with their length markers. RFC 8794 §11, RFC 9559 §5.

/// Identifiers by the names of the standard.
enum ElementID {
  static let ebml: UInt32 = 0x1A45_DFA3
  static let ebmlMaxIDLength: UInt32 = 0x42F2
  static let ebmlMaxSizeLength: UInt32 = 0x42F3
  static let docType: UInt32 = 0x4282
  static let docTypeReadVersion: UInt32 = 0x4285
  static let void: UInt32 = 0xEC
  static let crc32: UInt32 = 0xBF

  static let segment: UInt32 = 0x1853_8067
  static let seekHead: UInt32 = 0x114D_9B74
  static let seek: UInt32 = 0x4DBB
  static let seekID: UInt32 = 0x53AB
  static let seekPosition: UInt32 = 0x53AC

  static let info: UInt32 = 0x1549_A966
  static let timestampScale: UInt32 = 0x2AD7B1
  static let duration: UInt32 = 0x4489
  static let dateUTC: UInt32 = 0x4461
  static let title: UInt32 = 0x7BA9
  static let muxingApp: UInt32 = 0x4D80

  static let cluster: UInt32 = 0x1F43_B675
  static let timestamp: UInt32 = 0xE7
  static let simpleBlock: UInt32 = 0xA3
  static let blockGroup: UInt32 = 0xA0
  static let block: UInt32 = 0xA1
  static let blockDuration: UInt32 = 0x9B
  static let referenceBlock: UInt32 = 0xFB

  static let tracks: UInt32 = 0x1654_AE6B
  static let trackEntry: UInt32 = 0xAE
  static let trackNumber: UInt32 = 0xD7
  static let trackUID: UInt32 = 0x73C5
  static let trackType: UInt32 = 0x83
  static let flagEnabled: UInt32 = 0xB9
  static let flagDefault: UInt32 = 0x88
  static let defaultDuration: UInt32 = 0x23E383
  static let name: UInt32 = 0x536E
  static let language: UInt32 = 0x22B59C
  static let languageBCP47: UInt32 = 0x22B59D
  static let codecID: UInt32 = 0x86
  static let codecPrivate: UInt32 = 0x63A2
  static let codecDelay: UInt32 = 0x56AA
  static let video: UInt32 = 0xE0
  static let audio: UInt32 = 0xE1
  static let contentEncodings: UInt32 = 0x6D80

  static let pixelWidth: UInt32 = 0xB0
  static let pixelHeight: UInt32 = 0xBA
  static let pixelCropBottom: UInt32 = 0x54AA
  static let pixelCropTop: UInt32 = 0x54BB
  static let pixelCropLeft: UInt32 = 0x54CC
  static let pixelCropRight: UInt32 = 0x54DD
  static let displayWidth: UInt32 = 0x54B0
  static let displayHeight: UInt32 = 0x54BA
  static let displayUnit: UInt32 = 0x54B2
  static let colour: UInt32 = 0x55B0
  static let matrixCoefficients: UInt32 = 0x55B1
  static let chromaSitingHorz: UInt32 = 0x55B7
  static let chromaSitingVert: UInt32 = 0x55B8
  static let range: UInt32 = 0x55B9
  static let transferCharacteristics: UInt32 = 0x55BA
  static let primaries: UInt32 = 0x55BB
  static let projection: UInt32 = 0x7670
  static let projectionType: UInt32 = 0x7671
  static let projectionPoseRoll: UInt32 = 0x7675

  static let samplingFrequency: UInt32 = 0xB5
  static let channels: UInt32 = 0x9F
  static let bitDepth: UInt32 = 0x6264

  static let contentEncoding: UInt32 = 0x6240
  static let contentEncodingScope: UInt32 = 0x5032
  static let contentEncodingType: UInt32 = 0x5033
  static let contentCompression: UInt32 = 0x5034
  static let contentCompAlgo: UInt32 = 0x4254
  static let contentCompSettings: UInt32 = 0x4255
  static let contentEncryption: UInt32 = 0x5035

  static let cues: UInt32 = 0x1C53_BB6B
  static let cuePoint: UInt32 = 0xBB
  static let cueTime: UInt32 = 0xB3
  static let cueTrackPositions: UInt32 = 0xB7
  static let cueTrack: UInt32 = 0xF7
  static let cueClusterPosition: UInt32 = 0xF1

  static let chapters: UInt32 = 0x1043_A770
  static let editionEntry: UInt32 = 0x45B9
  static let chapterAtom: UInt32 = 0xB6
  static let chapterTimeStart: UInt32 = 0x91
  static let chapterTimeEnd: UInt32 = 0x92
  static let chapterDisplay: UInt32 = 0x80
  static let chapString: UInt32 = 0x85
  static let chapLanguage: UInt32 = 0x437C

  static let tags: UInt32 = 0x1254_C367
  static let tag: UInt32 = 0x7373
  static let targets: UInt32 = 0x63C0
  static let tagTrackUID: UInt32 = 0x63C5
  static let tagEditionUID: UInt32 = 0x63C9
  static let tagChapterUID: UInt32 = 0x63C4
  static let tagAttachmentUID: UInt32 = 0x63C6
  static let simpleTag: UInt32 = 0x67C8
  static let tagName: UInt32 = 0x45A3
  static let tagString: UInt32 = 0x4487

  static let attachments: UInt32 = 0x1941_A469

  /// Children of a Segment, by which a Cluster of unknown size ends.
  static func isTopLevel(_ id: UInt32) -> Bool {
    switch id {
    case cluster, cues, tags, chapters, tracks, info, seekHead, attachments: true
    default: false
    }
  }
}
