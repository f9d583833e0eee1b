// Running a program and keeping what it says.

public import Foundation

/// What a program left behind.
public struct ProgramResult: Sendable {
  public let status: Int32
  /// Ended by a signal rather than by itself.
  public let wasKilled: Bool
  public let output: [UInt8]
  public let error: [UInt8]
  public var outputText: String { String(decoding: output, as: UTF8.self) }
  public var errorText: String { String(decoding: error, as: UTF8.self) }
}

/// Runs `executable` and waits for its end; standard input is empty.
public func runProgram(
  _ executable: URL, _ arguments: [String], in folder: URL? = nil,
  environment: [String: String] = [:]
) throws -> ProgramResult {
  let scratch = try TemporaryFolder()
  let names = ["output", "error"].map { scratch.url.appendingPathComponent($0) }
  for name in names { _ = FileManager.default.createFile(atPath: name.path, contents: nil) }
  let process = Process()
  process.executableURL = executable
  process.arguments = arguments
  process.currentDirectoryURL = folder
  process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
  process.standardInput = FileHandle.nullDevice
  process.standardOutput = try FileHandle(forWritingTo: names[0])
  process.standardError = try FileHandle(forWritingTo: names[1])
  try process.run()
  process.waitUntilExit()
  return ProgramResult(
    status: process.terminationStatus,
    wasKilled: process.terminationReason == .uncaughtSignal,
    output: scratch.bytes("output"), error: scratch.bytes("error"))
}

/// The place of a program on the search path; nil where it is not installed.
public func findProgram(_ name: String) -> URL? {
  let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(
    separator: ":")
  return folders.map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }
}
