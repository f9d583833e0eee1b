// Names and types of elements. RFC 8794 §11; RFC 9559 §5, Appendix A.

/// What is known of an element by its identifier.
struct ElementSchema {
  /// How the content of an element is written. RFC 8794 §7.
  enum Kind {
    case master, unsigned, signed, float, text, date, binary
    /// A Block or SimpleBlock, which begins with a header of its own. RFC 9559 §10.
    case block
    /// The identifier of another element.
    case identifier
  }

  let name: String
  let kind: Kind

  private init(_ name: String, _ kind: Kind) { (self.name, self.kind) = (name, kind) }

  /// The element of an identifier; one that no standard knows has its number for a name.
  static func element(_ id: UInt32) -> ElementSchema {
    table[id] ?? ElementSchema("0x" + String(id, radix: 16, uppercase: true), .binary)
  }

  private static let table: [UInt32: ElementSchema] = {
    var table: [UInt32: ElementSchema] = [:]
    for (kind, list) in lists {
      for (id, name) in list { table[id] = ElementSchema(name, kind) }
    }
    return table
  }()

  private static let lists: [(Kind, [(UInt32, String)])] = [
    (.master, masters + [(0x4281, "DocTypeExtension")]), (.unsigned, unsigneds + trackUnsigneds),
    (.float, floats), (.text, texts),
    (.binary, binaries), (.signed, [(0xFB, "ReferenceBlock"), (0x75A2, "DiscardPadding")]),
    (.date, [(0x4461, "DateUTC")]), (.block, [(0xA3, "SimpleBlock"), (0xA1, "Block")]),
    (.identifier, [(0x53AB, "SeekID")]),
  ]

  private static let masters: [(UInt32, String)] = [
    (0x1A45_DFA3, "EBML"), (0x1853_8067, "Segment"), (0x114D_9B74, "SeekHead"), (0x4DBB, "Seek"),
    (0x1549_A966, "Info"), (0x6924, "ChapterTranslate"), (0x1F43_B675, "Cluster"),
    (0xA0, "BlockGroup"), (0x75A1, "BlockAdditions"), (0xA6, "BlockMore"),
    (0x1654_AE6B, "Tracks"), (0xAE, "TrackEntry"), (0x41E4, "BlockAdditionMapping"),
    (0x6624, "TrackTranslate"), (0xE0, "Video"), (0x55B0, "Colour"), (0x55D0, "MasteringMetadata"),
    (0x7670, "Projection"), (0xE1, "Audio"), (0xE2, "TrackOperation"),
    (0xE3, "TrackCombinePlanes"), (0xE4, "TrackPlane"), (0xE9, "TrackJoinBlocks"),
    (0x6D80, "ContentEncodings"), (0x6240, "ContentEncoding"), (0x5034, "ContentCompression"),
    (0x5035, "ContentEncryption"), (0x47E7, "ContentEncAESSettings"), (0x1C53_BB6B, "Cues"),
    (0xBB, "CuePoint"), (0xB7, "CueTrackPositions"), (0xDB, "CueReference"),
    (0x1941_A469, "Attachments"), (0x61A7, "AttachedFile"), (0x1043_A770, "Chapters"),
    (0x45B9, "EditionEntry"), (0x4520, "EditionDisplay"), (0xB6, "ChapterAtom"),
    (0x8F, "ChapterTrack"), (0x80, "ChapterDisplay"), (0x6944, "ChapProcess"),
    (0x6911, "ChapProcessCommand"), (0x1254_C367, "Tags"), (0x7373, "Tag"), (0x63C0, "Targets"),
    (0x67C8, "SimpleTag"),
  ]

