// Decoded frames that a loop will ask for again.

internal import ReelCore

/// Keeps the first frames it is given, up to a budget of bytes.
///
/// A loop asks for its frames in a circle. Giving up the least recently used one would then give up
/// each just before it is wanted; keeping the first ones saves what the budget allows on every pass.
struct FrameStore {
  private var frames: [CompositionKey: VideoFrame] = [:]
  private var bytesLeft: Int

  init(byteBudget: Int) { bytesLeft = byteBudget }

  subscript(key: CompositionKey) -> VideoFrame? { frames[key] }

  mutating func keep(_ frame: VideoFrame, for key: CompositionKey) {
    let size = frame.memoryByteCount
    guard size <= bytesLeft, frames[key] == nil else { return }
    bytesLeft -= size
    frames[key] = frame
  }
}

extension VideoFrame {
  /// Bytes that the planes hold in memory.
  fileprivate var memoryByteCount: Int {
    switch storage {
    case .depth8(let planes): planes.y.count + planes.cb.count + planes.cr.count
    case .depth16(let planes): 2 * (planes.y.count + planes.cb.count + planes.cr.count)
    }
  }
}
