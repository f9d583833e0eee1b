import Foundation
import ReelTestSupport
import Testing

/// Files with a rotation, whose hashes in the vectors' index are of turned pictures.
@Suite(
  "Decoding files that are to be turned",
  .enabled(if: Places.sharedVectors != nil, "no shared vectors beside the checkout"))
struct RotatedVectorTests {
  /// Paths, and the MD5 of each of the first pictures as `ffmpeg -noautorotate` decodes them.
  static let files: [(path: String, count: Int, first: String)] = [
    ("jcodec+jcodec/issue49/orientation.mp4", 2, "f4197f0f8f8b7a9bd014fe52c12e37c0"),
    ("jcodec+jcodec/metaedit/itunes.mov", 1, "eabcde84c4f3aa9f2b2e8c383de06822"),
    (
      "luke-cha+fate-suite/video/h264/sample-in-issue-505.mp4", 105,
      "40377884d2e6ac450d7b16416d94775d"
    ),
    (
      "mozilla+mp4parse-rust/mp4parse_capi/tests/video_rotation_90.mp4", 1,
      "b0df10282110b844e71a6a9f556b2f17"
    ),
  ]

  @Test("gives the pictures as they are stored", arguments: files)
  func pictures(path: String, count: Int, first: String) throws {
    let command = try #require(Places.command)
    let file = try #require(Places.sharedVectors).appendingPathComponent("isobmff/\(path)")
    let result = try runProgram(command, ["decode", file.path, "--framemd5"])
    let lines = result.outputText.split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(lines.count == count)
    let last = lines.first?.split(separator: ",").last?.trimmingCharacters(in: .whitespaces)
    #expect(last == first)
  }
}
