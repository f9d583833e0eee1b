// The HTML page of `reel compare --report`.

/// A page that needs nothing from elsewhere: a curve of each measure and a table.
struct ComparisonPage {
  private let comparison: Comparison
  private let names: [String]

  init(_ comparison: Comparison, names: [String]) {
    self.comparison = comparison
    self.names = names.map(Self.escaped)
  }

  var text: String {
    let pictures = comparison.pictures
    // Identical pictures have no finite ratio; they are drawn at the top of the scale.
    let psnr = pictures.map { min($0.psnr, 100) }
    let ssim = pictures.compactMap(\.ssim)
    var page = """
      <!doctype html>
      <html lang="en"><meta charset="utf-8"><title>\(names.joined(separator: " – "))</title>
      <style>
      body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
      svg { width: 100%; height: 12rem; background: #f4f4f6 } polyline { fill: none; stroke: #06c }
      table { border-collapse: collapse; font-variant-numeric: tabular-nums }
      td, th { padding: .1rem .8rem; text-align: right; border-bottom: 1px solid #ddd }
      </style>
      <h1>\(names.joined(separator: " – "))</h1>
      <p>\(Self.escaped(comparison.line(psnr: true, ssim: !ssim.isEmpty)))</p>
      <h2>PSNR of all samples, dB</h2>
      \(Self.curve(psnr, from: 0, to: 100))

      """
    if !ssim.isEmpty {
      page += "<h2>SSIM of luma</h2>\n\(Self.curve(ssim, from: 0, to: 1))\n"
    }
    page += "<table>\n<tr><th>picture<th>PSNR<th>SSIM\n"
    for (number, picture) in pictures.enumerated() {
      let similarity = picture.ssim.map { comparison.text($0, places: 6) } ?? ""
      page += "<tr><td>\(number)<td>\(comparison.text(picture.psnr))<td>\(similarity)\n"
    }
    return page + "</table>\n</html>\n"
  }

  private static func curve(_ values: [Double], from low: Double, to high: Double) -> String {
    let points = values.enumerated().map { index, value in
      let x = values.count > 1 ? index * 1000 / (values.count - 1) : 500
      let y = Int((100 - (value - low) / (high - low) * 100).rounded())
      return "\(x),\(y)"
    }
    return """
      <svg viewBox="0 0 1000 100" preserveAspectRatio="none"><polyline points="\
      \(points.joined(separator: " "))"/></svg>
      """
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
  }
}
