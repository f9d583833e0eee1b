// Writing master playlists. RFC 8216 §4.3.4.

import ReelCore

extension PlaylistWriter {
  mutating func write(_ master: MasterPlaylist) throws(MediaError) {
    try header(master.header)
    if let steering = master.contentSteering {
      var list = AttributeWriter()
      try list.quoted("SERVER-URI", steering.serverURI)
      try list.quoted("PATHWAY-ID", steering.pathwayID)
      try list.unknown(steering.unknownAttributes)
      tag(.contentSteering, list)
    }
    for data in master.sessionData { try write(data) }
    for key in master.sessionKeys { try self.key(key, as: .sessionKey) }
    for rendition in master.renditions { try write(rendition) }
    for variant in master.variants {
      try write(variant)
      try unknown(variant.unknownTags)
      try address(variant.uri)
    }
    for variant in master.iFrameVariants {
      var list = try attributes(variant.stream)
      try list.quoted("URI", variant.uri)
      try list.unknown(variant.stream.unknownAttributes)
      tag(.iFrameStreamInformation, list)
    }
  }

  private mutating func write(_ data: SessionData) throws(MediaError) {
    var list = AttributeWriter()
    try list.quoted("DATA-ID", data.dataID)
    try list.quoted("VALUE", data.value)
    try list.quoted("URI", data.uri)
    try list.word("FORMAT", data.format)
    try list.quoted("LANGUAGE", data.language)
    try list.unknown(data.unknownAttributes)
    tag(.sessionData, list)
  }

  private mutating func write(_ rendition: Rendition) throws(MediaError) {
    var list = AttributeWriter()
    try list.word("TYPE", rendition.type.rawValue)
    try list.quoted("URI", rendition.uri)
    try list.quoted("GROUP-ID", rendition.groupID)
    try list.quoted("LANGUAGE", rendition.language)
    try list.quoted("ASSOC-LANGUAGE", rendition.associatedLanguage)
    try list.quoted("NAME", rendition.name)
    try list.quoted("STABLE-RENDITION-ID", rendition.stableRenditionID)
    list.flag("DEFAULT", rendition.isDefault)
    list.flag("AUTOSELECT", rendition.isAutoselect)
    list.flag("FORCED", rendition.isForced)
    try list.quoted("INSTREAM-ID", rendition.instreamID)
    list.plain("BIT-DEPTH", rendition.bitDepth)
    list.plain("SAMPLE-RATE", rendition.sampleRate)
    try list.quoted("CHARACTERISTICS", rendition.characteristics)
    try list.quoted("CHANNELS", rendition.channels)
    try list.unknown(rendition.unknownAttributes)
    tag(.media, list)
  }

  private mutating func write(_ variant: Variant) throws(MediaError) {
    var list = try attributes(variant.stream)
    list.plain("FRAME-RATE", variant.frameRate)
    try list.quoted("AUDIO", variant.audio)
    try list.quoted("SUBTITLES", variant.subtitles)
    switch variant.closedCaptions {
    case nil: break
    case .some(.none): list.plain("CLOSED-CAPTIONS", "NONE")
    case .some(.group(let group)): try list.quoted("CLOSED-CAPTIONS", group)
    }
    try list.quoted("NAME", variant.name)
    try list.unknown(variant.stream.unknownAttributes)
    tag(.streamInformation, list)
  }

  private func attributes(_ stream: StreamDescription) throws(MediaError) -> AttributeWriter {
    var list = AttributeWriter()
    if stream.bandwidth != 0 { list.plain("BANDWIDTH", stream.bandwidth) }
    list.plain("AVERAGE-BANDWIDTH", stream.averageBandwidth)
    list.plain("SCORE", stream.score)
    try list.quoted("CODECS", joined(stream.codecs))
    try list.quoted("SUPPLEMENTAL-CODECS", joined(stream.supplementalCodecs))
    list.plain("RESOLUTION", stream.resolution)
    try list.word("HDCP-LEVEL", stream.hdcpLevel)
    try list.quoted("ALLOWED-CPC", stream.allowedCPC)
    try list.word("VIDEO-RANGE", stream.videoRange)
    try list.quoted("REQ-VIDEO-LAYOUT", stream.requiredVideoLayout)
    try list.quoted("STABLE-VARIANT-ID", stream.stableVariantID)
    try list.quoted("VIDEO", stream.video)
    try list.quoted("PATHWAY-ID", stream.pathwayID)
    list.plain("PROGRAM-ID", stream.programID)
    return list
  }

  private func joined(_ codecs: [String]) -> String? {
    codecs.isEmpty ? nil : codecs.joined(separator: ",")
  }
}
