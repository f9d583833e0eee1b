// One file a picture, named by a pattern with a number.

public import ReelCore

/// File names such as `frames/%05d.jpg`: one `%d` or `%0Nd`, `%%` for a per cent sign.
public struct NumberedFiles: Sendable, Hashable {
  private let head: String
  private let tail: String
  private let digits: Int

  /// Reads a pattern.
  ///
  /// - Throws: `.usage` with `outputPattern` when it has no number, several, or another conversion.
  public init(pattern: String) throws(MediaError) {
    func fault(_ detail: String) -> MediaError {
      MediaError(
        .usage, .outputPattern, at: .named(pattern), detail: detail,
        advice: "write it like frames/%05d.jpg")
    }
    var parts = [""]
    var digits = 0
    var rest = Substring(pattern)
    while let character = rest.popFirst() {
      guard character == "%" else {
        parts[parts.count - 1].append(character)
        continue
      }
      if rest.first == "%" {
        parts[parts.count - 1].append("%")
        rest.removeFirst()
        continue
      }
      let width = rest.prefix { $0.isASCII && $0.isNumber }
      rest.removeFirst(width.count)
      guard rest.popFirst() == "d" else { throw fault("% without d") }
      guard width.isEmpty || width.first == "0", width.count <= 3, parts.count == 1 else {
        throw fault(parts.count == 1 ? "%\(width)d is not of the form %0Nd" : "two numbers")
      }
      digits = Int(width) ?? 0
      parts.append("")
    }
    guard parts.count == 2 else { throw fault("no number") }
    guard digits <= 20 else { throw fault("more than 20 digits") }
    (head, tail, self.digits) = (parts[0], parts[1], digits)
  }

  /// The name of file `number`, ≥ 0.
  public func name(_ number: Int) -> String {
    let text = String(number)
    return head + String(repeating: "0", count: max(0, digits - text.utf8.count)) + text + tail
  }
}
