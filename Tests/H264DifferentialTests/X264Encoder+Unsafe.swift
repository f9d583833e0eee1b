// The reference encoder: pictures in, a byte stream and the encoder's own reconstruction out.

internal import CX264
internal import ReelCore

/// What the encoder made of a scene.
struct EncodedScene {
  /// Annex B access units in decoding order.
  var accessUnits: [[UInt8]] = []
  /// The encoder's reconstruction in presentation order: planar samples, 16-bit ones low byte first.
  var pictures: [[UInt8]] = []
}

struct X264Failure: Error, CustomStringConvertible {
  let description: String
}

/// Encodes all pictures of `scene`.
func encode(_ scene: SyntheticScene, _ settings: EncoderSettings) throws -> EncodedScene {
  var parameters = unsafe x264_param_t()
  // SAFETY: test code. The structures are ours; x264 keeps copies of the strings it is given.
  guard unsafe x264_param_default_preset(&parameters, settings.preset, nil) == 0 else {
    throw X264Failure(description: "no preset \(settings.preset)")
  }
  let isDeep = scene.bitDepth > 8
  let colourSpace = CInt(settings.colourSpace)
  unsafe parameters.i_log_level = X264_LOG_NONE
  unsafe parameters.i_threads = 1
  unsafe parameters.i_width = CInt(scene.width)
  unsafe parameters.i_height = CInt(scene.height)
  unsafe parameters.i_csp = colourSpace | (isDeep ? X264_CSP_HIGH_DEPTH : 0)
  unsafe parameters.i_bitdepth = CInt(scene.bitDepth)
  unsafe parameters.b_full_recon = 1
  unsafe parameters.b_annexb = 1
  unsafe parameters.b_repeat_headers = 1
  unsafe parameters.b_vfr_input = 0
  for (name, value) in settings.options {
    guard unsafe x264_param_parse(&parameters, name, value) == 0 else {
      throw X264Failure(description: "x264 refuses --\(name) \(value)")
    }
  }
  guard let encoder = unsafe reel_x264_encoder_open(&parameters) else {
    // Quantisers may be too low for the scaling matrices that go with them.
    guard let higher = settings.withHigherQP(by: 6) else {
      throw X264Failure(description: "x264 does not open")
    }
    return try encode(scene, higher)
  }
  defer { unsafe x264_encoder_close(encoder) }
  var output = EncodedScene()
  var reconstructed: [(time: Int64, picture: [UInt8])] = []
  func take(
    _ byteCount: CInt, _ units: UnsafeMutablePointer<x264_nal_t>?, _ picture: x264_picture_t
  ) throws {
    guard byteCount >= 0 else { throw X264Failure(description: "x264 fails to encode") }
    guard byteCount > 0, let first = unsafe units?.pointee.p_payload else { return }
    // SAFETY: x264 lays all units of an access unit out in a row.
    output.accessUnits.append(
      unsafe [UInt8](UnsafeBufferPointer(start: first, count: Int(byteCount))))
    unsafe reconstructed.append((picture.i_pts, samples(of: picture.img, scene)))
  }
  var units: UnsafeMutablePointer<x264_nal_t>? = nil
  var unitCount: CInt = 0
  for number in 0..<scene.pictureCount {
    var (input, result) = unsafe (x264_picture_t(), x264_picture_t())
    unsafe x264_picture_init(&input)
    var bytes = scene.picture(number)
    unsafe input.i_pts = Int64(number)
    unsafe input.img.i_csp = colourSpace | (isDeep ? X264_CSP_HIGH_DEPTH : 0)
    unsafe input.img.i_plane = colourSpace == X264_CSP_I400 ? 1 : 3
    // SAFETY: x264 copies the picture before the call returns.
    try unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      let sizes = scene.planes.map { $0.width * $0.height * scene.sampleByteCount }
      let strides = scene.planes.map { CInt($0.width * scene.sampleByteCount) }
      unsafe input.img.plane.0 = buffer.baseAddress
      unsafe input.img.i_stride.0 = strides[0]
      if sizes.count == 3 {
        unsafe input.img.plane.1 = buffer.baseAddress.map { unsafe $0 + sizes[0] }
        unsafe input.img.plane.2 = buffer.baseAddress.map { unsafe $0 + sizes[0] + sizes[1] }
        unsafe input.img.i_stride.1 = strides[1]
        unsafe input.img.i_stride.2 = strides[2]
      }
      let byteCount = unsafe x264_encoder_encode(encoder, &units, &unitCount, &input, &result)
      try unsafe take(byteCount, units, result)
    }
  }
  while unsafe x264_encoder_delayed_frames(encoder) > 0 {
    var result = unsafe x264_picture_t()
    let byteCount = unsafe x264_encoder_encode(encoder, &units, &unitCount, nil, &result)
    try unsafe take(byteCount, units, result)
  }
  output.pictures = reconstructed.sorted { $0.time < $1.time }.map(\.picture)
  return output
}

/// The shown part of a reconstruction, which x264 keeps with interleaved chroma.
@unsafe private func samples(of image: x264_image_t, _ scene: SyntheticScene) -> [UInt8] {
  let size = scene.sampleByteCount
  var bytes: [UInt8] = []
  let pointers = unsafe [image.plane.0, image.plane.1, image.plane.2]
  let strides = [image.i_stride.0, image.i_stride.1, image.i_stride.2].map { Int($0) }
  let isInterleaved = image.i_plane == 2
  for (i, plane) in scene.planes.enumerated() {
    let source = isInterleaved && i > 0 ? 1 : i
    guard let base = unsafe pointers[source] else { continue }
    for y in 0..<plane.height {
      // SAFETY: x264 gives rows of at least the picture's width.
      let row = unsafe base + y * strides[source]
      for x in 0..<plane.width {
        let at = isInterleaved && i > 0 ? (2 * x + i - 1) * size : x * size
        for k in 0..<size { unsafe bytes.append(row[at + k]) }
      }
    }
  }
  return bytes
}
