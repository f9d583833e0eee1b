// What can stop a download, and what makes a stored one unusable.

public import ReelCore

extension Rule {
  public static let downloadStore = Rule(
    "download.store", "the store is a folder that can be written")
  public static let downloadSpace = Rule("download.space", "there is space for the download")
  public static let downloadUnknown = Rule("download.unknown", "the store has this download")
  public static let downloadBusy = Rule(
    "download.busy", "one process at a time works on a download")
  public static let downloadStopped = Rule(
    "download.stopped", "the download was not paused or cancelled")
  public static let downloadPlan = Rule(
    "download.plan", "the plan and the journal of a download are those that Reel wrote")
  public static let downloadIncomplete = Rule(
    "download.incomplete", "every file of a download is there, as long and with the hash it had")
  public static let downloadPiece = Rule(
    "download.piece",
    "a segment is whole: packets of 188 bytes, whole boxes, or whole cipher blocks")
  public static let downloadLength = Rule(
    "download.length", "the server tells how long the content is, so that a cut can be told")
  public static let downloadNesting = Rule(
    "download.nesting", "a variant is a media playlist", clause: "RFC 8216 §4.3.4.2")
  public static let downloadChoice = Rule(
    "download.choice", "the list has the variant and the languages that were asked for")
  public static let downloadEmpty = Rule("download.empty", "a playlist to download has segments")
  public static let downloadLive = Rule(
    "download.live", "a live stream is recorded for a time that is told")
  public static let downloadLost = Rule(
    "download.lost", "segments of a live stream are fetched before the list drops them",
    clause: "RFC 8216 §6.2.2")
  public static let downloadStale = Rule(
    "download.stale", "a live list goes on or ends", clause: "RFC 8216 §6.2.1")
  public static let downloadProtected = Rule(
    "download.protected",
    "segments in the clear or with an AES-128 key of their own are downloaded",
    clause: "RFC 8216 §4.3.2.4")
  public static let downloadKeys = Rule(
    "download.keys", "keys are stored only when the options allow it")
}
