// The HTTP server of the tests: a process of its own on the loopback interface.

public import Foundation

/// Serves a folder over HTTP until it goes away; what it can be told to do wrong stands in
/// Tests/Server/server.py.
public final class MediaServer {
  private let process = Process()
  private let input = Pipe()
  /// The port it listens on.
  public let port: Int

  /// Why tests that need the server cannot run here; nil where they can.
  public static var isMissing: String? {
    findProgram("python3") == nil ? "python3 is not installed" : nil
  }

  /// Starts a server for a folder; back when it listens.
  public init(folder: URL) throws {
    guard let python = findProgram("python3") else { throw ServerFailure(reason: "no python3") }
    let output = Pipe()
    process.executableURL = python
    process.arguments = [
      Places.package.appendingPathComponent("Tests/Server/server.py").path, folder.path,
    ]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    var line: [UInt8] = []
    while line.last != UInt8(ascii: "\n") {
      guard let byte = try output.fileHandleForReading.read(upToCount: 1)?.first else {
        throw ServerFailure(reason: "the server ended before it told its port")
      }
      line.append(byte)
    }
    let words = String(decoding: line.dropLast(), as: UTF8.self).split(separator: " ")
    guard words.count == 2, words[0] == "port", let port = Int(words[1]) else {
      throw ServerFailure(reason: "the server said \(words)")
    }
    self.port = port
  }

  deinit {
    // The server ends with its standard input.
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// The address of a path, `faults` being options of the server such as `truncate=100`.
  public func address(_ path: String, faults: String = "") -> String {
    "http://127.0.0.1:\(port)/\(faults.isEmpty ? "" : "~\(faults)/")\(path)"
  }
}

/// The server could not be started.
public struct ServerFailure: Error, CustomStringConvertible {
  public let reason: String
  public var description: String { reason }
}
