// Opens a file, tells what is in it, and hashes the frame at half of its length.
//
//   FirstFrame clip.mp4

import ReelKit

let path = CommandLine.arguments.dropFirst().first ?? "clip.mp4"
let asset = try Asset.open(path: path)
for track in asset.tracks { print("\(track.kind) \(track.codec), \(track.duration)") }

let reader = try asset.makeFrameReader()
let middle = asset.duration.multiplied(by: 1, over: 2)
if let shown = try reader.frame(at: middle) {
  let frame = shown.frame
  print("frame \(shown.number) at \(shown.time): \(frame.width)x\(frame.height) \(MD5.digest(of: frame))")
}
