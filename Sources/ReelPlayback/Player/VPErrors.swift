// Errors of the player, under the names of the contract.

/// What went wrong in a player.
public enum VPErrors: Error, Sendable, Hashable, Codable, CustomStringConvertible {
  /// No file or resource has this name.
  case sourceNotFound(String)
  /// The source is there but cannot be played, with the reason.
  case failedToLoad(String)
  /// A network source failed, with its status code or cause.
  case remoteVideoError(String)
  /// A setting was given more than once.
  case settingsNotUnique
  /// The inset mode was asked for but is not enabled or not possible.
  case notSupportedPiP

  public var description: String {
    switch self {
    case .sourceNotFound(let name): "source not found: \(name)"
    case .failedToLoad(let reason): "failed to load: \(reason)"
    case .remoteVideoError(let reason): "remote video error: \(reason)"
    case .settingsNotUnique: "settings are not unique: each may be given once"
    case .notSupportedPiP: "picture in picture is not supported or not enabled"
    }
  }
}
