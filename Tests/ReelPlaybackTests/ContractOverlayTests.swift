import ReelCore
import Testing

@testable import ReelPlayback

/// Contract §9.
@Suite struct ContractOverlayTests {
  private func bench() -> Bench {
    var bench = Bench(VideoSettings(name: "a", enableVector: true, events: []))
    bench.withPlayer { $0.setBounds(Rect(x: 0, y: 0, width: 100, height: 50), at: 0) }
    _ = bench.takeActions()
    return bench
  }

  @Test("a builder has an id and builds from frame and bounds")
  func builder() {
    let layer = Logo(id: 7, width: 20).layer(in: Rect(x: 0, y: 0, width: 100, height: 50))
    #expect(layer.id == "7")
    #expect(layer.shapes.first?.path.first == .move(Point(x: 80, y: 0)))
  }

  @Test("layers are built again when the bounds change")
  func rebuiltWithBounds() {
    var bench = bench()
    let logo = Logo(id: 7, width: 20)
    bench.run(.addVector(logo.layer(in: bench.player.bounds), clear: false), at: 1)
    let wide = Rect(x: 0, y: 0, width: 200, height: 50)
    bench.withPlayer { $0.setBounds(wide, at: 2) }
    #expect(bench.takeActions() == [.buildVectors(["7"], wide)])
    bench.withPlayer { $0.vectorWasBuilt(logo.layer(in: wide), at: 2) }
    #expect(
      bench.evaluation.presentation.vectors.first?.shapes.first?.path.first
        == .move(Point(x: 180, y: 0)))
    bench.withPlayer { $0.setBounds(wide, at: 3) }
    #expect(bench.takeActions().isEmpty)
  }

  @Test("layers are drawn in the order they were added")
  func order() {
    var bench = bench()
    for id in ["c", "a", "b"] {
      bench.run(.addVector(VectorLayer(id: id, shapes: []), clear: false), at: 1)
    }
    #expect(bench.evaluation.presentation.vectors.map(\.id) == ["c", "a", "b"])
  }

  @Test("a shape has path, fill, stroke, width, dash, opacity and transform")
  func shape() {
    var shape = ShapeLayer(
      path: ShapeLayer.ellipse(in: Rect(x: 0, y: 0, width: 0.5, height: 0.5)), fill: .white,
      stroke: .black, lineWidth: 0.1)
    shape.dashPattern = [0.2, 0.1]
    shape.opacity = 0.5
    shape.transform = .translation(x: 0.5, y: 0.5)
    shape.units = .fractionOfBounds
    let points = shape.resolved(in: Rect(x: 10, y: 20, width: 200, height: 100))
    #expect(points.units == .points && points.lineWidth == 10 && points.dashPattern == [20, 10])
    #expect(points.path.first == .move(Point(x: 110, y: 45)))
    #expect(points.transform.tx == 100 && points.transform.ty == 50)
    #expect(points.opacity == 0.5 && points.resolved(in: .zero) == points)
  }

  @Test("overlays, subtitles and the inset are apart: each stays when another changes")
  func apart() {
    var bench = Bench(
      VideoSettings(
        name: "a", subtitles: "en", pictureInPicture: true, enableVector: true, events: []))
    bench.run(.addVector(VectorLayer(id: "x", shapes: []), clear: false), .startPiP, at: 1)
    bench.run(.subtitles(nil), .removeAllFilters, at: 2)
    #expect(bench.evaluation.presentation.vectors.count == 1)
    #expect(bench.evaluation.presentation.isInset)
    bench.run(.removeAllVectors, at: 3)
    #expect(bench.evaluation.presentation.isInset)
  }
}
