// Moving pictures made of numbers: something for every tool of an encoder to find.

internal import ReelCore
internal import ReelTestSupport

/// A scene: textures that pan, boxes that fly, a light that changes, noise, and cuts.
struct SyntheticScene {
  let width: Int
  let height: Int
  let chroma: ChromaFormat
  let bitDepth: Int
  let pictureCount: Int
  private let seed: UInt64
  private let boxes: [Box]
  private let noise: Int
  private let pan: (x: Int, y: Int)
  private let grain: Int
  private let fade: Int
  private let cut: Int

  private struct Box {
    let x, y, width, height, speedX, speedY, value, texture: Int
  }

  init(
    width: Int, height: Int, chroma: ChromaFormat, bitDepth: Int, pictureCount: Int,
    random: inout SeededGenerator
  ) {
    (self.width, self.height) = (width, height)
    (self.chroma, self.bitDepth, self.pictureCount) = (chroma, bitDepth, pictureCount)
    seed = random.next()
    var boxes: [Box] = []
    for _ in 0..<random.int(in: 0...4) {
      boxes.append(
        Box(
          x: random.int(in: -20...width), y: random.int(in: -20...height),
          width: random.int(in: 4...60), height: random.int(in: 4...60),
          speedX: random.int(in: -28...28), speedY: random.int(in: -28...28),
          value: random.int(in: 0...255), texture: random.int(in: 0...40)))
    }
    self.boxes = boxes
    noise = random.one(in: 3) ? random.int(in: 1...60) : random.int(in: 0...3)
    pan = (random.int(in: -12...12), random.int(in: -12...12))
    grain = random.int(in: 2...24)
    fade = random.one(in: 3) ? random.int(in: -12...12) : 0
    cut = random.one(in: 3) ? random.int(in: 1...max(1, pictureCount)) : Int.max
  }

  var sampleByteCount: Int { bitDepth > 8 ? 2 : 1 }

  /// Width and height of the planes that are there.
  var planes: [(width: Int, height: Int)] {
    guard chroma.hasChroma else { return [(width, height)] }
    let size = (
      (width + (1 << chroma.horizontalShift) - 1) >> chroma.horizontalShift,
      (height + (1 << chroma.verticalShift) - 1) >> chroma.verticalShift
    )
    return [(width, height), size, size]
  }

  /// The samples of picture `number`, plane after plane.
  func picture(_ number: Int) -> [UInt8] {
    var random = SeededGenerator(seed: seed &+ UInt64(number) &* 7919)
    let shift = bitDepth - 8
    let maximum = 1 << bitDepth - 1
    let scene = number >= cut ? 97 : 0
    var bytes: [UInt8] = []
    for (index, plane) in planes.enumerated() {
      let h = index == 0 ? 0 : chroma.horizontalShift
      let v = index == 0 ? 0 : chroma.verticalShift
      for y in 0..<plane.height {
        for x in 0..<plane.width {
          // Quarter samples of movement make sub-sample motion worth finding.
          let u = (x << h) * 4 + pan.x * number + scene * 31
          let w = (y << v) * 4 + pan.y * number + scene * 17
          var value = texture(u, w, index) + fade * number
          for box in boxes {
            let left = box.x * 4 + box.speedX * number
            let top = box.y * 4 + box.speedY * number
            let (dx, dy) = ((x << h) * 4 - left, (y << v) * 4 - top)
            if dx >= 0 && dy >= 0 && dx < box.width * 4 && dy < box.height * 4 {
              value = box.value + (((dx / 8) ^ (dy / 8)) & 1) * box.texture + index * 13
            }
          }
          var sample = value << shift
          if noise > 0 { sample += random.int(in: -(noise << shift)...(noise << shift)) / 2 }
          sample = min(max(sample, 0), maximum)
          bytes.append(UInt8(sample & 255))
          if bitDepth > 8 { bytes.append(UInt8(sample >> 8)) }
        }
      }
    }
    return bytes
  }

  /// A smooth pattern with edges in it; `u` and `w` in quarter samples.
  private func texture(_ u: Int, _ w: Int, _ plane: Int) -> Int {
    let a = triangle(u / 4, grain * 7 + plane * 5)
    let b = triangle(w / 4 + plane * 11, grain * 5)
    let edge = ((u / (grain * 16)) ^ (w / (grain * 12))) & 1
    return 40 + a / 2 + b / 2 + edge * 24
  }

  /// 0…128 and back with a period of `length`.
  private func triangle(_ x: Int, _ length: Int) -> Int {
    let phase = ((x % length) + length) % length
    return (phase * 2 < length ? phase : length - phase) * 256 / length
  }
}
