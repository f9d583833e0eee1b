internal import ReelCore
internal import ReelIO
internal import Testing

@Suite("Network policy")
struct NetworkPolicyTests {
  @Test(
    "an address is taken apart and put together",
    arguments: [
      ("http://Example.COM", "http://example.com/"),
      ("HTTPS://example.com:443/a/b.mp4?x=1&y=2#part", "https://example.com/a/b.mp4?x=1&y=2"),
      ("http://example.com:8080/a b", "http://example.com:8080/a%20b"),
      ("http://example.com/a/./b/../c", "http://example.com/a/c"),
      ("http://example.com/../../etc", "http://example.com/etc"),
      ("http://[2001:DB8::1]:81/x", "http://[2001:db8::1]:81/x"),
      ("http://example.com?q", "http://example.com/?q"),
      ("http://example.com/ü", "http://example.com/%C3%BC"),
    ])
  func addresses(text: String, whole: String) throws {
    #expect(try WebAddress(text).description == whole)
    #expect(try WebAddress(whole).description == whole)
  }

  @Test(
    "what is no address, or means two things, is refused",
    arguments: [
      "", "example.com", "ftp://example.com/", "file:///etc/passwd", "http://", "http:///x",
      "http://user:secret@example.com/", "http://example.com\\@evil.com/", "http://exa mple.com/",
      "http://example.com:0/", "http://example.com:65536/", "http://example.com:+80/",
      "http://[::1/", "http://[::g]/", "http://[1.2.3.4]/", "http://exa%6dple.com/",
      "http://example.com/a\nHost: evil", "http://example.com/\u{7F}", "http://münchen.de/",
      "http://example.com/" + String(repeating: "x", count: 20_000),
    ])
  func wrongAddresses(text: String) {
    #expect(throws: MediaError.self) { try WebAddress(text) }
  }

  @Test(
    "references are resolved as RFC 3986 §5.4 says",
    arguments: [
      ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
      ("/g", "http://a/g"), ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"),
      ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"), (";x", "http://a/b/c/;x"),
      ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("..", "http://a/b/"),
      ("../g", "http://a/b/g"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"),
      ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), ("..g", "http://a/b/c/..g"),
      ("./g/.", "http://a/b/c/g/"), ("g/../h", "http://a/b/c/h"), ("https://x/y", "https://x/y"),
      ("g:h/i", nil), ("file:///etc/passwd", nil), ("g?y/./x", "http://a/b/c/g?y/./x"),
    ])
  func references(reference: String, expected: String?) throws {
    let base = try WebAddress("http://a/b/c/d;p?q")
    if let expected {
      #expect(try base.resolving(reference).description == expected)
    } else {
      #expect(throws: MediaError.self) { try base.resolving(reference) }
    }
  }

  @Test(
    "addresses of the public network are allowed",
    arguments: [
      "1.1.1.1", "8.8.8.8", "172.15.255.255", "172.32.0.0", "100.63.255.255", "100.128.0.0",
      "169.253.0.1", "223.255.255.255", "192.0.3.1", "2606:4700::1111", "2001:4860:4860::8888",
      "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1",
    ])
  func publicAddresses(text: String) throws {
    let address = try #require(IPAddress(text))
    #expect(address.specialUse == nil)
  }

  @Test(
    "addresses of other networks are refused, in whatever clothes",
    arguments: [
      "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.255.255.255", "169.254.169.254",
      "172.16.0.1", "172.31.255.255", "192.168.1.1", "192.0.0.1", "192.0.2.1", "198.18.0.1",
      "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.250", "240.0.0.1",
      "255.255.255.255", "::", "::1", "::ffff:127.0.0.1", "::ffff:a00:1", "::127.0.0.1",
      "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "2002:7f00:1::", "2001::1", "fc00::1", "fdff::1",
      "fe80::1", "febf::1", "fec0::1", "ff02::1", "2001:db8::1", "100::1", "4000::1",
    ])
  func specialAddresses(text: String) throws {
    let address = try #require(IPAddress(text))
    #expect(address.specialUse != nil)
    let host = text.contains(":") ? "[\(text)]" : text
    let web = try WebAddress("http://\(host)/latest/meta-data")
    #expect(throws: MediaError.self) { try NetworkPolicy().check(web) }
    var open = NetworkPolicy()
    open.allowsPrivateNetwork = true
    try open.check(web)
  }

  @Test(
    "what is no numerical address is none",
    arguments: [
      "", "1", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "0x7f.0.0.1", "1.2.3.+4", ":", ":::",
      "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::", "12345::", "g::",
      "::1.2.3", "1.2.3.4::", "fe80::1%eth0", "1:2:3:4:5:6:7:", "::-1",
    ])
  func noAddresses(text: String) { #expect(IPAddress(text) == nil) }

  @Test("this machine is refused by name, before it is looked up")
  func thisMachine() throws {
    for host in ["localhost", "LOCALHOST", "localhost.", "a.localhost"] {
      let address = try WebAddress("http://\(host):80/")
      #expect(throws: MediaError.self) { try NetworkPolicy().check(address) }
    }
    var offline = NetworkPolicy()
    offline.allowsNetwork = false
    let address = try WebAddress("https://example.com/")
    #expect(throws: MediaError.self) { try offline.check(address) }
  }

  @Test("a remote list names http and https alone; a local one local files too")
  func namedByLists() throws {
    let policy = NetworkPolicy()
    let remote = "https://example.com/list.m3u8"
    for address in ["file:///etc/passwd", "/etc/passwd", "concat:a|b", "data:,x", "gopher://a/"] {
      #expect(throws: MediaError.self) { try policy.check(address, namedBy: remote) }
    }
    try policy.check("http://example.com/a.ts", namedBy: remote)
    try policy.check("/videos/a.ts", namedBy: "/videos/list.m3u8")
    try policy.check("/etc/hostname", namedBy: nil)
  }

  @Test("a file address is a path with its escapes undone, of this machine only")
  func fileAddresses() throws {
    #expect(try FileAddress.path("file:///a%20b/%C3%BC") == "/a b/ü")
    #expect(try FileAddress.path("file://localhost/a") == "/a")
    #expect(try FileAddress.path("file:/a") == "/a")
    #expect(try FileAddress.path("clips/a.mp4") == "clips/a.mp4")
    #expect(throws: MediaError.self) { try FileAddress.path("file://server/a") }
    #expect(throws: MediaError.self) { try FileAddress.path("smb://server/a") }
  }
}
