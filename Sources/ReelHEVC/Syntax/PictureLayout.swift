// Tiles and the conversions between scans. ISO/IEC 23008-2:2020 §6.5.1, §6.5.2.

import ReelCore

/// What follows from a pair of parameter sets: the order of coding tree blocks, tiles, factors.
final class PictureLayout {
  let sequence: SequenceParameterSet
  let parameters: PictureParameterSet
  /// CtbAddrRsToTs and CtbAddrTsToRs.
  let rasterToTile: CheckedBuffer<Int32>
  let tileToRaster: CheckedBuffer<Int32>
  /// TileId by raster address.
  let tileID: CheckedBuffer<Int32>
  /// First column, in coding tree blocks, of the tile of each column; the same of rows.
  let tileStartX: CheckedBuffer<Int32>
  let tileStartY: CheckedBuffer<Int32>
  /// MinTbAddrZs at y · ``widthInMinTbs`` + x.
  let minTbAddrZs: CheckedBuffer<Int32>
  let widthInMinTbs: Int
  let heightInMinTbs: Int
  /// Nil where scaling lists are off.
  let scaling: CheckedBuffer<UInt8>
  let hasScaling: Bool
  /// Log2MinCuQpDeltaSize and Log2MinCuChromaQpOffsetSize.
  let log2MinCuQpDeltaSize: Int
  let log2MinCuChromaQpOffsetSize: Int

  /// - Throws: `.damaged` when the tiles do not fit the picture.
  init(_ sequence: SequenceParameterSet, _ parameters: PictureParameterSet) throws(MediaError) {
    self.sequence = sequence
    self.parameters = parameters
    let (width, height) = (sequence.widthInCtbs, sequence.heightInCtbs)
    let columns = try Self.boundaries(
      parameters.tileColumnCount, parameters.hasUniformTiles, parameters.tileColumnWidths, width)
    let rows = try Self.boundaries(
      parameters.tileRowCount, parameters.hasUniformTiles, parameters.tileRowHeights, height)
    guard parameters.diffCuQpDeltaDepth <= sequence.ctbLog2Size - sequence.minCbLog2Size,
      parameters.diffCuChromaQpOffsetDepth <= sequence.ctbLog2Size - sequence.minCbLog2Size,
      parameters.log2ParMrgLevel <= sequence.ctbLog2Size,
      parameters.initQP >= -sequence.qpBdOffsetY
    else {
      throw MediaError(.damaged, .hevcPictureValue, detail: "values do not fit the sequence")
    }
    log2MinCuQpDeltaSize = sequence.ctbLog2Size - parameters.diffCuQpDeltaDepth
    log2MinCuChromaQpOffsetSize = sequence.ctbLog2Size - parameters.diffCuChromaQpOffsetDepth
    rasterToTile = CheckedBuffer(repeating: 0, count: width * height)
    tileToRaster = CheckedBuffer(repeating: 0, count: width * height)
    tileID = CheckedBuffer(repeating: 0, count: width * height)
    tileStartX = CheckedBuffer(repeating: 0, count: width)
    tileStartY = CheckedBuffer(repeating: 0, count: height)
    // One entry more a side, so that the right and lower border may be asked for.
    let shift = sequence.ctbLog2Size - sequence.minTbLog2Size
    widthInMinTbs = width << shift
    heightInMinTbs = height << shift
    minTbAddrZs = CheckedBuffer(repeating: 0, count: widthInMinTbs * heightInMinTbs)
    hasScaling = sequence.scalingListEnabled
    let lists =
      (sequence.chromaFormatIDC == 3 ? parameters.scalingLists444 : parameters.scalingLists)
      ?? sequence.scalingLists ?? ScalingLists()
    scaling = CheckedBuffer(sequence.scalingListEnabled ? ScalingFactors(lists).values : [])
    fillTiles(columns, rows)
    fillOrder(shift)
  }

  /// colBd or rowBd, (6-3) to (6-6), with the picture's end as last.
  private static func boundaries(
    _ count: Int, _ isUniform: Bool, _ sizes: [Int], _ total: Int
  ) throws(MediaError) -> [Int] {
    guard count <= total else {
      throw MediaError(.damaged, .hevcTiles, detail: "\(count) tiles in \(total) blocks")
    }
    if isUniform { return (0...count).map { $0 * total / count } }
    var boundaries = [0]
    for size in sizes { boundaries.append((boundaries.last ?? 0) + size) }
    guard (boundaries.last ?? 0) < total else {
      throw MediaError(.damaged, .hevcTiles, detail: "tiles reach past \(total) blocks")
    }
    return boundaries + [total]
  }

  private func fillTiles(_ columns: [Int], _ rows: [Int]) {
    let width = sequence.widthInCtbs
    var address = 0
    var tile = 0
    for row in 0..<rows.count - 1 {
      for column in 0..<columns.count - 1 {
        for y in rows[row]..<rows[row + 1] {
          tileStartY[y] = Int32(rows[row])
          for x in columns[column]..<columns[column + 1] {
            tileStartX[x] = Int32(columns[column])
            rasterToTile[y * width + x] = Int32(address)
            tileToRaster[address] = Int32(y * width + x)
            tileID[y * width + x] = Int32(tile)
            address += 1
          }
        }
        tile += 1
      }
    }
  }

  /// MinTbAddrZs, (6-10).
  private func fillOrder(_ shift: Int) {
    for y in 0..<heightInMinTbs {
      for x in 0..<widthInMinTbs {
        let ctb = (y >> shift) * sequence.widthInCtbs + x >> shift
        var address = Int(rasterToTile[ctb]) << (2 * shift)
        for i in 0..<shift {
          address += (x >> i & 1) << (2 * i) + (y >> i & 1) << (2 * i + 1)
        }
        minTbAddrZs[y * widthInMinTbs + x] = Int32(truncatingIfNeeded: address)
      }
    }
  }
}