  private static let unsigneds: [(UInt32, String)] = [
    (0x4286, "EBMLVersion"), (0x42F7, "EBMLReadVersion"), (0x42F2, "EBMLMaxIDLength"),
    (0x42F3, "EBMLMaxSizeLength"), (0x4287, "DocTypeVersion"), (0x4285, "DocTypeReadVersion"),
    (0x4284, "DocTypeExtensionVersion"), (0x53AC, "SeekPosition"), (0x2A_D7B1, "TimestampScale"),
    (0x69FC, "ChapterTranslateEditionUID"), (0x69BF, "ChapterTranslateCodec"),
    (0xE7, "Timestamp"), (0xA7, "Position"), (0xAB, "PrevSize"), (0x9B, "BlockDuration"),
    (0xFA, "ReferencePriority"), (0xEE, "BlockAddID"), (0xB3, "CueTime"), (0xF7, "CueTrack"),
    (0xF1, "CueClusterPosition"), (0xF0, "CueRelativePosition"), (0xB2, "CueDuration"),
    (0x5378, "CueBlockNumber"), (0xEA, "CueCodecState"), (0x96, "CueRefTime"),
    (0x46AE, "FileUID"), (0x45BC, "EditionUID"), (0x45BD, "EditionFlagHidden"),
    (0x45DB, "EditionFlagDefault"), (0x45DD, "EditionFlagOrdered"), (0x73C4, "ChapterUID"),
    (0x91, "ChapterTimeStart"), (0x92, "ChapterTimeEnd"), (0x98, "ChapterFlagHidden"),
    (0x4598, "ChapterFlagEnabled"), (0x6EBC, "ChapterSegmentEditionUID"),
    (0x4588, "ChapterSkipType"), (0x63C3, "ChapterPhysicalEquiv"), (0x89, "ChapterTrackUID"),
    (0x6955, "ChapProcessCodecID"), (0x6922, "ChapProcessTime"), (0x68CA, "TargetTypeValue"),
    (0x63C5, "TagTrackUID"), (0x63C9, "TagEditionUID"), (0x63C4, "TagChapterUID"),
    (0x63C6, "TagAttachmentUID"), (0x4484, "TagDefault"),
  ]

  private static let trackUnsigneds: [(UInt32, String)] = [
    (0xD7, "TrackNumber"), (0x73C5, "TrackUID"), (0x83, "TrackType"), (0xB9, "FlagEnabled"),
    (0x88, "FlagDefault"), (0x55AA, "FlagForced"), (0x55AB, "FlagHearingImpaired"),
    (0x55AC, "FlagVisualImpaired"), (0x55AD, "FlagTextDescriptions"), (0x55AE, "FlagOriginal"),
    (0x55AF, "FlagCommentary"), (0x9C, "FlagLacing"), (0x6DE7, "MinCache"), (0x6DF8, "MaxCache"),
    (0x23_E383, "DefaultDuration"), (0x23_4E7A, "DefaultDecodedFieldDuration"),
    (0x55EE, "MaxBlockAdditionID"), (0x41F0, "BlockAddIDValue"), (0x41E7, "BlockAddIDType"),
    (0x7446, "AttachmentLink"), (0x6FAB, "TrackOverlay"), (0x56AA, "CodecDelay"),
    (0x56BB, "SeekPreRoll"), (0x66FC, "TrackTranslateEditionUID"), (0x66BF, "TrackTranslateCodec"),
    (0x9A, "FlagInterlaced"), (0x9D, "FieldOrder"), (0x53B8, "StereoMode"), (0x53C0, "AlphaMode"),
    (0xB0, "PixelWidth"), (0xBA, "PixelHeight"), (0x54AA, "PixelCropBottom"),
    (0x54BB, "PixelCropTop"), (0x54CC, "PixelCropLeft"), (0x54DD, "PixelCropRight"),
    (0x54B0, "DisplayWidth"), (0x54BA, "DisplayHeight"), (0x54B2, "DisplayUnit"),
    (0x54B3, "AspectRatioType"), (0x55B1, "MatrixCoefficients"), (0x55B2, "BitsPerChannel"),
    (0x55B3, "ChromaSubsamplingHorz"), (0x55B4, "ChromaSubsamplingVert"),
    (0x55B5, "CbSubsamplingHorz"), (0x55B6, "CbSubsamplingVert"), (0x55B7, "ChromaSitingHorz"),
    (0x55B8, "ChromaSitingVert"), (0x55B9, "Range"), (0x55BA, "TransferCharacteristics"),
    (0x55BB, "Primaries"), (0x55BC, "MaxCLL"), (0x55BD, "MaxFALL"), (0x7671, "ProjectionType"),
    (0x9F, "Channels"), (0x6264, "BitDepth"), (0x52F1, "Emphasis"), (0xE5, "TrackPlaneUID"),
    (0xE6, "TrackPlaneType"), (0xED, "TrackJoinUID"), (0x5031, "ContentEncodingOrder"),
    (0x5032, "ContentEncodingScope"), (0x5033, "ContentEncodingType"), (0x4254, "ContentCompAlgo"),
    (0x47E1, "ContentEncAlgo"), (0x47E8, "AESSettingsCipherMode"),
  ]

