// A font file, through HarfBuzz.

internal import CHarfBuzz
internal import ReelCore
internal import ReelIO
internal import ReelImaging

/// A font. All measures are in font units, so that no machine's rounding is in them. Owned by one thread
/// at a time.
// SAFETY: the pointer is private, made in `init` and given up in `deinit`.
@safe final class FontFace {
  /// Told apart in caches.
  let number: Int
  let path: String
  /// 16…16,384.
  let unitsPerEm: Int
  /// Above and below the baseline, both ≥ 0.
  let ascent, descent: Int
  private let font: OpaquePointer

  /// LIMIT: collections of East Asian fonts have 100 MB.
  private static let mostBytes = 256 << 20

  /// - Throws: `notFound`, `io`; `damaged` when the file is no font, `limitExceeded`.
  init(path: String, number: Int) throws(MediaError) {
    self.path = path
    self.number = number
    let source = try FileSource.open(path: path)
    guard let length = source.byteCount, length <= Int64(Self.mostBytes) else {
      throw MediaError(.limitExceeded, .fontSize, at: .named(path))
    }
    let bytes = try source.readFully(at: 0, count: Int(length))
    // SAFETY: HarfBuzz copies the bytes (HB_MEMORY_MODE_DUPLICATE) while the buffer is valid. Blob and
    // face are counted by HarfBuzz; each `destroy` gives up what its `create` gave to us.
    let face: OpaquePointer? = unsafe bytes.withUnsafeBytes { raw in
      let blob = unsafe hb_blob_create(
        raw.baseAddress?.assumingMemoryBound(to: CChar.self), UInt32(raw.count),
        HB_MEMORY_MODE_DUPLICATE, nil, nil)
      let face = unsafe hb_face_create(blob, 0)
      unsafe hb_blob_destroy(blob)
      return unsafe face
    }
    // SAFETY: `face` is ours until it is destroyed; the font holds a reference of its own.
    defer { unsafe hb_face_destroy(face) }
    unitsPerEm = Int(unsafe hb_face_get_upem(face))
    guard unsafe hb_face_get_glyph_count(face) > 0, (16...16_384).contains(unitsPerEm),
      let created = unsafe hb_font_create(face)
    else { throw MediaError(.damaged, .fontFile, at: .named(path)) }
    // SAFETY: `created` is a new font that only this object uses, destroyed in deinit.
    unsafe font = created
    unsafe hb_font_set_scale(created, Int32(unitsPerEm), Int32(unitsPerEm))
    var extents = hb_font_extents_t()
    let hasExtents = unsafe hb_font_get_h_extents(created, &extents) != 0
    ascent = hasExtents ? max(Int(extents.ascender), 0) : unitsPerEm * 4 / 5
    descent = hasExtents ? max(-Int(extents.descender), 0) : unitsPerEm / 5
  }

  deinit {
    // SAFETY: the reference that `init` made; nothing else keeps it.
    unsafe hb_font_destroy(font)
  }

  /// The font has a glyph for a scalar.
  func covers(_ scalar: Unicode.Scalar) -> Bool { glyph(of: scalar) != nil }

  /// The glyph of a scalar that stands alone; nil for none.
  func glyph(of scalar: Unicode.Scalar) -> UInt32? {
    var glyph: hb_codepoint_t = 0
    // SAFETY: `font` lives as long as self; `glyph` is written during the call only.
    let isThere = unsafe hb_font_get_nominal_glyph(font, scalar.value, &glyph) != 0
    return isThere ? glyph : nil
  }

  /// The glyphs of a part of a text, in visual order.
  ///
  /// - Parameters:
  ///   - range: part of `text` in one script and direction; what is around it decides how letters join.
  ///   - script: ISO 15924 tag.
  ///   - language: BCP 47 tag; empty for none.
  func shape(
    _ text: [UInt32], _ range: Range<Int>, direction: ShapingDirection, script: UInt32,
    language: String
  ) -> [FontGlyph] {
    // SAFETY: the buffer is made, filled, read and destroyed here. The text is copied by `add`. The
    // arrays of infos and positions are the buffer's and hold `count` elements until it is destroyed.
    let buffer = unsafe hb_buffer_create()
    defer { unsafe hb_buffer_destroy(buffer) }
    unsafe text.withUnsafeBufferPointer { pointer in
      unsafe hb_buffer_add_codepoints(
        buffer, pointer.baseAddress, Int32(pointer.count), UInt32(range.lowerBound),
        Int32(range.count))
    }
    unsafe hb_buffer_set_direction(buffer, direction.value)
    unsafe hb_buffer_set_script(buffer, hb_script_t(rawValue: script))
    if !language.isEmpty {
      unsafe hb_buffer_set_language(buffer, hb_language_from_string(language, -1))
    }
    // SAFETY: as above; `font` lives as long as self.
    unsafe hb_buffer_set_cluster_level(buffer, HB_BUFFER_CLUSTER_LEVEL_MONOTONE_GRAPHEMES)
    unsafe hb_shape(font, buffer, nil, 0)
    var count: UInt32 = 0
    let infos = unsafe hb_buffer_get_glyph_infos(buffer, &count)
    let positions = unsafe hb_buffer_get_glyph_positions(buffer, &count)
    guard let infos = unsafe infos, let positions = unsafe positions else { return [] }
    // SAFETY: `i` is below the count that HarfBuzz told.
    return (0..<Int(count)).map { i in
      let (info, position) = unsafe (infos[i], positions[i])
      return FontGlyph(
        glyph: info.codepoint, cluster: Int(info.cluster),
        advance: SIMD2(Int(position.x_advance), Int(position.y_advance)),
        offset: SIMD2(Int(position.x_offset), Int(position.y_offset)))
    }
  }

