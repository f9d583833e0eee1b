import ReelCore
import Testing

@Suite("References and their resolution, RFC 3986 §5.4")
struct URIReferenceTests {
  static let normal = [
    ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"),
    ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"), ("//g", "http://g"),
    ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"),
    ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"),
    ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"), ("", "http://a/b/c/d;p?q"),
    (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
    ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"),
    ("../../", "http://a/"), ("../../g", "http://a/g"),
  ]
  static let abnormal = [
    ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
    ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
    ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
    ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
    ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
    ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
    ("g#s/./x", "http://a/b/c/g#s/./x"), ("g#s/../x", "http://a/b/c/g#s/../x"),
    ("http:g", "http:g"),
  ]

  @Test("the examples resolve as the standard says", arguments: normal + abnormal)
  func resolves(reference: String, target: String) {
    #expect(URIReference.resolve(reference, against: "http://a/b/c/d;p?q") == target)
  }

  @Test(
    "a base without a path or scheme works",
    arguments: [
      ("s.ts", "https://host", "https://host/s.ts"), ("s.ts", "lists/a.m3u8", "lists/s.ts"),
      ("s.ts", "a.m3u8", "s.ts"), ("a:b/c", "http://h/x", "a:b/c"),
      ("a%3Ab", "http://h/x/y", "http://h/x/a%3Ab"), ("1:2", "http://h/x/y", "http://h/x/1:2"),
      ("s?a=/../b", "http://h/x/y?c", "http://h/x/s?a=/../b"),
    ])
  func otherBases(reference: String, base: String, target: String) {
    #expect(URIReference.resolve(reference, against: base) == target)
  }

  @Test("components put together again are the reference")
  func isIdentity() {
    let all = Self.normal.map(\.1) + Self.abnormal.map(\.0) + ["//", "?", "#", "a://b?c#d?e#f", ""]
    for text in all { #expect(URIReference(text).description == text) }
  }
}