  private static let floats: [(UInt32, String)] = [
    (0x4489, "Duration"), (0x23_314F, "TrackTimestampScale"), (0x2F_B523, "GammaValue"),
    (0x23_83E3, "FrameRate"), (0x55D1, "PrimaryRChromaticityX"), (0x55D2, "PrimaryRChromaticityY"),
    (0x55D3, "PrimaryGChromaticityX"), (0x55D4, "PrimaryGChromaticityY"),
    (0x55D5, "PrimaryBChromaticityX"), (0x55D6, "PrimaryBChromaticityY"),
    (0x55D7, "WhitePointChromaticityX"), (0x55D8, "WhitePointChromaticityY"),
    (0x55D9, "LuminanceMax"), (0x55DA, "LuminanceMin"), (0x7673, "ProjectionPoseYaw"),
    (0x7674, "ProjectionPosePitch"), (0x7675, "ProjectionPoseRoll"), (0xB5, "SamplingFrequency"),
    (0x78B5, "OutputSamplingFrequency"),
  ]

  private static let texts: [(UInt32, String)] = [
    (0x4282, "DocType"), (0x4283, "DocTypeExtensionName"), (0x7384, "SegmentFilename"),
    (0x3C_83AB, "PrevFilename"),
    (0x3E_83BB, "NextFilename"), (0x7BA9, "Title"), (0x4D80, "MuxingApp"), (0x5741, "WritingApp"),
    (0x41A4, "BlockAddIDName"), (0x536E, "Name"), (0x22_B59C, "Language"),
    (0x22_B59D, "LanguageBCP47"), (0x86, "CodecID"), (0x25_8688, "CodecName"),
    (0x467E, "FileDescription"), (0x466E, "FileName"), (0x4660, "FileMediaType"),
    (0x4521, "EditionString"), (0x45E4, "EditionLanguageIETF"), (0x5654, "ChapterStringUID"),
    (0x85, "ChapString"), (0x437C, "ChapLanguage"), (0x437D, "ChapLanguageBCP47"),
    (0x437E, "ChapCountry"), (0x63CA, "TargetType"), (0x45A3, "TagName"), (0x447A, "TagLanguage"),
    (0x447B, "TagLanguageBCP47"), (0x4487, "TagString"),
  ]

  private static let binaries: [(UInt32, String)] = [
    (0xEC, "Void"), (0xBF, "CRC-32"), (0x73A4, "SegmentUUID"), (0x3C_B923, "PrevUUID"),
    (0x3E_B923, "NextUUID"), (0x4444, "SegmentFamily"), (0x69A5, "ChapterTranslateID"),
    (0xA5, "BlockAdditional"), (0xA4, "CodecState"), (0xAF, "EncryptedBlock"),
    (0x63A2, "CodecPrivate"), (0x41ED, "BlockAddIDExtraData"), (0x66A5, "TrackTranslateTrackID"),
    (0x2E_B524, "UncompressedFourCC"), (0x7672, "ProjectionPrivate"),
    (0x4255, "ContentCompSettings"), (0x47E2, "ContentEncKeyID"), (0x465C, "FileData"),
    (0x6E67, "ChapterSegmentUUID"), (0x450D, "ChapProcessPrivate"), (0x6933, "ChapProcessData"),
    (0x4485, "TagBinary"),
  ]
}
