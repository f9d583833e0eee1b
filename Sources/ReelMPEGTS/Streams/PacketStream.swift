// Streams whose samples are PES packets or sections: metadata, subtitles, and what is not taken apart.

import ReelCore

/// Each PES packet's payload is a sample.
final class PacketStream: ElementaryStream {
  private let kind: MediaKind
  private let limit: Int
  private var mark: PESMark?
  private var payload: [UInt8] = []
  private var done: [ElementarySample] = []
  private var overflow: MediaError?
  let endsWithLength = true
  let codec: CodecID? = nil

  init(kind: MediaKind, limits: Limits) {
    self.kind = kind
    limit = limits.maximumPacketBytes
  }

  var format: TrackFormat? {
    switch kind {
    case .video: .video(VideoFormat())
    case .audio: .audio(AudioFormat())
    default: .other(sampleEntry: nil)
    }
  }

  func begin(_ mark: PESMark) {
    end()
    self.mark = mark
  }

  func append(_ bytes: ArraySlice<UInt8>) {
    guard payload.count + bytes.count <= limit else {
      overflow = MediaError(
        .limitExceeded, .transportPacketSize, at: .offset(mark?.position ?? -1),
        detail: "more than \(limit) bytes")
      payload.removeAll()
      return
    }
    payload += bytes
  }

  func end() {
    defer {
      payload.removeAll()
      mark = nil
    }
    guard let mark, !payload.isEmpty else { return }
    var header = PacketHeader(trackIndex: 0, byteCount: payload.count)
    header.presentationTicks = mark.presentation
    header.decodeTicks = mark.decoding ?? mark.presentation
    header.position = mark.position
    header.isSync = true
    done.append(ElementarySample(header, data: payload, mark: mark))
  }

  func next() throws(MediaError) -> ElementarySample? {
    if let overflow {
      self.overflow = nil
      throw overflow
    }
    return done.isEmpty ? nil : done.removeFirst()
  }

  func finish() throws(MediaError) -> ElementarySample? {
    end()
    return try next()
  }

  func restart() {
    payload.removeAll()
    done.removeAll()
    (mark, overflow) = (nil, nil)
  }
}

/// Each section is a sample, without a time.
final class SectionStream: ElementaryStream {
  private var done: [ElementarySample] = []
  let endsWithLength = false
  let codec: CodecID? = nil
  let format: TrackFormat? = .other(sampleEntry: nil)

  func begin(_ mark: PESMark) {}
  /// Takes a whole section.
  func append(_ bytes: ArraySlice<UInt8>) {
    var header = PacketHeader(trackIndex: 0, byteCount: bytes.count)
    header.isSync = true
    done.append(ElementarySample(header, data: [UInt8](bytes)))
  }
  func end() {}
  func next() throws(MediaError) -> ElementarySample? {
    done.isEmpty ? nil : done.removeFirst()
  }
  func finish() throws(MediaError) -> ElementarySample? { try next() }
  func restart() { done.removeAll() }
}
