internal import ReelTestSupport
internal import Testing

@testable internal import ReelH264

@Suite("Slice group maps")
struct SliceGroupMapTests {
  /// The pseudo-code of §8.2.2.1 to §8.2.2.6, line by line.
  struct Transcription {
    let width: Int
    let height: Int
    let groups: Int
    var size: Int { width * height }

    func interleaved(_ runLength: [Int]) -> [UInt8] {
      var map = [UInt8](repeating: 99, count: size)
      var i = 0
      repeat {
        var iGroup = 0
        while iGroup <= groups - 1 && i < size {
          var j = 0
          while j <= runLength[iGroup] - 1 && i + j < size {
            map[i + j] = UInt8(iGroup)
            j += 1
          }
          i += runLength[iGroup]
          iGroup += 1
        }
      } while i < size
      return map
    }

    func dispersed() -> [UInt8] {
      (0..<size).map { UInt8(($0 % width + ((($0 / width) * groups) / 2)) % groups) }
    }

    func foreground(_ rectangles: [(topLeft: Int, bottomRight: Int)]) -> [UInt8] {
      var map = [UInt8](repeating: UInt8(groups - 1), count: size)
      for iGroup in stride(from: groups - 2, through: 0, by: -1) {
        let (topLeft, bottomRight) = rectangles[iGroup]
        for y in topLeft / width...bottomRight / width {
          for x in topLeft % width...bottomRight % width { map[y * width + x] = UInt8(iGroup) }
        }
      }
      return map
    }

    func boxOut(_ direction: Int, _ units: Int) -> [UInt8] {
      var map = [UInt8](repeating: 1, count: size)
      var x = (width - direction) / 2
      var y = (height - direction) / 2
      var (leftBound, topBound) = (x, y)
      var (rightBound, bottomBound) = (x, y)
      var (xDir, yDir) = (direction - 1, direction)
      var k = 0
      while k < units {
        let mapUnitVacant = map[y * width + x] == 1 ? 1 : 0
        if mapUnitVacant == 1 { map[y * width + x] = 0 }
        if xDir == -1 && x == leftBound {
          leftBound = max(leftBound - 1, 0)
          x = leftBound
          (xDir, yDir) = (0, 2 * direction - 1)
        } else if xDir == 1 && x == rightBound {
          rightBound = min(rightBound + 1, width - 1)
          x = rightBound
          (xDir, yDir) = (0, 1 - 2 * direction)
        } else if yDir == -1 && y == topBound {
          topBound = max(topBound - 1, 0)
          y = topBound
          (xDir, yDir) = (1 - 2 * direction, 0)
        } else if yDir == 1 && y == bottomBound {
          bottomBound = min(bottomBound + 1, height - 1)
          y = bottomBound
          (xDir, yDir) = (2 * direction - 1, 0)
        } else {
          (x, y) = (x + xDir, y + yDir)
        }
        k += mapUnitVacant
      }
      return map
    }

    func raster(_ direction: Int, _ units: Int) -> [UInt8] {
      let sizeOfUpperLeftGroup = direction == 1 ? size - units : units
      return (0..<size).map { UInt8($0 < sizeOfUpperLeftGroup ? direction : 1 - direction) }
    }

    func wipe(_ direction: Int, _ units: Int) -> [UInt8] {
      let sizeOfUpperLeftGroup = direction == 1 ? size - units : units
      var map = [UInt8](repeating: 99, count: size)
      var k = 0
      for j in 0..<width {
        for i in 0..<height {
          map[i * width + j] = UInt8(k < sizeOfUpperLeftGroup ? direction : 1 - direction)
          k += 1
        }
      }
      return map
    }
  }

  @Test("agree with the standard's pseudo-code for every type", arguments: 0..<300)
  func transcription(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var sequence = SequenceParameterSet.random(using: &random)
    sequence.picWidthInMbs = random.int(in: 1...12)
    sequence.picHeightInMapUnits = random.int(in: 1...9)
    var picture = PictureParameterSet.random(for: sequence, using: &random)
    while picture.numSliceGroups == 1 {
      picture = PictureParameterSet.random(for: sequence, using: &random)
    }
    var header = SliceHeader()
    let plain = Transcription(
      width: sequence.picWidthInMbs, height: sequence.picHeightInMapUnits,
      groups: picture.numSliceGroups)
    let rate = picture.sliceGroupChangeRate
    for cycle in 0...(plain.size + rate - 1) / rate {
      header.sliceGroupChangeCycle = cycle
      let units = min(cycle * rate, plain.size)
      let expected: [UInt8]
      switch picture.sliceGroupMapping {
      case .interleaved(let runs): expected = plain.interleaved(runs)
      case .dispersed: expected = plain.dispersed()
      case .foreground(let rectangles): expected = plain.foreground(rectangles)
      case .boxOut(let direction): expected = plain.boxOut(direction ? 1 : 0, units)
      case .raster(let direction): expected = plain.raster(direction ? 1 : 0, units)
      case .wipe(let direction): expected = plain.wipe(direction ? 1 : 0, units)
      case .explicit(let groups): expected = groups
      }
      let map = SliceGroupMap.mapUnits(header, sequence, picture)
      #expect(map == expected, "seed \(seed), cycle \(cycle), \(picture.sliceGroupMapping)")
      if !picture.sliceGroupMapping.isChanging { break }
    }
  }

  @Test("spread map units over macroblocks as frames, fields and pairs want")
  func macroblocks() {
    var sequence = SequenceParameterSet()
    (sequence.picWidthInMbs, sequence.picHeightInMapUnits) = (2, 2)
    var picture = PictureParameterSet()
    picture.numSliceGroups = 4
    picture.sliceGroupMapping = .explicit(groups: [0, 1, 2, 3])
    var header = SliceHeader()
    func map() -> [UInt8] { SliceGroupMap.macroblocks(header, sequence, picture) }
    #expect(map() == [0, 1, 2, 3])
    sequence.frameMbsOnlyFlag = false
    // A frame of twice the height: a map unit is two macroblocks, one below the other.
    #expect(map() == [0, 1, 0, 1, 2, 3, 2, 3])
    header.fieldPicFlag = true
    #expect(map() == [0, 1, 2, 3])
    header.fieldPicFlag = false
    header.mbaffFrameFlag = true
    // Addresses go pair by pair.
    #expect(map() == [0, 0, 1, 1, 2, 2, 3, 3])
    picture.numSliceGroups = 1
    #expect(map().isEmpty)
  }
}
