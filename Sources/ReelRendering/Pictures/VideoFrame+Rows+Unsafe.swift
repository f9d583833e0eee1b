// The rows of a picture as bytes, straight from the planes.

public import ReelCore

extension VideoFrame {
  /// Calls `body` with the bytes of every row of the shown part, Y then Cb then Cr, top to bottom, in
  /// the layout of ``PixelLayout``. The pointers are valid during the call of `body` only.
  ///
  /// Traps when the crop rectangle reaches outside of the planes.
  @unsafe
  func withUnsafeRows<R, E: Error>(
    _ body: ([UnsafeRawBufferPointer]) throws(E) -> R
  ) throws(E) -> R {
    switch storage {
    // SAFETY: handed on as it came; the caller's body is bound by the rule above.
    case .depth8(let planes): try unsafe withUnsafeRows(of: planes, body)
    case .depth16(let planes): try unsafe withUnsafeRows(of: planes, body)
    }
  }

  @unsafe
  private func withUnsafeRows<Sample: PictureSample, R, E: Error>(
    of planes: FramePlanes<Sample>, _ body: ([UnsafeRawBufferPointer]) throws(E) -> R
  ) throws(E) -> R {
    let layout = PixelLayout(self)
    let h = planes.chromaFormat.horizontalShift
    let v = planes.chromaFormat.verticalShift
    let chroma = SampleRect(
      x: crop.x >> h, y: crop.y >> v, width: layout.chromaWidth, height: layout.chromaHeight)
    // SAFETY: an empty list; what goes into it lives as long as the calls below.
    var rows: [UnsafeRawBufferPointer] = unsafe []
    unsafe rows.reserveCapacity(layout.height + 2 * layout.chromaHeight)
    // SAFETY: the rows are handed on within the calls that keep their memory valid.
    return try unsafe planes.y.withUnsafeBytes { (y) throws(E) in
      unsafe planes.y.appendRows(of: crop, in: y, to: &rows)
      guard planes.chromaFormat.hasChroma else {
        let grey = SamplePlane<Sample>(width: layout.chromaWidth, height: 1)
        grey.fill(at: 0, count: grey.width, with: 1 << Sample(layout.bitDepth - 1))
        let row = SampleRect(x: 0, y: 0, width: grey.width, height: 1)
        return try unsafe grey.withUnsafeBytes { (bytes) throws(E) in
          for _ in 0..<2 * layout.chromaHeight {
            unsafe grey.appendRows(of: row, in: bytes, to: &rows)
          }
          return try unsafe body(rows)
        }
      }
      return try unsafe planes.cb.withUnsafeBytes { (cb) throws(E) in
        unsafe planes.cb.appendRows(of: chroma, in: cb, to: &rows)
        return try unsafe planes.cr.withUnsafeBytes { (cr) throws(E) in
          unsafe planes.cr.appendRows(of: chroma, in: cr, to: &rows)
          return try unsafe body(rows)
        }
      }
    }
  }
}

extension SamplePlane {
  /// Appends the rows of `part`, which has to lie inside, to `rows`.
  @unsafe
  fileprivate func appendRows(
    of part: SampleRect, in bytes: UnsafeRawBufferPointer, to rows: inout [UnsafeRawBufferPointer]
  ) {
    precondition(part.x >= 0 && part.y >= 0 && part.width >= 0 && part.height >= 0)
    precondition(part.x + part.width <= width && part.y + part.height <= height)
    let size = MemoryLayout<Sample>.stride
    for y in part.y..<part.y + part.height {
      let start = (y * stride + part.x) * size
      // SAFETY: the lines above keep the row inside of the plane.
      unsafe rows.append(UnsafeRawBufferPointer(rebasing: bytes[start..<start + part.width * size]))
    }
  }
}

extension MD5 {
  /// Takes all bytes of a picture in the layout of ``PixelLayout``.
  public mutating func update(_ frame: VideoFrame) {
    // SAFETY: the rows are used within the closure only.
    unsafe frame.withUnsafeRows { (rows) throws(Never) in
      for i in unsafe rows.indices { unsafe update(rows[i]) }
    }
  }

  /// The digest of one picture's bytes.
  public static func digest(of frame: VideoFrame) -> Digest {
    var md5 = MD5()
    md5.update(frame)
    return md5.finalize()
  }
}
