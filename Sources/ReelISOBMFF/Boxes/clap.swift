// Clean aperture. ISO/IEC 14496-12:2020 §12.1.4 (clap).

import ReelCore

/// CleanApertureBox (`clap`): the part of the picture that is meant to be seen.
struct CleanApertureBox {
  /// Nil when a denominator is 0.
  let aperture: CleanAperture?

  init(parsing reader: inout ByteReader) throws(MediaError) {
    // Writers differ on the sign of the denominators, which are given as unsigned.
    var values: [Rational] = []
    for _ in 0..<4 {
      let numerator = try reader.read(Int32.self)
      let denominator = try reader.read(Int32.self)
      if denominator != 0 { values.append(Rational(Int(numerator), Int(denominator))) }
    }
    aperture =
      values.count == 4
      ? CleanAperture(
        width: values[0], height: values[1], horizontalOffset: values[2],
        verticalOffset: values[3]) : nil
  }
}
