// Views of planes for the time of a slice.

import ReelCore

extension MacroblockDecoder {
  /// A view of the decoder's own scratch plane.
  static func view(of plane: borrowing SamplePlane<S>) -> PlaneView<S> {
    // SAFETY: the plane is a stored property of the decoder that keeps the view, so it lives longer.
    unsafe plane.view
  }

  /// A frame or a field of a reference; nil when its samples are of another type or size.
  static func view(
    of entry: ReferencePicture, as structure: PictureStructure,
    like target: borrowing PictureTarget<S>
  ) -> ReferenceView<S>? {
    guard let planes = S.planes(of: entry.picture.storage),
      planes.y.width == target.planes.y.width, planes.y.height == target.planes.y.height,
      planes.chromaFormat == target.planes.chromaFormat
    else { return nil }
    // SAFETY: the slice input holds the reference pictures for as long as the slice is decoded.
    let views = unsafe target.selectPlanes(planes.y.view, planes.cb.view, planes.cr.view)
    let parity = structure.parity
    let isField = structure.isField
    return ReferenceView(
      y: isField ? views.0.field(parity) : views.0,
      cb: isField ? fieldOf(views.1, parity) : views.1,
      cr: isField ? fieldOf(views.2, parity) : views.2,
      orderCount: entry.picture.orderCount(structure),
      identity: entry.picture.identity(of: structure), isLongTerm: entry.isLongTerm,
      isBottomField: structure == .bottomField)
  }

  /// Monochrome pictures have empty chroma planes, which have no fields.
  static func fieldOf(_ plane: PlaneView<S>, _ parity: Int) -> PlaneView<S> {
    plane.height == 0 ? plane : plane.field(parity)
  }
}

extension H264Sample {
  /// The planes of a storage whose samples are of this type.
  static func planes(of storage: VideoFrame.Storage) -> FramePlanes<Self>? {
    switch storage {
    case .depth8(let planes): planes as? FramePlanes<Self>
    case .depth16(let planes): planes as? FramePlanes<Self>
    }
  }
}
