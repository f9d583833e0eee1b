// Preparing a slice: reference views, distances, implicit weights. ISO/IEC 14496-10:2020 §8.4.1.2.3, §8.4.2.3.1.

import ReelCore

extension MacroblockDecoder {
  /// RefPicList1[0] as direct prediction sees it.
  static func colocatedPicture(
    _ input: SliceInput, _ current: Picture, colourPlane: Int
  ) -> ColocatedPicture? {
    guard input.header.sliceType == .b, let first = input.referenceList1.first else { return nil }
    let picture = first.picture
    guard picture.motion.widthInMbs == current.motion.widthInMbs,
      picture.motion.heightInMbs == current.motion.heightInMbs
    else { return nil }
    // A field's own second field may be under way on another thread, and its order count not known yet; only
    // frames choose between fields.
    var nearerParity = 0
    if !input.header.fieldPicFlag {
      let now = current.orderCount(.frame)
      let topDistance = (picture.topFieldOrderCount &- now).magnitude
      let bottomDistance = (picture.bottomFieldOrderCount &- now).magnitude
      nearerParity = topDistance < bottomDistance ? 0 : 1
    }
    return ColocatedPicture(
      picture: picture, motion: picture.motion(ofColourPlane: colourPlane), coding: picture.coding,
      parity: first.structure.parity, isLongTerm: first.isLongTerm,
      nearerParity: nearerParity,
      isKnownComplete: picture.progress.lines(.frame) == .max)
  }

  /// Fills ``references``: what the lists have, and for MBAFF frames their fields. §8.4.2.1.
  static func referenceViews(
    _ input: SliceInput, target: borrowing PictureTarget<S>
  ) -> [ReferenceView<S>] {
    // Entries that no list has are the picture itself: reading there is harmless.
    let unused = ReferenceView(
      y: target.y, cb: target.cb, cr: target.cr, orderCount: 0, identity: -2, isLongTerm: false,
      isBottomField: false)
    var views = [ReferenceView<S>](repeating: unused, count: 192)
    for (list, entries) in [input.referenceList0, input.referenceList1].enumerated() {
      for (i, entry) in entries.prefix(32).enumerated() {
        guard let view = view(of: entry, as: entry.structure, like: target) else { continue }
        views[list * 32 + i] = view
        guard input.header.mbaffFrameFlag, i < 16 else { continue }
        for parity in 0..<2 {
          let same: PictureStructure = parity == 0 ? .topField : .bottomField
          let base = (parity + 1) * 64 + list * 32 + i * 2
          if let field = Self.view(of: entry, as: same, like: target) { views[base] = field }
          if let field = Self.view(of: entry, as: same.opposite, like: target) {
            views[base + 1] = field
          }
        }
      }
    }
    return views
  }

  /// DistScaleFactor and implicit weights for the frame and for the fields of MBAFF frames.
  func deriveDistances(_ current: Picture) {
    let isImplicit = memory.implicitWeights.count > 0
    for set in 0..<(isMbaff ? 3 : 1) {
      let structure: PictureStructure =
        set == 0 ? header.structure : set == 1 ? .topField : .bottomField
      let now = current.orderCount(structure)
      let factor = set == 0 ? 1 : 2
      let count0 = min(referenceCounts[0] * factor, 32)
      let count1 = min(referenceCounts[1] * factor, 32)
      guard count1 > 0 else { continue }
      for i in 0..<count0 {
        let first = references[set * 64 + i]
        memory.distanceScales[set * 32 + i] =
          Self.distanceScale(now, first, references[set * 64 + 32]) ?? 0x7FFF
        guard isImplicit else { continue }
        for j in 0..<count1 {
          let second = references[set * 64 + 32 + j]
          var weight: Int32 = 32
          if !second.isLongTerm, let scale = Self.distanceScale(now, first, second) {
            let quarter = scale >> 2
            if quarter >= -64 && quarter <= 128 { weight = quarter }
          }
          memory.implicitWeights[(set * 32 + i) * 32 + j] = Int16(truncatingIfNeeded: weight)
        }
      }
    }
  }

  /// DistScaleFactor, (8-197) to (8-202); nil for long-term pictures and for equal times.
  static func distanceScale(
    _ now: Int32, _ first: ReferenceView<S>, _ second: ReferenceView<S>
  ) -> Int32? {
    let td = min(max(second.orderCount &- first.orderCount, -128), 127)
    guard !first.isLongTerm, td != 0 else { return nil }
    let tb = min(max(now &- first.orderCount, -128), 127)
    let tx = (16384 + Int32(abs(td / 2))) / td
    return min(max((tb * tx + 32) >> 6, -1024), 1023)
  }
}
