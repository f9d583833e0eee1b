// Tags of master playlists. RFC 8216 §4.3.4.

import ReelCore

extension PlaylistReader {
  mutating func readMasterTag(_ tag: PlaylistTag, _ value: Range<Int>) throws(MediaError) {
    if pendingVariant != nil, tag != .streamInformation {
      try complain(.playlistVariantAddress, "a tag before the address")
    }
    switch tag {
    case .streamInformation: try readVariant(value)
    case .iFrameStreamInformation: try readIFrameVariant(value)
    case .media: try readRendition(value)
    case .sessionData: try readSessionData(value)
    case .sessionKey:
      guard master.sessionKeys.count < limits.maximumOtherTags else {
        throw tooMuch("more than \(limits.maximumOtherTags) session keys")
      }
      guard let key = try key(value) else {
        return try complain(.playlistKey, "EXT-X-SESSION-KEY with METHOD=NONE")
      }
      master.sessionKeys.append(key)
    case .contentSteering:
      var list = try attributes(value)
      var steering = ContentSteering(serverURI: try requiredString("SERVER-URI", &list))
      steering.pathwayID = try string("PATHWAY-ID", &list)
      steering.unknownAttributes = list.unknown(in: text)
      master.contentSteering = steering
    default: break
    }
  }

  /// The current line is the address of a variant.
  mutating func endVariant() throws(MediaError) {
    guard var variant = pendingVariant else {
      throw error(.playlistVariantAddress, "no EXT-X-STREAM-INF before this address")
    }
    variant.uri = try address().string
    variant.unknownTags = looseTags
    looseTags = []
    variant.line = SourceLine(lineNumber)
    master.variants.append(variant)
    pendingVariant = nil
  }

  private mutating func readVariant(_ value: Range<Int>) throws(MediaError) {
    if pendingVariant != nil {
      throw error(.playlistVariantAddress, "a second EXT-X-STREAM-INF before the address")
    }
    guard master.variants.count < limits.maximumVariants else {
      throw tooMuch("more than \(limits.maximumVariants) variants")
    }
    var list = try attributes(value)
    var variant = Variant(uri: "", stream: try stream(&list))
    variant.frameRate = try decimal("FRAME-RATE", &list)
    variant.audio = try string("AUDIO", &list)
    variant.subtitles = try string("SUBTITLES", &list)
    if let entry = list.take("CLOSED-CAPTIONS", in: text) {
      let isNone = !entry.isQuoted && text[entry.value].elementsEqual("NONE".utf8)
      variant.closedCaptions =
        isNone ? ClosedCaptions.none : .group(try string(entry, "CLOSED-CAPTIONS"))
    }
    variant.name = try string("NAME", &list)
    variant.stream.unknownAttributes = list.unknown(in: text)
    pendingVariant = variant
  }

  private typealias ClosedCaptions = Variant.ClosedCaptions

  private mutating func readIFrameVariant(_ value: Range<Int>) throws(MediaError) {
    guard master.iFrameVariants.count < limits.maximumVariants else {
      throw tooMuch("more than \(limits.maximumVariants) I-frame variants")
    }
    var list = try attributes(value)
    let uri = try requiredString("URI", &list)
    var variant = IFrameVariant(uri: uri, stream: try stream(&list))
    variant.stream.unknownAttributes = list.unknown(in: text)
    variant.line = SourceLine(lineNumber)
    master.iFrameVariants.append(variant)
  }

  private mutating func stream(
    _ list: inout AttributeList
  ) throws(MediaError) -> StreamDescription {
    var stream = StreamDescription()
    if let bandwidth = try integer("BANDWIDTH", &list) {
      stream.bandwidth = bandwidth
    } else {
      try complain(.playlistMissingAttribute, "BANDWIDTH is missing")
    }
    stream.averageBandwidth = try integer("AVERAGE-BANDWIDTH", &list)
    stream.score = try decimal("SCORE", &list)
    stream.codecs = try commaList("CODECS", &list)
    stream.supplementalCodecs = try commaList("SUPPLEMENTAL-CODECS", &list)
    stream.resolution = try resolution(&list)
    stream.hdcpLevel = try word("HDCP-LEVEL", &list)
    stream.allowedCPC = try string("ALLOWED-CPC", &list)
    stream.videoRange = try word("VIDEO-RANGE", &list)
    stream.requiredVideoLayout = try string("REQ-VIDEO-LAYOUT", &list)
    stream.stableVariantID = try string("STABLE-VARIANT-ID", &list)
    stream.video = try string("VIDEO", &list)
    stream.pathwayID = try string("PATHWAY-ID", &list)
    stream.programID = try integer("PROGRAM-ID", &list)
    return stream
  }

