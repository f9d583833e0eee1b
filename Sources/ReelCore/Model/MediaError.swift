// What went wrong, where, by which rule, and what to do. One error type for all layers.

/// A rule that an input has to keep, or a limit, or a feature: the identity of an error.
///
/// Every target declares its rules as static constants in one `…Rules.swift`, so that a test can ask
/// for one by name and `docs/` can list them all.
public struct Rule: Sendable, Hashable, CustomStringConvertible {
  /// Stable identity, `area.rule`, such as `isobmff.box-size`.
  public let code: String
  /// What must hold, as a sentence without a full stop.
  public let text: String
  /// Edition and clause, such as `ISO/IEC 14496-12:2020 §4.2`; empty where no standard speaks.
  public let clause: String

  /// A rule; two with one code are the same only if text and clause agree.
  public init(_ code: String, _ text: String, clause: String = "") {
    self.code = code
    self.text = text
    self.clause = clause
  }

  public var description: String { clause.isEmpty ? text : "\(text) (\(clause))" }
}

/// Where in the input an error lies.
public enum Place: Sendable, Hashable, CustomStringConvertible {
  /// Nobody could tell.
  case unknown
  /// Bytes from the start of the input.
  case offset(Int64)
  /// Box or element path and its offset: `moov/trak[1]/tkhd`.
  case box(path: String, offset: Int64)
  /// Picture number in decoding order, from 0, and macroblock address where one is known.
  case picture(Int, macroblock: Int?)
  /// Line and column in a text, from 1; columns count bytes.
  case column(Int, line: Int)
  /// Line in a text, from 1.
  case line(Int)
  /// A named thing: a file, an option, an address.
  case named(String)

  public var description: String {
    switch self {
    case .unknown: ""
    case .offset(let offset): "at byte \(offset)"
    case .box(let path, let offset): "in \(path) at byte \(offset)"
    case .picture(let number, let macroblock?): "in picture \(number), macroblock \(macroblock)"
    case .picture(let number, nil): "in picture \(number)"
    case .column(let column, let line): "in line \(line), column \(column)"
    case .line(let line): "in line \(line)"
    case .named(let name): name
    }
  }
}

/// An error of any layer. Families are sorted by what the caller can do about them.
public struct MediaError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What the caller can do about an error.
  public enum Family: String, Sendable, Hashable, CaseIterable {
    /// The input ends here; with more bytes the call may succeed.
    case needsMoreData
    /// The input breaks a rule of its format: mend or refuse the input.
    case damaged
    /// The input is in order but asks for something that is not built: choose another input.
    case unsupported
    /// A bound of ``Limits`` was reached: raise the limit if the input is trusted.
    case limitExceeded
    /// The content is encrypted and there is no key.
    case protected
    /// The source does not exist or has no such part.
    case notFound
    /// Reading or writing failed outside of Reel: the message has the system's cause.
    case io
    /// The caller asked for something contradictory.
    case usage
  }

  /// What the caller can do about it.
  public let family: Family
  /// What does not hold, or what is missing: the error's identity.
  public let rule: Rule
  /// Where in the input.
  public let place: Place
  /// Values that make the message concrete, such as `size 4, needs 8`.
  public let detail: String
  /// What the reader of the message can do, as a sentence without a full stop; may be empty.
  public let advice: String

  /// An error; what is not given stays out of the message.
  public init(
    _ family: Family, _ rule: Rule, at place: Place = .unknown, detail: String = "",
    advice: String = ""
  ) {
    self.family = family
    self.rule = rule
    self.place = place
    self.detail = detail
    self.advice = advice
  }

  /// The same error at a place the thrower could not know.
  public func at(_ place: Place) -> MediaError {
    MediaError(family, rule, at: place, detail: detail, advice: advice)
  }

  /// One line: place, rule with clause, detail, advice.
  public var description: String {
    var line = place.description
    if !line.isEmpty { line += ": " }
    if family == .unsupported { line += "not supported: " }
    line += rule.description
    if !detail.isEmpty { line += ": \(detail)" }
    if !advice.isEmpty { line += "; \(advice)" }
    return line
  }
}
