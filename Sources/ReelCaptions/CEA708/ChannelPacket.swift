// Packets of the caption channel of digital television. CEA-708-E §5.

internal import ReelCore

/// Two bytes of the caption channel.
public struct ChannelPair: Sendable, Hashable {
  /// They begin a packet.
  public let isStart: Bool
  public let first, second: UInt8
  public init(isStart: Bool, first: UInt8, second: UInt8) {
    (self.isStart, self.first, self.second) = (isStart, first, second)
  }

  /// The pairs in a payload of registered user data (ITU-T T.35); none when it holds something else.
  public static func pairs(inUserData payload: [UInt8]) -> [ChannelPair] {
    CaptionTriplet.triplets(inUserData: payload).compactMap { triplet in
      triplet.type < 2
        ? nil
        : ChannelPair(isStart: triplet.type == 3, first: triplet.first, second: triplet.second)
    }
  }
}

/// Puts pairs together to packets and takes those apart into blocks of services.
struct ChannelPacket: Sendable {
  /// What a service gets in one packet.
  struct Block: Equatable {
    var service: Int
    var data: [UInt8]
  }

  private var bytes: [UInt8] = []
  /// Bytes of the packet that is being put together, its header included; 0 for none.
  private var length = 0
  private var lastSequence: UInt8?
  /// A packet is missing before the one that came last.
  private(set) var hasGap = false

  /// The blocks of the packet that a pair makes whole.
  mutating func take(_ pair: ChannelPair) -> [Block] {
    if pair.isStart {
      bytes = []
      let code = Int(pair.first & 0x3F)
      length = code == 0 ? 128 : 2 * code
    }
    guard length > 0 else { return [] }
    bytes += [pair.first, pair.second]
    guard bytes.count >= length else { return [] }
    defer { length = 0 }
    let sequence = bytes[0] >> 6
    hasGap = lastSequence.map { ($0 + 1) & 3 != sequence } ?? false
    lastSequence = sequence
    return Self.blocks(bytes[1..<length])
  }

  private static func blocks(_ bytes: ArraySlice<UInt8>) -> [Block] {
    var blocks: [Block] = []
    var at = bytes.startIndex
    while at < bytes.endIndex {
      var service = Int(bytes[at] >> 5)
      let size = Int(bytes[at] & 0x1F)
      at += 1
      // A null block fills up what is left.
      if service == 0 { break }
      if service == 7, size > 0, at < bytes.endIndex {
        service = Int(bytes[at] & 0x3F)
        at += 1
      }
      guard size <= bytes.endIndex - at else { break }
      blocks.append(Block(service: service, data: Array(bytes[at..<at + size])))
      at += size
    }
    return blocks
  }
}
