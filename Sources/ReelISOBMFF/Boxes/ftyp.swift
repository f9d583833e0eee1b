// File type. ISO/IEC 14496-12:2020 §4.3 (ftyp), §8.16.2 (styp).

import ReelCore

/// FileTypeBox (`ftyp`) and SegmentTypeBox (`styp`): which specifications the file keeps.
struct FileTypeBox {
  let majorBrand: FourCC
  let minorVersion: UInt32
  let compatibleBrands: [FourCC]

  init(parsing reader: inout ByteReader) throws(MediaError) {
    majorBrand = FourCC(rawValue: try reader.read())
    minorVersion = try reader.read()
    var brands: [FourCC] = []
    while reader.remaining >= 4 { brands.append(FourCC(rawValue: try reader.read())) }
    compatibleBrands = brands
  }
}
