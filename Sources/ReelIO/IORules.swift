// What can go wrong between Reel and the system.

public import ReelCore

extension Rule {
  public static let fileOpen = Rule("io.open", "the file cannot be opened")
  public static let fileRead = Rule("io.read", "the file cannot be read")
  public static let fileIsFolder = Rule("io.folder", "the path names a folder")
  public static let fileShrank = Rule("io.shrank", "the file became shorter while it was read")
  public static let streamLength = Rule(
    "io.stream-length", "an input that is no file is no longer than the limit")
}
