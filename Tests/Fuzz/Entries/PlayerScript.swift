// Scenario scripts of the render command: text or JSON lines.

import ReelPlayback

extension FuzzEntry {
  public static let playerScript = FuzzEntry("PlayerScript") { bytes in
    _ = try? Script(parsing: String(decoding: bytes, as: UTF8.self))
  }
}
