// Renders three passes of a file into numbered JPEG files. Each picture is decoded and encoded once.
//
//   LoopToJPEG clip.mp4 'frames/%05d.jpg'

import Glibc
import ReelJPEG
import ReelKit

let arguments = CommandLine.arguments
guard arguments.count == 3 else {
  print("usage: LoopToJPEG INPUT 'FOLDER/%05d.jpg'")
  exit(2)
}
let input = try RenderInput(name: arguments[1], asset: .open(path: arguments[1]))
let renderer = try OfflineRenderer(inputs: [input], commands: [.loop(passes: 3), .play])
let sink = try ImageSequenceSink(NumberedFiles(pattern: arguments[2]), encoder: JPEGEncoder(quality: 85))
try renderer.render(to: sink)
print("\(renderer.summary.pictureCount) pictures, \(renderer.summary.decodedCount) decoded")