  private mutating func commaList(
    _ name: StaticString, _ list: inout AttributeList
  ) throws(MediaError) -> [String] {
    let words = try string(name, &list) ?? ""
    return words.split(separator: ",").map {
      String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }.filter { !$0.isEmpty }
  }

  private mutating func resolution(
    _ list: inout AttributeList
  ) throws(MediaError) -> Resolution? {
    guard let entry = list.take("RESOLUTION", in: text) else { return nil }
    let cross = text[entry.value].firstIndex { $0 == 120 || $0 == 88 } ?? entry.value.upperBound
    let right = min(cross + 1, entry.value.upperBound)..<entry.value.upperBound
    guard let width = Self.integer(text[entry.value.lowerBound..<cross]),
      let height = Self.integer(text[right]), width < 1 << 31, height < 1 << 31
    else {
      try complain(
        .playlistAttributeValue, "RESOLUTION is no WIDTHxHEIGHT", at: entry.value.lowerBound)
      return nil
    }
    return Resolution(width: Int(width), height: Int(height))
  }

  private mutating func readRendition(_ value: Range<Int>) throws(MediaError) {
    guard master.renditions.count < limits.maximumRenditions else {
      throw tooMuch("more than \(limits.maximumRenditions) renditions")
    }
    var list = try attributes(value)
    guard let word = try word("TYPE", &list) else {
      throw error(.playlistMissingAttribute, "TYPE is missing")
    }
    guard let type = Rendition.Kind(rawValue: word) else {
      // A tag with an enumerated string that is not known is ignored. RFC 8216 §6.3.1.
      return try complain(.playlistAttributeValue, "a TYPE that is not known")
    }
    let group = try requiredString("GROUP-ID", &list)
    var rendition = Rendition(type: type, groupID: group, name: try requiredString("NAME", &list))
    rendition.uri = try string("URI", &list)
    rendition.language = try string("LANGUAGE", &list)
    rendition.associatedLanguage = try string("ASSOC-LANGUAGE", &list)
    rendition.stableRenditionID = try string("STABLE-RENDITION-ID", &list)
    rendition.isDefault = try flag("DEFAULT", &list)
    rendition.isAutoselect = try flag("AUTOSELECT", &list)
    rendition.isForced = try flag("FORCED", &list)
    rendition.instreamID = try string("INSTREAM-ID", &list)
    rendition.bitDepth = try integer("BIT-DEPTH", &list)
    rendition.sampleRate = try integer("SAMPLE-RATE", &list)
    rendition.characteristics = try string("CHARACTERISTICS", &list)
    rendition.channels = try string("CHANNELS", &list)
    rendition.unknownAttributes = list.unknown(in: text)
    rendition.line = SourceLine(lineNumber)
    master.renditions.append(rendition)
  }

  private mutating func readSessionData(_ value: Range<Int>) throws(MediaError) {
    guard master.sessionData.count < limits.maximumOtherTags else {
      throw tooMuch("more than \(limits.maximumOtherTags) entries of session data")
    }
    var list = try attributes(value)
    var data = SessionData(dataID: try requiredString("DATA-ID", &list))
    data.value = try string("VALUE", &list)
    data.uri = try string("URI", &list)
    data.format = try word("FORMAT", &list)
    data.language = try string("LANGUAGE", &list)
    data.unknownAttributes = list.unknown(in: text)
    data.line = SourceLine(lineNumber)
    master.sessionData.append(data)
  }
}
