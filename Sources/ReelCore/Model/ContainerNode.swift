// What a container is made of, for people and programs that look inside.

/// A box or element of a container, with what it says and what lies in it.
public struct ContainerNode: Sendable, Hashable {
  /// A value that a box holds.
  public enum Value: Sendable, Hashable {
    /// A number, or the bits of a flag field; clamped to 64 bits.
    case integer(Int64)
    /// Text, a code or a name.
    case text(String)
    /// Values of one field that stands several times.
    case list([Value])
    /// Rows of a table under the names of its columns.
    case table(columns: [String], rows: [[Int64]])
  }

  /// A value under its name.
  public struct Field: Sendable, Hashable {
    /// The standard's name.
    public var name: String
    /// What the input says, unscaled: times in ticks, fixed-point numbers as whole ones.
    public var value: Value
    /// A field by the standard's name.
    public init(_ name: String, _ value: Value) { (self.name, self.value) = (name, value) }
    /// A field with a number.
    public init(_ name: String, _ value: some BinaryInteger) {
      self.init(name, .integer(Int64(clamping: value)))
    }
    /// A field with a text.
    public init(_ name: String, _ value: String) { self.init(name, .text(value)) }
  }

  /// Code or name.
  public var name: String
  /// Offset of the first byte in the input.
  public var offset: Int64
  /// Bytes before the payload.
  public var headerByteCount: Int
  /// Bytes with the header, as stated; nil when it goes to an end that is not known.
  public var byteCount: Int64?
  /// In the order of the standard's syntax.
  public var fields: [Field] = []
  /// In the order of the input.
  public var children: [ContainerNode] = []
  /// Why the rest of it could not be read.
  public var fault: MediaError?

  /// A node without fields and children yet.
  public init(name: String, offset: Int64, headerByteCount: Int, byteCount: Int64?) {
    (self.name, self.offset) = (name, offset)
    (self.headerByteCount, self.byteCount) = (headerByteCount, byteCount)
  }

  /// The first fault in it, in the order of the input.
  public var firstFault: MediaError? {
    for child in children {
      if let fault = child.firstFault { return fault }
    }
    return fault
  }
}
