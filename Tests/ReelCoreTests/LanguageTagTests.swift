import ReelCore
import Testing

@Suite struct LanguageTagTests {
  @Test(
    "a request matches its language and what is more exact",
    arguments: [
      ("en", "en", true), ("en", "en-US", true), ("en", "eng", true), ("EN", "en-gb", true),
      ("en-US", "en-US", true), ("en-US", "en_US", true), ("en-US", "en", false),
      ("eng", "en-GB", true), ("de", "ger", true), ("de", "deu", true), ("fr", "fre", true),
      ("zh-Hant", "zh-Hant-TW", true), ("zh-Hant", "zh-Hans", false), ("en", "enx", false),
      ("en", "de", false), ("", "en", false), ("tlh", "tlh", true), ("e", "en", false),
    ])
  func matching(request: String, language: String, matches: Bool) {
    #expect(LanguageTag.matches(request, language) == matches)
  }

  @Test("a track that does not tell its language matches nothing")
  func unknown() {
    #expect(!LanguageTag.matches("en", nil))
  }
}
