// Which font draws what: files by their names, never what a machine happens to prefer.

public import ReelCore

/// The families that text is asked for in.
public enum FontFamily: Sendable, Hashable, CaseIterable { case sansSerif, serif, monospace }

/// The fonts of a text, opened when they are first needed.
///
/// The user's own fonts come first, in their order; then DejaVu of the family; then for scripts that
/// DejaVu does not have, the Noto font of the script. Chinese, Japanese and Korean are in none of the two
/// packages: their characters need a font of the user's.
public final class FontBook {
  /// Folders that the files of the two packages are looked for in, in this order: those of Debian and
  /// Ubuntu, Fedora, Arch Linux.
  public static let folders = [
    "/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/truetype/noto",
    "/usr/share/fonts/dejavu-sans-fonts", "/usr/share/fonts/dejavu-sans-mono-fonts",
    "/usr/share/fonts/dejavu-serif-fonts", "/usr/share/fonts/google-noto", "/usr/share/fonts/TTF",
    "/usr/share/fonts/noto",
  ]

  private var faces: [String: FontFace] = [:]
  private var numbered: [FontFace] = []
  private var user: [FontFace] = []
  private let folders: [String]
  /// Scalars that no font of the book had a glyph for, in the order they were met.
  public private(set) var missing: [Unicode.Scalar] = []

  /// - Parameters:
  ///   - files: paths of the user's fonts.
  ///   - folders: where the packages' files lie.
  /// - Throws: `notFound`, `io`, `damaged` for a file of the user's.
  public init(files: [String] = [], folders: [String] = FontBook.folders) throws(MediaError) {
    self.folders = folders
    for path in files {
      let face = try FontFace(path: path, number: numbered.count)
      numbered.append(face)
      user.append(face)
    }
  }

  /// The font of a placed glyph.
  func face(number: Int) -> FontFace? { numbered.indices.contains(number) ? numbered[number] : nil }

  /// The font that decides the height of lines.
  func primary(_ family: FontFamily, isBold: Bool) throws(MediaError) -> FontFace {
    if let first = user.first { return first }
    return try dejaVu(family, isBold: isBold)
  }

  /// The first font that has glyphs for all of `scalars`; the primary one, whose missing glyph is drawn,
  /// where none has.
  ///
  /// - Throws: `notFound` when a package that is needed is not installed.
  func face(
    for scalars: ArraySlice<Unicode.Scalar>, script: UInt32, family: FontFamily, isBold: Bool
  ) throws(MediaError) -> FontFace {
    let needed = scalars.filter { !Self.needsNoGlyph($0) }
    func coversAll(_ face: FontFace) -> Bool { needed.allSatisfy { face.covers($0) } }
    if let found = user.first(where: coversAll) { return found }
    let own = try dejaVu(family, isBold: isBold)
    if coversAll(own) { return own }
    if family != .sansSerif {
      let sans = try dejaVu(.sansSerif, isBold: isBold)
      if coversAll(sans) { return sans }
    }
    for name in Self.fallbacks(script, isBold: isBold) {
      let face = try packaged(name, package: "fonts-noto-core")
      if coversAll(face) { return face }
    }
    for scalar in needed where !missing.contains(scalar) && missing.count < 1_000 {
      missing.append(scalar)
    }
    return user.first ?? own
  }

  /// Joiners, selectors and controls go with the font of what stands beside them.
  private static func needsNoGlyph(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.generalCategory == .control
  }

  private func dejaVu(_ family: FontFamily, isBold: Bool) throws(MediaError) -> FontFace {
    let name =
      switch family {
      case .sansSerif: "DejaVuSans"
      case .serif: "DejaVuSerif"
      case .monospace: "DejaVuSansMono"
      }
    return try packaged(name + (isBold ? "-Bold.ttf" : ".ttf"), package: "fonts-dejavu-core")
  }

  private func packaged(_ name: String, package: String) throws(MediaError) -> FontFace {
    if let open = faces[name] { return open }
    for folder in folders {
      do throws(MediaError) {
        let face = try FontFace(path: "\(folder)/\(name)", number: numbered.count)
        faces[name] = face
        numbered.append(face)
        return face
      } catch {
        if error.family != .notFound { throw error }
      }
    }
    throw MediaError(
      .notFound, .fontMissing, at: .named(name),
      detail: "looked in \(folders.joined(separator: ", "))",
      advice: "install the package \(package), or name a font with --font FILE")
  }

  // MARK: Scripts

  /// Files of fonts-noto-core that have a script, then those for signs of any script.
  private static func fallbacks(_ script: UInt32, isBold: Bool) -> [String] {
    let weight = isBold ? "Bold" : "Regular"
    var names: [String] = []
    if let row = scripts[FourCC(rawValue: script).description] {
      names.append("\(row.name)-\(row.hasBold ? weight : "Regular").ttf")
    } else if eastAsian.contains(FourCC(rawValue: script).description) {
      return []
    }
    return names + ["NotoSans-\(weight).ttf", "NotoSansSymbols-\(weight).ttf"]
      + ["NotoSansSymbols2-Regular.ttf", "NotoSansMath-Regular.ttf"]
  }

  /// Scripts that no font of the packages has.
  private static let eastAsian: Set<String> = ["Hani", "Hira", "Kana", "Hang", "Bopo", "Yiii"]

  private static let scripts: [String: (name: String, hasBold: Bool)] = [
    "Arab": ("NotoSansArabic", true), "Armn": ("NotoSansArmenian", true),
    "Beng": ("NotoSansBengali", true), "Cans": ("NotoSansCanadianAboriginal", true),
    "Cher": ("NotoSansCherokee", true), "Deva": ("NotoSansDevanagari", true),
    "Ethi": ("NotoSansEthiopic", true), "Geor": ("NotoSansGeorgian", true),
    "Gujr": ("NotoSansGujarati", true), "Guru": ("NotoSansGurmukhi", true),
    "Hebr": ("NotoSansHebrew", true), "Java": ("NotoSansJavanese", true),
    "Khmr": ("NotoSansKhmer", true), "Knda": ("NotoSansKannada", true),
    "Laoo": ("NotoSansLao", true), "Mlym": ("NotoSansMalayalam", true),
    "Mong": ("NotoSansMongolian", false), "Mymr": ("NotoSansMyanmar", true),
    "Nkoo": ("NotoSansNKo", false), "Orya": ("NotoSansOriya", true),
    "Sinh": ("NotoSansSinhala", true), "Syrc": ("NotoSansSyriac", false),
    "Taml": ("NotoSansTamil", true), "Telu": ("NotoSansTelugu", true),
    "Tfng": ("NotoSansTifinagh", false), "Thaa": ("NotoSansThaana", true),
    "Thai": ("NotoSansThai", true), "Tibt": ("NotoSerifTibetan", true),
  ]
}
