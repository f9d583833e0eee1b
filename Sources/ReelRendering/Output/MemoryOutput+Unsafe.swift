// Pictures into memory.

public import ReelCore

extension VideoFrame {
  /// All bytes of the picture in the layout of ``PixelLayout``.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(PixelLayout(self).byteCount)
    // SAFETY: the rows are used within the closure only.
    unsafe withUnsafeRows { (rows) throws(Never) in
      for i in unsafe rows.indices { unsafe bytes.append(contentsOf: rows[i]) }
    }
    return bytes
  }
}
