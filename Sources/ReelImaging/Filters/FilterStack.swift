// A list of filters as stages that can run.

internal import ReelCore

/// Filters that were checked and built for pictures of one size.
///
/// A run of filters on points is one pass without rounding between them; filters that look at neighbours
/// round to the picture's depth. After each stage R′G′B′ is limited to 0…1 where colours were changed, but where
/// the stage is a map of codes (``CodeMap``).
struct FilterStack: Sendable {
  enum Stage: Sendable {
    case points(PointPass)
    case gaussian(radius: Double)
    case box(BoxBlur)
    case motion(MotionBlur)
    case pixellate(Pixellate)
    case crop(Crop)
    case affine(Transform2D)
    case detail(DetailFilter, radius: Double, lumaOnly: Bool)
    case edges(intensity: Double)
    case custom(CustomFilter)
  }

  private(set) var stages: [Stage] = []
  /// Filters run on linear light, after the sRGB curve.
  let isLinear: Bool

  /// - Throws: `.usage` for unknown names, keys and values that are not finite; `.unsupported` and
  ///   `.damaged` from the filters.
  init(
    _ filters: [FilterDescription], brightness: Double = 0, contrast: Double = 1, width: Int,
    height: Int, isLinear: Bool = false, custom: [CustomFilter] = []
  ) throws(MediaError) {
    self.isLinear = isLinear
    guard brightness.isFinite, contrast.isFinite else {
      throw MediaError(
        .usage, .filterValue, detail: "brightness \(brightness), contrast \(contrast)")
    }
    // LIMIT: as long a stack as this is a mistake; each filter costs a pass.
    guard filters.count <= 256 else {
      throw MediaError(.limitExceeded, .filterName, detail: "\(filters.count) filters")
    }
    for filter in filters {
      if let own = custom.last(where: { $0.name == filter.name }) {
        append(own)
      } else {
        try append(filter, width: width, height: height)
      }
    }
    let bright = min(max(brightness, -1), 1)
    let strong = min(max(contrast, 0), 4)
    if bright != 0 || strong != 1 {
      append(.matrix(ColourFilters.brightness(bright, contrast: strong)))
    }
  }

  var isEmpty: Bool { stages.isEmpty }

  /// The pass over points that is all there is.
  var onlyPass: PointPass? {
    guard stages.count == 1, !isLinear, case .points(let pass) = stages[0] else { return nil }
    return pass
  }

  private mutating func append(_ operation: PointOperation) {
    if case .points(var pass)? = stages.last {
      pass.append(operation)
      stages[stages.count - 1] = .points(pass)
    } else {
      var pass = PointPass()
      pass.append(operation)
      if !pass.isEmpty { stages.append(.points(pass)) }
    }
  }

  private mutating func append(_ filter: CustomFilter) {
    switch filter.body {
    case .rows(let body): append(.custom(CustomRowFilter(body: body)))
    case .frame: stages.append(.custom(filter))
    }
  }

  private mutating func append(
    _ filter: FilterDescription, width: Int, height: Int
  ) throws(MediaError) {
    guard let specification = FilterCatalog.specification(named: filter.name) else {
      throw MediaError(
        .usage, .filterName, detail: "\"\(filter.name.prefix(60))\"",
        advice: "known: \(FilterCatalog.all.map(\.name).joined(separator: ", "))")
    }
    let p = try FilterParameters(filter, specification)
    if let operations = try ColourFilters.operations(p, width: width, height: height) {
      for operation in operations { append(operation) }
      return
    }
    let top = Double(height)
    switch filter.name {
    case "CIGaussianBlur":
      if p.number("inputRadius") > 0 { stages.append(.gaussian(radius: p.number("inputRadius"))) }
    case "CIBoxBlur":
      if p.number("inputRadius") > 0 {
        stages.append(.box(BoxBlur(radius: p.number("inputRadius"))))
      }
    case "CIMotionBlur":
      if p.number("inputRadius") > 0 {
        stages.append(
          .motion(MotionBlur(radius: p.number("inputRadius"), angle: p.number("inputAngle"))))
      }
    case "CISharpenLuminance":
      append(.sharpen(amount: p.number("inputSharpness")), p, lumaOnly: true)
    case "CIUnsharpMask":
      append(.sharpen(amount: p.number("inputIntensity")), p, lumaOnly: false)
    case "CIBloom": append(.bloom(amount: p.number("inputIntensity")), p, lumaOnly: false)
    case "CIEdges": stages.append(.edges(intensity: p.number("inputIntensity")))
    case "CIPixellate":
      let centre = p.vector("inputCenter")
      let scale = p.number("inputScale")
      stages.append(
        .pixellate(
          Pixellate(originX: centre[0], originY: top - centre[1], scale: scale)))
    case "CICrop":
      let r = p.vector("inputRectangle")
      stages.append(
        .crop(Crop(left: r[0], top: top - (r[1] + r[3]), right: r[0] + r[2], bottom: top - r[1])))
    default:
      // CIAffineTransform: y goes up there and down here.
      let t = p.vector("inputTransform")
      stages.append(
        .affine(
          Transform2D(
            a: t[0], b: -t[1], c: -t[2], d: t[3], tx: t[4] + t[2] * top,
            ty: top - t[3] * top - t[5])))
    }
  }

