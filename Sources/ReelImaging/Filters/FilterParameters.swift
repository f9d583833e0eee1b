// A filter description checked against its specification.

internal import ReelCore

/// The values of a filter's parameters, all present, finite and inside their ranges.
struct FilterParameters: Sendable {
  let specification: FilterSpecification
  private var values: [String: FilterValue] = [:]

  /// - Throws: `.usage` for an unknown key, a value of the wrong kind or one that is not finite.
  init(
    _ description: FilterDescription, _ specification: FilterSpecification
  ) throws(MediaError) {
    self.specification = specification
    for parameter in description.parameters {
      // `radius` is `inputRadius`, as the newer names of Core Image have it.
      let key = Self.key(parameter.key, in: specification)
      guard let key else {
        let known = specification.parameters.map(\.key)
        throw MediaError(
          .usage, .filterKey, at: .named(description.name), detail: "\"\(parameter.key)\"",
          advice: known.isEmpty
            ? "the filter has no parameters" : "known: \(known.joined(separator: ", "))")
      }
      values[key.key] = try Self.checked(parameter, key.kind, description.name)
    }
    for parameter in specification.parameters where values[parameter.key] == nil {
      switch parameter.kind {
      case .number(let value, _): values[parameter.key] = .number(value)
      case .vector(let value, _): values[parameter.key] = .vector(value)
      case .colour(let value): values[parameter.key] = .color(value)
      case .data:
        throw MediaError(
          .usage, .filterValue, at: .named(description.name), detail: "\(parameter.key) is missing")
      }
    }
  }

  private static func key(
    _ given: String, in specification: FilterSpecification
  ) -> FilterSpecification.Parameter? {
    let prefixed = "input" + given.prefix(1).uppercased() + given.dropFirst()
    return specification.parameters.first { $0.key == given || $0.key == prefixed }
  }

  private static func checked(
    _ parameter: FilterParameter, _ kind: FilterParameterKind, _ name: String
  ) throws(MediaError) -> FilterValue {
    func fault(_ why: String) -> MediaError {
      MediaError(
        .usage, .filterValue, at: .named(name), detail: "\(parameter.key): \(why)")
    }
    switch (kind, parameter.value) {
    case (.number(_, let range), .number(let value)):
      guard value.isFinite else { throw fault("\(value)") }
      return .number(min(max(value, range.lowerBound), range.upperBound))
    case (.vector(let example, let range), .vector(let numbers)):
      guard numbers.count == example.count else {
        throw fault("\(numbers.count) numbers where \(example.count) are needed")
      }
      guard numbers.allSatisfy(\.isFinite) else { throw fault("a number that is not finite") }
      return .vector(numbers.map { min(max($0, range.lowerBound), range.upperBound) })
    case (.colour, .color(let colour)):
      let parts = [colour.red, colour.green, colour.blue, colour.alpha]
      guard parts.allSatisfy(\.isFinite) else { throw fault("a number that is not finite") }
      let unit = parts.map { min(max($0, 0), 1) }
      return .color(RGBAColor(red: unit[0], green: unit[1], blue: unit[2], alpha: unit[3]))
    case (.colour, .string(let text)):
      guard let colour = RGBAColor(text) else { throw fault("no colour: \(text.prefix(40))") }
      return .color(colour)
    case (.data, .data(let bytes)): return .data(bytes)
    default: throw fault("a value of another kind is needed")
    }
  }

  /// The number under `key`, which the specification has.
  func number(_ key: String) -> Double {
    if case .number(let value)? = values[key] { value } else { 0 }
  }
  /// The numbers under `key`, as many as the default has; none when there is no such key.
  func vector(_ key: String) -> [Double] {
    if case .vector(let value)? = values[key] { value } else { [] }
  }
  func colour(_ key: String) -> RGBAColor {
    if case .color(let value)? = values[key] { value } else { .black }
  }
  func data(_ key: String) -> [UInt8] {
    if case .data(let value)? = values[key] { value } else { [] }
  }
}
