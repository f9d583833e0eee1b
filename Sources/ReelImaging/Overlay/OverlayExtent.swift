// Where layers may draw.

internal import ReelCore

extension OverlayLayer {
  /// The pixels of `bounds` that the layer may touch; larger than what it does touch. Shapes in fractions
  /// may touch all of them.
  func pixelExtent(in bounds: SampleRect) -> SampleRect {
    var box = ExtentBox()
    add(to: &box)
    return box.pixels(in: bounds)
  }

  private func add(to box: inout ExtentBox) {
    switch self {
    case .shape(let shape):
      guard shape.units == .points else {
        box.isEverything = true
        return
      }
      let isStroked = shape.stroke != nil || shape.strokeGradient != nil
      let reach =
        isStroked
        ? shape.lineWidth / 2 * (shape.lineJoin == .miter ? max(shape.miterLimit, 1.5) : 1.5) : 0
      box.add(shape.path, shape.transform, reach: reach)
    case .path(let path): box.add(path.elements, path.transform, reach: 0)
    case .image(let image):
      box.add(ShapeDescription.rectangle(image.frame), .identity, reach: 1)
    case .mask(let layer):
      let mask = layer.mask
      box.add(
        ShapeDescription.rectangle(
          Rect(
            x: Double(layer.x), y: Double(layer.y), width: Double(mask.width),
            height: Double(mask.height))), .identity, reach: 0)
    case .group(let layers, _, let clip):
      if let clip {
        box.add(clip, .identity, reach: 0)
      } else {
        for layer in layers { layer.add(to: &box) }
      }
    }
  }
}

/// A box around the control points of paths.
private struct ExtentBox {
  private var left = Double.infinity, top = Double.infinity
  private var right = -Double.infinity, bottom = -Double.infinity
  var isEverything = false

  mutating func add(_ path: [PathElement], _ map: Transform2D, reach: Double) {
    let widest = max(map.a.magnitude + map.c.magnitude, map.b.magnitude + map.d.magnitude) * reach
    // Numbers that are not finite are told by who draws.
    guard widest.isFinite else {
      isEverything = true
      return
    }
    func take(_ point: Point) {
      let p = map.apply(to: point)
      guard p.x.isFinite, p.y.isFinite else {
        isEverything = true
        return
      }
      left = min(left, p.x - widest)
      right = max(right, p.x + widest)
      top = min(top, p.y - widest)
      bottom = max(bottom, p.y + widest)
    }
    for element in path {
      switch element {
      case .move(let end), .line(let end): take(end)
      case .quadCurve(let control, let end):
        take(control)
        take(end)
      case .cubicCurve(let first, let second, let end):
        take(first)
        take(second)
        take(end)
      case .close: break
      }
    }
  }

  func pixels(in bounds: SampleRect) -> SampleRect {
    if isEverything { return bounds }
    let x0 = max(left.rounded(.down) - 1, Double(bounds.x))
    let y0 = max(top.rounded(.down) - 1, Double(bounds.y))
    let x1 = min(right.rounded(.up) + 1, Double(bounds.x + bounds.width))
    let y1 = min(bottom.rounded(.up) + 1, Double(bounds.y + bounds.height))
    guard x1 > x0, y1 > y0 else { return SampleRect(x: 0, y: 0, width: 0, height: 0) }
    return SampleRect(x: Int(x0), y: Int(y0), width: Int(x1 - x0), height: Int(y1 - y0))
  }
}