  private mutating func append(_ detail: DetailFilter, _ p: FilterParameters, lumaOnly: Bool) {
    switch detail {
    case .sharpen(let amount), .bloom(let amount):
      guard amount > 0, p.number("inputRadius") > 0 else { return }
    }
    stages.append(.detail(detail, radius: p.number("inputRadius"), lumaOnly: lumaOnly))
  }

  /// The frame after all stages; the same planes when there are none.
  func run(_ frame: VideoFrame, context: FilterContext) throws(MediaError) -> VideoFrame {
    if isEmpty { return frame }
    if isLinear {
      let linear = try LinearLight.converted(frame, context: context)
      let filtered = try runStages(linear, context: context)
      return try LinearLight.restored(filtered, as: frame, context: context)
    }
    return try runStages(frame, context: context)
  }

  private func runStages(
    _ frame: VideoFrame, context: FilterContext
  ) throws(MediaError) -> VideoFrame {
    var frame = frame
    for stage in stages {
      switch stage {
      case .points(let pass): frame = try pass.run(frame, context: context)
      case .gaussian(let radius):
        frame = try GaussianBlur.apply(radius: radius, to: frame, context: context)
      case .box(let filter): frame = try filter.apply(to: frame, context: context)
      case .motion(let filter): frame = try filter.apply(to: frame, context: context)
      case .pixellate(let filter): frame = try filter.apply(to: frame, context: context)
      case .crop(let filter): frame = try filter.apply(to: frame, context: context)
      case .affine(let transform):
        let format = try ResolvedFormat(frame.format, width: frame.width, height: frame.height)
        frame = try AffineResample(transform, siting: format.siting).apply(
          to: frame, context: context)
      case .detail(let filter, let radius, let lumaOnly):
        frame = try filter.apply(to: frame, radius: radius, lumaOnly: lumaOnly, context: context)
      case .edges(let intensity):
        frame = try EdgeFilter.apply(intensity: intensity, to: frame, context: context)
      case .custom(let filter):
        if case .frame(let body) = filter.body { frame = try body(frame) }
      }
    }
    return frame
  }
}

/// Pictures in linear light, for stacks that ask for it.
enum LinearLight {
  /// R′G′B′ of 16 bits after the sRGB curve, whose straight part near black keeps the steps there.
  static func converted(
    _ frame: VideoFrame, context: FilterContext
  ) throws(MediaError) -> VideoFrame {
    var format = PictureFormat.rgb(bitDepth: 16)
    format.colour.primaries = frame.colour.primaries
    format.colour.transfer = frame.colour.transfer
    let coded = try frame.converted(to: format, executor: context.executor)
    var pass = PointPass()
    let curve = UnitTable { TransferFunction.sRGB.linear($0) }
    pass.append(.curves(curve, curve, curve))
    return try pass.run(coded, context: context)
  }

  static func restored(
    _ frame: VideoFrame, as original: VideoFrame, context: FilterContext
  ) throws(MediaError) -> VideoFrame {
    var pass = PointPass()
    // By the fourth root, because the curve is steep at 0.
    pass.append(
      .rootCurve(UnitTable { TransferFunction.sRGB.coded($0 * $0 * $0 * $0) }))
    var coded = try pass.run(frame, context: context)
    coded.colour.primaries = original.colour.primaries
    coded.colour.transfer = original.colour.transfer
    // An unspecified matrix would mean the one that the picture has by now.
    var format = original.format
    format.colour.matrix = try ResolvedFormat(
      format, width: original.width, height: original.height
    ).matrix.code
    var result = try coded.converted(to: format, executor: context.executor)
    result.colour = original.colour
    return result
  }
}
