// How much of a standard an input has to keep.

/// How a parser treats an input that breaks a rule and yet can be read.
public enum Strictness: Int, Sendable, Hashable, Comparable, CaseIterable {
  /// Reads past everything that leaves a meaning, and notes it in the warnings.
  case lenient
  /// What the standard says "shall" of is an error.
  case standard
  /// What the standard says "should" of is an error too.
  case strict

  public static func < (a: Strictness, b: Strictness) -> Bool { a.rawValue < b.rawValue }
}
