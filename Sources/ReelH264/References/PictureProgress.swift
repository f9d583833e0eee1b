// How many lines of a picture are final while it is decoded on another thread.

import ReelVideoCore

/// Final lines of both fields of a frame store, counted in lines of the field.
final class PictureProgress: Sendable {
  private let top: LineProgress
  private let bottom: LineProgress

  /// Progress of a picture that waits to be decoded, as a frame or as fields. It stays the same
  /// object for both fields: workers hold it while the second field is only just being read.
  static var pending: PictureProgress { PictureProgress(lines: 0) }

  private init(lines: Int) {
    top = LineProgress(lines)
    bottom = LineProgress(lines)
  }

  /// Progress of a picture that is complete.
  convenience init() { self.init(lines: .max) }

  /// Lines of the frame or field that are final, at least.
  func lines(_ structure: PictureStructure) -> Int {
    switch structure {
    case .topField: return top.current
    case .bottomField: return bottom.current
    case .frame:
      let least = min(top.current, bottom.current)
      return least == .max ? .max : 2 * least
    }
  }

  /// Tells that the first `lines` lines of the frame or field are final.
  func publish(_ lines: Int, _ structure: PictureStructure) {
    switch structure {
    case .topField: top.publish(lines)
    case .bottomField: bottom.publish(lines)
    case .frame:
      top.publish(lines == .max ? .max : (lines + 1) / 2)
      bottom.publish(lines == .max ? .max : lines / 2)
    }
  }

  /// Waits until the first `lines` lines of the frame or field are final.
  func wait(until lines: Int, _ structure: PictureStructure) {
    switch structure {
    case .topField: top.wait(until: lines)
    case .bottomField: bottom.wait(until: lines)
    case .frame:
      top.wait(until: lines == .max ? .max : (lines + 1) / 2)
      bottom.wait(until: lines == .max ? .max : lines / 2)
    }
  }
}
