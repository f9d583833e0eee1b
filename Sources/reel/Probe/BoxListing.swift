// The report of `reel probe --boxes`.

import ReelCore
import ReelIO
import ReelISOBMFF
import ReelRendering

struct BoxListing {
  private let source: any ByteSource

  init(path: String) throws(MediaError) {
    source = try FileSource.open(path: path)
    let prefix = try source.readFully(at: 0, count: 1 << 12)
    guard ISOBMFFDemuxer.probe(prefix) else {
      throw MediaError(
        .unsupported, .noBoxes, advice: "--boxes is for MP4, MOV, 3GP and their relatives")
    }
  }

  func write(to output: FileOutput, asJSON: Bool) throws(MediaError) {
    guard asJSON else {
      try output.write([UInt8]("      offset         size  box\n".utf8))
      try BoxList.forEach(in: source) { (box) throws(MediaError) in
        let indent = String(repeating: "  ", count: box.depth)
        let line = "\(box.offset.padded(12)) \(box.byteCount.padded(12))  \(indent)\(box.type)\n"
        try output.write([UInt8](line.utf8))
      }
      return
    }
    var json = JSONWriter(compactDepth: 2)
    json.open(nil, "{")
    json.open("boxes", "[")
    try BoxList.forEach(in: source) { (box) throws(MediaError) in
      json.object { json in
        json.string("type", box.type.description)
        json.number("offset", box.offset)
        json.number("size", box.byteCount)
        json.number("depth", box.depth)
      }
    }
    json.close("]")
    json.close("}")
    try output.write([UInt8](json.text.utf8))
  }
}

extension Rule {
  static let noBoxes = Rule("reel.no-boxes", "the input is made of boxes")
}

extension Int64 {
  /// The number behind enough blanks to be `width` characters long.
  fileprivate func padded(_ width: Int) -> String {
    let text = String(self)
    return String(repeating: " ", count: Swift.max(0, width - text.count)) + text
  }
}
