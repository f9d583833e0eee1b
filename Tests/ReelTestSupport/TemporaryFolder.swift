// A folder that a test writes into.

public import Foundation

/// An empty folder that is removed with everything in it when the value goes away.
public final class TemporaryFolder {
  public let url: URL

  public init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("reel-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The path of a name in the folder.
  public func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// Names of everything in the folder, hidden files too, sorted.
  public var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
  }

  /// The bytes of a file in the folder; empty when there is none.
  public func bytes(_ name: String) -> [UInt8] {
    (try? [UInt8](Data(contentsOf: url.appendingPathComponent(name)))) ?? []
  }
}
