// Handler reference. ISO/IEC 14496-12:2020 §8.4.3 (hdlr).

import ReelCore

/// HandlerBox (`hdlr`): what kind of media a track holds.
struct HandlerBox {
  /// `mhlr` or `dhlr` in QuickTime files, 0 elsewhere.
  let componentType: FourCC
  let handlerType: FourCC
  let name: String

  init(parsing reader: inout ByteReader, _ context: inout BoxContext) throws(MediaError) {
    _ = try reader.readVersion(upTo: 0, &context)
    componentType = FourCC(rawValue: try reader.read())
    handlerType = FourCC(rawValue: try reader.read())
    let isQuickTime = componentType == "mhlr" || componentType == "dhlr"
    // QuickTime tells the maker here, ISO files have zeros; some writers end the box before it.
    try reader.skip(min(12, reader.remaining))
    let start = reader.offset
    var bytes = try reader.readBytes(reader.remaining)
    if let length = bytes.first, isQuickTime || Int(length) == bytes.count - 1,
      Int(length) < bytes.count
    {
      bytes = [UInt8](bytes[1..<1 + Int(length)])  // a Pascal string
    } else if !bytes.contains(0) {
      let error = MediaError(.damaged, .handlerNameNotTerminated, at: .offset(start))
      try context.note(error, from: .strict)
    }
    name = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// The kind of a track with this handler.
  var kind: MediaKind {
    switch handlerType {
    case "vide", "pict", "auxv": .video
    case "soun": .audio
    case "text", "sbtl", "subt", "subp", "clcp": .subtitle
    case "meta", "mp4s": .metadata
    default: .data
    }
  }
}
