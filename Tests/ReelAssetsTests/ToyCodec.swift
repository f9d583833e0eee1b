// A container and a codec that are as small as they can be, and still have everything that makes
// seeking hard: reordering, references, open groups, damage.

import ReelAssets
import ReelCore
import ReelTestSupport
import Synchronization

/// A picture of the toy codec: what it is, when it is shown, and a number that its samples come from.
struct ToyPicture {
  enum Kind: UInt8 { case intra = 73, predicted = 80, bidirectional = 66 }
  var kind: Kind
  var ticks: Int64
  var seed: UInt8
  var isSync = false
  /// The packet cannot be decoded.
  var isDamaged = false

  /// A stream in decoding order: groups of one intra picture, then predicted ones each with
  /// `bidirectional` pictures in between that are shown before it.
  ///
  /// In an open group, some pictures that follow the intra picture are shown before it and refer to
  /// the group before.
  static func stream(
    groups: Int, anchors: Int, bidirectional: Int, isOpen: Bool, step: Int64 = 10,
    random: inout SeededGenerator
  ) -> [ToyPicture] {
    var pictures: [ToyPicture] = []
    var shown = 0
    func add(_ kind: Kind, at place: Int, isSync: Bool = false) {
      pictures.append(
        ToyPicture(
          kind: kind, ticks: Int64(place) * step, seed: .random(in: 0...255, using: &random),
          isSync: isSync))
    }
    for group in 0..<groups {
      for anchor in 0..<anchors {
        let hasLeading = anchor > 0 || (isOpen && group > 0)
        let count = hasLeading ? bidirectional : 0
        add(anchor == 0 ? .intra : .predicted, at: shown + count, isSync: anchor == 0)
        for i in 0..<count { add(.bidirectional, at: shown + i) }
        shown += count + 1
      }
    }
    return pictures
  }
}

/// A container that holds toy pictures in memory.
struct ToyDemuxer: Demuxer {
  let formatName = "toy"
  var tracks: [Track]
  var duration = MediaTime.indefinite
  let tags: [Tag] = []
  let warnings: [MediaError] = []
  var hasIndex = true
  var tellsTimes = true
  let pictures: [ToyPicture]

  init(_ pictures: [ToyPicture], edits: [TimelineEdit] = [], timescale: Int32 = 100) {
    self.pictures = pictures
    var track = Track(
      id: 1, kind: .video, codec: "toy", timescale: timescale, formats: [.video(VideoFormat())])
    track.edits = edits
    tracks = [track]
  }

  func makePacketReader(trackIndices: [Int]) throws(MediaError) -> any PacketReader {
    ToyReader(self)
  }
}

final class ToyReader: PacketReader {
  private let demuxer: ToyDemuxer
  private var position = 0

  init(_ demuxer: ToyDemuxer) { self.demuxer = demuxer }

  func next() throws(MediaError) -> Packet? {
    guard position < demuxer.pictures.count else { return nil }
    let picture = demuxer.pictures[position]
    var packet = Packet(
      trackIndex: 0,
      data: [picture.kind.rawValue, picture.seed, picture.isDamaged ? 1 : 0]
        + (0..<8).map { UInt8(truncatingIfNeeded: picture.ticks >> Int64($0 * 8)) })
    // Like a transport stream, the container without an index does not know numbers after a seek.
    packet.number = demuxer.hasIndex ? position : 0
    packet.presentationTicks = demuxer.tellsTimes ? picture.ticks : nil
    packet.durationTicks = 10
    packet.isSync = picture.isSync
    packet.position = Int64(position * 100)
    position += 1
    return packet
  }

  func seek(trackIndex: Int, toSyncAtOrBefore ticks: Int64) throws(MediaError) {
    let pictures = demuxer.pictures
    let syncs = pictures.indices.filter { pictures[$0].isSync }
    position =
      syncs.last { pictures[$0].ticks <= ticks } ?? syncs.first ?? 0
  }
}

/// Every picture is a number made of its own seed and of the numbers of the pictures it refers to, so
/// that a missing reference shows in everything that depends on it.
final class ToyDecoder: VideoDecoder {
  static let damage = Rule("toy.damage", "a toy packet is whole")
  private var references: [(ticks: Int64, value: UInt64)] = []
  private var waiting: [(ticks: Int64, frame: VideoFrame)] = []
  private let reorderDepth: Int

  init(reorderDepth: Int) { self.reorderDepth = reorderDepth }

  func decode(_ packet: Packet) throws(MediaError) -> [VideoFrame] {
    guard packet.data[2] == 0 else { throw MediaError(.damaged, Self.damage) }
    let kind = ToyPicture.Kind(rawValue: packet.data[0])
    var ticks: Int64 = 0
    for i in 0..<8 { ticks |= Int64(packet.data[3 + i]) << Int64(i * 8) }
    var value = UInt64(packet.data[1]) &+ 1
    let needed = kind == .intra ? 0 : kind == .predicted ? 1 : 2
    for reference in references.suffix(needed) {
      value = (value ^ reference.value) &* 0x9E37_79B9_7F4A_7C15
    }
    var frame = Self.picture(value)
    frame.presentationTicks = packet.presentationTicks
    frame.missingReferenceCount = max(needed - references.count, 0)
    if kind != .bidirectional {
      references.append((ticks, value))
      references = references.suffix(2)
    }
    waiting.append((ticks, frame))
    return take(leaving: reorderDepth)
  }

  private func take(leaving count: Int) -> [VideoFrame] {
    var frames: [VideoFrame] = []
    while waiting.count > count,
      let first = waiting.indices.min(by: {
        waiting[$0].ticks < waiting[$1].ticks
      })
    {
      frames.append(waiting.remove(at: first).frame)
    }
    return frames
  }

  func flush() throws(MediaError) -> [VideoFrame] { take(leaving: 0) }

  func reset() {
    references = []
    waiting = []
  }

  private static func picture(_ value: UInt64) -> VideoFrame {
    let planes = FramePlanes<UInt8>(width: 16, height: 16, chromaFormat: .monochrome)
    for i in 0..<8 { planes.y[i] = UInt8(truncatingIfNeeded: value >> UInt64(i * 8)) }
    return VideoFrame(
      storage: .depth8(planes), lumaBitDepth: 8, chromaBitDepth: 8,
      crop: SampleRect(x: 0, y: 0, width: 16, height: 16))
  }
}

extension PresentedFrame {
  /// The toy picture's number.
  var value: UInt64 {
    guard case .depth8(let planes) = frame.storage else { return 0 }
    return (0..<8).reduce(0) { $0 | UInt64(planes.y[$1]) << UInt64($1 * 8) }
  }
}

extension Asset {
  init(_ demuxer: ToyDemuxer, reorderDepth: Int = 3) {
    self.init(
      demuxer,
      registry: MediaRegistry(videoDecoders: [
        "toy": { (_, _) throws(MediaError) in ToyDecoder(reorderDepth: reorderDepth) }
      ]))
  }
}
