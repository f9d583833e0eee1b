// The rules of fonts and text that are checked.

public import ReelCore

extension Rule {
  public static let fontMissing = Rule("text.font-missing", "the fonts of text are installed")
  public static let fontFile = Rule(
    "text.font-file", "a font file holds an OpenType font", clause: "ISO/IEC 14496-22:2019 §4")
  public static let textLength = Rule(
    "text.length", "a line of a drawing has at most 65,536 characters")
  public static let fontSize = Rule("text.font-size", "a font file has at most 256 MiB")
}
