// Standard output and standard error.

import ReelCore
import ReelRendering

/// Lines for the user.
enum StandardError {
  static func write(_ text: String) {
    let output = FileOutput.standardError()
    do throws(MediaError) {
      try output.write([UInt8](text.utf8))
      try output.finish()
    } catch {
      // The user's own stream is closed: there is nobody to tell.
    }
  }
}

/// Results for the next program.
enum StandardOutput {
  /// Writes all of it; tells a failure as a status.
  static func write(_ text: String) -> ExitStatus {
    do throws(MediaError) {
      let output = try FileOutput(path: "-")
      try output.write([UInt8](text.utf8))
      try output.finish()
      return .done
    } catch {
      StandardError.write("reel: \(error)\n")
      return .outputFailed
    }
  }
}
