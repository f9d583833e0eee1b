internal import ReelCore
internal import ReelTestSupport
internal import Testing

@testable internal import ReelImaging

/// Hashes of what every filter, scaler, conversion and overlay makes of one picture, in a text that a
/// difference of a single code changes: the same on every machine, with any number of bands and with vector
/// and plain kernels. `RECORD=1` writes it anew.
@Suite("Imaging, by hashes")
struct ImagingGoldenTests {
  private static let forms: [(String, PictureFormat)] = [
    ("4:2:0 8 bit", format(.yuv420)), ("4:2:0 10 bit", format(.yuv420, 10)),
    ("4:2:2 8 bit", format(.yuv422, matrix: 6, full: true)),
    ("RGB 8 bit", format(.yuv444, matrix: 0, full: true)), ("grey 8 bit", format(.monochrome)),
  ]

  private static let filters: [FilterDescription] = [
    .init(
      "CIColorControls", ["inputSaturation": 1.4, "inputBrightness": 0.1, "inputContrast": 1.2]),
    .init("CIExposureAdjust", ["inputEV": 0.7]), .init("CIGammaAdjust", ["inputPower": 0.7]),
    .init("CIHueAdjust", ["inputAngle": 1]), .init("CIVibrance", ["inputAmount": 0.8]),
    .init(
      "CITemperatureAndTint", [FilterParameter("inputTargetNeutral", .vector([4200, 10]))]),
    .init("CIColorMatrix", [FilterParameter("inputRVector", .vector([0.4, 0.5, 0.1, 0]))]),
    .init("CIColorInvert"), .init("CIColorMonochrome"), .init("CISepiaTone"),
    .init("CIColorPosterize"), .init("CIPhotoEffectMono"), .init("CIPhotoEffectNoir"),
    .init("CIPhotoEffectTonal"), .init("CIPhotoEffectChrome"), .init("CIPhotoEffectFade"),
    .init("CIPhotoEffectInstant"), .init("CIPhotoEffectProcess"),
    .init("CIPhotoEffectTransfer"), .init("CIGaussianBlur", ["inputRadius": 1.5]),
    .init("CIGaussianBlur", ["inputRadius": 12]), .init("CIBoxBlur", ["inputRadius": 3.25]),
    .init("CIMotionBlur", ["inputRadius": 7, "inputAngle": 0.5]), .init("CISharpenLuminance"),
    .init("CIUnsharpMask"), .init("CIVignette", ["inputIntensity": 0.8]), .init("CIPixellate"),
    .init("CIBloom"), .init("CIEdges", ["inputIntensity": 3]),
    .init("CICrop", [FilterParameter("inputRectangle", .vector([10, 8, 40.5, 30]))]),
    .init(
      "CIAffineTransform",
      [
        FilterParameter("inputTransform", .vector([0.8, 0.3, -0.2, 0.9, 5, -4]))
      ]),
  ]

  private static func composition(_ body: (inout Composition) -> Void) -> Composition {
    var composition = Composition()
    body(&composition)
    return composition
  }

  private static var compositions: [(String, Composition)] {
    get throws {
      var all = filters.map { filter in
        (filter.description, composition { $0.filters = [filter] })
      }
      let cube = try ColourCube(
        dimension: 2, values: (0..<24).map { Float(($0 * 7) % 24) / 23 }
      ).filter
      all.append(("CIColorCube", composition { $0.filters = [cube] }))
      all.append(
        (
          "linear blur",
          composition {
            $0.filters = [.init("CIGaussianBlur", ["inputRadius": 2])]
            $0.usesLinearLight = true
          }
        ))
      all.append(("tone", composition { ($0.brightness, $0.contrast) = (0.1, 1.3) }))
      for filter in ScaleFilter.allCases {
        for gravity in Gravity.allCases {
          all.append(
            (
              "\(filter.rawValue) \(gravity.rawValue)",
              composition {
                $0.size = PixelSize(width: 50, height: 64)
                ($0.scaleFilter, $0.gravity) = (filter, gravity)
                $0.background = RGBAColor(red: 0.2, green: 0.4, blue: 0.6)
              }
            ))
        }
      }
      for quarters in 1...3 {
        all.append(
          (
            "turned by \(quarters)",
            composition {
              $0.orientation = Orientation(quarterTurns: quarters)
            }
          ))
      }
      let drawing = try SVGImage(
        Array(
          "<svg viewBox='0 0 9 9'><circle cx='4' cy='4' r='3' fill='red' stroke='#fff8'/></svg>"
            .utf8))
      all.append(
        (
          "drawing",
          composition {
            $0.layers = [drawing.layer(in: Rect(x: 3, y: 4, width: 50, height: 40), opacity: 0.7)]
          }
        ))
      all.append(("corners", composition { $0.cornerRadius = 13 }))
      all.append(("inset", composition { $0.inset = Inset() }))
      return all
    }
  }

  @Test("what comes out is what was recorded, with one and two bands, vector and plain kernels")
  func golden() throws {
    var text = ""
    for (name, form) in Self.forms {
      text += "\(name)\n"
      let frame = VideoFrame.scene(width: 78, height: 58, format: form)
      for (what, composition) in try Self.compositions {
        let result = try Compositor().compose(frame, composition)
        let other = try Compositor(
          executor: SerialExecutor(width: 2), kernels: .plain
        ).compose(frame, composition)
        #expect(result.fingerprint == other.fingerprint, "\(name) \(what)")
        text += "  \(String(result.fingerprint, radix: 16))  \(what)\n"
      }
      for (other, target) in Self.forms where other != name {
        let result = try frame.converted(to: target)
        text += "  \(String(result.fingerprint, radix: 16))  to \(other)\n"
      }
    }
    let difference = try GoldenText.difference("imaging.txt", text)
    #expect(difference == nil, "\(difference ?? "")")
  }
}
