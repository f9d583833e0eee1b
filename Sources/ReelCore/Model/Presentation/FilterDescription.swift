// A filter as a value: what the player passes and the picture layer builds.

/// A parameter's value. Numbers may be any Double; who builds the filter checks that they are finite.
public enum FilterValue: Sendable, Hashable, Codable {
  /// As NSNumber: a radius, an angle in radians, an amount.
  case number(Double)
  /// As CIVector: a point, an offset, a row of a matrix.
  case vector([Double])
  /// As CIColor.
  case color(RGBAColor)
  /// As NSString, such as a mode's name.
  case string(String)
  /// As NSData: such as the entries of a colour cube.
  case data([UInt8])
}

/// A named value of a filter.
public struct FilterParameter: Sendable, Hashable, Codable {
  /// The parameter's name, such as `inputRadius`.
  public var key: String
  /// Its value; checked by whoever builds the filter.
  public var value: FilterValue
  /// A value under a name.
  public init(_ key: String, _ value: FilterValue) { (self.key, self.value) = (key, value) }
}

/// A filter by its Core Image name, such as `CIGaussianBlur`, with the parameters that are not at
/// their defaults, such as `inputRadius`.
public struct FilterDescription: Sendable, Hashable, Codable, CustomStringConvertible {
  /// Core Image name. One that nobody knows is an error where the filter is built.
  public var name: String
  /// In the order given. When a key stands twice, the later one holds.
  public var parameters: [FilterParameter]

  /// A filter with parameters in this order.
  public init(_ name: String, _ parameters: [FilterParameter] = []) {
    self.name = name
    self.parameters = parameters
  }

  /// A filter with numbers only.
  public init(_ name: String, _ numbers: KeyValuePairs<String, Double>) {
    self.init(name, numbers.map { FilterParameter($0.key, .number($0.value)) })
  }

  /// The value that holds for `key`, or nil when it is at its default.
  public subscript(_ key: String) -> FilterValue? {
    parameters.last { $0.key == key }?.value
  }

  /// Name and parameters as a script writes them: `CIGaussianBlur inputRadius=4`.
  public var description: String {
    ([name] + parameters.map { "\($0.key)=\($0.value.scriptText)" }).joined(separator: " ")
  }
}

extension FilterValue {
  /// The value as a script writes it.
  public var scriptText: String {
    switch self {
    case .number(let value): "\(value)"
    case .vector(let values): "[" + values.map { "\($0)" }.joined(separator: ",") + "]"
    case .color(let color):
      "rgba("
        + [color.red, color.green, color.blue, color.alpha].map { "\($0)" }
        .joined(separator: ",") + ")"
    case .string(let text): "\"\(text)\""
    case .data(let bytes):
      "0x" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
  }
}
