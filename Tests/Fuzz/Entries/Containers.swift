// Containers: opened, told, read to the end, sought. Each is what a player does with a file.

import ReelAudioFiles
import ReelCore
import ReelElementary
import ReelISOBMFF
import ReelMPEGTS
import ReelMatroska

extension FuzzEntry {
  public static let isobmff = FuzzEntry("ISOBMFF") { bytes in
    let source = MemorySource(bytes)
    _ = ISOBMFFDemuxer.probe(bytes)
    _ = try? ISOBMFFDemuxer.describe(source, limits: .fuzzing)
    // Each strictness, and files cut inside their metadata, by the input's length.
    let strictness = Strictness.allCases[bytes.count % Strictness.allCases.count]
    let acceptsCut = bytes.count & 1 == 0
    walk { () throws(MediaError) in
      try ISOBMFFDemuxer(
        source: source, limits: .fuzzing, strictness: strictness, acceptsCutMetadata: acceptsCut)
    }
  }

  public static let mpegTS = FuzzEntry("MPEGTS") { bytes in
    _ = TransportStreamDemuxer.probe(bytes)
    walk { () throws(MediaError) in
      try TransportStreamDemuxer(source: MemorySource(bytes), limits: .fuzzing)
    }
  }

  public static let matroska = FuzzEntry("Matroska") { bytes in
    _ = MatroskaDemuxer.probe(bytes)
    walk { () throws(MediaError) in
      try MatroskaDemuxer(source: MemorySource(bytes), limits: .fuzzing)
    }
  }

  /// WAVE, and streams of audio frames with their tags.
  public static let audioFiles = FuzzEntry("AudioFiles") { bytes in
    _ = WaveDemuxer.probe(bytes)
    _ = AudioStreamDemuxer.probe(bytes)
    walk { () throws(MediaError) in
      try WaveDemuxer(source: MemorySource(bytes), limits: .fuzzing)
    }
    walk { () throws(MediaError) in
      try AudioStreamDemuxer(source: MemorySource(bytes), limits: .fuzzing)
    }
  }

  public static let elementary = FuzzEntry("Elementary") { bytes in
    _ = H264StreamDemuxer.probe(bytes)
    walk { () throws(MediaError) in
      try H264StreamDemuxer(source: MemorySource(bytes), limits: .fuzzing)
    }
    _ = HEVCStreamDemuxer.probe(bytes)
    walk { () throws(MediaError) in
      try HEVCStreamDemuxer(source: MemorySource(bytes), limits: .fuzzing)
    }
  }
}

extension Limits {
  /// Smaller, so that inputs which try them stay quick.
  static let fuzzing: Limits = {
    var limits = Limits.standard
    limits.maximumSamplesPerTrack = 1 << 16
    limits.maximumMetadataBytes = 1 << 24
    limits.maximumPacketBytes = 1 << 22
    return limits
  }()
}

/// Opens a container and uses all that it offers.
private func walk(_ open: () throws(MediaError) -> any Demuxer) {
  guard let demuxer = try? open() else { return }
  _ = try? demuxer.chapters()
  _ = demuxer.artwork
  let tracks = Array(demuxer.tracks.indices)
  guard let reader = try? demuxer.makePacketReader(trackIndices: tracks) else { return }
  // LIMIT: packets read of an input; a table may describe many that lie on the same bytes.
  let most = 4096
  var count = 0
  while count < most, let header = try? reader.nextHeader() {
    precondition(demuxer.tracks.indices.contains(header.trackIndex))
    count += 1
  }
  for (number, index) in tracks.prefix(4).enumerated() {
    let ticks = [Int64.min, 0, 1000, Int64.max][number & 3]
    guard (try? reader.seek(trackIndex: index, toSyncAtOrBefore: ticks)) != nil else { continue }
    for _ in 0..<64 { guard (try? reader.next()) != nil else { break } }
  }
}
