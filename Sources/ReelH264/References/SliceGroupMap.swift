// Slice group maps (flexible macroblock ordering). ISO/IEC 14496-10:2020 §8.2.2.

/// The derivation of mbToSliceGroupMap.
enum SliceGroupMap {
  /// mbToSliceGroupMap, §8.2.2.8: the slice group of each macroblock of the picture (in pairs'
  /// order for MBAFF frames: by macroblock address); empty where there is one slice group.
  static func macroblocks(
    _ header: SliceHeader, _ sequence: SequenceParameterSet, _ picture: PictureParameterSet
  ) -> [UInt8] {
    guard picture.numSliceGroups > 1 else { return [] }
    let units = mapUnits(header, sequence, picture)
    let width = sequence.picWidthInMbs
    let count = width * sequence.frameHeightInMbs / (header.fieldPicFlag ? 2 : 1)
    if sequence.frameMbsOnlyFlag || header.fieldPicFlag { return units }
    if header.mbaffFrameFlag { return (0..<count).map { units[$0 / 2] } }
    return (0..<count).map { units[$0 / (2 * width) * width + $0 % width] }
  }

  /// mapUnitToSliceGroupMap, §8.2.2: one of PicSizeInMapUnits groups each.
  static func mapUnits(
    _ header: SliceHeader, _ sequence: SequenceParameterSet, _ picture: PictureParameterSet
  ) -> [UInt8] {
    let width = sequence.picWidthInMbs
    let height = sequence.picHeightInMapUnits
    let groups = picture.numSliceGroups
    let moved = unitsInSliceGroup0(header, sequence, picture)
    switch picture.sliceGroupMapping {
    case .interleaved(let runs): return interleaved(runs, count: width * height)
    case .dispersed: return dispersed(width: width, height: height, groups: groups)
    case .foreground(let rectangles):
      return foreground(rectangles, width: width, height: height, groups: groups)
    case .boxOut(let direction):
      return boxOut(width: width, height: height, units: moved, direction: direction)
    case .raster(let direction):
      let upperLeft = sizeOfUpperLeftGroup(width * height, moved, direction)
      return raster(count: width * height, upperLeft: upperLeft, direction: direction)
    case .wipe(let direction):
      let upperLeft = sizeOfUpperLeftGroup(width * height, moved, direction)
      return wipe(width: width, height: height, upperLeft: upperLeft, direction: direction)
    case .explicit(let groups): return groups
    }
  }

  /// mapUnitsInSliceGroup0, (7-36).
  private static func unitsInSliceGroup0(
    _ header: SliceHeader, _ sequence: SequenceParameterSet, _ picture: PictureParameterSet
  ) -> Int {
    min(header.sliceGroupChangeCycle * picture.sliceGroupChangeRate, sequence.picSizeInMapUnits)
  }

  /// sizeOfUpperLeftGroup, (8-14).
  private static func sizeOfUpperLeftGroup(_ count: Int, _ units: Int, _ direction: Bool) -> Int {
    direction ? count - units : units
  }

  /// §8.2.2.1.
  private static func interleaved(_ runs: [Int], count: Int) -> [UInt8] {
    var map: [UInt8] = []
    map.reserveCapacity(count)
    while map.count < count {
      for (group, run) in runs.enumerated() {
        for _ in 0..<min(run, count - map.count) { map.append(UInt8(group)) }
      }
    }
    return map
  }

  /// §8.2.2.2.
  private static func dispersed(width: Int, height: Int, groups: Int) -> [UInt8] {
    (0..<width * height).map { i in
      UInt8((i % width + ((i / width * groups) / 2)) % groups)
    }
  }

  /// §8.2.2.3.
  private static func foreground(
    _ rectangles: [(topLeft: Int, bottomRight: Int)], width: Int, height: Int, groups: Int
  ) -> [UInt8] {
    var map = [UInt8](repeating: UInt8(groups - 1), count: width * height)
    for (group, rectangle) in rectangles.enumerated().reversed() {
      let (top, left) = rectangle.topLeft.quotientAndRemainder(dividingBy: width)
      let (bottom, right) = rectangle.bottomRight.quotientAndRemainder(dividingBy: width)
      for y in top...bottom {
        for x in left...right { map[y * width + x] = UInt8(group) }
      }
    }
    return map
  }

  /// §8.2.2.4, box-out: a spiral from the middle.
  private static func boxOut(
    width: Int, height: Int, units: Int, direction: Bool
  ) -> [UInt8] {
    var map = [UInt8](repeating: 1, count: width * height)
    let d = direction ? 1 : 0
    var x = (width - d) / 2
    var y = (height - d) / 2
    var (left, right, top, bottom) = (x, x, y, y)
    var (xDir, yDir) = (d - 1, d)
    var k = 0
    while k < units {
      let isVacant = map[y * width + x] == 1
      if isVacant {
        map[y * width + x] = 0
        k += 1
      }
      if xDir == -1 && x == left {
        left = max(left - 1, 0)
        x = left
        (xDir, yDir) = (0, 2 * d - 1)
      } else if xDir == 1 && x == right {
        right = min(right + 1, width - 1)
        x = right
        (xDir, yDir) = (0, 1 - 2 * d)
      } else if yDir == -1 && y == top {
        top = max(top - 1, 0)
        y = top
        (xDir, yDir) = (1 - 2 * d, 0)
      } else if yDir == 1 && y == bottom {
        bottom = min(bottom + 1, height - 1)
        y = bottom
        (xDir, yDir) = (2 * d - 1, 0)
      } else {
        x += xDir
        y += yDir
      }
    }
    return map
  }

  /// §8.2.2.5.
  private static func raster(count: Int, upperLeft: Int, direction: Bool) -> [UInt8] {
    let first: UInt8 = direction ? 1 : 0
    return (0..<count).map { $0 < upperLeft ? first : 1 - first }
  }

  /// §8.2.2.6.
  private static func wipe(
    width: Int, height: Int, upperLeft: Int, direction: Bool
  ) -> [UInt8] {
    let first: UInt8 = direction ? 1 : 0
    var map = [UInt8](repeating: 0, count: width * height)
    var k = 0
    for x in 0..<width {
      for y in 0..<height {
        map[y * width + x] = k < upperLeft ? first : 1 - first
        k += 1
      }
    }
    return map
  }
}

/// The slice group map of a picture, computed once for its slices.
struct SliceGroupMapCache {
  private var key: (SliceHeader, PictureParameterSet, SequenceParameterSet)?
  private var map: [UInt8] = []

  mutating func map(
    _ header: SliceHeader, _ sequence: SequenceParameterSet, _ picture: PictureParameterSet
  ) -> [UInt8] {
    guard picture.numSliceGroups > 1 else { return [] }
    if let key, key.0.structure == header.structure,
      key.0.sliceGroupChangeCycle == header.sliceGroupChangeCycle, key.1 == picture,
      key.2 == sequence
    {
      return map
    }
    map = SliceGroupMap.macroblocks(header, sequence, picture)
    key = (header, picture, sequence)
    return map
  }
}
