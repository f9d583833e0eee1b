// Asks a player what it shows when, without decoding anything: time is arithmetic.

import ReelKit

let script = try Script(
  parsing: """
    0    loop
    1.5  speed 2
    4    seek 1.0 pause
    """)
let clip = Timeline.Input(source: "clip.mp4", duration: MediaTime(value: 3, timescale: 1))
var timeline = Timeline(inputs: [clip], script: script)
for step in 0...10 {
  let host = Rational(step, 2)
  let shown = timeline.evaluate(at: host)
  print("\(host) s: pass \(shown.pass), item time \(shown.itemTime), rate \(shown.rate)")
}
