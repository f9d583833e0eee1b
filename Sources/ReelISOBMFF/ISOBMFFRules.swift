// The rules of ISO base media files that this target checks, each with its clause.

public import ReelCore

extension Rule {
  fileprivate static let base = "ISO/IEC 14496-12:2020"

  public static let boxSize = Rule(
    "isobmff.box-size", "a box holds at least its own header and lies inside its parent",
    clause: "\(base) §4.2")
  public static let boxSizeZero = Rule(
    "isobmff.box-size-zero", "only the last box of a file may have size 0", clause: "\(base) §4.2")
  public static let boxNesting = Rule(
    "isobmff.box-nesting", "boxes are nested no deeper than the limit")
  public static let boxCount = Rule(
    "isobmff.box-count", "a file has no more boxes than the limit")
  public static let boxTrailingBytes = Rule(
    "isobmff.box-trailing-bytes", "a box ends with its last field or last child",
    clause: "\(base) §4.2")
  public static let boxVersion = Rule(
    "isobmff.box-version", "a box has a version that its clause defines", clause: "\(base) §4.2")
  public static let boxDuplicate = Rule(
    "isobmff.box-duplicate", "a box that may stand once stands once", clause: "\(base) §6.2.3")
  public static let boxMissing = Rule(
    "isobmff.box-missing", "a mandatory box is there", clause: "\(base) §6.2.3")
  public static let boxTruncated = Rule(
    "isobmff.box-truncated", "the file goes on to the end of its last box", clause: "\(base) §4.2")
  public static let metadataBytes = Rule(
    "isobmff.metadata-bytes", "metadata boxes are no longer than the limit")
  public static let movieMissing = Rule(
    "isobmff.movie-missing", "a movie has a moov box", clause: "\(base) §8.2.1")
  public static let trackCount = Rule(
    "isobmff.track-count", "a movie has no more tracks than the limit")
  public static let trackIDZero = Rule(
    "isobmff.track-id", "track_ID is unique and not 0", clause: "\(base) §8.3.2.3")
  public static let timescaleZero = Rule(
    "isobmff.timescale", "a timescale is between 1 and 2,147,483,647", clause: "\(base) §8.4.2.3")
  public static let handlerNameNotTerminated = Rule(
    "isobmff.handler-name", "the handler's name ends with a null byte", clause: "\(base) §8.4.3.3")
  public static let tableLength = Rule(
    "isobmff.table-length", "a table holds as many entries as it states", clause: "\(base) §8.6.1")
  public static let sampleCountLimit = Rule(
    "isobmff.sample-count", "a track has no more samples than the limit")
  public static let sampleCountsDiffer = Rule(
    "isobmff.sample-counts-differ", "the tables of a track tell of the same number of samples",
    clause: "\(base) §8.6.1.2")
  public static let sampleDelta = Rule(
    "isobmff.sample-delta", "a sample's delta is no negative number", clause: "\(base) §8.6.1.2.3")
  public static let chunkNumber = Rule(
    "isobmff.chunk-number", "first_chunk begins with 1 and grows from entry to entry",
    clause: "\(base) §8.7.4.3")
  public static let sampleSizeField = Rule(
    "isobmff.sample-size-field", "field_size is 4, 8 or 16", clause: "\(base) §8.7.3.3.2")
  public static let syncSampleNumber = Rule(
    "isobmff.sync-sample", "sync sample numbers grow and lie inside the track",
    clause: "\(base) §8.6.2.3")
  public static let sampleDescriptionIndex = Rule(
    "isobmff.sample-description-index", "sample_description_index names an entry of stsd",
    clause: "\(base) §8.7.4.3")
  public static let externalData = Rule(
    "isobmff.external-data", "media data in other files", clause: "\(base) §8.7.2")
  public static let samplePosition = Rule(
    "isobmff.sample-position", "a sample lies inside the file", clause: "\(base) §8.7.5")
  public static let packetBytes = Rule(
    "isobmff.packet-bytes", "a sample is no longer than the limit")
  public static let editRate = Rule(
    "isobmff.edit-rate", "media_rate is 0 or 1", clause: "\(base) §8.6.6.3")
  public static let lengthSize = Rule(
    "isobmff.length-size", "lengthSizeMinusOne is 0, 1 or 3",
    clause: "ISO/IEC 14496-15:2019 §5.3.3.1.2")
  public static let fragmentTime = Rule(
    "isobmff.fragment-time", "a fragment's decoding time is below 2⁶⁰ ticks",
    clause: "\(base) §8.8.12.3")
  public static let fragmentTrack = Rule(
    "isobmff.fragment-track", "a track fragment belongs to a track of the movie",
    clause: "\(base) §8.8.7.1")
  public static let sampleCountOfBytes = Rule(
    "isobmff.sample-count-of-bytes", "a track has no more samples than its file has bytes")
  public static let editCount = Rule(
    "isobmff.edit-count", "an edit list has no more entries than the limit")
  public static let compressedMovie = Rule(
    "isobmff.compressed-movie", "a compressed movie box (cmov)",
    clause: "QuickTime File Format, Compressed Movie Resources")
  public static let noSuchTrack = Rule(
    "isobmff.no-such-track", "a track index lies inside the demuxer's tracks")
}
