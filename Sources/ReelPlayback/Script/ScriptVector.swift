// Vector overlays in scripts.

internal import ReelCore

extension ScriptLine {
  /// `addVector ID rect=x,y,w,h | ellipse=x,y,w,h | path="M 0 0 L 1 1"` and the shape's properties.
  func vector(_ arguments: inout ScriptArguments) throws(MediaError) -> PlayerCommand {
    let id = try arguments.required("id").text
    let clear = try arguments.takeFlag("clear")
    var shape = ShapeDescription(path: try path(&arguments))
    shape.fill = try color("fill", &arguments)
    shape.stroke = try color("stroke", &arguments)
    shape.lineWidth = try number("width", &arguments, atLeast: 0) ?? shape.lineWidth
    shape.miterLimit = try number("miterLimit", &arguments, atLeast: 1) ?? shape.miterLimit
    shape.opacity = min(try number("opacity", &arguments, atLeast: 0) ?? 1, 1)
    shape.dashPhase = try number("phase", &arguments) ?? 0
    shape.lineCap = try choice("cap", &arguments) ?? shape.lineCap
    shape.lineJoin = try choice("join", &arguments) ?? shape.lineJoin
    shape.fillRule = try choice("rule", &arguments) ?? shape.fillRule
    if let value = arguments.takeNamed("dash") {
      shape.dashPattern = try arguments.numbers(value)
      guard shape.dashPattern.allSatisfy({ $0 >= 0 }), shape.dashPattern.count <= 1000 else {
        throw arguments.fault("dashes are not below zero, and at most 1,000")
      }
    }
    if let value = arguments.takeNamed("transform") {
      let terms = try arguments.numbers(value)
      guard terms.count == 6 else { throw arguments.fault("a transform has six numbers") }
      shape.transform = Transform2D(
        a: terms[0], b: terms[1], c: terms[2], d: terms[3], tx: terms[4], ty: terms[5])
    }
    switch arguments.takeNamed("units")?.text {
    case nil, "points": break
    case "fraction", "fractionOfBounds": shape.units = .fractionOfBounds
    case let other?: throw arguments.fault("\"\(other)\" is no unit")
    }
    return .addVector(VectorLayer(id: id, shapes: [shape]), clear: clear)
  }

  private func color(
    _ name: String, _ arguments: inout ScriptArguments
  ) throws(MediaError) -> RGBAColor? {
    guard let text = arguments.takeNamed(name)?.text, text != "none" else { return nil }
    if let color = try Self.color(text, arguments) ?? RGBAColor(text) { return color }
    throw arguments.fault("\"\(text)\" is no colour")
  }

  private func number(
    _ name: String, _ arguments: inout ScriptArguments, atLeast minimum: Double? = nil
  ) throws(MediaError) -> Double? {
    guard let value = arguments.takeNamed(name) else { return nil }
    let numbers = try arguments.numbers(value)
    guard numbers.count == 1, minimum.map({ numbers[0] >= $0 }) ?? true else {
      throw arguments.fault("\(name)=\(value.text) is out of range")
    }
    return numbers[0]
  }

  private func choice<T: RawRepresentable>(
    _ name: String, _ arguments: inout ScriptArguments
  ) throws(MediaError) -> T? where T.RawValue == String {
    guard let text = arguments.takeNamed(name)?.text else { return nil }
    guard let value = T(rawValue: text) else { throw arguments.fault("\(name)=\(text)") }
    return value
  }

  private func path(_ arguments: inout ScriptArguments) throws(MediaError) -> [PathElement] {
    if let value = arguments.takeNamed("path") { return try Self.path(value.text) }
    for (name, make) in [
      ("rect", ShapeDescription.rectangle), ("ellipse", ShapeDescription.ellipse(in:)),
    ] {
      guard let value = arguments.takeNamed(name) else { continue }
      let numbers = try arguments.numbers(value)
      guard numbers.count == 4 else { throw arguments.fault("\(name) has four numbers") }
      return make(Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]))
    }
    throw arguments.fault("rect=, ellipse= or path= is missing")
  }

  // MARK: Paths

  /// A path in the letters M L H V Q C Z (absolute) or their small forms (relative to the last point).
  static func path(_ text: String) throws(MediaError) -> [PathElement] {
    var elements: [PathElement] = []
    var (point, start) = (Point.zero, Point.zero)
    var words = PathWords(text)
    while let letter = try words.letter() {
      let isRelative = letter.isLowercase
      guard !elements.isEmpty || letter == "M" || letter == "m" else { throw words.fault }
      func at(_ x: Double, _ y: Double) -> Point {
        isRelative ? Point(x: point.x + x, y: point.y + y) : Point(x: x, y: y)
      }
      if letter == "Z" || letter == "z" {
        elements.append(.close)
        point = start
        continue
      }
      var isFirst = true
      repeat {
        switch letter {
        case "M", "m":
          point = at(try words.number(), try words.number())
          // Further pairs are lines, as in SVG.
          elements.append(isFirst ? .move(point) : .line(point))
          if isFirst { start = point }
        case "L", "l":
          point = at(try words.number(), try words.number())
          elements.append(.line(point))
        case "H", "h":
          let x = try words.number()
          point = Point(x: isRelative ? point.x + x : x, y: point.y)
          elements.append(.line(point))
        case "V", "v":
          let y = try words.number()
          point = Point(x: point.x, y: isRelative ? point.y + y : y)
          elements.append(.line(point))
        case "Q", "q":
          let control = at(try words.number(), try words.number())
          point = at(try words.number(), try words.number())
          elements.append(.quadCurve(control: control, end: point))
        case "C", "c":
          let first = at(try words.number(), try words.number())
          let second = at(try words.number(), try words.number())
          point = at(try words.number(), try words.number())
          elements.append(.cubicCurve(control1: first, control2: second, end: point))
        default: throw words.fault
        }
        isFirst = false
        // LIMIT: no drawing in a script needs more.
        guard elements.count <= 100_000 else { throw words.fault }
      } while words.isNumber
    }
    return elements
  }
}

/// Letters and numbers of a path.
private struct PathWords {
  private var words: [Substring] = []
  private var index = 0

  init(_ text: String) {
    // Letters stand alone; blanks and commas part numbers.
    var start: String.Index?
    var position = text.startIndex
    while position < text.endIndex {
      let character = text[position]
      let isBreak = character == " " || character == "," || character == "\t"
      let isLetter = character.isLetter && character != "e" && character != "E"
      if isBreak || isLetter {
        if let begin = start { words.append(text[begin..<position]) }
        start = nil
        if isLetter { words.append(text[position...position]) }
      } else if start == nil {
        start = position
      }
      position = text.index(after: position)
    }
    if let begin = start { words.append(text[begin...]) }
  }

  var fault: MediaError {
    let word = index > 0 && index <= words.count ? String(words[index - 1]) : ""
    return MediaError(.damaged, .scriptPath, detail: "near \"\(word)\"")
  }

  var isNumber: Bool { index < words.count && words[index].first?.isLetter == false }

  mutating func letter() throws(MediaError) -> Character? {
    guard index < words.count else { return nil }
    let word = words[index]
    index += 1
    guard word.count == 1, let letter = word.first, letter.isLetter else { throw fault }
    return letter
  }

  mutating func number() throws(MediaError) -> Double {
    guard index < words.count else { throw fault }
    let word = words[index]
    index += 1
    guard let number = Double(word), number.isFinite else { throw fault }
    return number
  }
}
