// The rules of this target.

public import ReelCore

extension Rule {
  public static let colourMatrix = Rule(
    "imaging.colour-matrix", "the colour matrix is one that can be converted",
    clause: "Rec. ITU-T H.273 §8.3")
  public static let pictureSize = Rule(
    "imaging.picture-size",
    "a picture has 1 … 32,768 rows and columns and no more samples than the limit")
  public static let bitDepth = Rule("imaging.bit-depth", "samples have 8 … 16 bits")
  public static let filterName = Rule(
    "imaging.filter-name", "the filter is one of those that are built")
  public static let filterKey = Rule(
    "imaging.filter-key", "the filter has a parameter of this name")
  public static let filterValue = Rule(
    "imaging.filter-value", "a filter's value is finite and of the parameter's kind")
  public static let cubeData = Rule(
    "imaging.cube-data", "a colour cube has 2 … 129 entries an edge and data for all of them")
  public static let pathValue = Rule(
    "imaging.path-value", "coordinates and widths are finite numbers")
  public static let pathSize = Rule("imaging.path-size", "a path stays below the limit of elements")
  public static let imageSize = Rule(
    "imaging.image-size", "an image has samples for its whole size")
  public static let xmlSyntax = Rule(
    "imaging.xml-syntax", "a document is well-formed XML", clause: "XML 1.0 (Fifth Edition) §2")
  public static let svgRoot = Rule(
    "imaging.svg-root", "the document element of a drawing is svg", clause: "SVG 1.1 §5.1")
  public static let svgSize = Rule(
    "imaging.svg-size", "a drawing stays below the limits of bytes, elements and depth")
  public static let svgPath = Rule(
    "imaging.svg-path", "path data consists of commands and their numbers", clause: "SVG 1.1 §8.3")
}
