internal import ReelCore
internal import ReelH264
internal import ReelTestSupport
internal import ReelVideoCore
internal import Testing

/// Decodes streams of every kind less one unit of slice data.
@Suite(
  "H.264 streams with a lost slice or partition",
  .enabled(if: Places.sharedVectors != nil, "no shared vectors beside the checkout"))
struct LostUnitTests {
  private func decode(_ bytes: [UInt8]) throws -> [(hash: UInt64, isWhole: Bool)] {
    let decoder = try H264Decoder(configuration: [], framing: .annexB)
    var frames = (try? decoder.decode(Packet(trackIndex: 0, data: bytes))) ?? []
    frames += (try? decoder.flush()) ?? []
    return frames.map {
      ($0.sampleHash, $0.concealedBlockCount == 0 && $0.missingReferenceCount == 0)
    }
  }

  @Test(
    "no frame claims to be right that is not among those of the whole stream",
    arguments: [
      "dp_ip", "dp_ipb", "dp_field", "dp_fmo", "fmo1_dispersed", "aso_shuffle",
      "fmo_mbaff_explicit",
      "slices_mb7_cavlc", "slices_mb13_cabac_mbaff", "slices_bytes300_cabac_paff", "sp_primary",
      "main_cabac_paff_ipb", "hier_reorder_field", "mmco_mbaff_cabac", "longterm_first",
    ])
  func lostUnit(name: String) throws {
    let bytes = try SharedVectors.bytes(kind: "h264", name: "made/jm/\(name).264")
    let units = NALUnits.annexB(bytes)
    let right = try decode(bytes)
    #expect(!right.isEmpty && right.allSatisfy(\.isWhole), "\(name)")
    let hashes = Set(right.map(\.hash))
    let slices = units.indices.filter { (1...4).contains(bytes[units[$0].lowerBound] & 31) }
    var damaged = 0
    // Twelve of them, spread over the stream.
    for lost in stride(from: 0, to: slices.count, by: max(1, slices.count / 12)).map({ slices[$0] })
    {
      var left: [UInt8] = []
      for (index, unit) in units.enumerated() where index != lost {
        left += [0, 0, 0, 1] + bytes[unit]
      }
      for frame in try decode(left) {
        if frame.isWhole {
          #expect(hashes.contains(frame.hash), "\(name) without unit \(lost)")
        } else {
          damaged += 1
        }
      }
    }
    #expect(damaged > 0, "\(name)")
  }
}
