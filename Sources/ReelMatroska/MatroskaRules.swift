// The rules a Matroska file can break. RFC 8794 (EBML), RFC 9559 (Matroska).

public import ReelCore

extension Rule {
  public static let ebmlHeader = Rule(
    "matroska.ebml-header", "an input must begin with an EBML header", clause: "RFC 8794 §8.1")
  public static let ebmlDocType = Rule(
    "matroska.doctype", "the document type must be matroska or webm, of a version that is read",
    clause: "RFC 9559 §4, RFC 8794 §11.2")
  public static let ebmlElement = Rule(
    "matroska.element", "an element's identifier and size must be well formed and fit its parent",
    clause: "RFC 8794 §4, §5, §6")
  public static let ebmlValue = Rule(
    "matroska.value", "an element's value must have a length that its type allows",
    clause: "RFC 8794 §7")
  public static let ebmlNesting = Rule(
    "matroska.nesting", "elements must not be nested deeper than Limits.maximumNesting")
  public static let ebmlElements = Rule(
    "matroska.elements", "elements of metadata must be at most Limits.maximumBoxes")
  public static let matroskaMetadata = Rule(
    "matroska.metadata", "an element of metadata must fit Limits.maximumMetadataBytes")
  public static let matroskaSegment = Rule(
    "matroska.segment", "a Segment must follow the EBML header", clause: "RFC 9559 §5.1")
  public static let matroskaTracks = Rule(
    "matroska.tracks", "a Segment must tell its tracks before its clusters or by its SeekHead",
    clause: "RFC 9559 §5.1.4")
  public static let matroskaTrackCount = Rule(
    "matroska.track-count", "tracks must be at most Limits.maximumTracks")
  public static let matroskaBlock = Rule(
    "matroska.block", "a block's header and laces must fit the block", clause: "RFC 9559 §10")
  public static let matroskaBlockSize = Rule(
    "matroska.block-size", "a block must fit Limits.maximumPacketBytes")
  public static let matroskaEncoding = Rule(
    "matroska.encoding", "compression of a track's frames by zlib, bzlib or lzo",
    clause: "RFC 9559 §5.1.4.1.31")
  public static let matroskaTrackIndex = Rule(
    "matroska.track-index", "a track index must be one of the demuxer's tracks")
}
