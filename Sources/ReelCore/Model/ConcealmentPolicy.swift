// What decoders do about damage.

/// What a decoder does with a picture that it cannot decode in full.
public enum ConcealmentPolicy: Sendable, Hashable {
  /// A damaged picture is an error that names picture, place and rule.
  case fail
  /// Damaged parts are made up from what is there, and the frame says how much of it.
  case conceal
}
