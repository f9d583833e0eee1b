// What a unit of a byte stream means for the division into access units.

/// The part that a NAL unit (or start code structure) plays in dividing a stream into access units.
public enum AccessUnitRole: Sendable, Hashable {
  /// Stands first in its access unit (an access unit delimiter).
  case delimiter
  /// Behind the last picture data of an access unit it belongs to the next one (parameter sets …).
  case leading
  /// Belongs to where it stands.
  case neutral
  /// Picture data; `isFirst` when it begins another picture than the picture data before it.
  case picture(isFirst: Bool)
}

/// Tells the roles of the units of one kind of stream, in stream order.
public protocol AccessUnitDetector: AnyObject {
  /// The role of the unit that lies in `range` of `bytes`: header included, start code not, zero
  /// bytes before the next start code still there. Never empty.
  ///
  /// - Parameter hasLeading: leading units stand between this unit and the last picture data.
  func role(of bytes: [UInt8], _ range: Range<Int>, hasLeading: Bool) -> AccessUnitRole
  /// How many bytes of a unit that begins with the byte `first` tell its role: the others need not be
  /// there. At least 1.
  func headByteCount(of first: UInt8) -> Int
  /// What ``role(of:_:hasLeading:)`` found in the last unit makes its access unit a sync sample.
  var lastUnitIsSync: Bool { get }
  /// The last picture data was of a single field.
  var lastPictureIsField: Bool { get }
}
