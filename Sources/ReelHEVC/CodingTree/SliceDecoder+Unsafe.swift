// Views of planes for the time of a slice.

import ReelCore

extension SliceDecoder {
  /// Views of the planes that are written.
  static func views(of planes: FramePlanes<S>) -> (PlaneView<S>, PlaneView<S>, PlaneView<S>) {
    // SAFETY: the job holds the picture, which owns these planes, for as long as slices are decoded.
    unsafe (planes.y.view, planes.cb.view, planes.cr.view)
  }

  /// A view of the decoder's own scratch plane.
  static func view(of plane: borrowing SamplePlane<S>) -> PlaneView<S> {
    // SAFETY: the plane is a stored property of the memory that the decoder keeps.
    unsafe plane.view
  }

  /// A view of one plane of the loop filters' rows.
  static func view(of planes: FramePlanes<S>, _ component: Int) -> PlaneView<S> {
    // SAFETY: the filters hold these planes for as long as they use the view.
    unsafe component == 0 ? planes.y.view : component == 1 ? planes.cb.view : planes.cr.view
  }

  /// A picture of the reference picture set; nil when its samples are of another type or size.
  static func reference(_ picture: Picture, like planes: FramePlanes<S>) -> ReferenceView<S>? {
    guard let own = S.planes(of: picture.storage), own.y.width == planes.y.width,
      own.y.height == planes.y.height, own.chromaFormat == planes.chromaFormat
    else { return nil }
    // SAFETY: the job holds the reference pictures for as long as its slices are decoded.
    return unsafe ReferenceView(
      picture: picture, y: own.y.view, cb: own.cb.view, cr: own.cr.view)
  }
}
