// What can go wrong between Reel and a server, and what it refuses to do.

public import ReelCore

extension Rule {
  // Addresses and policy.
  public static let webAddress = Rule(
    "net.address", "an address is an absolute http or https URL without user name",
    clause: "RFC 3986 §3")
  public static let webScheme = Rule("net.scheme", "addresses of the network are http or https")
  public static let localFile = Rule("net.local-file", "a remote list may not name local files")
  public static let privateAddress = Rule(
    "net.private-address", "addresses of this machine and of private networks are not asked")
  public static let offline = Rule("net.offline", "nothing is asked of the network")
  public static let redirectCount = Rule("net.redirects", "redirects end", clause: "RFC 9110 §15.4")
  public static let redirectTarget = Rule(
    "net.redirect-target", "a redirect says where to", clause: "RFC 9110 §10.2.2")
  public static let networkUnavailable = Rule(
    "net.unavailable", "HTTP needs libcurl on this machine")

  // The way to the server.
  public static let hostUnknown = Rule("net.resolve", "the name of the server has an address")
  public static let connectionFailed = Rule("net.connect", "the server accepts the connection")
  public static let secureConnection = Rule(
    "net.tls", "the server proves who it is, over an encrypted connection")
  public static let timeout = Rule("net.timeout", "the server answers in time")
  public static let connectionLost = Rule(
    "net.lost", "the connection lasts until the answer is complete")
  public static let networkCancelled = Rule("net.cancelled", "the transfer was not cancelled")

  // The answer.
  public static let httpStatus = Rule(
    "http.status", "the server has what was asked for", clause: "RFC 9110 §15")
  public static let httpBusy = Rule(
    "http.busy", "the server can answer now", clause: "RFC 9110 §15.6")
  public static let httpMessage = Rule(
    "http.message", "the answer is a message of HTTP", clause: "RFC 9112 §2.1")
  public static let httpHeadSize = Rule(
    "http.head-size", "header fields are no longer than the limit")
  public static let httpBodySize = Rule("http.body-size", "the answer is no longer than the limit")
  public static let httpRange = Rule(
    "http.range", "the server sends the range that was asked for", clause: "RFC 9110 §14.4")
  public static let httpChanged = Rule(
    "http.changed", "the content stays the same while it is read", clause: "RFC 9110 §8.8.3")
  public static let httpCoding = Rule(
    "http.coding", "content comes in a coding that was asked for", clause: "RFC 9110 §8.4")
  public static let resourceSize = Rule(
    "io.resource-size", "a playlist, a segment or a key is no longer than the limit")
}
