internal import Foundation
internal import ReelTestSupport
internal import Testing

/// What `reel hls` and `reel render --network` say, with their status.
@Suite("The command with playlists")
struct StreamingCommandTests {
  static let cases: [CommandCase] = [
    .init("hls-help", "hls --help"),
    .init("hls-validate", "hls validate ../hls/ladder/master.m3u8"),
    .init("hls-validate-faulty", "hls validate ../hls/faulty.m3u8"),
    .init("hls-validate-json", "hls validate ../hls/faulty.m3u8 --json"),
    .init("hls-validate-strict", "hls validate ../hls/faulty.m3u8 --strict"),
    .init("hls-validate-none", "hls validate ../hls/none.m3u8"),
    .init("hls-validate-no-list", "hls validate demo.mp4"),
    .init(
      "hls-simulate",
      "hls simulate ../hls/ladder/master.m3u8 --network ../network/step-up.trace"),
    .init("hls-simulate-log", "hls simulate ../hls/ladder/master.m3u8 --network 450,20,1 --log"),
    .init("hls-simulate-json", "hls simulate ../hls/ladder/master.m3u8 --network 450,20 --json"),
    .init(
      "hls-simulate-caps",
      "hls simulate ../hls/ladder/master.m3u8 --network 9000 --max-height 128 --buffer 4"),
    .init("hls-simulate-media", "hls simulate ../hls/ladder/middle.m3u8 --network 100,20"),
    .init("hls-simulate-dead", "hls simulate ../hls/ladder/master.m3u8 --network 0"),
    .init("hls-simulate-no-network", "hls simulate ../hls/ladder/master.m3u8"),
    .init(
      "hls-simulate-bad-network",
      "hls simulate ../hls/ladder/master.m3u8 --network ../README.md"),
    .init("hls-simulate-measured", "hls simulate ../hls/ladder/master.m3u8 --network measured"),
    .init("hls-unknown", "hls play ../hls/ladder/master.m3u8"),
    .init("hls-measure-file", "hls measure ../hls/ladder/master.m3u8"),
    .init(
      "render-network", "render ../hls/ladder/master.m3u8 --network 450,20 -o framemd5:"),
    .init(
      "render-network-events",
      "render ../hls/ladder/master.m3u8 --network 450,20 -o null: --events -"),
    .init("render-network-file", "render demo.mp4 --network 450,20 -o md5:"),
    .init(
      "render-network-subtitles",
      "render ../hls/ladder/master.m3u8 --network 4000,20 --subtitle-language en --from 1.5 "
        + "--duration 0 -o framemd5:"),
    .init(
      "render-playlist-subtitles",
      "render ../hls/ladder/master.m3u8 --subtitle-language en --from 1.5 --duration 0 "
        + "-o framemd5:"),
    .init(
      "render-playlist-no-subtitles",
      "render ../hls/ladder/master.m3u8 --subtitle-language fr -o md5:"),
  ]

  @Test("says what was recorded, with its status", arguments: cases)
  func saysWhatWasRecorded(command: CommandCase) throws {
    try CommandTests().saysWhatWasRecorded(command: command)
  }
}
