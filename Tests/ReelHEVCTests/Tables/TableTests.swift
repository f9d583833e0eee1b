internal import Testing

@testable internal import ReelHEVC

/// A typing error in a table must fail here, without any stream.
@Suite("Tables of HEVC")
struct TableTests {
  @Test("the transform matrix is nearly orthogonal, and small ones are rows of the large one")
  func transformMatrix() {
    let matrix = TransformTables.dct
    #expect(matrix.count == 1024)
    for a in 0..<32 {
      for b in a..<32 {
        let product = (0..<32).reduce(0) {
          $0 + Int(matrix[a * 32 + $1]) * Int(matrix[b * 32 + $1])
        }
        // 64² · 32 on the diagonal; integer rounding leaves little elsewhere.
        if a == b {
          #expect(abs(product - 131_072) < 1200, "row \(a)")
        } else {
          #expect(abs(product) < 1200, "rows \(a), \(b)")
        }
      }
    }
    #expect(Array(matrix[8 * 32..<8 * 32 + 4]) == [83, 36, -36, -83])
    #expect(Array(matrix[4 * 32..<4 * 32 + 8]) == [89, 75, 50, 18, -18, -50, -75, -89])
  }

  @Test("the rows of the 4×4 sine transform are orthogonal")
  func sineTransform() {
    let matrix = TransformTables.dst
    for a in 0..<4 {
      for b in 0..<4 {
        let product = (0..<4).reduce(0) { $0 + Int(matrix[a * 4 + $1]) * Int(matrix[b * 4 + $1]) }
        #expect(a == b ? abs(product - 16384) < 200 : abs(product) < 200, "rows \(a), \(b)")
      }
    }
  }

  @Test("the taps of every interpolation filter sum to 64, mirrored ones are mirrors")
  func interpolationTaps() {
    for fraction in 0..<4 {
      #expect((0..<8).reduce(0) { $0 + Int(InterpolationTables.luma[fraction * 8 + $1]) } == 64)
    }
    for fraction in 0..<8 {
      #expect((0..<4).reduce(0) { $0 + Int(InterpolationTables.chroma[fraction * 4 + $1]) } == 64)
    }
    for i in 0..<8 {
      #expect(InterpolationTables.luma[8 + i] == InterpolationTables.luma[31 - i])
    }
    for fraction in 1..<8 {
      for i in 0..<4 {
        #expect(
          InterpolationTables.chroma[fraction * 4 + i]
            == InterpolationTables.chroma[(8 - fraction) * 4 + 3 - i])
      }
    }
  }

  @Test("every scan order holds each position once")
  func scans() {
    for log2Size in 0..<4 {
      let size = 1 << log2Size
      for order in [
        ScanOrders.diagonal(log2Size), ScanOrders.horizontal(log2Size),
        ScanOrders.vertical(log2Size),
      ] {
        #expect(order.count == size * size)
        #expect(Set(order).count == size * size)
        #expect(order.allSatisfy { Int($0 & 15) < size && Int($0 >> 4) < size })
      }
    }
    #expect(ScanOrders.diagonal(2).prefix(6) == [0x00, 0x10, 0x01, 0x20, 0x11, 0x02])
    #expect(ScanOrders.horizontal(1) == [0x00, 0x01, 0x10, 0x11])
    #expect(ScanOrders.vertical(1) == [0x00, 0x10, 0x01, 0x11])
  }

  @Test("there is an initial value for every context of every type")
  func contexts() {
    #expect(ContextTables.initValues.count == 3 * Context.count)
    // Types 1 and 2 share what inter slices have alike.
    let (one, two) = (Context.count, 2 * Context.count)
    for context in Context.splitCU..<Context.splitCU + 3 {
      #expect(ContextTables.initValues[one + context] == ContextTables.initValues[two + context])
    }
    #expect(ContextTables.initValues[Context.partMode] == 184)
    #expect(ContextTables.initValues[one + Context.rqtRootCbf] == 79)
    #expect(ContextTables.initValues[two + Context.cuSkip + 2] == 201)
  }

  @Test("a state's successors lead back to it: MPS up, LPS down")
  func transitions() {
    for state in 0..<62 {
      #expect(CABACTables.transition[state * 2] == UInt8(state * 2 + 2))
      #expect(CABACTables.transition[128 + state * 2] <= UInt8(max(state * 2, 1)))
    }
    for state in 1..<63 {
      for quarter in 0..<4 {
        #expect(
          CABACTables.rangeLPS[state * 4 + quarter] <= CABACTables.rangeLPS[state * 4 - 4 + quarter]
        )
      }
    }
  }

  @Test("angles are odd around the diagonal, and inverse angles are 8192 over them")
  func angles() {
    for i in 0...8 {
      #expect(IntraTables.angle[10 + i] == -IntraTables.angle[10 - i])
      #expect(IntraTables.angle[26 + i] == -IntraTables.angle[26 - i])
    }
    for mode in 11...25 {
      let angle = Int32(IntraTables.angle[mode])
      let exact = (8192 + abs(angle) / 2) / abs(angle)
      #expect(abs(-IntraTables.inverseAngle[mode - 11] - exact) <= 1, "mode \(mode)")
    }
  }

  @Test("4:2:2 chroma modes double the slope of horizontal modes and halve that of vertical ones")
  func modes422() {
    for mode in 2...34 {
      let mapped = Int(IntraTables.mode422[mode])
      let angle = Int(IntraTables.angle[mode])
      let got = Int(IntraTables.angle[mapped])
      // The slope in chroma samples, and how far the nearest mode may be from it.
      if mode < 18 && abs(2 * angle) <= 32 {
        #expect(mapped < 18 && abs(got - 2 * angle) <= 3, "mode \(mode)")
      } else if mode >= 18 {
        #expect(mapped >= 18 && abs(2 * got - angle) <= 5, "mode \(mode)")
      }
    }
  }

  @Test("thresholds of the deblocking filter never fall")
  func thresholds() {
    for q in 1..<52 { #expect(LoopFilterTables.beta[q] >= LoopFilterTables.beta[q - 1]) }
    for q in 1..<54 { #expect(LoopFilterTables.tc[q] >= LoopFilterTables.tc[q - 1]) }
    #expect(LoopFilterTables.beta[51] == 64)
    #expect(LoopFilterTables.tc[53] == 24)
  }

  @Test("default scaling lists rise along the diagonals")
  func scalingLists() {
    let lists = ScalingLists()
    #expect(lists.coefficients.count == 24 * 64)
    #expect(ScalingLists.intra8x8.last == 115)
    #expect(ScalingLists.inter8x8.last == 91)
    #expect(ScalingLists.intra8x8.reduce(0) { $0 + Int($1) } == 1939)
    #expect(zip(ScalingLists.inter8x8, ScalingLists.inter8x8.dropFirst()).allSatisfy { $0 <= $1 })
    let factors = ScalingFactors(lists)
    #expect(factors.values.count == 6 * (16 + 64 + 256 + 1024))
    let last = ScalingFactors.offset(log2Size: 5, matrix: 5)
    #expect(factors.values[last + 1023] == 91)
    #expect(factors.values[last] == 16)
  }
}