  /// The outline of a glyph in font units, y up.
  func outline(_ glyph: UInt32) -> [PathElement] {
    let sink = OutlineSink()
    // SAFETY: `sink` outlives the call, which is the only one that uses the pointer to it. `font` lives
    // as long as self, the functions for ever.
    unsafe reel_hb_draw_glyph(
      font, glyph, OutlineSink.functions, Unmanaged.passUnretained(sink).toOpaque())
    return sink.elements
  }
}

/// Direction of the glyphs of a run.
enum ShapingDirection: Sendable, Hashable {
  case leftToRight, rightToLeft, topToBottom

  fileprivate var value: hb_direction_t {
    switch self {
    case .leftToRight: HB_DIRECTION_LTR
    case .rightToLeft: HB_DIRECTION_RTL
    case .topToBottom: HB_DIRECTION_TTB
    }
  }
}

/// A glyph of a shaped run, in font units with y up.
struct FontGlyph: Sendable, Hashable {
  var glyph: UInt32
  /// Index of the first scalar it stands for.
  var cluster: Int
  var advance, offset: SIMD2<Int>
}

/// Scripts of scalars.
enum ScriptProperty {
  static let common = hb_script_t.RawValue(HB_SCRIPT_COMMON.rawValue)
  static let inherited = hb_script_t.RawValue(HB_SCRIPT_INHERITED.rawValue)

  /// ISO 15924 tag of a scalar's script.
  static func of(_ scalar: Unicode.Scalar) -> UInt32 {
    // SAFETY: the default functions live as long as the process.
    unsafe hb_unicode_script(hb_unicode_funcs_get_default(), scalar.value).rawValue
  }
}

/// Collects the steps of an outline.
private final class OutlineSink {
  var elements: [PathElement] = []
  /// LIMIT: no glyph of a font that is read has so many; what is beyond is left out.
  static let mostElements = 20_000

  func add(_ element: PathElement) {
    if elements.count < Self.mostElements { elements.append(element) }
  }

  private static func at(_ x: Float, _ y: Float) -> Point { Point(x: Double(x), y: Double(y)) }

  /// The object behind HarfBuzz's pointer.
  private static func sink(_ data: UnsafeMutableRawPointer?) -> OutlineSink? {
    // SAFETY: the pointer is the one that `FontFace.outline` passes, to a sink that is alive.
    unsafe data.map { unsafe Unmanaged<OutlineSink>.fromOpaque($0).takeUnretainedValue() }
  }

  // SAFETY: made once, never changed after `make_immutable`, and never destroyed. The functions take
  // nothing but the pointer that is passed with each glyph.
  nonisolated(unsafe) static let functions: OpaquePointer? = {
    let functions = unsafe hb_draw_funcs_create()
    unsafe hb_draw_funcs_set_move_to_func(
      functions, { _, data, _, x, y, _ in unsafe sink(data)?.add(.move(at(x, y))) }, nil, nil)
    // SAFETY: as above.
    unsafe hb_draw_funcs_set_line_to_func(
      functions, { _, data, _, x, y, _ in unsafe sink(data)?.add(.line(at(x, y))) }, nil, nil)
    unsafe hb_draw_funcs_set_quadratic_to_func(
      functions,
      { _, data, _, cx, cy, x, y, _ in
        // SAFETY: as above.
        unsafe sink(data)?.add(.quadCurve(control: at(cx, cy), end: at(x, y)))
      }, nil, nil)
    // SAFETY: as above.
    unsafe hb_draw_funcs_set_cubic_to_func(
      functions,
      { _, data, _, ax, ay, bx, by, x, y, _ in
        unsafe sink(data)?.add(
          .cubicCurve(control1: at(ax, ay), control2: at(bx, by), end: at(x, y)))
      }, nil, nil)
    // SAFETY: as above.
    unsafe hb_draw_funcs_set_close_path_func(
      functions, { _, data, _, _ in unsafe sink(data)?.add(.close) }, nil, nil)
    unsafe hb_draw_funcs_make_immutable(functions)
    return unsafe functions
  }()
}
