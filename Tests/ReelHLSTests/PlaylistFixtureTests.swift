import Foundation
import ReelCore
import ReelHLS
import ReelTestSupport
import Testing

@Suite("Real playlists beside the checkout")
struct PlaylistFixtureTests {
  /// Playlists are told by their first bytes or their name.
  static let playlists: [String] = SharedVectors.names(kind: "hls").filter { name in
    guard let bytes = try? SharedVectors.bytes(kind: "hls", name: name) else { return false }
    return name.hasSuffix(".m3u8") || Playlist.probe(Array(bytes.prefix(8)))
  }

  static let withExpectations = playlists.filter { name in
    guard let folder = Places.sharedVectors else { return false }
    let path = folder.appendingPathComponent("hls").appendingPathComponent(name)
    return FileManager.default.fileExists(
      atPath: path.deletingPathExtension().appendingPathExtension("json").path)
  }

  @Test("there are as many as the checkout's neighbour has", .enabled(if: !playlists.isEmpty))
  func count() {
    #expect(Self.playlists.count >= 200)
    #expect(Self.withExpectations.count == 45)
  }

  /// A variable that a list imports has some value.
  static func context(_ name: String) -> PlaylistContext {
    var context = PlaylistContext()
    context.importedVariables = FixtureExceptions.importedVariables
    return context
  }

  @Test(
    "it parses and is written the same, or is refused with a line number",
    arguments: playlists)
  func roundTrip(name: String) throws {
    let bytes = try SharedVectors.bytes(kind: "hls", name: name)
    do throws(MediaError) {
      let first = try Playlist.parse(bytes, Self.context(name))
      #expect(FixtureExceptions.refused[name] == nil, "\(name) is said to be refused")
      let written = try first.playlist.write()
      let second = try Playlist.parse(written, Self.context(name))
      #expect(first.playlist == second.playlist, "\(String(decoding: written, as: UTF8.self))")
      let again = try second.playlist.write()
      #expect(again == written)
    } catch {
      guard case .column(let column, let line) = error.place else {
        Issue.record("\(error): no line")
        return
      }
      #expect(line >= 1 && column >= 1)
      #expect(FixtureExceptions.refused[name] != nil, "\(name): \(error)")
    }
  }

  @Test("it says what the expectation beside it says", arguments: withExpectations)
  func expectation(name: String) throws {
    let bytes = try SharedVectors.bytes(kind: "hls", name: name)
    let json = try SharedVectors.bytes(
      kind: "hls", name: String(name.dropLast("m3u8".count)) + "json")
    guard let expected = try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any],
      let parsed = try? Playlist.parse(bytes)
    else {
      #expect(FixtureExceptions.refused[name] != nil)
      return
    }
    var differences = PlaylistExpectation(expected).differences(parsed.playlist)
    let known = FixtureExceptions.differences[name] ?? []
    differences.removeAll { difference in known.contains { difference.hasPrefix($0.place) } }
    #expect(differences.isEmpty, "\(name): \(differences.joined(separator: "\n"))")
  }
}
