import ReelCore
import Testing

@testable import ReelStreaming

@Suite("Where the references of a list may lead")
struct PlaylistAddressTests {
  @Test(
    "a list in a file names files beneath its folder and addresses of the web",
    arguments: [
      ("seg.ts", "clips/seg.ts"), ("a/b%20c.ts", "clips/a/b c.ts"), ("./x/../y.ts", "clips/y.ts"),
      ("https://host/a.ts", "https://host/a.ts"), ("seg.ts?token=1#x", "clips/seg.ts"),
    ])
  func allowed(reference: String, target: String) throws {
    let resolved = try PlaylistAddress("clips/list.m3u8").resolve(reference)
    #expect(resolved.address == target)
  }

  @Test(
    "anything else is refused",
    arguments: [
      "../secret.ts", "/etc/passwd", "file:///etc/passwd", "a/../../x", "%2e%2e/x", "//host/x",
      "concat:a|b", "ftp://host/x", "..%2fx", "data:,x", "%00", "",
      // A slash and a combining mark are one character of text, and two of a path.
      "../%CC%81x", "..%2f%CC%81x", "../\u{301}x", "a/../../\u{301}/x",
    ])
  func refused(reference: String) {
    do {
      let resolved = try PlaylistAddress("clips/list.m3u8").resolve(reference)
      Issue.record("\(reference) leads to \(resolved.address)")
    } catch {
      #expect(error.family == .limitExceeded && error.rule == .streamingAddress)
    }
  }

  @Test(
    "a name that looks like an address or an escape stays a name, however often it is read",
    arguments: [
      ("list.m3u8", "file%3A/etc/hostname", "./file:/etc/hostname"),
      ("list.m3u8", "http%3A//host/x", "./http:/host/x"),
      ("clips/list.m3u8", "file%3A/etc/hostname", "clips/file:/etc/hostname"),
      ("file:///d/list.m3u8", "%252e%252e/s.ts", "file:///d/%252e%252e/s.ts"),
      ("file:///d/list.m3u8", "a%20b.ts", "file:///d/a%20b.ts"),
      ("file:///d%20e/list.m3u8", "f/g.ts", "file:///d%20e/f/g.ts"),
    ])
  func namesLikeAddresses(list: String, reference: String, target: String) throws {
    #expect(try PlaylistAddress(list).resolve(reference).address == target)
  }

  @Test("a local list whose name begins like an address of the web has its folder all the same")
  func namesLikeTheWeb() throws {
    let nested = try PlaylistAddress("list.m3u8").resolve("http%3Ax/l.m3u8")
    #expect(nested.moved(to: nested.address) == nested)
    #expect(try nested.resolve("s.ts").address == "./http:x/s.ts")
    #expect(throws: MediaError.self) { try nested.resolve("../../s.ts") }
    #expect(throws: MediaError.self) { try nested.resolve("http:x/s.ts") }
  }

  @Test("a folder ends at its slash, before a combining mark too")
  func folders() throws {
    let list = PlaylistAddress("a/\u{301}.m3u8")
    #expect(try list.resolve("s.ts").address == "a/s.ts")
    #expect(URIReference.resolve("s.ts", against: "a/\u{301}.m3u8") == "a/s.ts")
  }

  @Test("a list within a list's folder may name the folder of the first list, and no more")
  func nested() throws {
    let master = PlaylistAddress("clips/master.m3u8")
    let media = try master.resolve("video/list.m3u8")
    #expect(try media.resolve("../audio/a.ts").address == "clips/audio/a.ts")
    #expect(throws: MediaError.self) { try media.resolve("../../x.ts") }
  }

  @Test("a path upwards is the folder of its own list")
  func upwards() throws {
    #expect(try PlaylistAddress("../up/list.m3u8").resolve("s.ts").address == "../up/s.ts")
    #expect(try PlaylistAddress("list.m3u8").resolve("s.ts").address == "s.ts")
    #expect(try PlaylistAddress("/a/list.m3u8").resolve("s.ts").address == "/a/s.ts")
  }

  @Test("references of remote lists follow RFC 3986")
  func remote() throws {
    let list = PlaylistAddress("https://host/a/list.m3u8?x=1")
    #expect(try list.resolve("../b/s.ts?y").address == "https://host/b/s.ts?y")
    #expect(try list.resolve("//other/s.ts").address == "https://other/s.ts")
    // Whether it may be loaded is for the loader's policy to say.
    #expect(try list.resolve("file:///etc/passwd").address == "file:///etc/passwd")
  }

  @Test(
    "data: addresses hold their bytes",
    arguments: [
      ("data:,abc", [97, 98, 99]), ("data:text/plain;base64,AAEC", [0, 1, 2]),
      ("data:;base64,_-8=", [0xFF, 0xEF]), ("data:,%00%ff", [0, 255]), ("data:;base64,", []),
    ] as [(String, [UInt8])])
  func data(address: String, bytes: [UInt8]) throws {
    #expect(try DataAddress.bytes(address) == bytes)
  }

  @Test(
    "damaged data: addresses are told",
    arguments: ["data:abc", "data:;base64,A*A", "data:,%4", "data:,%zz", "data:;base64,AA=A"])
  func damagedData(address: String) {
    #expect(throws: MediaError.self) { try DataAddress.bytes(address) }
  }
}
