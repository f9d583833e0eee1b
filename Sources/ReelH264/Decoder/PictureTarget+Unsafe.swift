// The planes and tables that the slices of one picture are decoded into.

import ReelCore

/// What all slices of a picture share.
struct PictureTarget<S: H264Sample>: ~Copyable {
  let picture: Picture
  let structure: PictureStructure
  let planes: FramePlanes<S>
  let context: PictureContext
  let motion: MotionField
  let widthInMbs: Int
  /// Of the field where a field is decoded.
  let heightInMbs: Int
  let motionBase: Int
  let y, cb, cr: PlaneView<S>
  /// The colour plane that is decoded as luma, where planes are coded separately.
  let colourPlane: Int?
  var scaling: ScalingTables

  init(
    _ picture: Picture, planes: FramePlanes<S>, structure: PictureStructure,
    context: PictureContext, motion: MotionField, colourPlane: Int?, scaling: ScalingTables
  ) {
    self.picture = picture
    self.structure = structure
    self.planes = planes
    self.context = context
    self.motion = motion
    self.colourPlane = colourPlane
    self.scaling = scaling
    widthInMbs = motion.widthInMbs
    heightInMbs = structure.isField ? motion.heightInMbs / 2 : motion.heightInMbs
    motionBase = structure.parity * motion.half
    // SAFETY: the target holds `planes`, which own the memory of these views.
    let views = unsafe Self.select(colourPlane, planes.y.view, planes.cb.view, planes.cr.view)
    let isField = structure.isField
    let parity = structure.parity
    y = isField ? views.0.field(parity) : views.0
    cb = isField ? MacroblockDecoder<S>.fieldOf(views.1, parity) : views.1
    cr = isField ? MacroblockDecoder<S>.fieldOf(views.2, parity) : views.2
  }

  /// The three views as the slices see them: a separately coded colour plane stands first.
  func selectPlanes(
    _ y: PlaneView<S>, _ cb: PlaneView<S>, _ cr: PlaneView<S>
  ) -> (PlaneView<S>, PlaneView<S>, PlaneView<S>) {
    Self.select(colourPlane, y, cb, cr)
  }

  private static func select(
    _ colourPlane: Int?, _ y: PlaneView<S>, _ cb: PlaneView<S>, _ cr: PlaneView<S>
  ) -> (PlaneView<S>, PlaneView<S>, PlaneView<S>) {
    switch colourPlane {
    case 1: (cb, y, cr)
    case 2: (cr, y, cb)
    default: (y, cb, cr)
    }
  }
}
