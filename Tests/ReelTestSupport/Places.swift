// Where the tests find their inputs and the built command.

public import Foundation

/// Folders of the project, told from where this file was compiled.
public enum Places {
  /// The folder that holds Package.swift.
  public static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// A file of TestVectors.
  public static func testVector(_ name: String) -> URL {
    package.appendingPathComponent("TestVectors").appendingPathComponent(name)
  }

  /// The folder of real files beside the checkout, where there is one.
  public static let sharedVectors: URL? = {
    let folder = package.deletingLastPathComponent().appendingPathComponent("shared/vectors")
    let index = folder.appendingPathComponent("index.tsv")
    return FileManager.default.fileExists(atPath: index.path) ? folder : nil
  }()

  /// The built `reel` command, which stands beside the running test bundle.
  public static var command: URL? {
    // The runner is given the bundle's path; the products lie in the bundle's folder.
    let candidates = CommandLine.arguments + [CommandLine.arguments.first ?? ""]
    for argument in candidates where argument.contains(".build") || argument.hasSuffix(".xctest") {
      let beside = URL(fileURLWithPath: argument).deletingLastPathComponent()
        .appendingPathComponent("reel")
      if FileManager.default.isExecutableFile(atPath: beside.path) { return beside }
    }
    return nil
  }
}
